/** Values start from the prior, and follow sales. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  anySet,
  minifigOf,
  newDollars,
  noon,
  restingFacts,
  setOf,
  sold,
  soldEvery,
  stored,
  unknownFacts,
  unlearned,
  valuationOf,
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, weekOf } from '../../../kernel/time.ts';
import { type Channel, channels } from '../../source-rows/source-rows.ts';
import type { ValuationFacts, Value } from '../estimator.ts';
import { defaultMinifigRatio, usedRatioAt } from '../prior/used-ratio.ts';
import { makeEstimator } from './estimator.ts';
import { defaultParameters, evenOffsets } from './parameters.ts';
import { setSubject } from './subject.ts';

const twelve = (dollars: number) => Array<number>(12).fill(dollars);

const isInOrder = ({ lowCents, valueCents, highCents }: Value) =>
  1 <= lowCents && lowCents <= valueCents && valueCents <= highCents;

describe('without any sale', () => {
  test('a set has its prior value', () => {
    const prior = setSubject(setOf([])).prior(defaultParameters, noon);
    const { sealed, used, tier, changesAt, evidence } = valuationOf([]);
    expect(sealed?.valueCents).toBe(Math.round(Math.exp(prior?.log ?? 0)));
    expect(evidence.modeled?.valueCents).toBe(sealed?.valueCents ?? 0);
    expect(used?.valueCents).toBeLessThan(sealed?.valueCents ?? 0);
    expect([tier, changesAt]).toEqual(['modeled', null]);
  });

  test('a set without facts has no value', () => {
    expect(valuationOf([], noon, unknownFacts)).toMatchObject({
      sealed: null,
      used: null,
      tier: 'modeled',
      evidence: { sealed: null, used: null, modeled: null, outcomes: [] },
    });
  });

  test('a retailer’s own price counts for a while, until retirement', () => {
    const inShops: ValuationFacts = {
      ...restingFacts,
      releasedAt: noon - 900 * dayMs,
      retiredAt: null,
    };
    const week = weekOf(noon) - 2;
    const dollars = (at: number, facts = inShops) => {
      const set = { ...setOf([], facts), retailWeeks: [{ week, priceCents: 60_00 }] };
      return (unlearned.prepareSet(set).valueAt(at).sealed?.valueCents ?? 0) / 100;
    };
    expect(dollars(noon)).toBeWithin(58, newDollars([], noon, inShops) - 5);
    expect(dollars(noon, unknownFacts)).toBeCloseTo(60 * Math.exp(-0.03), 1);
    const later = noon + 70 * dayMs;
    expect(dollars(later)).toBe(newDollars([], later, inShops));
    const retired = { ...inShops, retiredAt: noon - 100 * dayMs };
    expect(dollars(noon, retired)).toBe(newDollars([], noon, retired));
  });
});

describe('sales', () => {
  test('move a value towards them', () => {
    const prior = newDollars([]);
    expect(newDollars([sold({ priceCents: 150_00 })])).toBeWithin(151, prior - 20);
    expect(newDollars([sold({ priceCents: 300_00 })])).toBeWithin(prior + 20, 299);
  });

  test('at one price converge to it', () => {
    for (const dollars of [120, 200, 380]) {
      expect(newDollars(soldEvery(5, twelve(dollars)))).toBeWithin(dollars * 0.99, dollars * 1.01);
    }
    expect(newDollars(soldEvery(5, twelve(150)), noon, unknownFacts)).toBeWithin(149.5, 150.5);
  });

  test('in one condition inform the other', () => {
    const used = (sales: ReturnType<typeof soldEvery>) =>
      valuationOf(sales).used?.valueCents ?? Number.NaN;
    const ratio = used([]) / 100 / newDollars([]);
    // About sixty days of ratio drift are within half a percent.
    expect(used(soldEvery(5, twelve(300))) / 300_00 / ratio).toBeWithin(0.98, 1.02);
    const ofUsed = newDollars(soldEvery(5, twelve(200), { condition: 'used' }));
    expect(ofUsed).toBeWithin(newDollars([]) * 1.3, 200 / ratio);
    expect(valuationOf(soldEvery(5, twelve(200), { condition: 'used' })).tier).toBe('low');
  });

  test('of a set without prior nearly determine its value', () => {
    const { sealed } = valuationOf([sold()], noon, unknownFacts).evidence;
    // Prior variance 4, noise variance 0.0225.
    expect(sealed?.valueSpread).toBeCloseTo(Math.sqrt((4 * 0.0225) / 4.0225), 4);
    expect(sealed?.valueCents).toBeWithin(99_00, 100_00);
  });

  test('replace the retailer’s own price', () => {
    const week = weekOf(noon) - 2;
    const sales = soldEvery(7, twelve(200), { until: noon - 20 * dayMs });
    const retailWeeks = [{ week, priceCents: 20_00 }];
    const facts = { ...restingFacts, retiredAt: null };
    const asked = unlearned.prepareSet({ ...setOf(sales, facts), retailWeeks }).valueAt(noon);
    expect(asked).toEqual(valuationOf(sales, noon, facts));
    expect(asked.evidence.retailWeeks).toBe(0);
  });

  test('are followed by the drift of the prior', () => {
    const sales = soldEvery(5, twelve(200));
    const later = noon + 365 * dayMs;
    const growth = newDollars([], later) / newDollars([]);
    expect(growth).toBeGreaterThan(1.06);
    expect(newDollars(sales, later) / newDollars(sales)).toBeWithin(growth - 0.002, growth + 0.002);
  });

  test('are adjusted to the reference channel', () => {
    const offsets = { ...defaultParameters.offsets, set: { ...evenOffsets, auction: -0.2 } };
    const month = monthOf(noon) - 3;
    const learned = makeEstimator([stored(month, { offsets })]);
    const sales = soldEvery(5, twelve(200), { channel: 'auction' });
    const { sealed } = learned.prepareSet(setOf(sales, unknownFacts)).valueAt(noon);
    expect(sealed?.valueCents).toBeWithin(243_00, 245_50);
  });

  test('are not adjusted before channel offsets are learned', () => {
    const valueIn = (channel: Channel | null) =>
      valuationOf(soldEvery(5, twelve(200), { channel })).sealed?.valueCents;
    const inReference = valueIn('fixed');
    for (const channel of [...channels, null]) expect(valueIn(channel)).toBe(inReference ?? 0);
  });

  test('count from their instant on', () => {
    const sales = soldEvery(5, twelve(300), { until: noon + 30 * dayMs });
    const before = sales.filter(({ soldAt }) => soldAt <= noon);
    expect(before.length).toBe(6);
    expect(valuationOf(sales).sealed).toEqual(valuationOf(before).sealed);
    expect(newDollars([sold({ priceCents: 300_00 })])).not.toBe(newDollars([]));
    expect(newDollars([sold({ priceCents: 300_00, soldAt: noon + 1 })])).toBe(newDollars([]));
  });
});

describe('for any rows', () => {
  test('values are whole cents in order, and only modeled ones may be missing', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const { sealed, used, tier, evidence } = unlearned.prepareSet(set).valueAt(noon);
        for (const value of [sealed, used]) {
          if (value === null) expect(tier).toBe('modeled');
          if (value === null) continue;
          expect(isInOrder(value)).toBe(true);
          expect(Object.values(value).every(Number.isSafeInteger)).toBe(true);
        }
        expect(JSON.stringify(evidence)).not.toMatch(/NaN|[^"]null,"(low|high)Cents/);
        for (const { valueSpread, saleSpread } of [evidence.sealed, evidence.used].filter(
          (of) => of !== null,
        )) {
          expect(Number.isFinite(valueSpread + saleSpread)).toBe(true);
        }
      }),
      { seed: 209, numRuns: 500 },
    );
  });

  test('the same rows give the same value', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const open = unlearned.prepareSet(set);
        expect(open.valueAt(noon)).toEqual(open.valueAt(noon));
        expect(unlearned.prepareSet(structuredClone(set)).valueAt(noon)).toEqual(
          open.valueAt(noon),
        );
      }),
      { seed: 210 },
    );
  });
});

describe('a minifig', () => {
  const valueAt = (sales: Parameters<typeof minifigOf>[0]) =>
    unlearned.prepareMinifig(minifigOf(sales)).valueAt(noon);

  test('has no value without a sale', () => {
    expect(valueAt([])).toMatchObject({ value: null, tier: 'modeled', evidence: { used: null } });
    expect(valueAt([sold({ completeness: 'incomplete' })]).value).toBeNull();
  });

  test('has the value of used sales', () => {
    const sales = soldEvery(5, twelve(9), { condition: 'used', completeness: null });
    expect(valueAt(sales).value?.valueCents).toBeWithin(8_80, 9_20);
    expect(valueAt(sales).tier).toBe('medium');
  });

  test('is below new sales by the ratio of its age', () => {
    const used = valueAt(soldEvery(5, twelve(9), { condition: 'used' })).value?.valueCents ?? 0;
    const { releasedAt } = minifigOf([]).facts;
    const ratio = usedRatioAt(defaultMinifigRatio, releasedAt, noon);
    const sealed = twelve(9 * Math.exp(-ratio));
    const ofNew = valueAt(soldEvery(5, sealed)).value?.valueCents ?? 0;
    expect(ofNew / used).toBeWithin(0.995, 1.005);
  });

  test('has an ordered value or none, for any rows', () => {
    fc.assert(
      fc.property(anySet, ({ sales }) => {
        const { value, evidence } = unlearned.prepareMinifig(minifigOf(sales)).valueAt(noon);
        expect(value === null || isInOrder(value)).toBe(true);
        expect(evidence.used === null).toBe(value === null);
      }),
      { seed: 211 },
    );
  });
});

test('the first sale of a condition is the first known and admitted one', () => {
  const day = (days: number) => noon - days * dayMs;
  const { firstSaleAt } = unlearned.prepareSet(
    setOf([
      sold({ soldAt: day(9), completeness: 'incomplete' }),
      sold({ soldAt: day(8), retractedAt: day(2) }),
      sold({ soldAt: day(7), ingestedAt: day(3) }),
      sold({ soldAt: day(6), condition: 'used' }),
      sold({ soldAt: day(5) }),
    ]),
  );
  expect(firstSaleAt('sealed', null)).toBe(day(7));
  expect(firstSaleAt('sealed', day(2) + 1)).toBe(day(7));
  expect(firstSaleAt('sealed', day(2))).toBe(day(8));
  expect(firstSaleAt('used', null)).toBe(day(6));
  expect(firstSaleAt('used', day(6))).toBeNull();
  expect(unlearned.prepareSet(setOf([])).firstSaleAt('sealed', null)).toBeNull();
});
