/** The state of an item's sales in one condition. */
import { dayMs } from '../../domain/kernel/time.ts';
import { type Agreement, sellersMin } from './agreement.ts';
import { DriftAlarm } from './drift-alarm.ts';
import { LevelTest, outliersMs } from './level-test.ts';
import { countUntil } from './rate.ts';
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
    const kept = this.times.slice(this.#countEarlier(at));
    to.number(this.count - kept.length);
    to.number(this.firstAt ?? 0);
    to.numbers(kept);
  }

  read(from: StateReader): void {
    this.variance = from.number();
    this.hasShifted = from.flag();
    this.alarm.read(from);
    this.levels.read(from);
    this.#earlier = { count: from.number(), firstAt: from.number() };
    this.times = from.numbers();
  }

  /**
   * How many of the times no later sale depends on. Sales are counted in the year before a burst or
   * an agreement, which may have begun with any sale that the alarm or the level test holds. The
   * latest one is always kept.
   */
  #countEarlier(at: number): number {
    const from = Math.min(
      at - burstMs,
      this.alarm.oldestAt(),
      this.levels.oldestAt(at - outliersMs),
    );
    return Math.max(0, Math.min(countUntil(this.times, from - rateMs), this.times.length - 1));
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
  accept(at: number): void {
    const { times } = this;
    let index = times.length;
    if ((times[index - 1] ?? at) <= at) {
      times.push(at);
      return;
    }
    while (index > 0 && (times[index - 1] ?? 0) > at) index--;
    times.splice(index, 0, at);
  }

  /** Moving average of squared errors, less half the variance of the value. */
  learnScatter(error: number, valueVariance: number, noise: number): void {
    const weight = 1 / (learning.first + Math.min(this.count, learning.longest));
    const square = Math.min(error ** 2 / noise, scatter.errorsMax ** 2 * this.variance);
    const observed = scatter.restore * Math.max(0, square - valueVariance / 2);
    this.variance = Math.max(scatter.min ** 2, (1 - weight) * this.variance + weight * observed);
  }

  /**
   * Sales to be expected between two instants, by the accepted sales of the year before. Infinite
   * without any: there is no level that new sales could contradict.
   */
  expectedSales(from: number, to: number): number {
    const { times } = this;
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
    for (const agreement of [this.levels.agreement(), this.alarm.agreement()]) {
      if (agreement === null || agreement.sellers < sellersMin) continue;
      const until = agreement.to + doubtMs;
      const expectedSales = this.expectedSales(agreement.from, agreement.to);
      if (at < until) return { ...agreement, expectedSales, until };
    }
    return null;
  }
}
