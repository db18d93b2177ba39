/** Backtests on a simulated market with known true values. */
import { makeEstimator } from '../../src/valuation/engine/estimator.ts';
import { backtestMarket } from '../market/backtest-market.ts';
import { Random } from '../market/random.ts';
import { yearMs } from '../market/world.ts';
import { attacks, measureAttacks } from './attacks.ts';
import { type BacktestReport, backtest, type Step } from './backtest.ts';
import { buyingBacktest } from './buying-backtest.ts';
import { type FakesReport, measureFalls } from './falls.ts';
import { buyingGoals, type MeasuredBuying } from './goals.ts';
import { ratesOfSale } from './hundred-dollar-set.ts';
import type { BacktestWorld } from './worlds.ts';

export { presentAttacks, presentBacktest, presentBuying } from './backtest-text.ts';

const years = 5;

/** Sales per set at the market's natural rates. */
const salesPerSet = 130;

/** Fixed, so that a seed always gives the same figures. */
const today = Date.UTC(2026, 10, 1);

/** The first year is for learning. */
const span = {
  salesFrom: today - years * yearMs,
  scoredFrom: today - (years - 1) * yearMs,
  today,
};

export interface Measured {
  readonly world: BacktestWorld;
  readonly seed: number;
  readonly sets: number;
}

export function measure(
  { world, seed, sets }: Measured,
  onProgress: (step: Step, done: number, total: number) => void,
): Promise<BacktestReport> {
  return backtest([...backtestMarket({ world, seed, today, sets, years, salesPerSet })], {
    world,
    ...span,
    random: (...names) => new Random(seed, ...names),
    onProgress,
  });
}

/** Sets per attack and rate of sale. */
const attackedSets = 30;

/** With default parameters, since the attacked set is not part of a market. */
export function measureFakes(
  seed: number,
  onProgress: (step: 'Attacking', done: number, total: number) => void,
): FakesReport {
  const estimator = makeEstimator([]);
  const market = { seed, rates: ratesOfSale, sets: attackedSets };
  const found = measureAttacks(estimator, {
    ...market,
    attacks,
    onProgress: (done, total) => onProgress('Attacking', done, total),
  });
  return { ...found, falls: measureFalls(estimator, market) };
}

export async function measureBuying(
  { world, seed, sets }: Measured,
  onProgress: (step: 'Learning' | 'Selling', done: number, total: number) => void,
): Promise<MeasuredBuying> {
  const market = backtestMarket({ world, seed, today, sets, years, salesPerSet });
  const report = await buyingBacktest([...market], {
    ...span,
    random: (...names) => new Random(seed, ...names),
    onProgress,
  });
  return { ...report, goals: buyingGoals(report) };
}
