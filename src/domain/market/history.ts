/** Monthly series: finalized months of one item in one condition, and how they are kept. */

import { formatMonth, type Month, parseMonth } from '../kernel/time.ts';
import type { Provenance } from './estimator.ts';

/** What may have happened in a month. The order is the stored code: only ever append. */
export const historyEvents = ['released', 'retired', 'price_jump_up', 'price_jump_down'] as const;
export type HistoryEvent = (typeof historyEvents)[number];

/** One finalized month. Values are null before the first sale. */
export interface MonthPoint {
  readonly valueCents: number | null;
  readonly lowCents: number | null;
  readonly highCents: number | null;
  readonly salesCount: number;
  readonly event: HistoryEvent | null;
}

/** Finalized months without gaps. */
export interface Series {
  readonly firstMonth: Month;
  readonly points: readonly MonthPoint[];
  /** The latest restatement that these months have been through; 0 for none. */
  readonly revision: number;
  /**
   * What each month was made from, in the same order; null where that was not written down. Empty
   * where a series is read for its points alone.
   */
  readonly provenance: readonly (Provenance | null)[];
}

/** The months of a series, packed: five 32-bit numbers each, -1 for null. */
export function packPoints(points: readonly MonthPoint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(points.length * pointBytes));
  points.forEach((point, index) => {
    const fields = [
      point.valueCents ?? -1,
      point.lowCents ?? -1,
      point.highCents ?? -1,
      point.salesCount,
      point.event === null ? -1 : historyEvents.indexOf(point.event),
    ];
    fields.forEach((value, field) => {
      if (value > packedMax) throw new Error(`A month cannot hold ${value}.`);
      view.setInt32(index * pointBytes + field * 4, value, true);
    });
  });
  return new Uint8Array(view.buffer);
}

/** The inverse of `packPoints`. */
export function unpackPoints(packed: Uint8Array): MonthPoint[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const orNull = (value: number) => (value < 0 ? null : value);
  return Array.from({ length: packed.byteLength / pointBytes }, (_, index) => {
    const field = (n: number) => view.getInt32(index * pointBytes + n * 4, true);
    return {
      valueCents: orNull(field(0)),
      lowCents: orNull(field(1)),
      highCents: orNull(field(2)),
      salesCount: field(3),
      event: historyEvents[field(4)] ?? null,
    };
  });
}

const pointBytes = 20;
const packedMax = 2 ** 31 - 1;

/**
 * What months were made from, packed: sixteen bytes each, all zero for null. They are the hash of
 * the inputs, the month of the parameters and the hash of the parameters.
 */
export function packProvenance(provenance: readonly (Provenance | null)[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(provenance.length * provenanceBytes));
  provenance.forEach((made, index) => {
    if (made === null) return;
    const { inputHash } = made;
    if (!(Number.isInteger(inputHash) && inputHash >= 0 && inputHash < inputHashEnd)) {
      throw new Error(`The hash of inputs '${inputHash}' is not a whole number below 2^52.`);
    }
    const { month, hash } = parametersName(made.parameters);
    const start = index * provenanceBytes;
    view.setUint32(start, Math.floor(inputHash / 2 ** 32));
    view.setUint32(start + 4, inputHash % 2 ** 32);
    view.setUint32(start + 8, month);
    view.setUint32(start + 12, hash);
  });
  return new Uint8Array(view.buffer);
}

interface ParametersName {
  readonly month: Month;
  readonly hash: number;
}

/** Names that were read before: all items have the same ones. */
const knownNames = new Map<string, ParametersName>();
const knownNamesMax = 10_000;

function parametersName(version: string): ParametersName {
  const known = knownNames.get(version);
  if (known) return known;
  const [, monthText = '', hash = ''] = /^(\d{4}-\d\d)-([0-9a-f]{8})$/.exec(version) ?? [];
  const month = parseMonth(monthText);
  // A month that does not come back as it was, such as 0000-01, would look like null.
  if (month === null || formatMonth(month) !== monthText) {
    throw new Error(`The parameters '${version}' are not named like 2026-10-3f9a2c1b.`);
  }
  const name = { month, hash: Number.parseInt(hash, 16) };
  if (knownNames.size >= knownNamesMax) knownNames.clear();
  knownNames.set(version, name);
  return name;
}

/** The inverse of `packProvenance`, for so many months. */
export function unpackProvenance(packed: Uint8Array, count: number): (Provenance | null)[] {
  if (packed.byteLength !== count * provenanceBytes) {
    throw new Error(`${packed.byteLength} bytes are not the provenance of ${count} months.`);
  }
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: count }, (_, index) => {
    const word = (position: number) => view.getUint32(index * provenanceBytes + 4 * position);
    const month = word(2);
    if (month === 0) return null;
    const hash = word(3).toString(16).padStart(8, '0');
    return {
      inputHash: word(0) * 2 ** 32 + word(1),
      parameters: `${formatMonth(month)}-${hash}`,
    };
  });
}

const provenanceBytes = 16;
const inputHashEnd = 2 ** 52;

/** A month-on-month change of this size (in logarithms) is a jump, when sales support it. */
const jumpLog = 0.2;

/** What happened in a month; a date of the set outranks a move of the price. */
export function monthEvent(facts: {
  readonly month: Month;
  /** The months of these dates; null when they are unknown. */
  readonly releasedIn: Month | null;
  readonly retiredIn: Month | null;
  readonly valueCents: number | null;
  readonly previousCents: number | null;
  /** Whether enough recent sales stand behind the value to call a move a jump. */
  readonly wellSupported: boolean;
  /** Whether several sales in a row forced the value to a new level: a jump of any size. */
  readonly hasShifted: boolean;
}): HistoryEvent | null {
  if (facts.retiredIn === facts.month) return 'retired';
  if (facts.releasedIn === facts.month) return 'released';
  if (!facts.valueCents || !facts.previousCents) return null;
  const change = Math.log(facts.valueCents / facts.previousCents);
  const isLarge = facts.wellSupported && Math.abs(change) >= jumpLog;
  if (change === 0 || !(isLarge || facts.hasShifted)) return null;
  return change > 0 ? 'price_jump_up' : 'price_jump_down';
}
