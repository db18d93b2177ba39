/** The whole back-test, on a market of eight sets and three months. */
import { beforeAll, expect, test } from 'bun:test';
import { restingFacts, sold } from '../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import { engineVersion } from '../engine/engine-version.ts';
import { makeEstimator } from '../engine/estimator.ts';
import { type BacktestReport, backtest, type Step } from './backtest.ts';
import { learnAsKnown } from './learn-as-known.ts';
import { relative } from './metrics.ts';
import { SetHistory } from './snapshots.ts';

const salesFrom = Date.UTC(2026, 0, 1);
const scoredFrom = Date.UTC(2026, 1, 1);
/** The first instant of a month of which nothing is learned any more. */
const today = Date.UTC(2026, 3, 1);
const scoredAt = Date.UTC(2026, 1, 14);

/** Auctions bring half of what is paid at a fixed price, which January teaches. */
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

const told: [step: Step, done: number, total: number][] = [];
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
    onProgress: (step, done, total) => told.push([step, done, total]),
  });
});

test('whoever waits is told of each month, each set at each horizon, and each probe', () => {
  const counted = (step: Step) => told.filter(([name]) => name === step).map(([, done]) => done);
  const totals = new Set(told.map(([step, , total]) => `${step} ${total}`));
  expect([...totals]).toEqual(['Learning 3', 'Measuring 24', 'Probing 8']);
  expect(counted('Learning')).toEqual([1, 2, 3]);
  expect(counted('Measuring')).toEqual(Array.from({ length: 24 }, (_, index) => index));
  expect(counted('Probing')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('methods are asked at the sale, and 30 and 90 days before it, when nothing was sold yet', () => {
  const asked = report.horizons.map(({ days, count }) => [days, count]);
  expect(asked).toEqual([
    [0, 8],
    [30, 8],
    [90, 0],
  ]);
  expect(report.scored).toBe(8);
});

test('the engine has learned up to the month in which it is asked', async () => {
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

test('sets are drawn a thousand times, and each is probed with numbers of its own', () => {
  // The fifth of eight each time, whose sale was at 140 dollars, beside a list price of 100.
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
