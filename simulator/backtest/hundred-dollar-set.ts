/** A set worth $100, and its honest sales, for backtests that control its price. */

import { dayMs } from '../../src/kernel/time.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { SetToValue } from '../../src/market/values/estimator.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import type { Random } from '../market/random.ts';

/** Sales per month. */
export const ratesOfSale: readonly number[] = [0.5, 1.5, 6, 20];

/** Day 0 of changes and attacks. */
export const start = Date.UTC(2025, 0, 10);
const historyDays = 730;
const honestSellers = 300;
export const honestCents = 100_00;
const honestSpread = 0.12;

export const facts: SetToValue['facts'] = {
  msrpCents: 80_00,
  pieces: 900,
  minifigs: 4,
  theme: 'City',
  subtheme: null,
  releasedAt: start - 2_200 * dayMs,
  retiredAt: start - 1_200 * dayMs,
  weightLbs: null,
  cubicInches: null,
  itemClass: 'set',
};

export interface HonestMarket {
  readonly salesPerMonth: number;
  /** The last day; later if it takes longer to sell a dozen. */
  readonly days: number;
  /** The price over the usual one on a day. */
  factorAt(day: number): number;
}

/** In order. */
export function honestSales(random: Random, market: HonestMarket): StoredSale[] {
  const sales: StoredSale[] = [];
  const meanDays = 30.4 / market.salesPerMonth;
  const end = Math.max(market.days, 12 * meanDays);
  for (let day = random.exponential(meanDays) - historyDays; day < end; ) {
    const cents = random.logNormal(honestCents * market.factorAt(day), honestSpread);
    sales.push(saleOf(`honest-${sales.length}`, day, cents, random.below(honestSellers)));
    day += random.exponential(meanDays);
  }
  return sales;
}

/** The usual simple method; with no sale in that time, the price of the last one. */
export function medianOf90Days(sales: readonly StoredSale[], at: number): number {
  const known = sales.filter(({ soldAt }) => soldAt <= at);
  const recent = known.filter(({ soldAt }) => soldAt > at - 90 * dayMs);
  return medianCents(recent.length > 0 ? recent : known.slice(-1));
}

export function medianCents(sales: readonly StoredSale[]): number {
  return quantile(
    sales.map(({ priceCents }) => priceCents),
    0.5,
  );
}

export function saleOf(sourceId: string, day: number, cents: number, seller: number): StoredSale {
  const soldAt = Math.round(start + day * dayMs);
  return {
    source: 'market',
    sourceId,
    condition: 'sealed',
    priceCents: Math.max(1, Math.round(cents)),
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt,
    channel: 'fixed',
    seller: `seller-${seller}`,
    completeness: 'complete',
    ingestedAt: soldAt,
    retractedAt: null,
    usdPerUnit: 1,
  };
}
