/**
 * Learns the season of sales: the average ratio of a month to the year around it (ratio to moving
 * average), which leaves out the growth of the market and of what is observed of it.
 */

import { at } from '../../../kernel/at.ts';
import { dayMs, type Month, monthOf, monthStart } from '../../../kernel/time.ts';
import type { Season } from '../../evidence/evidence.ts';

const monthsPerYear = 12;
const halfYear = monthsPerYear / 2;

/** With few sales, ratios are shrunk to 1, as if there were this many more without a season. */
const evenSales = 200;

/** Bounds of an index. */
const bounds = { min: 0.5, max: 2 };

export class SeasonCounts {
  readonly #first: Month;
  /** By month from the first. */
  readonly #sales: number[];

  /** Counts whole months from the first one after `since`. */
  constructor(since: number, until: number) {
    this.#first = monthOf(since) + 1;
    this.#sales = new Array<number>(Math.max(0, monthOf(until) - this.#first)).fill(0);
  }

  add(times: readonly number[]): void {
    for (const time of times) {
      const index = monthOf(time) - this.#first;
      const sales = this.#sales[index];
      if (sales !== undefined) this.#sales[index] = sales + 1;
    }
  }

  /** Undefined without two years of sales. */
  season(): Season | undefined {
    const perDay = this.#sales.map((sales, index) => sales / daysIn(this.#first + index));
    const years = Array.from({ length: monthsPerYear }, () => ({ sales: 0, usual: 0 }));
    for (let index = halfYear; index + halfYear < perDay.length; index++) {
      const month = this.#first + index;
      const year = at(years, month % monthsPerYear);
      year.sales += at(this.#sales, index);
      year.usual += yearAround(perDay, index) * daysIn(month);
    }
    if (years.some(({ usual }) => usual === 0)) return undefined;
    return averagingOne(years.map(({ sales, usual }) => (sales + evenSales) / (usual + evenSales)));
  }
}

function daysIn(month: Month): number {
  return (monthStart(month + 1) - monthStart(month)) / dayMs;
}

/** The mean of twelve months around one, with half of those at both ends. */
function yearAround(perDay: readonly number[], index: number): number {
  let sum = (at(perDay, index - halfYear) + at(perDay, index + halfYear)) / 2;
  for (let each = index - halfYear + 1; each < index + halfYear; each++) sum += at(perDay, each);
  return sum / monthsPerYear;
}

function averagingOne(indexes: readonly number[]): Season {
  const mean = indexes.reduce((sum, index) => sum + index, 0) / monthsPerYear;
  return indexes.map((index) => {
    const bounded = Math.min(bounds.max, Math.max(bounds.min, index / mean));
    return Math.round(bounded * 100) / 100;
  });
}
