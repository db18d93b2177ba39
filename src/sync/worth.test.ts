/** The worth of an answer: never negative, and higher where it helps more. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Uncertainty } from '../market/values/uncertainty.ts';
import {
  dueAfterDays,
  expectedGain,
  expectedSales,
  interestOf,
  type QuestionFacts,
  reasonOf,
  spreadAfter,
  standingOf,
} from './worth.ts';

const typical: Uncertainty = {
  valueCents: 100_00,
  valueSpread: 0.2,
  saleSpread: 0.15,
  sales: 6,
  usualRate: 0.01,
};

const asked: QuestionFacts = {
  uncertainty: typical,
  interest: { units: 3, lookUps: 0 },
  askedDays: 20,
  isKnown: true,
  reachDays: 170,
  restDays: 0.9,
};

const worthOf = (facts: QuestionFacts) => standingOf(facts)?.worth ?? 0;

const anyUncertainty: fc.Arbitrary<Uncertainty> = fc.record({
  valueCents: fc.integer({ min: 1, max: 2_000_000_000 }),
  valueSpread: fc.double({ min: 0.001, max: 2, noNaN: true }),
  saleSpread: fc.double({ min: 0.01, max: 1, noNaN: true }),
  sales: fc.nat(5_000),
  usualRate: fc.double({ min: 0.0001, max: 1, noNaN: true }),
});

const anyFacts: fc.Arbitrary<QuestionFacts> = fc.record({
  uncertainty: fc.option(anyUncertainty, { nil: null }),
  interest: fc.record({ units: fc.nat(100_000), lookUps: fc.nat(1_000_000) }),
  askedDays: fc.option(fc.double({ min: 0, max: 2_000, noNaN: true }), { nil: null }),
  isKnown: fc.boolean(),
  reachDays: fc.constantFrom(90, 170, 365),
  restDays: fc.constantFrom(0.05, 0.9, 45),
});

describe('uncertainty', () => {
  test('after an answer follows the formula, and never increases', () => {
    // √(1 / (1/v + n/σ²)) with v = 0.04, n = 3, σ² = 0.0225.
    expect(spreadAfter(typical, 3)).toBeCloseTo(Math.sqrt(1 / (1 / 0.04 + 3 / 0.0225)), 12);
    fc.assert(
      fc.property(anyUncertainty, fc.double({ min: 0, max: 500, noNaN: true }), (item, sales) => {
        const after = spreadAfter(item, sales);
        expect(after).toBeGreaterThan(0);
        expect(after).toBeLessThanOrEqual(item.valueSpread * (1 + 1e-12));
        expect(spreadAfter(item, sales + 1)).toBeLessThanOrEqual(after);
      }),
    );
  });

  test('is expected to fall by less than with certain sales, and not at all without any', () => {
    fc.assert(
      fc.property(
        anyUncertainty,
        fc.double({ min: 1e-6, max: 100, noNaN: true }),
        (item, sales) => {
          const gain = expectedGain(item, sales);
          expect(gain).toBeGreaterThanOrEqual(0);
          const certain = item.valueSpread - spreadAfter(item, sales);
          expect(gain).toBeLessThanOrEqual(certain + 1e-9);
        },
      ),
    );
    expect(expectedGain(typical, 0)).toBe(0);
  });
});

describe('the expected sales', () => {
  const days = (askedDays: number | null) => ({ askedDays, reachDays: 170 });

  test('of an unsold item are those of similar items, until it was asked about', () => {
    const unsold = { sales: 0, usualRate: 0.02 };
    expect(expectedSales(unsold, days(null))).toBeCloseTo(170 * 0.02);
    // After 180 days without sales, a quarter of the typical rate is left.
    expect(expectedSales(unsold, days(1))).toBeCloseTo((0.02 * 60) / (179 + 60));
  });

  test("follow the item's own sales, and the days in which they were observed", () => {
    const often = { sales: 180, usualRate: 0.01 };
    expect(expectedSales(often, days(10))).toBeCloseTo((10 * 180.6) / 230);
    // 90 of the 180 days were not observed: the same sales in the others mean twice the rate.
    expect(expectedSales(often, days(90))).toBeCloseTo((90 * 180.6) / 150);
    expect(expectedSales(often, days(null))).toBeCloseTo((170 * 180.6) / 240);
    expect(expectedSales({ ...often, sales: 1 }, days(null))).toBeCloseTo((170 * 1.6) / 240);
  });

  test('are limited by the reach of an answer', () => {
    expect(expectedSales(typical, days(1_000))).toBeCloseTo((170 * 6.6) / 90);
  });
});

describe('worth', () => {
  test('is finite and not negative', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const worth = worthOf(facts);
        expect(worth).toBeGreaterThanOrEqual(0);
        expect(worth).toBeLessThan(1e15);
      }),
    );
  });

  test('increases with units, lookups, value, uncertainty, sales and time', () => {
    const more: readonly Partial<QuestionFacts>[] = [
      { interest: { units: 4, lookUps: 0 } },
      { interest: { units: 3, lookUps: 1 } },
      { uncertainty: { ...typical, valueCents: 101_00 } },
      { uncertainty: { ...typical, valueSpread: 0.21 } },
      { uncertainty: { ...typical, saleSpread: 0.14 } },
      { uncertainty: { ...typical, sales: 7 } },
      { uncertainty: { ...typical, usualRate: 0.02 } },
      { askedDays: 21 },
    ];
    for (const change of more)
      expect(worthOf({ ...asked, ...change })).toBeGreaterThan(worthOf(asked));
  });

  test('is positive even without holders and lookups', () => {
    expect(worthOf({ ...asked, interest: { units: 0, lookUps: 0 } })).toBeGreaterThan(0);
    // Eight lookups count as a unit; every item has a quarter of one.
    expect(interestOf(100, { units: 2, lookUps: 8 })).toBe(325);
  });
});

test('the gain is that of the sales in an answer with any, times the chance of one', () => {
  const chance = 1 - Math.exp(-0.5);
  const gain = chance * (0.2 - spreadAfter(typical, 0.5 / chance));
  expect(expectedGain(typical, 0.5)).toBeCloseTo(gain, 12);
});

describe('a question', () => {
  test('is not asked twice within a day', () => {
    expect(standingOf({ ...asked, askedDays: 0.5 })).toBeNull();
    expect(standingOf({ ...asked, askedDays: 1 })).not.toBeNull();
  });

  test('is due ten days before sales would fall out of reach', () => {
    const isDue = (askedDays: number | null, reachDays: number) =>
      standingOf({ ...asked, askedDays, reachDays })?.isDue;
    expect([isDue(169.9, 180), isDue(170, 180), isDue(400, 180)]).toEqual([false, true, true]);
    expect([isDue(159.9, 170), isDue(160, 170), isDue(null, 170)]).toEqual([false, true, false]);
  });

  test('about an item unknown to the source waits until it is due', () => {
    const facts = { ...asked, isKnown: false };
    expect(standingOf({ ...facts, askedDays: 159 })).toBeNull();
    expect(standingOf({ ...facts, askedDays: 160 })?.isDue).toBe(true);
  });

  test('without effect on a value rests after an answer, and then ranks by age', () => {
    const facts = { ...asked, uncertainty: null, reachDays: 30, restDays: 15 };
    const worths = [null, 14, 15, 18, 20].map((askedDays) => standingOf({ ...facts, askedDays }));
    expect(worths).toEqual([
      { isDue: false, worth: 3.25 },
      null,
      { isDue: false, worth: 1.625 },
      { isDue: false, worth: expect.closeTo(1.95) },
      { isDue: true, worth: expect.closeTo(3.25 * (20 / 30)) },
    ]);
  });

  test('with a short reach is due after two thirds of it', () => {
    expect([dueAfterDays(180), dueAfterDays(30), dueAfterDays(3)]).toEqual([170, 20, 2]);
  });

  test('has a reason', () => {
    expect(reasonOf(asked)).toBe('asked 20 days ago, 3 units held, about 0.6 new sales, ± 22%');
    const wanted = { units: 1, lookUps: 12.4 };
    expect(reasonOf({ ...asked, interest: wanted, askedDays: null, uncertainty: null })).toBe(
      'never asked, 1 unit held, 12 look-ups',
    );
    const spreadIn = (valueSpread: number) =>
      reasonOf({ ...asked, uncertainty: { ...typical, valueSpread } })
        .split(', ')
        .at(-1);
    expect([0.9, 0.89].map(spreadIn)).toEqual(['value unknown', '± 144%']);
    const often = { ...typical, sales: 300 };
    expect(reasonOf({ ...asked, uncertainty: often })).toContain('about 27 new sales');
    // From ten sales on without decimals: 20 × (114.4 + 0.6) / 220 = 10.45….
    const oftenEnough = { ...typical, sales: 114.4 };
    expect(reasonOf({ ...asked, uncertainty: oftenEnough })).toContain('about 10 new sales');
    const once = { ...asked, uncertainty: null, interest: { units: 0, lookUps: 1 } };
    expect(reasonOf(once)).toBe('asked 20 days ago, 1 look-up');
    expect(
      reasonOf({
        ...asked,
        uncertainty: often,
        askedDays: 1.5,
        interest: { units: 0, lookUps: 0.2 },
      }),
    ).toBe('asked 1 day ago, about 1.9 new sales, ± 22%');
  });
});
