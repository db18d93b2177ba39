/** The backtest market: reproducible, with the stated properties. */
import { describe, expect, test } from 'bun:test';
import { dayMs, weekStart } from '../../src/kernel/time.ts';
import type { Channel } from '../../src/market/source-rows/source-rows.ts';
import { type BacktestItem, type BacktestWorld, backtestWorlds } from '../backtest/worlds.ts';
import { backtestMarket } from './backtest-market.ts';
import { makeCatalog } from './catalog.ts';
import { Rates } from './fx.ts';
import { marketSales } from './market-sales.ts';
import { setPath } from './prices.ts';
import { Random } from './random.ts';
import { makeWorld, midway, monthMs, yearMs } from './world.ts';
import { worldTraits } from './world-traits.ts';

const today = Date.UTC(2026, 10, 1);
const size = { sets: 250, years: 5, salesPerSet: 40 };
const options = { seed: 5, today, ...size };
const markets = Object.fromEntries(
  backtestWorlds.map((world) => [world, [...backtestMarket({ world, ...options })]]),
) as Record<BacktestWorld, BacktestItem[]>;
const items = markets.A;
const rows = items.flatMap(({ sales }) => sales);

/** World A without minifigs and offers. */
const bare = makeWorld({
  seed: 5,
  today,
  size: { ...size, minifigs: 0, salesPerMinifig: 0, offerYears: 0 },
  traits: worldTraits.A,
});

test.each([
  ['G', [Math.log(0.6)]],
  ['J', [Math.log(0.6), Math.log(1.6)]],
] as const)('in world %s, prices move on top of those of world A', (world, moves) => {
  const moving = [...backtestMarket({ world, ...options, sets: 60 })];
  const still = [...backtestMarket({ world: 'A', ...options, sets: 60 })];
  const seen = new Set<number>();
  for (const [index, { trueLog, movedDaysAgo }] of moving.entries()) {
    const move = (at: number) => trueLog('sealed', at) - (still[index]?.trueLog('sealed', at) ?? 0);
    for (let at = today - 4 * yearMs; at < today; at += 10 * dayMs) {
      const days = movedDaysAgo?.(at) ?? null;
      if (days === null) continue;
      const after = move(at + (40 - Math.min(days, 40)) * dayMs) - move(at - (days + 1) * dayMs);
      seen.add(moves.findIndex((log) => Math.abs(after - log) < 1e-6));
    }
  }
  expect(moves.every((_, index) => seen.has(index))).toBe(true);
});

test('the market depends on the seed', () => {
  const first = (seed: number) =>
    [...backtestMarket({ world: 'A', ...options, seed, sets: 10 })][0]?.sales[0];
  expect(first(5)).toEqual(first(5));
  expect(first(6)).not.toEqual(first(5));
});

test('sales come in order, are known after they happened, and lie before today', () => {
  for (const { sales } of items) {
    const times = sales.map(({ sale }) => sale.soldAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  expect(rows.every(({ sale }) => sale.ingestedAt >= sale.soldAt && sale.soldAt < today)).toBe(
    true,
  );
  expect(rows.every(({ sale }) => sale.usdPerUnit > 0)).toBe(true);
});

test('seven in ten rows arrive within a day, a few after weeks, and some are retracted', () => {
  const delays = rows.map(({ sale }) => (sale.ingestedAt - sale.soldAt) / dayMs);
  const share = (days: number) => delays.filter((delay) => delay <= days).length / delays.length;
  expect(share(1)).toBeGreaterThan(0.66);
  expect(share(1)).toBeLessThan(0.74);
  expect(share(10)).toBeGreaterThan(0.96);
  expect(Math.max(...delays)).toBeLessThanOrEqual(45);
  const retracted = rows.filter(({ sale }) => sale.retractedAt !== null).length / rows.length;
  expect(retracted).toBeGreaterThan(0.003);
  expect(retracted).toBeLessThan(0.02);
});

test.each(backtestWorlds)(
  'plain sales scatter around the true value without bias (%s)',
  (world) => {
    const errors = plainErrors(world);
    expect(errors.length).toBeGreaterThan(2_000);
    expect(Math.abs(quantile(errors, 0.5))).toBeLessThan(0.02);
  },
);

test('world A has the same sales with offers and minifigs as without them', () => {
  const made = [...marketSales(bare, makeCatalog(bare), new Rates(bare))].flat();
  const prices = (sales: readonly { readonly sale: { sourceId: string; priceCents: number } }[]) =>
    sales.map(({ sale }) => `${sale.sourceId} ${sale.priceCents}`).sort();
  expect(prices(rows)).toEqual(prices(made));
});

describe('the world', () => {
  test('B has constant prices between permanent jumps', () => {
    const jumps: number[] = [];
    let days = 0;
    for (const { facts, trueLog } of markets.B) {
      const from = Math.max(bare.salesFrom, facts.releasedAt ?? today);
      for (let at = from + dayMs; at < today; at += dayMs) {
        const change = trueLog('sealed', at) - trueLog('sealed', at - dayMs);
        if (change !== 0) jumps.push(change);
        days++;
      }
      const usedRatio = (at: number) => trueLog('used', at) - trueLog('sealed', at);
      expect(usedRatio(today)).toBeCloseTo(usedRatio(from), 10);
    }
    expect((jumps.length * yearMs) / (days * dayMs)).toBeWithin(0.5, 0.7);
    expect(deviation(jumps)).toBeWithin(0.22, 0.28);
  });

  test('C is mean-reverting with a half-life of three months', () => {
    const walks = walksOf('C');
    expect(deviation(walks.flat())).toBeWithin(0.11, 0.13);
    expect(correlation(walks, 3)).toBeWithin(0.43, 0.57);
    expect(correlation(walks, 24)).toBeLessThan(0.1);
  });

  test('C has 1.5 times the noise of A', () => {
    const random = new Random(1, 'noise');
    const drawn = Array.from({ length: 20_000 }, () => worldTraits.C.drawNoise(random));
    expect(deviation(drawn)).toBeWithin(2.05, 2.2);
    const distances = drawn.map(Math.abs);
    expect(quantile(distances, 0.5)).toBeWithin(1, 1.08);
    expect(quantile(distances, 0.99)).toBeWithin(6.4, 7.4);
    expect(deviation(plainErrors('C')) / deviation(plainErrors('A'))).toBeWithin(1.3, 1.6);
  });

  test('D has three times as many outliers', () => {
    expect(oddShare('A')).toBeWithin(0.03, 0.045);
    expect(oddShare('D') / oddShare('A')).toBeWithin(2.4, 3.6);
  });

  test.each([
    ['fixed', 0],
    ['auction', 0.08],
    ['bricklink', -0.1],
    ['amazon', 0.08],
  ] as const)('E shifts prices of %s by %d midway', (channel, moved) => {
    expect(channelShift('E', channel)).toBeWithin(moved - 0.035, moved + 0.035);
    expect(channelShift('A', channel)).toBeWithin(-0.035, 0.035);
  });

  test('F has a volatility of 8% a month instead of 2.5%', () => {
    const perMonth = (world: BacktestWorld) => deviation(walksOf(world).flatMap(differences));
    expect(perMonth('A')).toBeWithin(0.024, 0.026);
    expect(perMonth('F')).toBeWithin(0.077, 0.083);
    expect(correlation(walksOf('F'), 3)).toBeGreaterThan(0.9);
  });
});

describe('besides sales', () => {
  test('most sets have a theme and a number of minifigs', () => {
    const counts = items.flatMap(({ facts }) => facts.minifigs ?? []);
    expect(items.every(({ facts }) => facts.theme !== null)).toBe(true);
    expect(items.filter(({ facts }) => facts.subtheme !== null).length).toBeGreaterThan(100);
    expect(counts.length).toBeGreaterThan(0.95 * items.length);
    expect(new Set(counts).size).toBeGreaterThan(5);
  });

  test('retailers have offers in all years, and their own until they are sold out', () => {
    const years = new Set<number>();
    for (const { facts, retailWeeks } of items) {
      const ends = (facts.retiredAt ?? today) + 98 * dayMs;
      for (const { week } of retailWeeks) {
        const seenBy = Math.min(today - 1, weekStart(week + 1));
        years.add(Math.floor((today - seenBy) / yearMs));
        expect(weekStart(week)).toBeLessThan(ends);
      }
    }
    expect([...years].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test('the true value is near the retail price in production', () => {
    const own: number[] = [];
    for (const { facts, retailWeeks, trueLog } of items) {
      for (const { week, priceCents } of retailWeeks) {
        const at = weekStart(week);
        const isMade = facts.retiredAt === null || at < facts.retiredAt;
        if (isMade) own.push(Math.log(priceCents) - trueLog('sealed', at));
      }
    }
    expect(quantile(own, 0.5)).toBeWithin(-0.08, 0.08);
    expect(deviation(own)).toBeWithin(0.15, 0.3);
  });
});

/** Log errors of unit prices against the true value. */
function errorsOf(
  world: BacktestWorld,
  isMeant: (known: BacktestItem['sales'][number]) => boolean,
) {
  return markets[world].flatMap(({ sales, trueLog }) =>
    sales.filter(isMeant).map(({ sale }) => {
      const cents = (sale.priceCents + sale.shippingCents) * sale.usdPerUnit;
      const { soldAt, condition, quantity } = sale;
      return { soldAt, error: Math.log(cents / quantity) - trueLog(condition, soldAt) };
    }),
  );
}

function plainErrors(world: BacktestWorld): number[] {
  return errorsOf(world, ({ isPlain }) => isPlain).map(({ error }) => error);
}

/** Change of a channel's median log offset from the first half of the time to the second. */
function channelShift(world: BacktestWorld, channel: Channel): number {
  const errors = errorsOf(world, ({ sale }) => sale.channel === channel);
  const half = (isLater: boolean) =>
    errors.flatMap(({ soldAt, error }) => (soldAt >= midway(bare) === isLater ? [error] : []));
  return quantile(half(true), 0.5) - quantile(half(false), 0.5);
}

/** Sales that are not plain, except for those with a reported defect. */
function oddShare(world: BacktestWorld): number {
  const defects = ['no_box', 'no_instructions', 'damaged_box'];
  const single = markets[world]
    .flatMap(({ sales }) => sales)
    .filter(({ sale }) => sale.channel === 'fixed' && sale.quantity === 1);
  const isOdd = ({ sale, isPlain }: (typeof single)[number]) =>
    !isPlain && !defects.includes(sale.completeness ?? '');
  return single.filter(isOdd).length / single.length;
}

/** Monthly log differences of true values from those without a random walk. */
function walksOf(world: BacktestWorld): number[][] {
  const traits = { ...worldTraits.A, randomWalk: { deviationPerMonth: 0, keptPerMonth: 1 } };
  const still = makeWorld({ seed: 5, today, size, traits });
  const byNumber = new Map(makeCatalog(bare).sets.map((set) => [set.facts.number, set]));
  return markets[world].flatMap(({ key, trueLog }) => {
    const set = byNumber.get(key);
    if (!set) return [];
    const path = setPath(still, set);
    const difference = (_: unknown, index: number) => {
      const at = still.salesFrom + index * monthMs;
      return trueLog('sealed', at) - path.sealedLog(at);
    };
    return [Array.from({ length: 12 * size.years }, difference)];
  });
}

function differences(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? 0));
}

/** Autocorrelation at a lag, for a mean of zero. */
function correlation(series: readonly (readonly number[])[], steps: number): number {
  let [products, squares] = [0, 0];
  for (const values of series) {
    for (const [index, later] of values.slice(steps).entries()) {
      const value = values[index] ?? 0;
      products += value * later;
      squares += (value * value + later * later) / 2;
    }
  }
  return products / squares;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}
