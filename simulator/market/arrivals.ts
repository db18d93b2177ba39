/** Arrivals of sales: few items sell often, most rarely, some never; more before the holidays. */

import { monthOf, monthStart, secondMs, yearsBetween } from '../../src/kernel/time.ts';
import type { Condition } from '../../src/market/source-rows/source-rows.ts';
import type { MarketSet } from './catalog.ts';
import type { MarketMinifig } from './minifigs.ts';
import { Random } from './random.ts';
import { monthMs, type World } from './world.ts';

export interface Demand {
  readonly releasedAt: number;
  readonly sealedPerMonth: number;
  readonly usedPerMonth: number;
}

/** A sale without a price. */
export interface Arrival {
  readonly at: number;
  readonly condition: Condition;
}

const perMonth = { median: 1.2, deviation: 1.3, max: 40 };

/** Share of the catalog that hardly sells. */
const nearlyNoneChance = 0.15;

/** Before scaling to the size of the world. */
export function demandOfSet(world: World, set: MarketSet): Demand {
  const random = new Random(world.seed, 'demand', set.index);
  const drawn = Math.min(perMonth.max, random.logNormal(perMonth.median, perMonth.deviation));
  const sealedPerMonth = drawn * (random.chance(nearlyNoneChance) ? 0.02 : 1);
  const usedPerMonth = sealedPerMonth * random.logNormal(1.2, 0.5);
  const { releasedAt } = set;
  return set.isNeverSold
    ? { releasedAt, sealedPerMonth: 0, usedPerMonth: 0 }
    : { releasedAt, sealedPerMonth, usedPerMonth };
}

/** Mostly used. */
export function demandOfMinifig(world: World, minifig: MarketMinifig): Demand {
  const random = new Random(world.seed, 'minifig demand', minifig.index);
  const usedPerMonth = random.logNormal(1, 1.1);
  const { releasedAt } = minifig;
  return { releasedAt, usedPerMonth, sealedPerMonth: usedPerMonth * random.between(0.1, 0.5) };
}

/** Cut at the first and last day with sales. */
export interface MarketMonth {
  readonly start: number;
  readonly end: number;
  readonly volume: number;
}

const seasonVolume = [0.9, 0.9, 0.95, 0.95, 0.95, 0.95, 0.95, 1, 1, 1.05, 1.35, 1.6] as const;

/** Sources observe more of the market every year. */
const coverageGrowthPerYear = 0.3;

export function marketMonths(world: World): MarketMonth[] {
  const first = monthOf(world.salesFrom);
  const last = monthOf(world.today - 1);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const month = first + index;
    const start = Math.max(world.salesFrom, monthStart(month));
    const end = Math.min(world.today, monthStart(month + 1));
    const coverage = Math.exp(-coverageGrowthPerYear * yearsBetween(end, world.today));
    return { start, end, volume: (seasonVolume[month % 12] ?? 1) * coverage };
  });
}

/** The factor that gives the expected total of sales. */
export function demandScale(
  demands: readonly Demand[],
  months: readonly MarketMonth[],
  sales: number,
): number {
  let expected = 0;
  for (const demand of demands) {
    const { sealed, used } = expectedSales(demand, months);
    expected += sealed + used;
  }
  return expected === 0 ? 0 : sales / expected;
}

/** Before scaling. */
export function expectedSales(
  demand: Demand,
  months: readonly MarketMonth[],
): Record<Condition, number> {
  const expected = { sealed: 0, used: 0 };
  for (const month of months) {
    const share = onMarket(demand, month);
    expected.sealed += share * demand.sealedPerMonth;
    expected.used += share * demand.usedPerMonth * usedSupply(demand, month);
  }
  return expected;
}

/** Month by month. */
export function drawArrivals(
  random: Random,
  demand: Demand,
  market: { readonly months: readonly MarketMonth[]; readonly scale: number },
): Arrival[] {
  const arrivals: Arrival[] = [];
  for (const month of market.months) {
    const share = onMarket(demand, month) * market.scale;
    if (share === 0) continue;
    const from = Math.max(month.start, demand.releasedAt);
    const draw = (condition: Condition, expected: number) => {
      for (let count = random.poisson(expected); count > 0; count--) {
        const at = Math.floor(random.between(from, month.end) / secondMs) * secondMs;
        arrivals.push({ at, condition });
      }
    };
    draw('sealed', share * demand.sealedPerMonth);
    draw('used', share * demand.usedPerMonth * usedSupply(demand, month));
  }
  return arrivals;
}

/** Share of the month after release, times seasonality. */
function onMarket(demand: Demand, month: MarketMonth): number {
  const from = Math.max(month.start, demand.releasedAt);
  return from >= month.end ? 0 : (month.volume * (month.end - from)) / monthMs;
}

/** Used supply grows over the years after release. */
function usedSupply(demand: Demand, month: MarketMonth): number {
  return Math.min(1, 0.3 + 0.35 * Math.max(0, yearsBetween(demand.releasedAt, month.start)));
}
