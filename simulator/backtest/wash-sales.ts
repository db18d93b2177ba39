/**
 * Wash sales: one account sells a set again and again at its honest price, so that it seems well
 * known and quickly sold. The value stays; the tier and the wait should not follow.
 */
import { waitDaysFor } from '../../src/buying/prices/your-wait.ts';
import { dayMs } from '../../src/kernel/time.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { Estimator } from '../../src/market/values/estimator.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { Random } from '../market/random.ts';
import { inOrder, resaleOfUnit } from './attacks.ts';
import { facts, honestCents, honestSales, saleOf, start } from './hundred-dollar-set.ts';

export interface WashResult {
  readonly salesPerMonth: number;
  /** Shares of sets with the tier `high`, without wash sales and with them. */
  readonly highBefore: number;
  readonly high: number;
  /** Median days until a unit sells at eBay. */
  readonly waitBefore: number;
  readonly wait: number;
}

const washed = { sales: 12, days: 60, spread: 0.02 };

/** Besides the usual rates of sale: the less it sells, the more one account is. */
const leastPerMonth = 0.2;

export function measureWashSales(
  estimator: Estimator,
  { seed, rates, sets }: { seed: number; rates: readonly number[]; sets: number },
): WashResult[] {
  return [leastPerMonth, ...rates].map((salesPerMonth) => {
    const markets = Array.from({ length: sets }, (_, index) => {
      const random = new Random(seed, 'wash sales', index);
      const honest = honestSales(random, { salesPerMonth, days: 0, factorAt: () => 1 });
      return { honest, all: inOrder([...honest, ...washSales(random)]) };
    });
    const before = markets.map(({ honest }) => watch(estimator, honest));
    const after = markets.map(({ all }) => watch(estimator, all));
    return {
      salesPerMonth,
      highBefore: highShare(before),
      high: highShare(after),
      waitBefore: medianWait(before),
      wait: medianWait(after),
    };
  });
}

function washSales(random: Random): StoredSale[] {
  return Array.from({ length: washed.sales }, (_, index) => {
    const cents = random.logNormal(honestCents, washed.spread);
    return saleOf(`wash-${index}`, ((index + 0.5) / washed.sales - 1) * washed.days, cents, -1);
  });
}

interface Watched {
  readonly isHigh: boolean;
  readonly wait: number;
}

function watch(estimator: Estimator, sales: readonly StoredSale[]): Watched {
  const found = estimator.prepareSet({ facts, sales, retailWeeks: [] }).valueAt(start + dayMs);
  const resale = resaleOfUnit(found);
  const wait = resale && waitDaysFor(resale, { channel: 'ebay', at: start + dayMs });
  return { isHigh: found.tier === 'high', wait: wait ?? Number.POSITIVE_INFINITY };
}

function highShare(watched: readonly Watched[]): number {
  return watched.filter(({ isHigh }) => isHigh).length / watched.length;
}

function medianWait(watched: readonly Watched[]): number {
  return quantile(
    watched.map(({ wait }) => wait),
    0.5,
  );
}
