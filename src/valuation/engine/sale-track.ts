/** What is remembered of an item's sales in one condition while they are gone through. */
import { dayMs } from '../../domain/kernel/time.ts';
import type { Row } from './admit.ts';

/** The price of a sale, as it is taken in. */
export interface Price {
  readonly log: number;
  readonly noise: number;
  /** Whether its seller has sold the item enough times lately. */
  readonly isAgain: boolean;
}

/** A sale that did not fit, as it would have been taken in. */
export interface QuarantinedSale extends Price {
  readonly row: Row;
  readonly sign: number;
  /** Whether its price is wholly different from an established value. */
  readonly isFar: boolean;
}

/** Errors that add up in one direction: the value has not followed a drift. */
const alarm = { slack: 0.5, clip: 2.5, limit: 5 };

/**
 * So many odd sales that agree, within this time and this far from each other, are a new level; it
 * takes more of them where the old one was established and the new one is a wholly different price.
 */
const shift = { sales: 3, farSales: 5, withinMs: 365 * dayMs, logDistanceMax: 0.25, sellers: 2 };

/** Of more odd sales than this, the latest are enough. */
const quarantinedMax = 20;

/** An error smaller than this speaks for the level that is believed in. */
const levelErrors = 1;

/** How quickly the scatter of sales is learned. */
const learning = { first: 8, longest: 40 };

/** Cuts a single sale's say in the scatter off; what that takes away on average is put back. */
const scatter = { min: 0.05, errorsMax: 2.5, restore: 1.15 };

const supportMs = 180 * dayMs;

/** Sales of one condition. */
export class SaleTrack {
  /** How far ordinary sales scatter around the value (variance of logarithms). */
  variance: number;
  /** When the accepted sales were made, in order. */
  readonly times: number[] = [];
  /** Whether a new level was taken in since the month began. */
  hasShifted = false;
  #notLowAt = Number.NEGATIVE_INFINITY;
  #notHighAt = Number.NEGATIVE_INFINITY;
  #up = 0;
  #down = 0;
  #quarantined: QuarantinedSale[] = [];

  constructor(spread: number) {
    this.variance = spread ** 2;
  }

  /** Accepted sales within a time before an instant. */
  countSince(after: number): number {
    let count = 0;
    while ((this.times[this.times.length - 1 - count] ?? Number.NEGATIVE_INFINITY) > after) count++;
    return count;
  }

  /** Accepted sales that support a value at an instant, as far as that makes a difference. */
  supportAt(at: number): number {
    const { times } = this;
    const after = at - supportMs;
    const reaches = (count: number) => (times[times.length - count] ?? after) > after;
    if (!reaches(1)) return 0;
    if (!reaches(3)) return 1;
    return reaches(10) ? 10 : 3;
  }

  /** Writes an accepted sale down. One that was held back is put where it belongs. */
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

  /** Learns how far sales scatter from one that was off; the value was a part of that. */
  learnScatter(error: number, valueVariance: number, noise: number): void {
    const weight = 1 / (learning.first + Math.min(this.times.length, learning.longest));
    const square = Math.min(error ** 2 / noise, scatter.errorsMax ** 2 * this.variance);
    const observed = scatter.restore * Math.max(0, square - valueVariance / 2);
    this.variance = Math.max(scatter.min ** 2, (1 - weight) * this.variance + weight * observed);
  }

  /** Remembers when a sale last spoke against a lower, or a higher, level. */
  noteLevel(at: number, error: number): void {
    if (error > -levelErrors) this.#notLowAt = Math.max(this.#notLowAt, at);
    if (error < levelErrors) this.#notHighAt = Math.max(this.#notHighAt, at);
  }

  /** Adds an error up; whether errors have gone on in one direction for too long. */
  soundsAlarm(error: number): boolean {
    const clipped = Math.max(-alarm.clip, Math.min(alarm.clip, error));
    this.#up = Math.max(0, this.#up + clipped - alarm.slack);
    this.#down = Math.max(0, this.#down - clipped - alarm.slack);
    if (Math.max(this.#up, this.#down) <= alarm.limit) return false;
    this.#up = this.#down = 0;
    return true;
  }

  /** Puts an odd sale aside; those that agree with it once they are a new level, else none. */
  quarantine(sale: QuarantinedSale): readonly QuarantinedSale[] {
    const from = sale.row.at - shift.withinMs;
    this.#quarantined = [
      ...this.#quarantined.filter(({ row }) => row.at >= from).slice(-quarantinedMax),
      sale,
    ];
    // What lies before a sale at the old level says nothing of a new one.
    const contrary = sale.sign < 0 ? this.#notLowAt : this.#notHighAt;
    const alike = this.#quarantined.filter(
      ({ sign, row }) => sign === sale.sign && row.at > contrary,
    );
    const logs = alike.map(({ log }) => log).sort((a, b) => a - b);
    const middle = logs[Math.floor(logs.length / 2)] ?? 0;
    const agreeing = alike.filter(({ log }) => Math.abs(log - middle) <= shift.logDistanceMax);
    const needed = agreeing.some(({ isFar }) => isFar) ? shift.farSales : shift.sales;
    if (agreeing.length < needed || sellersOf(agreeing) < shift.sellers) return [];
    this.#quarantined = this.#quarantined.filter((held) => !agreeing.includes(held));
    this.hasShifted = true;
    this.#up = this.#down = 0;
    return agreeing;
  }
}

/** How many sellers are behind sales; those that nobody names are taken for different ones. */
function sellersOf(sales: readonly QuarantinedSale[]): number {
  return new Set(sales.map(({ row }) => row.sale.seller ?? row)).size;
}
