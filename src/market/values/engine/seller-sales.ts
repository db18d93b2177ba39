/**
 * Weights a sale by how often its seller sold recently, so that one seller is not taken for a
 * market. A source that names no sellers counts as many sellers, up to its usual pace.
 */
import { dayMs } from '../../../kernel/time.ts';
import type { Row } from './admit.ts';
import { countUntil } from './rate.ts';
import { OtherSellers, RecentSales } from './recent-sales.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** Sales of a seller within this time count together. */
export const quarterMs = 90 * dayMs;

/** The usual pace is that of the year before them. */
const usualMs = 365 * dayMs;

/** In a quarter, this many times the usual sales count, and a few more. */
const usualFactor = 1.5;
const moreSales = 2;
const moreSalesBesideOthers = 1;

/** A source without names has a usual pace after this time, or at once if others sold recently. */
const beginningMs = 180 * dayMs;
const othersMs = 365 * dayMs;

export interface SaleCount {
  /** The effective sales that it is: 1/n for the nth of a seller in a quarter. */
  readonly share: number;
  /** Whether it counts in the rate of sale. */
  readonly isRated: boolean;
  /** How many sellers its seller can be: one, or more if the source names none. */
  readonly sellersMax: number;
}

/** The sellers of an item, or of several. */
export class SellerSales {
  /** The times of their sales. */
  readonly #times = new RecentSales(quarterMs + usualMs, 1);
  readonly #others = new OtherSellers();

  /** To be called for each admitted sale, in order of time. */
  count({ sale, at: now }: Pick<Row, 'sale' | 'at'>): SaleCount {
    const seller = sale.seller ?? `anyone at ${sale.source}`;
    const isBesideOthers = this.#others.lastAt(seller, now) > now - othersMs;
    const { numbers: times, start } = this.#times.of(seller, now);
    const first = times[start] ?? now;
    const quarter = Math.max(start, countUntil(times, now - quarterMs));
    const [before, nth] = [quarter - start, times.length - quarter + 1];
    this.#times.add(seller, now);
    const usual = (before * quarterMs) / Math.max(quarterMs, now - quarterMs - first);
    if (sale.seller !== null) {
      const isRated = nth <= moreSales + usualFactor * usual;
      return { share: 1 / nth, isRated, sellersMax: 1 };
    }
    if (!isBesideOthers && now - first <= beginningMs) return unbounded;
    const most = (isBesideOthers ? moreSalesBesideOthers : moreSales) + usualFactor * usual;
    return { share: Math.min(1, most / nth), isRated: nth <= most, sellersMax: most };
  }

  write(to: StateWriter): void {
    this.#times.write(to);
    this.#others.write(to);
  }

  read(from: StateReader): void {
    this.#times.read(from);
    this.#others.read(from);
  }
}

const unbounded: SaleCount = { share: 1, isRated: true, sellersMax: Number.POSITIVE_INFINITY };

export function writeCount(to: StateWriter, { share, isRated, sellersMax }: SaleCount): void {
  to.number(share);
  to.flag(isRated);
  to.number(sellersMax);
}

export function readCount(from: StateReader): SaleCount {
  return { share: from.number(), isRated: from.flag(), sellersMax: from.number() };
}
