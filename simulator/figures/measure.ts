/**
 * Measures the figures of the docs and writes them to docs/backtest*.json, from which
 * `npm run docs` makes tables and charts. Each takes some minutes: `npm run backtest:docs`,
 * `backtest:buying`, `backtest:sync` and `backtest:real`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../../src/cli/table.ts';
import { at } from '../../src/kernel/at.ts';
import { dayMs } from '../../src/kernel/time.ts';
import type { BacktestReport } from '../backtest/backtest.ts';
import type { MeasuredBuying } from '../backtest/goals.ts';
import { type Measured, measure, measureBuying } from '../backtest/measure.ts';
import type { MethodReport } from '../backtest/report.ts';
import { type SyncBacktestReport, syncBacktest } from '../backtest/sync-backtest.ts';
import { type BacktestWorld, backtestWorlds } from '../backtest/worlds.ts';
import { backtestMarket } from '../market/backtest-market.ts';
import { Random } from '../market/random.ts';
import { percent } from './markdown.ts';
import { type RealGroup, reportOf } from './real/real-report.ts';
import { measureSnapshot } from './real/real-scores.ts';
import { missingFiles, readSnapshots, realDataFolder } from './real/real-sets.ts';

/** docs/backtest.json: one market in full, and the main figures of others. */
export interface ValueMeasurements {
  readonly main: Measured & BacktestReport;
  readonly others: readonly BacktestSummary[];
}

export interface BacktestSummary
  extends Measured,
    Pick<BacktestReport, 'scored' | 'noiseFloor' | 'best' | 'bestHelped' | 'probes' | 'goals'> {
  readonly engine: MethodReport;
}

/** docs/backtest-buying.json: markets, the first of them shown in full. */
export type BuyingMeasurements = readonly (Measured & MeasuredBuying)[];

/** docs/backtest-sync.json: one market with many budgets, and others with a tenth of the calls. */
export interface SyncMeasurements {
  readonly main: SyncMeasurement;
  readonly others: readonly SyncMeasurement[];
}

export interface SyncMeasurement extends SyncBacktestReport {
  readonly world: BacktestWorld;
  readonly seed: number;
}

/** A tenth of the calls of a full refresh every day. */
export const tenth = 0.1;

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  values: measureValues,
  buying: measureMarkets,
  sync: measureSync,
  real: measureReal,
};

if (import.meta.main) {
  const [name = '', ...words] = process.argv.slice(2);
  await commands[name]?.(words);
}

async function measureValues(): Promise<void> {
  const sets = 1_000;
  const market: Measured = { world: 'A', seed: 101, sets };
  const main = { ...market, ...(await measureAloud(market)) };
  const others: BacktestSummary[] = [];
  for (const other of [
    { world: 'A' as const, seed: 102, sets },
    { world: 'A' as const, seed: 103, sets },
    ...backtestWorlds.slice(1).map((world) => ({ world, seed: 101, sets })),
  ]) {
    const { methods, ...report } = await measureAloud(other);
    const { scored, noiseFloor, best, bestHelped, probes, goals } = report;
    const engine = at(methods, methods.length - 1);
    others.push({ ...other, scored, noiseFloor, engine, best, bestHelped, probes, goals });
  }
  write('backtest.json', { main, others } satisfies ValueMeasurements);
}

function measureAloud(market: Measured): Promise<BacktestReport> {
  announce(market);
  return measure(market, () => {});
}

/** With seeds, as in `npm run backtest:buying -- 7 8`, only these markets are measured again. */
async function measureMarkets(words: readonly string[]): Promise<void> {
  // Cells of 4,000 resales take a larger market than values do.
  const markets: readonly Measured[] = [
    { world: 'A', seed: 101, sets: 4_000 },
    { world: 'A', seed: 102, sets: 1_000 },
    // Holdout: no parameter was chosen on these two.
    { world: 'A', seed: 7, sets: 2_000 },
    { world: 'A', seed: 8, sets: 1_000 },
  ];
  const seeds = words.map(Number);
  const name = 'backtest-buying.json';
  const known: BuyingMeasurements =
    seeds.length > 0 ? JSON.parse(readFileSync(pathOf(name), 'utf8')) : [];
  const measured = new Map(known.map((market) => [market.seed, market]));
  for (const market of markets) {
    if (seeds.length > 0 && !seeds.includes(market.seed)) continue;
    announce(market);
    measured.set(market.seed, { ...market, ...(await measureBuying(market, () => {})) });
    write(name, [...measured.values()]);
  }
}

/**
 * The worth formula was chosen on seeds 101 to 104, so others are measured. Holdings are so uneven
 * that one of them may dominate a market, so many markets are needed.
 */
const syncSeeds: Readonly<Partial<Record<BacktestWorld, readonly number[]>>> = {
  A: [202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212],
  B: [201, 202, 203],
  C: [201, 202, 203],
  F: [201, 202, 203, 204],
};

async function measureSync(): Promise<void> {
  const main = await measureSyncMarket('A', 201, [0.005, 0.01, 0.02, 0.05, tenth, 0.2, 0.5]);
  const others: SyncMeasurement[] = [];
  for (const world of backtestWorlds) {
    for (const seed of syncSeeds[world] ?? []) {
      others.push(await measureSyncMarket(world, seed, [tenth]));
    }
  }
  write('backtest-sync.json', { main, others } satisfies SyncMeasurements);
}

/** Log standard deviation of the number of owners of a set, from 9,205 sets at Brickset. */
const ownersDeviation = 1.9;

/** Expected units held of a set with the median number of owners. */
const unitsMedian = 0.3;

async function measureSyncMarket(
  world: BacktestWorld,
  seed: number,
  shares: readonly number[],
): Promise<SyncMeasurement> {
  announce({ world, seed });
  const today = Date.UTC(2026, 10, 1);
  const size = { sets: 500, years: 5, salesPerSet: 130 };
  const items = [...backtestMarket({ world, seed, today, ...size })];
  const random = new Random(seed, 'units');
  const units = items.map(() =>
    random.poisson(unitsMedian * Math.exp(random.normal(0, ownersDeviation))),
  );
  const days = 120;
  const options = { from: today - days * dayMs, days, shares, units, onProgress: () => {} };
  return { world, seed, ...(await syncBacktest(items, options)) };
}

/** Real prices are in files of other services, which are not part of this project. */
async function measureReal([given = realDataFolder]: readonly string[]): Promise<void> {
  const folder = resolve(given);
  const [missing] = missingFiles(folder);
  if (missing !== undefined) {
    console.error(
      `Real prices are not here: there is no ${missing}. ` +
        'Name the folder that holds the files: npm run backtest:real -- FOLDER',
    );
    process.exitCode = 1;
    return;
  }
  const reports = [];
  for (const snapshot of await readSnapshots(folder)) {
    console.log(`${snapshot.name}: ${snapshot.sets.length} sets`);
    const report = reportOf(snapshot.name, await measureSnapshot(snapshot));
    reports.push(report);
    for (const kind of ['cold', 'warm'] as const) {
      for (const condition of ['sealed', 'used'] as const) {
        console.log(`\n${kind} start, ${condition}\n${textTable(report[kind][condition])}\n`);
      }
    }
  }
  write('backtest-real.json', reports);
}

function textTable(groups: readonly RealGroup[]): string {
  return table(
    ['by', 'group', 'sets', 'nulls', 'error', 'bias', 'over 3×', 'in range', 'width'],
    groups.map((of) => [
      of.by,
      of.group,
      String(of.sets),
      String(of.nulls),
      ...[of.error, of.bias, of.farOff, of.inRange].map((share) => percent(share)),
      of.width === null ? '' : `× ${of.width.toFixed(1)}`,
    ]),
  );
}

function announce({ world, seed }: { readonly world: BacktestWorld; readonly seed: number }): void {
  console.log(`World ${world}, seed ${seed}`);
}

function pathOf(name: string): string {
  return join(import.meta.dir, '..', '..', 'docs', name);
}

/** Numbers are written with four decimal places. */
function write(name: string, document: unknown): void {
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
  writeFileSync(pathOf(name), `${JSON.stringify(document, rounded, 1)}\n`);
}
