/** The simple methods, each on sales that can be followed by hand. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../domain/time.ts';
import { baselineEstimator } from '../baseline.ts';
import type { Observation } from '../normalise.ts';
import { estimatorMethod, type Known, simpleMethods } from './methods.ts';

const at = Date.UTC(2026, 10, 1);

/** A sale at so many dollars, so many days ago. */
const sold = (daysAgo: number, dollars: number): Observation => ({
  at: at - daysAgo * dayMs,
  log: Math.log(dollars * 100),
  weight: 1,
  knownAt: at - daysAgo * dayMs,
  retractedAt: null,
});

const nothing = { msrpCents: null, pieces: null, releasedAt: null, retiredAt: null };

function known(...observations: Observation[]): Known {
  return { at, condition: 'sealed', facts: nothing, sales: [], observations };
}

/** What a method says, in dollars. */
function says(name: string, facts: Known): number | null {
  const method = simpleMethods.find((candidate) => candidate.name === name);
  const prediction = method?.predict(facts) ?? null;
  return prediction && Math.exp(prediction.log) / 100;
}

const some = known(sold(400, 10), sold(100, 40), sold(50, 20), sold(10, 30), sold(5, 80));

test.each([
  ['last sale', 80],
  ['median of the last 5', 30],
  // (40 + 20 + 30 + 80) ÷ 4
  ['mean of 180 days', 42.5],
  // Between 30 and 40, by the same factor from both.
  ['median of 180 days', Math.sqrt(30 * 40)],
  // Weights e^(−t/45): 0.0001, 0.1084, 0.3292, 0.8007, 0.8948, together 2.1333; weighted, the
  // logarithms 2.3026, 3.6889, 2.9957, 3.4012, 4.3820 add up to 8.0309: e^(8.0309 ÷ 2.1333).
  ['moving average, 45 days', 43.15],
  // Weights 2^(−t/60): 0.0098, 0.3150, 0.5612, 0.8909, 0.9439; half of 2.7208 is reached at 30.
  ['time-weighted median, 60 days', 30],
])('%s', (name, dollars) => {
  expect(says(name, some) ?? 0).toBeCloseTo(dollars, 1);
});

test('the list price is what it is, and nothing where it is unknown', () => {
  expect(says('MSRP', { ...some, facts: { ...nothing, msrpCents: 99_99 } })).toBeCloseTo(99.99, 9);
  expect(says('MSRP', some)).toBeNull();
});

test('without a recent sale the last one counts, and without any nothing is said', () => {
  const old = known(sold(3000, 50), sold(2000, 10));
  for (const { name } of simpleMethods.slice(1)) {
    const dollars = name === 'median of the last 5' ? Math.sqrt(500) : 10;
    expect([name, Math.round((says(name, old) ?? 0) * 100)]).toEqual([
      name,
      Math.round(dollars * 100),
    ]);
    expect([name, says(name, known())]).toEqual([name, null]);
  }
});

test('an estimator is asked for the value and range of the condition', () => {
  const facts = { ...nothing, msrpCents: 100_00, releasedAt: at - 100 * dayMs };
  const method = estimatorMethod(baselineEstimator);
  const wanted = baselineEstimator.valueSet(facts, [], at).sealed;
  expect(method.name).toBe(baselineEstimator.version);
  expect(method.predict({ ...known(), facts })).toEqual({
    log: Math.log(wanted?.valueCents ?? 0),
    range: { low: Math.log(wanted?.lowCents ?? 0), high: Math.log(wanted?.highCents ?? 0) },
  });
  expect(method.predict(known())).toBeNull();
});
