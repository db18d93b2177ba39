/** Values are whole cents, in order and within bounds. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  noon,
  restingFacts,
  setOf,
  soldEvery,
  stored,
  unknownFacts,
  unlearned,
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, weekOf } from '../../../kernel/time.ts';
import { makeEstimator } from './estimator.ts';
import { actionable, expectedError, modeledErrorMax, toValue, type Valued } from './values.ts';

describe('cents', () => {
  test('are rounded', () => {
    expect(toValue(Math.log(100.6), Math.log(90.4), Math.log(110.5))).toEqual({
      valueCents: 101,
      lowCents: 90,
      highCents: 111,
    });
  });

  test('are at least one and at most twenty million dollars', () => {
    expect(toValue(-50, -60, -40)).toEqual({ valueCents: 1, lowCents: 1, highCents: 1 });
    expect(toValue(80, 70, 900).highCents).toBe(2_000_000_000);
  });

  test('are in order even if quantiles are not', () => {
    const number = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(number, number, number, (log, low, high) => {
        const { valueCents, lowCents, highCents } = toValue(log, low, high);
        expect(lowCents).toBeLessThanOrEqual(valueCents);
        expect(valueCents).toBeLessThanOrEqual(highCents);
        expect([valueCents, lowCents, highCents].every(Number.isSafeInteger)).toBe(true);
      }),
      { seed: 206 },
    );
  });
});

describe('a range', () => {
  const sales = soldEvery(5, Array<number>(12).fill(200));

  test('follows the quantiles of its group', () => {
    const ranges = { 'set sealed 10+': { low: -2, high: 1 }, set: { low: -3, high: 3 } };
    const learned = makeEstimator([stored(monthOf(noon), { ranges })]);
    const { sealed, evidence } = learned.prepareSet(setOf(sales)).valueAt(noon);
    const { valueSpread = 0, saleSpread = 0 } = evidence.sealed ?? {};
    const spread = Math.hypot(valueSpread, saleSpread);
    const { valueCents = 0, lowCents = 0, highCents = 0 } = sealed ?? {};
    expect(Math.log(lowCents / valueCents)).toBeCloseTo(-2 * spread, 3);
    expect(Math.log(highCents / valueCents)).toBeCloseTo(spread, 3);
  });

  test('grows while nothing is sold', () => {
    const open = unlearned.prepareSet(setOf(sales));
    const width = (at: number) => {
      const { lowCents = 1, highCents = 1 } = open.valueAt(at).sealed ?? {};
      return highCents / lowCents;
    };
    expect(width(noon + 2e10)).toBeGreaterThan(width(noon) * 1.05);
  });
});

describe('a used set', () => {
  const facts = { ...restingFacts, releasedAt: noon - 300 * dayMs, retiredAt: null };
  const valued = (count: number) => {
    const used = soldEvery(5, Array<number>(count).fill(270), { condition: 'used' });
    const sealed = soldEvery(5, Array<number>(12).fill(200));
    return unlearned.prepareSet(setOf([...sealed, ...used], facts)).valueAt(noon);
  };

  test('is at most 5% above a new one, until three sales prove it', () => {
    const two = valued(2);
    const ratio = (two.used?.valueCents ?? 0) / (two.sealed?.valueCents ?? 1);
    expect(ratio).toBeCloseTo(1.05, 3);
    const many = valued(12);
    expect((many.used?.valueCents ?? 0) / (many.sealed?.valueCents ?? 1)).toBeGreaterThan(1.2);
  });
});

describe('a modeled value', () => {
  const valued = (valueSpread: number) => ({
    value: { valueCents: 100, lowCents: 50, highCents: 900 },
    valueSpread,
    saleSpread: 0.2,
    quantiles: { low: -1.28, high: 1.28 },
    doubt: null,
  });
  const values: Valued = { sealed: valued(0.57), used: valued(0.66) };

  test('is null if half of such values are off by more than 40%, however wide its range is', () => {
    expect(actionable(values, 'modeled')).toEqual(values);
    for (const condition of ['sealed', 'used'] as const) {
      const { valueSpread } = values[condition] ?? valued(0);
      expect(expectedError(condition, valued(valueSpread))).toBeWithin(0.38, modeledErrorMax);
      const worse = { ...values, [condition]: valued(valueSpread + 0.02) };
      expect(actionable(worse, 'modeled')).toEqual({ ...values, [condition]: null });
      for (const tier of ['low', 'medium', 'high'] as const) {
        expect(actionable(worse, tier)).toBe(worse);
      }
    }
    const none = { sealed: null, used: null };
    expect(actionable(none, 'modeled')).toEqual(none);
  });

  test('is null while sellers agree on a price far from it', () => {
    const at = (factor: number) => {
      const start = unlearned.prepareSet(setOf([])).valueAt(noon).sealed?.valueCents ?? 0;
      const prices = [factor, factor].map((times) => (start * times) / 100);
      return unlearned.prepareSet(setOf(soldEvery(9, prices))).valueAt(noon);
    };
    expect(at(1).sealed).not.toBeNull();
    expect(at(40)).toMatchObject({ sealed: null, tier: 'modeled' });
  });

  test('of a giveaway with few facts is null until it sells', () => {
    const facts = {
      ...unknownFacts,
      pieces: 700,
      releasedAt: Date.UTC(1995, 0, 1),
      itemClass: 'promotional' as const,
    };
    const before = unlearned.prepareSet(setOf([], facts)).valueAt(noon);
    expect(before).toMatchObject({ sealed: null, used: null, tier: 'modeled' });
    expect(before.evidence).toMatchObject({ sealed: null, used: null });
    expect(before.evidence.modeled?.spread).toBeGreaterThan(0.7);
    const after = unlearned.prepareSet(setOf(soldEvery(9, [90, 95]), facts)).valueAt(noon);
    expect(after.tier).toBe('low');
    expect(after.sealed?.valueCents).toBeWithin(70_00, 110_00);
  });
});

describe.each(['gear', 'book'] as const)('%s', (itemClass) => {
  const facts = { ...restingFacts, itemClass };

  test('has no value before its own sales, even with offers', () => {
    const week = weekOf(noon) - 2;
    const set = { ...setOf([], facts), retailWeeks: [{ week, priceCents: 90_00 }] };
    const { sealed, used, tier, evidence } = unlearned.prepareSet(set).valueAt(noon);
    expect([sealed, used, tier]).toEqual([null, null, 'modeled']);
    expect(evidence).toMatchObject({ modeled: null, retailWeeks: 0 });
  });

  test('has the value of its sales', () => {
    const { sealed } = unlearned.prepareSet(setOf(soldEvery(9, [30, 31, 29]), facts)).valueAt(noon);
    expect(sealed?.valueCents).toBeWithin(28_50, 31_50);
  });
});
