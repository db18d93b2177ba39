/** The state of an item's sales in one condition. */
import { dayMs } from '../../../kernel/time.ts';
import { type Agreement, sellersMin } from './agreement.ts';
import { DriftAlarm } from './drift-alarm.ts';
import { LevelTest, outliersMs } from './level-test.ts';
import { countUntil } from './rate.ts';
import type { SaleCount } from './seller-sales.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** The weight of an error in the variance falls from 1/8 to 1/48 with the number of sales. */
const learning = { first: 8, longest: 40 };

/** Errors in the variance are clipped, for robustness; `restore` corrects the resulting bias. */
const scatter = { min: 0.05, errorsMax: 2.5, restore: 1.15 };

const supportMs = 180 * dayMs;

/** The rate of sale is that of a year, and of at least a quarter. */
const rateMs = 365 * dayMs;
const rateMsMin = 90 * dayMs;

/** More sales than usual within this time weigh less. */
const burstMs = 7 * dayMs;

/** Another level is doubted until this long after the latest sale at it. */
const doubtMs = 30 * dayMs;

/** Another level that sales agree on, but have not proven. */
export interface Doubt extends Agreement {
  readonly expectedSales: number;
  /** When it ends without further sales. */
  readonly until: number;
}

export class SaleTrack {
  /** Variance of ordinary sales around the value (log). */
  variance: number;
  /** Accepted sales, in order; without `earlier` ones, that no later sale depends on. */
  times: number[] = [];
  /** Those that count in the rate of sale. */
  ratedTimes: number[] = [];
  /** The effective sales that each of `times` is. */
  #shares: number[] = [];
  /** Whether the level has shifted this month. */
  hasShifted = false;
  readonly alarm = new DriftAlarm();
  readonly levels = new LevelTest();
  #earlier = { count: 0, firstAt: 0 };

  constructor(spread: number) {
    this.variance = spread ** 2;
  }

  /** The number of accepted sales. */
  get count(): number {
    return this.#earlier.count + this.times.length;
  }

  /** The first accepted sale. */
  get firstAt(): number | undefined {
    return this.#earlier.count > 0 ? this.#earlier.firstAt : this.times[0];
  }

  /** `at` is the time of the latest row. */
  write(to: StateWriter, at: number): void {
    to.number(this.variance);
    to.flag(this.hasShifted);
    this.alarm.write(to);
    this.levels.write(to);
    const from = this.#neededFrom(at);
    const earlier = countBefore(this.times, from);
    to.number(this.#earlier.count + earlier);
    to.number(this.firstAt ?? 0);
    to.numbers(this.times.slice(earlier));
    to.numbers(this.#shares.slice(earlier));
    to.numbers(this.ratedTimes.slice(countBefore(this.ratedTimes, from)));
  }

  read(from: StateReader): void {
    this.variance = from.number();
    this.hasShifted = from.flag();
    this.alarm.read(from);
    this.levels.read(from);
    this.#earlier = { count: from.number(), firstAt: from.number() };
    this.times = from.numbers();
    this.#shares = from.numbers();
    this.ratedTimes = from.numbers();
  }

  /**
   * Until when no later sale depends on times. Sales are counted in the year before a burst or an
   * agreement, which may have begun with any sale that the alarm or the level test holds.
   */
  #neededFrom(at: number): number {
    const oldest = Math.min(this.alarm.oldestAt(), this.levels.oldestAt(at - outliersMs));
    return Math.min(at - burstMs, oldest) - rateMs;
  }

  countSince(after: number): number {
    return this.times.length - countUntil(this.times, after);
  }

  /** Accepted sales within 180 days, rounded down to 0, 1, 3 or 10. */
  supportAt(at: number): number {
    const { times } = this;
    const after = at - supportMs;
    const reaches = (count: number) => (times[times.length - count] ?? after) > after;
    if (!reaches(1)) return 0;
    if (!reaches(3)) return 1;
    return reaches(10) ? 10 : 3;
  }

  /** Sales released from quarantine are inserted in order. */
  accept(at: number, { share, isRated }: SaleCount): void {
    const index = countUntil(this.times, at);
    this.times.splice(index, 0, at);
    this.#shares.splice(index, 0, share);
    if (isRated) this.ratedTimes.splice(countUntil(this.ratedTimes, at), 0, at);
  }

  effectiveSince(after: number): number {
    let sum = 0;
    for (let index = this.times.length - 1; (this.times[index] ?? after) > after; index--) {
      sum += this.#shares[index] ?? 0;
    }
    return sum;
  }

  /** The latest instant since which there were this many effective sales, of those after one. */
  reachedAt(sales: number, after: number): number {
    let sum = 0;
    for (let index = this.times.length - 1; index >= 0; index--) {
      const time = this.times[index] ?? after;
      if (time <= after) break;
      sum += this.#shares[index] ?? 0;
      if (sum >= sales) return time;
    }
    return Number.NEGATIVE_INFINITY;
  }

  /** Moving average of squared errors, less half the variance of the value. */
  learnScatter(error: number, valueVariance: number, noise: number): void {
    const weight = 1 / (learning.first + Math.min(this.count, learning.longest));
    const square = Math.min(error ** 2 / noise, scatter.errorsMax ** 2 * this.variance);
    const observed = scatter.restore * Math.max(0, square - valueVariance / 2);
    this.variance = Math.max(scatter.min ** 2, (1 - weight) * this.variance + weight * observed);
  }

  /**
   * Sales to be expected between two instants, by the rated sales of the year before. Infinite
   * without any: there is no level that new sales could contradict.
   */
  expectedSales(from: number, to: number): number {
    const { ratedTimes: times } = this;
    const since = from - rateMs;
    const sales = countUntil(times, from) - countUntil(times, since);
    const ms = Math.max(rateMsMin, from - Math.max(since, this.firstAt ?? from));
    return sales === 0 ? Number.POSITIVE_INFINITY : (sales / ms) * (to - from);
  }

  /** Noise factor of a sale among more than twice as many as usual. */
  burstNoise(at: number): number {
    const from = at - burstMs;
    const others = this.countSince(from);
    if (others === 0) return 1;
    return Math.max(1, (1 + others) / (1 + 2 * this.expectedSales(from, at)));
  }

  /** Another level that several sellers agree on, at an instant; null if there is none. */
  doubtAt(at: number): Doubt | null {
    return this.#doubtOf(this.levels.agreement(), at) ?? this.#doubtOf(this.alarm.agreement(), at);
  }

  #doubtOf(agreement: Agreement | null, at: number): Doubt | null {
    if (agreement === null || agreement.sellers < sellersMin) return null;
    const until = agreement.to + doubtMs;
    if (at >= until) return null;
    const expectedSales = this.expectedSales(agreement.from, agreement.to);
    return { ...agreement, expectedSales, until };
  }
}

/** How many of the times are up to an instant; the latest one never counts. */
function countBefore(times: readonly number[], until: number): number {
  return Math.max(0, Math.min(countUntil(times, until), times.length - 1));
}
