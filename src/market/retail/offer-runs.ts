/**
 * Observations (looks) of a set at a retailer, stored in runs: what was offered, and when it was
 * seen. Most looks find what the one before found, and then take one or two bytes.
 */
import { at as elementAt } from '../../kernel/at.ts';
import { dayOf, minuteMs, secondMs } from '../../kernel/time.ts';
import type { Offer } from '../source-rows/source-rows.ts';

export type OfferFacts = Omit<Offer, 'setKey' | 'retailer' | 'observedAt'>;

export const offerFields = [
  'currency',
  'priceCents',
  'listPriceCents',
  'sellerType',
  'inStock',
  'asin',
  'productUrl',
  'lowestFbaCents',
  'fbaSellers',
  'buyBoxCents',
] as const satisfies readonly (keyof OfferFacts)[];

/** Looks in a row that found the same. */
export interface OfferRun {
  readonly facts: OfferFacts;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly looks: number;
  /** The times between looks, packed; null if there is one look. */
  readonly gaps: Uint8Array | null;
}

export function isSameOffer(a: OfferFacts, b: OfferFacts): boolean {
  return offerFields.every((field) => a[field] === b[field]);
}

/** The runs of a week. They depend on its looks alone, not on the order in which these arrived. */
export class OfferWeek {
  #runs: OfferRun[];

  constructor(runs: readonly OfferRun[]) {
    this.#runs = [...runs];
  }

  get runs(): readonly OfferRun[] {
    return this.#runs;
  }

  /** Null if there was no look at this time. */
  find(at: number): OfferFacts | null {
    const run = this.#runs.findLast(({ firstAt }) => firstAt <= at);
    if (!run || run.lastAt < at) return null;
    const isEnd = at === run.firstAt || at === run.lastAt;
    return isEnd || lookTimes(run).includes(at) ? run.facts : null;
  }

  /** Adds or replaces a look; null removes it. */
  set(at: number, facts: OfferFacts | null): void {
    const last = this.#runs.at(-1);
    if (facts && (!last || at > last.lastAt)) this.#append(at, facts);
    else this.#rebuild(at, facts);
  }

  #append(at: number, facts: OfferFacts): void {
    const last = this.#runs.at(-1);
    if (last && continues(last, at, facts)) this.#runs[this.#runs.length - 1] = extended(last, at);
    else this.#runs.push({ facts, firstAt: at, lastAt: at, looks: 1, gaps: null });
  }

  #rebuild(at: number, facts: OfferFacts | null): void {
    const looks = this.#runs
      .flatMap((run) => lookTimes(run).map((time) => ({ time, facts: run.facts })))
      .filter(({ time }) => time !== at);
    if (facts) looks.push({ time: at, facts });
    looks.sort((a, b) => a.time - b.time);
    this.#runs = [];
    for (const look of looks) this.#append(look.time, look.facts);
  }
}

/** Looks in another currency are of one day, because all are converted by the rate of that day. */
function continues(run: OfferRun, at: number, facts: OfferFacts): boolean {
  const isOneRate = facts.currency === 'USD' || dayOf(run.firstAt) === dayOf(at);
  return isOneRate && isSameOffer(run.facts, facts);
}

/** The times of all looks of a run, in order. */
export function lookTimes(run: OfferRun): number[] {
  const times = [run.firstAt];
  if (run.gaps)
    for (const gap of unpackGaps(run.gaps)) times.push(elementAt(times, times.length - 1) + gap);
  return times;
}

/**
 * The first and the last look of a run after one time and up to another. Looks between them found
 * the same, so they do not change a retail state.
 */
export function endLooks(run: OfferRun, after: number, until: number): readonly number[] {
  const isWhole = run.firstAt > after && run.lastAt <= until;
  const times = isWhole
    ? [run.firstAt, run.lastAt]
    : lookTimes(run).filter((time) => time > after && time <= until);
  return [...new Set([...times.slice(0, 1), ...times.slice(-1)])];
}

/** The units of packed times in milliseconds. The first byte is the index of the unit here. */
const units = [minuteMs, secondMs, 1] as const;

function extended(run: OfferRun, at: number): OfferRun {
  const gap = at - run.lastAt;
  return { ...run, lastAt: at, looks: run.looks + 1, gaps: withGap(run.gaps, gap) };
}

function withGap(gaps: Uint8Array | null, gap: number): Uint8Array {
  const index = gaps === null ? 0 : elementAt(gaps, 0);
  if (gap % elementAt(units, index) !== 0) return packGaps([...unpackGaps(gaps), gap]);
  const added = packed(gap / elementAt(units, index));
  const longer = new Uint8Array((gaps?.length ?? 1) + added.length);
  if (gaps) longer.set(gaps);
  longer.set(added, longer.length - added.length);
  return longer;
}

/** In the largest unit that all are multiples of. */
function packGaps(gaps: readonly number[]): Uint8Array {
  const index = units.findIndex((unit) => gaps.every((gap) => gap % unit === 0));
  return Uint8Array.from([index, ...gaps.flatMap((gap) => packed(gap / elementAt(units, index)))]);
}

/** Seven bits per byte, lowest first; the highest bit is set in all but the last. */
function packed(count: number): number[] {
  const bytes: number[] = [];
  for (let rest = count; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

function unpackGaps(gaps: Uint8Array | null): number[] {
  const found: number[] = [];
  if (gaps === null) return found;
  const unit = elementAt(units, elementAt(gaps, 0));
  let [count, scale] = [0, 1];
  for (const byte of gaps.subarray(1)) {
    count += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    found.push(count * unit);
    [count, scale] = [0, 1];
  }
  return found;
}
