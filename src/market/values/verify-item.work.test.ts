/** Comparing a recomputed value and its months. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { minifigInputs, setInputs } from '../../../test/support/item-inputs.ts';
import { plainEstimator } from '../../../test/support/plain-engine.ts';
import { monthCut, parseMonth } from '../../kernel/time.ts';
import type { ConditionEvidence, Evidence } from '../evidence/evidence.ts';
import type { MonthOrigin, Series } from '../history/history.ts';
import type { Estimator, MonthQuery, MonthValuation } from './estimator.ts';
import { verifyItem } from './verify.ts';

const first = parseMonth('2026-01') ?? 0;
const history = { sealedAt: null, restatements: [] };
const value = { valueCents: 10, lowCents: 9, highCents: 11 };
const valued = value as ConditionEvidence;
const made = (inputHash: number) => ({ inputHash, parameters: 'p' });

/** An estimator with these months and evidence, which records its queries. */
function estimatorOf(
  given: {
    readonly now?: Partial<Evidence>;
    readonly months?: readonly Partial<MonthValuation>[];
  } = {},
) {
  const asked: unknown[] = [];
  const evidence = someEvidence({ ...given.now });
  const prepared = {
    valueAt: () => ({ evidence }),
    months: (condition: string, queries: readonly MonthQuery[]) => {
      asked.push([condition, queries]);
      return (given.months ?? []).map((month) => ({
        value,
        salesCount: 1,
        isUnsold: false,
        provenance: made(1),
        ...month,
      }));
    },
  };
  const estimator = {
    ...plainEstimator,
    prepareSet: () => prepared,
    prepareMinifig: () => prepared,
  } as unknown as Estimator;
  return { estimator, asked };
}

test.each<[string, Partial<Evidence>, Partial<Evidence>, string]>([
  ['the same', { sealed: valued }, { sealed: valued }, 'matches'],
  ['another hash', {}, { inputHash: 5, tier: 'high' }, 'inputs_changed'],
  ['another tier', {}, { tier: 'high' }, 'differs'],
  ['another value', { sealed: valued }, { sealed: { ...valued, valueCents: 1 } }, 'differs'],
  ['another low', { sealed: valued }, { sealed: { ...valued, lowCents: 1 } }, 'differs'],
  ['another high', { used: valued }, { used: { ...valued, highCents: 1 } }, 'differs'],
  ['a value now', {}, { used: valued }, 'differs'],
  ['none now', { sealed: valued }, {}, 'differs'],
])('compares with what was published: %s', (_, before, now, outcome) => {
  const evidence = someEvidence(before);
  const { estimator } = estimatorOf({ now });
  expect(verifyItem(setInputs({}, { evidence }), estimator, history)?.value).toBe(
    outcome as 'matches',
  );
  expect(verifyItem(minifigInputs({ evidence }), estimator, history)).toEqual({
    value: outcome as 'matches',
    months: { checked: 0, matches: 0, inputsChanged: [], differs: [] },
  });
});

test('an unpublished item is not verified', () => {
  expect(verifyItem(setInputs(), estimatorOf().estimator, history)).toBeNull();
});

function verified(provenance: readonly MonthOrigin[], months: readonly Partial<MonthValuation>[]) {
  const point = { ...value, salesCount: 1, event: null };
  const points = months.map(() => point);
  const sealed: Series = { firstMonth: first, points, revision: 1, provenance };
  const inputs = setInputs({}, { evidence: someEvidence(), series: { sealed, used: null } });
  const { estimator, asked } = estimatorOf({ months });
  return { result: verifyItem(inputs, estimator, history)?.months, asked };
}

test('months match, differ, or have changed inputs', () => {
  const { result } = verified(
    [made(1), made(1), made(2), 'unsold', 'unsold'],
    [{}, { salesCount: 2 }, { salesCount: 2 }, { value: null, isUnsold: true, salesCount: 0 }, {}],
  );
  const at = (index: number) => ({ condition: 'sealed' as const, month: first + index });
  expect(result).toEqual({
    checked: 5,
    matches: 1,
    inputsChanged: [at(2), at(4)],
    differs: [at(1), at(3)],
  });
});

test.each(['valueCents', 'lowCents', 'highCents'] as const)('another %s differs', (name) => {
  const { result } = verified([made(1)], [{ value: { ...value, [name]: 99 } }]);
  expect(result?.differs).toHaveLength(1);
});

test('months are computed with the history at the time they were stored', () => {
  const sealedAt = monthCut(first) + 5;
  const restatements = [
    { id: 1, fromMonth: first, at: sealedAt + 10, reason: '' },
    { id: 2, fromMonth: first, at: sealedAt + 20, reason: '' },
  ];
  const point = { ...value, salesCount: 1, event: null };
  const sealed = { firstMonth: first, points: [point], revision: 1, provenance: [made(1)] };
  const inputs = setInputs({}, { evidence: someEvidence(), series: { sealed, used: null } });
  const { estimator, asked } = estimatorOf({ months: [{}] });
  verifyItem(inputs, estimator, { sealedAt, restatements });
  expect(asked).toEqual([['sealed', [{ month: first, knownBefore: sealedAt + 11 }]]]);
});
