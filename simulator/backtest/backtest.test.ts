/** The whole backtest, on a market of eight sets and three months. */
import { beforeAll, expect, test } from 'bun:test';
import { dayMs, monthOf } from '../../src/kernel/time.ts';
import { engineVersion } from '../../src/market/values/engine/engine-version.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { restingFacts, sold } from '../../test/support/valuation.ts';
import { type BacktestReport, backtest, type Step } from './backtest.ts';
import { learnAsKnown } from './learn-as-known.ts';
import { relative } from './metrics.ts';
import { SetHistory } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

const salesFrom = Date.UTC(2026, 0, 1);
const scoredFrom = Date.UTC(2026, 1, 1);
/** The start of the first month that is not learned. */
const today = Date.UTC(2026, 3, 1);
const scoredAt = Date.UTC(2026, 1, 14);

/** Auction prices are half of fixed prices, which is learned from January. */
const items = Array.from({ length: 8 }, (_, index): BacktestItem => {
  const cents = 100_00 + index * 10_00;
  const sales = [
    sold({ soldAt: salesFrom + 4 * dayMs, priceCents: cents / 2, channel: 'auction' }),
    sold({ soldAt: salesFrom + 5 * dayMs, priceCents: cents }),
    sold({ soldAt: scoredAt, priceCents: cents }),
  ];
  return {
    key: String(index),
    facts: restingFacts,
    sales: sales.map((sale) => ({ sale, isOrdinary: true, isPlain: true })),
    retailWeeks: [],
    trueLog: () => Math.log(cents),
  };
});

const progress: [step: Step, done: number, total: number][] = [];
const drawn: Record<string, number> = {};
let report: BacktestReport;

beforeAll(async () => {
  report = await backtest(items, {
    world: 'B',
    salesFrom,
    scoredFrom,
    today,
    random: (...names) => {
      const name = names.join(' ');
      const fraction = () => {
        drawn[name] = (drawn[name] ?? 0) + 1;
        return 0.55;
      };
      return { fraction, normal: (mean) => mean };
    },
    onProgress: (step, done, total) => progress.push([step, done, total]),
  });
});

test('progress is reported for each month, each set and horizon, and each probe', () => {
  const counted = (step: Step) =>
    progress.filter(([name]) => name === step).map(([, done]) => done);
  const totals = new Set(progress.map(([step, , total]) => `${step} ${total}`));
  expect([...totals]).toEqual(['Learning 3', 'Measuring 24', 'Probing 8']);
  expect(counted('Learning')).toEqual([1, 2, 3]);
  expect(counted('Measuring')).toEqual(Array.from({ length: 24 }, (_, index) => index));
  expect(counted('Probing')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('methods predict at the sale, and 30 and 90 days before it', () => {
  const asked = report.horizons.map(({ days, count }) => [days, count]);
  expect(asked).toEqual([
    [0, 8],
    [30, 8],
    [90, 0],
  ]);
  expect(report.scored).toBe(8);
});

test('the engine has learned up to the month of the prediction', async () => {
  const learned = await learnAsKnown(items, { from: monthOf(salesFrom), to: monthOf(scoredAt) });
  const errors = items.map((item) => {
    const set = new SetHistory(item).at(scoredAt);
    const value = makeEstimator(learned).prepareSet(set).valueAt(scoredAt).sealed;
    return relative(Math.log(value?.valueCents ?? 0), item.trueLog('sealed', scoredAt));
  });
  const [low = 0, high = 0] = errors.sort((a, b) => a - b).slice(3, 5);
  expect(report.methods.at(-1)?.name).toBe(engineVersion);
  expect(report.methods.at(-1)?.accuracy.saleError).toBeCloseTo((low + high) / 2, 9);
});

test('there are a thousand resamples, and a random stream per probed set', () => {
  // Always the fifth of eight, sold at 140 dollars with a list price of 100.
  const { low = 0, high = 0 } = report.methods[0]?.saleErrorInterval ?? {};
  expect([low, high].map((error) => error.toFixed(6))).toEqual(['0.285714', '0.285714']);
  const probes = items.map(({ key }) => [`probe ${key}`, 4]);
  expect(drawn).toEqual({ bootstrap: 8_000, ...Object.fromEntries(probes) });
});

test('the goals are those of the world', () => {
  expect(report.goals.map(({ goal }) => goal)).toEqual([
    'at most 1.05',
    'at most 1.05',
    '0.75 to 0.85',
  ]);
});
