/** A month depends only on its own and earlier rows that were known. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  anySale,
  anySet,
  inOrder,
  noon,
  restingFacts,
  scattered,
  setOf,
  sold,
  soldEvery,
  stored,
  unlearned,
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, monthStart, weekOf } from '../../../kernel/time.ts';
import { conditions } from '../../source-rows/source-rows.ts';
import type { SetToValue } from '../estimator.ts';
import { makeEstimator } from './estimator.ts';
import { MonthWalk } from './months.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { setSubject } from './subject.ts';

const month = monthOf(noon) - 6;
const end = monthStart(month + 1);

/** Both conditions at the end of the month. */
const answers = (set: SetToValue, knownBefore: number | null = null, of = month) =>
  conditions.map(
    (condition) => unlearned.prepareSet(set).months(condition, [{ month: of, knownBefore }])[0],
  );

describe('a month', () => {
  test('has the value at its last moment', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const { sealed, used } = unlearned.prepareSet(set).valueAt(end - 1);
        for (const [index, value] of [sealed, used].entries()) {
          const answer = answers(set)[index];
          if (!answer?.value || !value) continue;
          const apart = Math.abs(answer.value.valueCents - value.valueCents);
          expect(apart).toBeLessThanOrEqual(1 + value.valueCents * 1e-7);
        }
      }),
      { seed: 218 },
    );
  });

  test('is the same alone or among others', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const months = Array.from({ length: 30 }, (_, index) => monthOf(noon) - 29 + index);
        const questions = months.map((each) => ({ month: each, knownBefore: null }));
        const open = unlearned.prepareSet(set);
        for (const [index, condition] of conditions.entries()) {
          const all = open.months(condition, questions);
          expect(all).toHaveLength(30);
          expect(all[23]).toEqual(answers(set)[index]);
          // No cutoff, and a cutoff that includes all rows.
          expect(answers(set, Number.MAX_SAFE_INTEGER)[index]).toEqual(answers(set)[index]);
        }
      }),
      { seed: 219, numRuns: 50 },
    );
  });

  test('can be computed after earlier ones', () => {
    const set = setOf(soldEvery(5, scattered(200, 30)));
    const open = unlearned.prepareSet(set);
    const ask = (of: number) => open.months('sealed', [{ month: of, knownBefore: null }])[0];
    for (const of of [month + 3, month + 5, month + 4])
      expect(ask(of)).toEqual(answers(set, null, of)[0]);
  });

  test('has another hash if a retailer’s price before the first sale changes', () => {
    const hash = (priceCents: number) => {
      const facts = { ...restingFacts, retiredAt: null };
      const set = { ...setOf([sold()], facts), retailWeeks: [{ week: weekOf(end), priceCents }] };
      return answers(set, null, monthOf(noon))[0]?.provenance.inputHash;
    };
    expect(hash(60_00)).not.toBe(hash(60_01));
  });

  test('does not depend on later rows, nor on rows ingested after its cutoff', () => {
    const cut = end + 7 * dayMs;
    fc.assert(
      fc.property(anySet, anySale, (set, sale) => {
        const later = { ...sale, soldAt: end + (sale.soldAt % dayMs) };
        const late = { ...sale, ingestedAt: cut };
        for (const added of [later, late]) {
          const more = { ...set, sales: inOrder([...set.sales, added]) };
          expect(answers(more, cut)).toEqual(answers(set, cut));
        }
        const more = { ...set, sales: inOrder([...set.sales, later]) };
        expect(answers(more)).toEqual(answers(set));
      }),
      { seed: 220 },
    );
  });

  test('has another hash if a row changes', () => {
    const own = sold({ soldAt: end - dayMs, condition: 'used' });
    const set = setOf([...soldEvery(5, scattered(200, 30)), own]);
    const hashes = (of: SetToValue, at = month) =>
      answers(of, null, at).map((answer) => answer?.provenance.inputHash);
    const changed = { ...own, priceCents: own.priceCents + 1 };
    const other = { ...set, sales: set.sales.map((sale) => (sale === own ? changed : sale)) };
    expect(hashes(other)[0]).not.toBe(hashes(set)[0]);
    expect(hashes(other)[1]).not.toBe(hashes(set)[1]);
    expect(hashes(other, month - 1)).toEqual(hashes(set, month - 1));
    expect(hashes(other, month + 1)).not.toEqual(hashes(set, month + 1));
  });

  test('counts its accepted sales', () => {
    const sales = [
      sold({ soldAt: monthStart(month) - 1, priceCents: 200_00 }),
      sold({ soldAt: monthStart(month), priceCents: 200_00 }),
      sold({ soldAt: end - 2, priceCents: 200_00, currency: 'EUR' }),
      sold({ soldAt: end - 1, priceCents: 200_00, completeness: 'incomplete' }),
      sold({ soldAt: end - 1, priceCents: 20_00 }),
      sold({ soldAt: end, priceCents: 200_00 }),
    ];
    const counts = (of: number) =>
      answers(setOf(sales), null, of).map((answer) => answer?.salesCount);
    expect([-1, 0, 1, 2].map((by) => counts(month + by))).toEqual([
      [1, 0],
      [2, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test('has a value in a condition from its first sale on', () => {
    const set = setOf([sold({ soldAt: end - 1, priceCents: 200_00 })]);
    const values = (of: number) => answers(set, null, of).map((answer) => answer?.value !== null);
    expect(values(month - 1)).toEqual([false, false]);
    expect(values(month)).toEqual([true, false]);
    expect(values(month + 40)).toEqual([true, false]);
  });

  test('is well supported by recent sales of its condition', () => {
    const set = setOf(soldEvery(5, scattered(200, 30), { until: end - dayMs }));
    const supported = (of: number) => answers(set, null, of).map((answer) => answer?.wellSupported);
    expect(supported(month)).toEqual([true, false]);
    expect(supported(month + 12)).toEqual([false, false]);
  });

  test('names its parameters, and others change the hash', () => {
    const sales = soldEvery(5, scattered(200, 30), { until: end - dayMs });
    const ask = (parameters: Parameters<typeof makeEstimator>[0]) =>
      makeEstimator(parameters)
        .prepareSet(setOf(sales))
        .months('sealed', [{ month, knownBefore: null }])[0]?.provenance;
    const before = stored(month - 1);
    const one = ask([before, stored(month)]);
    expect(one?.parameters).toBe(stored(month).version);
    expect(ask([before, stored(month), stored(month + 1)])).toEqual(one);
    const other = stored(month, { ranges: { set: { low: -1, high: 1 } } });
    expect(ask([before, other])?.inputHash).not.toBe(one?.inputHash);
    const first = stored(month - 1, { ranges: { set: { low: -1, high: 1 } } });
    expect(ask([first, stored(month)])?.inputHash).not.toBe(one?.inputHash);
  });

  test('without rows depends on facts alone', () => {
    const [sealed, used] = answers(setOf([]));
    const [learned] = makeEstimator([stored(month, { ranges: { set: { low: -1, high: 1 } } })])
      .prepareSet(setOf([]))
      .months('sealed', [{ month, knownBefore: null }]);
    expect(learned?.provenance.inputHash).not.toBe(sealed?.provenance.inputHash);
    expect(sealed).toEqual(used);
    expect(sealed).toMatchObject({
      value: null,
      salesCount: 0,
      wellSupported: false,
      hasShifted: false,
      isUnsold: true,
    });
  });

  test.each([
    ['only a retail price', [], true],
    ['a known sale', [sold({ soldAt: end - 1 })], false],
    ['a retracted sale', [sold({ soldAt: end - 1, retractedAt: end })], false],
    ['a rejected sale', [sold({ soldAt: end - 1, completeness: 'incomplete' })], false],
    [
      'a sale ingested after the cutoff',
      [sold({ soldAt: end - 1, ingestedAt: end + 8 * dayMs })],
      true,
    ],
    ['a sale after the month', [sold({ soldAt: end })], true],
    ['a sale without a rate', [sold({ soldAt: end - 1, currency: 'EUR', usdPerUnit: 0 })], true],
  ])('is unsold without known rows: %s', (_, sales, isUnsold) => {
    const retailWeeks = [{ week: weekOf(end) - 9, priceCents: 50_00 }];
    const set = { ...setOf(sales, { ...restingFacts, retiredAt: null }), retailWeeks };
    const found = answers(set, end + 7 * dayMs);
    expect(found.map((answer) => answer?.isUnsold)).toEqual([isUnsold, isUnsold]);
  });
});

test('a walk hands over its fold once, for an instant that it has not passed', () => {
  const walk = new MonthWalk(setSubject(setOf([])), new ParameterTimeline([]), {
    knownBefore: null,
  });
  expect(walk.takeFold(end)).toBeNull();
  walk.monthsUntil(month);
  expect(walk.takeFold(end - 1)).toBeNull();
  expect(walk.takeFold(end)?.at).toBe(end);
  expect(walk.takeFold(end)).toBeNull();
});
