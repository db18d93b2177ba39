/**
 * Measures again what the docs tell of accuracy: `npm run backtest:docs`, some minutes. It writes
 * docs/backtest.json, from which `npm run docs` makes tables and pictures.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, measure } from '../src/cli/backtest.ts';
import { backtestWorlds } from '../src/domain/market/backtest-market.ts';
import type { BacktestReport } from '../src/valuation/backtest/backtest.ts';
import type { MethodReport } from '../src/valuation/backtest/report.ts';

/** What docs/backtest.json holds: one market in full, and the main figures of others. */
export interface DocumentedBacktest {
  readonly main: Measured & BacktestReport;
  readonly others: readonly BacktestSummary[];
}

/** The main figures of a market. */
export interface BacktestSummary
  extends Measured,
    Pick<BacktestReport, 'scored' | 'noiseFloor' | 'best' | 'bestHelped' | 'probes' | 'goals'> {
  readonly engine: MethodReport;
}

const sets = 1_000;
const mainMarket: Measured = { world: 'A', seed: 101, sets };
const otherMarkets: readonly Measured[] = [
  { world: 'A', seed: 102, sets },
  { world: 'A', seed: 103, sets },
  ...backtestWorlds.slice(1).map((world) => ({ world, seed: 101, sets })),
];

/** Figures are told to this many places. */
const places = 4;

if (import.meta.main) {
  const main = { ...mainMarket, ...(await measureAloud(mainMarket)) };
  const others: BacktestSummary[] = [];
  for (const market of otherMarkets) others.push(summary(market, await measureAloud(market)));
  const document: DocumentedBacktest = { main, others };
  const path = join(import.meta.dir, '..', 'docs', 'backtest.json');
  writeFileSync(path, `${JSON.stringify(document, rounded, 1)}\n`);
}

function measureAloud(market: Measured): Promise<BacktestReport> {
  console.log(`World ${market.world}, seed ${market.seed}`);
  return measure(market, () => {});
}

function summary(market: Measured, report: BacktestReport): BacktestSummary {
  const { scored, noiseFloor, best, bestHelped, probes, goals } = report;
  const engine = report.methods.at(-1);
  if (!engine) throw new Error('No method was measured.');
  return { ...market, scored, noiseFloor, engine, best, bestHelped, probes, goals };
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10 ** places) / 10 ** places : value;
}
