/**
 * Measures what asking sources costs and brings: `npm run backtest:sync`, some minutes. It writes
 * docs/backtest-sync.json, from which `npm run docs` makes a table and a picture.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '../src/domain/kernel/time.ts';
import type { BacktestWorld } from '../src/domain/market/backtest-market.ts';
import { backtestMarket } from '../src/simulate/backtest-market.ts';
import { Random } from '../src/simulate/random.ts';
import { type SyncBacktestReport, syncBacktest } from '../src/valuation/backtest/sync-backtest.ts';

/** A market that was measured. */
export interface MeasuredAsking extends SyncBacktestReport {
  readonly world: BacktestWorld;
  readonly seed: number;
}

/** What docs/backtest-sync.json holds: one market with many budgets, and others with a tenth. */
export interface DocumentedAsking {
  readonly main: MeasuredAsking;
  readonly others: readonly MeasuredAsking[];
}

/** A tenth of what asking everything every day takes. */
export const tenth = 0.1;

const sets = 500;
const years = 5;
const salesPerSet = 130;
const days = 120;
const today = Date.UTC(2026, 10, 1);
const manyShares = [0.005, 0.01, 0.02, 0.05, tenth, 0.2, 0.5];

/**
 * How unlike people's interest is: the deviation of the logarithms of how many people own a set, as
 * 9,205 sets at Brickset have it; and how many units are held of the set in the middle.
 */
const ownersDeviation = 1.9;
const unitsMedian = 0.3;

/**
 * The formula was chosen on seeds 101 to 104, so these are others. One holding may decide a market,
 * because interest is so uneven: that takes many of them.
 */
const otherSeeds: readonly { readonly world: BacktestWorld; readonly seeds: readonly number[] }[] =
  [
    { world: 'A', seeds: [202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212] },
    { world: 'B', seeds: [201, 202, 203] },
    { world: 'C', seeds: [201, 202, 203] },
    { world: 'F', seeds: [201, 202, 203, 204] },
  ];

const otherMarkets = otherSeeds.flatMap(({ world, seeds }) =>
  seeds.map((seed) => ({ world, seed })),
);

if (import.meta.main) {
  const main = await measure('A', 201, manyShares);
  const others: MeasuredAsking[] = [];
  for (const { world, seed } of otherMarkets) {
    others.push(await measure(world, seed, [tenth]));
  }
  const document: DocumentedAsking = { main, others };
  const path = join(import.meta.dir, '..', 'docs', 'backtest-sync.json');
  writeFileSync(path, `${JSON.stringify(document, rounded, 1)}\n`);
}

async function measure(
  world: BacktestWorld,
  seed: number,
  shares: readonly number[],
): Promise<MeasuredAsking> {
  console.log(`World ${world}, seed ${seed}`);
  const items = [...backtestMarket({ world, seed, today, sets, years, salesPerSet })];
  const random = new Random(seed, 'units');
  const units = items.map(() =>
    random.poisson(unitsMedian * Math.exp(random.normal(0, ownersDeviation))),
  );
  const from = today - days * dayMs;
  const options = { from, days, shares, units, onProgress: () => {} };
  return { world, seed, ...(await syncBacktest(items, options)) };
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
}
