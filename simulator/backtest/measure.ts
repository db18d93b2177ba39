/** Backtests on a simulated market with known true values. */
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { backtestMarket } from '../market/backtest-market.ts';
import { Random } from '../market/random.ts';
import { yearMs } from '../market/world.ts';
import { attacks, measureAttacks } from './attacks.ts';
import { type BacktestReport, backtest, type Step } from './backtest.ts';
import { buyingBacktest } from './buying-backtest.ts';
import { type FakesReport, measureFalls } from './falls.ts';
import { buyingGoals, type MeasuredBuying } from './goals.ts';
import { measureHonest } from './honest-markets.ts';
import { ratesOfSale } from './hundred-dollar-set.ts';
import { measurePoisoning } from './poisoning.ts';
import { measureWashSales } from './wash-sales.ts';
import { type BacktestWorld, backtestWorlds } from './worlds.ts';

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

/** Sets of the markets in which parameters are poisoned, and nobody lies. */
const marketSets = 200;

/** With default parameters, since the attacked set is not part of a market. */
export async function measureFakes(
  seed: number,
  onProgress: (step: 'Attacking', done: number, total: number) => void,
): Promise<FakesReport> {
  const estimator = makeEstimator([]);
  const market = { seed, rates: ratesOfSale, sets: attackedSets };
  const itemsOf = (world: BacktestWorld) => [
    ...backtestMarket({ world, seed, today, sets: marketSets, years, salesPerSet }),
  ];
  const found = measureAttacks(estimator, {
    ...market,
    attacks,
    onProgress: (done, total) => onProgress('Attacking', done, total),
  });
  return {
    ...found,
    falls: measureFalls(estimator, market),
    washSales: measureWashSales(estimator, market),
    poisoning: await measurePoisoning(itemsOf('A'), today),
    honest: backtestWorlds.flatMap((world) => {
      const items = itemsOf(world);
      return [false, true].map((isBrickLinkAlone) =>
        measureHonest(estimator, items, { world, isBrickLinkAlone, today }),
      );
    }),
  };
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
