/** Monthly values: finalized months, their packed form, and restatements. */
import { at } from '../../kernel/at.ts';
import { formatMonth, type Month, parseMonth } from '../../kernel/time.ts';
import type { Provenance } from '../values/estimator.ts';

/** Events of a month. The index is the stored code: only ever append. */
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

/**
 * The basis of a month. `unsold`: no sale of the item was known, so there is no value.
 */
export type MonthOrigin = Provenance | 'unsold';

export interface Series {
  readonly firstMonth: Month;
  readonly points: readonly MonthPoint[];
  /** The latest restatement applied to these months; 0 for none. */
  readonly revision: number;
  /** The origin of each point, in the same order. Empty if only the points were read. */
  readonly provenance: readonly MonthOrigin[];
}

/**
 * The first word of packed months. Final months outlast versions, so none may misread what a later
 * one has written.
 */
const packedFormat = 1;
const formatBytes = 4;

/** Throws if a later version packed these months in another way. */
function openPacked(packed: Uint8Array): DataView {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const format = view.byteLength < formatBytes ? null : view.getUint32(0, true);
  if (format === packedFormat) return view;
  throw new Error(`Packed months have format ${format}; this version reads ${packedFormat}.`);
}

function startPacking(bytes: number): DataView {
  const view = new DataView(new ArrayBuffer(formatBytes + bytes));
  view.setUint32(0, packedFormat, true);
  return view;
}

/**
 * Packs points as five 32-bit numbers each, with -1 for null. A run of months without values and
 * sales takes the space of one, because most sets have little else: -2, the number of months, and
 * the event of the first month; the others have none.
 */
export function packPoints(points: readonly MonthPoint[]): Uint8Array {
  const view = startPacking(points.length * pointBytes);
  let end = formatBytes;
  const add = (value: number) => {
    if (value > packedMax) throw new Error(`A month cannot hold ${value}.`);
    view.setInt32(end, value, true);
    end += 4;
  };
  for (let index = 0; index < points.length; ) {
    const months = countBlank(points, index);
    addPoint(at(points, index), months, add);
    index += Math.max(1, months);
  }
  return new Uint8Array(view.buffer.slice(0, end));
}

/** The length of the run of blank months that starts here; only the first may have an event. */
function countBlank(points: readonly MonthPoint[], from: number): number {
  let months = 0;
  for (let point = points[from]; point && isBlank(point); point = points[from + months]) {
    if (months > 0 && point.event !== null) break;
    months++;
  }
  return months;
}

function isBlank({ valueCents, lowCents, highCents, salesCount }: MonthPoint): boolean {
  return valueCents === null && lowCents === null && highCents === null && salesCount === 0;
}

/** A month without a value, sales or an event, as most are. */
export const blankPoint: MonthPoint = {
  valueCents: null,
  lowCents: null,
  highCents: null,
  salesCount: 0,
  event: null,
};

function addPoint(point: MonthPoint, blankMonths: number, add: (value: number) => void): void {
  const isRun = blankMonths > 1;
  add(isRun ? runMark : (point.valueCents ?? -1));
  add(isRun ? blankMonths : (point.lowCents ?? -1));
  add(isRun ? 0 : (point.highCents ?? -1));
  add(isRun ? 0 : point.salesCount);
  add(point.event === null ? -1 : historyEvents.indexOf(point.event));
}

export function unpackPoints(packed: Uint8Array): MonthPoint[] {
  const view = openPacked(packed);
  const orNull = (value: number) => (value < 0 ? null : value);
  const points: MonthPoint[] = [];
  for (let start = formatBytes; start < packed.byteLength; start += pointBytes) {
    const field = (n: number) => view.getInt32(start + n * 4, true);
    const event = field(4) < 0 ? null : at(historyEvents, field(4));
    if (field(0) === runMark) {
      points.push({ ...blankPoint, event });
      for (let months = field(1); months > 1; months--) points.push(blankPoint);
      continue;
    }
    points.push({
      valueCents: orNull(field(0)),
      lowCents: orNull(field(1)),
      highCents: orNull(field(2)),
      salesCount: field(3),
      event,
    });
  }
  return points;
}

/** Only the values of packed months, which is faster for many sets. */
export function unpackValues(packed: Uint8Array): (number | null)[] {
  const view = openPacked(packed);
  const values: (number | null)[] = [];
  for (let start = formatBytes; start < packed.byteLength; start += pointBytes) {
    const cents = view.getInt32(start, true);
    const months = cents === runMark ? view.getInt32(start + 4, true) : 1;
    for (let month = 0; month < months; month++) values.push(cents < 0 ? null : cents);
  }
  return values;
}

const pointBytes = 20;
const packedMax = 2 ** 31 - 1;
const runMark = -2;

/**
 * Packs origins as sixteen bytes each: the hash of the inputs, the month of the parameters and the
 * hash of the parameters. A run of unsold months takes the space of one: a reserved hash and the
 * number of months.
 */
export function packProvenance(provenance: readonly MonthOrigin[]): Uint8Array {
  const view = startPacking(provenance.length * provenanceBytes);
  let end = formatBytes;
  for (let index = 0; index < provenance.length; end += provenanceBytes) {
    const origin = at(provenance, index);
    const months = origin === 'unsold' ? countUnsold(provenance, index) : 1;
    if (origin === 'unsold') {
      view.setUint32(end, unsoldMark);
      view.setUint32(end + 4, months);
    } else setOrigin(view, end, origin);
    index += months;
  }
  return new Uint8Array(view.buffer.slice(0, end));
}

function countUnsold(provenance: readonly MonthOrigin[], from: number): number {
  let end = from;
  while (provenance[end] === 'unsold') end++;
  return end - from;
}

function setOrigin(view: DataView, start: number, { inputHash, parameters }: Provenance): void {
  if (!(Number.isInteger(inputHash) && inputHash >= 0 && inputHash < inputHashEnd)) {
    throw new Error(`The hash of inputs '${inputHash}' is not a whole number below 2^52.`);
  }
  const { month, hash } = parametersName(parameters);
  view.setUint32(start, Math.floor(inputHash / 2 ** 32));
  view.setUint32(start + 4, inputHash % 2 ** 32);
  view.setUint32(start + 8, month);
  view.setUint32(start + 12, hash);
}

interface ParametersName {
  readonly month: Month;
  readonly hash: number;
}

/** Parsed names, cached because all items share them. */
const knownNames = new Map<string, ParametersName>();
const knownNamesMax = 10_000;

function parametersName(version: string): ParametersName {
  const known = knownNames.get(version);
  if (known) return known;
  const [, monthText = '', hash = ''] = /^(\d{4}-\d\d)-([0-9a-f]{8})$/.exec(version) ?? [];
  const month = parseMonth(monthText);
  if (month === null || formatMonth(month) !== monthText) {
    throw new Error(`The parameters '${version}' are not named like 2026-10-3f9a2c1b.`);
  }
  const name = { month, hash: Number.parseInt(hash, 16) };
  if (knownNames.size >= knownNamesMax) knownNames.clear();
  knownNames.set(version, name);
  return name;
}

/** The inverse of `packProvenance`; throws if there are not `count` months. */
export function unpackProvenance(packed: Uint8Array, count: number): MonthOrigin[] {
  const view = openPacked(packed);
  const origins: MonthOrigin[] = [];
  for (let start = formatBytes; start < packed.byteLength; start += provenanceBytes) {
    const word = (position: number) => view.getUint32(start + 4 * position);
    if (word(0) === unsoldMark) {
      for (let months = word(1); months > 0; months--) origins.push('unsold');
    } else origins.push(originOf(word));
  }
  if (origins.length !== count) {
    throw new Error(`${packed.byteLength} bytes are not the provenance of ${count} months.`);
  }
  return origins;
}

function originOf(word: (position: number) => number): Provenance {
  const hash = word(3).toString(16).padStart(8, '0');
  return { inputHash: word(0) * 2 ** 32 + word(1), parameters: `${formatMonth(word(2))}-${hash}` };
}

const provenanceBytes = 16;
/** Input hashes have 52 bits, so their upper word is never all ones. */
const unsoldMark = 0xffffffff;
const inputHashEnd = 2 ** 52;

/** A month-on-month change of this size (log scale) is a jump if sales support it. */
const jumpLog = 0.2;

/** The release or retirement of a set takes precedence over a price jump. */
export function monthEvent(facts: {
  readonly month: Month;
  /** The months of these dates; null if unknown. */
  readonly releasedIn: Month | null;
  readonly retiredIn: Month | null;
  readonly valueCents: number | null;
  readonly previousCents: number | null;
  /** Whether enough recent sales support the value to call a change a jump. */
  readonly wellSupported: boolean;
  /** Whether several consecutive sales forced a new level: a jump of any size. */
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

/** An explicit, public correction of sealed history. */
export interface Restatement {
  readonly id: number;
  readonly fromMonth: Month;
  readonly reason: string;
  readonly at: number;
}

export interface HistoryState {
  /** When history was sealed; null while past data is still being loaded. */
  readonly sealedAt: number | null;
  readonly restatements: readonly Restatement[];
}
