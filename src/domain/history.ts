/** Monthly series: finalized months of one item in one condition, and how they are kept. */
import type { Month } from './time.ts';

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
}): HistoryEvent | null {
  if (facts.retiredIn === facts.month) return 'retired';
  if (facts.releasedIn === facts.month) return 'released';
  if (!facts.wellSupported || !facts.valueCents || !facts.previousCents) return null;
  const change = Math.log(facts.valueCents / facts.previousCents);
  if (Math.abs(change) < jumpLog) return null;
  return change > 0 ? 'price_jump_up' : 'price_jump_down';
}
