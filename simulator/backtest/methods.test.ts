/** The methods on sales that can be checked by hand. */
import { expect, test } from 'bun:test';
import { dayMs, monthOf } from '../../src/kernel/time.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import { defaultParameters } from '../../src/market/values/engine/parameters.ts';
import { setSubject } from '../../src/market/values/engine/subject.ts';
import type { ValuationFacts } from '../../src/market/values/estimator.ts';
import { engineMethod, hedonicMethod, simpleMethods } from './methods.ts';
import type { Price, Snapshot } from './snapshots.ts';

const at = Date.UTC(2026, 10, 1);

/** A sale with its price in dollars and its age in days. */
const sold = (daysAgo: number, dollars: number, quantity = 1): Price => ({
  at: at - daysAgo * dayMs,
  log: Math.log(dollars * 100),
  quantity,
});

const nothing: ValuationFacts = {
  msrpCents: null,
  pieces: null,
  minifigs: null,
  theme: null,
  subtheme: null,
  releasedAt: null,
  retiredAt: null,
  weightLbs: null,
  cubicInches: null,
  itemClass: 'set',
};

/** A snapshot in which raw prices are doubled and level prices halved, to tell them apart. */
function known(prices: readonly Price[], facts: Partial<ValuationFacts> = {}): Snapshot {
  const set = { facts: { ...nothing, ...facts }, sales: [], retailWeeks: [] };
  const rawPrices = prices.map((price) => ({ ...price, log: price.log + Math.LN2 }));
  const levelPrices = prices.map((price) => ({ ...price, log: price.log - Math.LN2 }));
  return { at, condition: 'sealed', set, prices, levelPrices, rawPrices };
}

/** The prediction of a method, in dollars. */
function predictionOf(name: string, facts: Snapshot): number | null {
  const method = simpleMethods.find((candidate) => candidate.name === name);
  const prediction = method?.predict(facts) ?? null;
  return prediction && Math.exp(prediction.log) / 100;
}

const some = known([sold(400, 10), sold(100, 40), sold(50, 20, 2), sold(10, 30), sold(5, 80)]);

test.each([
  ['last sale', 80],
  ['median of the last 5', 30],
  // (40 + 20 + 30 + 80) ÷ 4
  ['mean of 180 days', 42.5],
  // (40 + 2 · 20 + 30 + 80) ÷ 5
  ['mean of 180 days, by quantity', 38],
  ['mean of 180 days, raw', 85],
  // Between 30 and 40, by the same factor from both.
  ['median of 180 days', Math.sqrt(30 * 40)],
  ['median of 180 days, raw', 2 * Math.sqrt(30 * 40)],
  // Weights e^(−t/45): 0.0001, 0.1084, 0.3292, 0.8007, 0.8948, together 2.1333; weighted, the
  // logarithms 2.3026, 3.6889, 2.9957, 3.4012, 4.3820 add up to 8.0309: e^(8.0309 ÷ 2.1333).
  ['moving average, 45 days', 43.15],
  // Weights 2^(−t/60): 0.0098, 0.3150, 0.5612, 0.8909, 0.9439; half of 2.7208 is reached at 30.
  ['weighted median, 60 days', 30],
])('predicts by the %s', (name, dollars) => {
  expect(predictionOf(name, some) ?? 0).toBeCloseTo(dollars, 1);
});

test('the list price is the prediction, or there is none if it is unknown', () => {
  expect(predictionOf('MSRP', known([], { msrpCents: 99_99 }))).toBeCloseTo(99.99, 9);
  expect(predictionOf('MSRP', some)).toBeNull();
});

test('without a recent sale the last one counts, and without any there is no prediction', () => {
  const old = known([sold(3000, 50), sold(2000, 10)]);
  for (const { name } of simpleMethods.slice(1)) {
    const last = name.endsWith('raw') ? 20 : name.endsWith('helped') ? 5 : 10;
    const dollars = name === 'median of the last 5' ? Math.sqrt(500) : last;
    expect([name, Math.round((predictionOf(name, old) ?? 0) * 100)]).toEqual([
      name,
      Math.round(dollars * 100),
    ]);
    expect([name, predictionOf(name, known([]))]).toEqual([name, null]);
  }
});

test('the hedonic method uses facts and the usual ratio of used to new', () => {
  const method = hedonicMethod(new ParameterTimeline([]));
  const facts = { msrpCents: 100_00, releasedAt: at - 1000 * dayMs };
  const snapshot = known([sold(5, 1)], facts);
  const subject = setSubject(snapshot.set);
  const prior = subject.prior(defaultParameters, at)?.log ?? 0;
  const ratio = subject.ratio(defaultParameters, at).log;
  expect(method.predict(snapshot)?.log).toBeCloseTo(prior, 9);
  expect(method.predict({ ...snapshot, condition: 'used' })?.log).toBeCloseTo(prior + ratio, 9);
  expect(method.predict(known([sold(5, 1)]))).toBeNull();
});

test('the engine of the month predicts value, range and tier of the condition', () => {
  const snapshot = known([], { msrpCents: 100_00, releasedAt: at - 100 * dayMs });
  const asked: number[] = [];
  const method = engineMethod('x', (month) => {
    asked.push(month);
    return makeEstimator([]);
  });
  const wanted = makeEstimator([]).prepareSet(snapshot.set).valueAt(at);
  expect(method.predict(snapshot)).toEqual({
    log: Math.log(wanted.sealed?.valueCents ?? 0),
    range: {
      low: Math.log(wanted.sealed?.lowCents ?? 0),
      high: Math.log(wanted.sealed?.highCents ?? 0),
    },
    tier: wanted.tier,
  });
  expect(method.predict(known([]))).toBeNull();
  expect(asked).toEqual([monthOf(at), monthOf(at)]);
});

test('a window covers 180 days exactly', () => {
  const facts = known([sold(180.5, 10), sold(179.5, 20), sold(10, 40)]);
  expect(predictionOf('mean of 180 days', facts)).toBeCloseTo(30, 9);
});

test('methods with learned channel offsets or the learned prior are helped', () => {
  const timeline = new ParameterTimeline([]);
  const engine = engineMethod('x', () => makeEstimator([]));
  const helped = [...simpleMethods, hedonicMethod(timeline), engine].filter((m) => m.isHelped);
  expect(helped.map(({ name }) => name)).toEqual([
    'median of 180 days, helped',
    'weighted median, 60 days, helped',
    'hedonic only',
  ]);
});
