/** The baseline estimator: what a collector would expect of a value, case by case. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ValuationFacts } from '../domain/estimator.ts';
import type { StoredSale } from '../domain/market.ts';
import { dayMs } from '../domain/time.ts';
import { baselineEstimator } from './baseline.ts';

const now = Date.UTC(2026, 10, 15, 12);
const unknown: ValuationFacts = {
  msrpCents: null,
  pieces: null,
  releasedAt: null,
  retiredAt: null,
};
const nothing = { sealed: null, used: null, tier: 'modeled', changesAt: null } as const;

/** A sale some days ago, in dollars. */
function sold(daysAgo: number, dollars: number, facts: Partial<StoredSale> = {}): StoredSale {
  const soldAt = now - daysAgo * dayMs;
  return {
    source: 'shop',
    sourceId: `${daysAgo} ${dollars}`,
    condition: 'sealed',
    priceCents: Math.round(dollars * 100),
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt,
    channel: null,
    seller: null,
    completeness: 'complete',
    ingestedAt: soldAt,
    retractedAt: null,
    usdPerUnit: 1,
    ...facts,
  };
}

const used = { condition: 'used' } as const;

/** New value, used value and tier. */
function valued(
  facts: Partial<ValuationFacts>,
  sales: readonly StoredSale[],
): (number | string | null)[] {
  const value = baselineEstimator.valueSet({ ...unknown, ...facts }, sales, now);
  const dollars = (cents: number | undefined) => (cents === undefined ? null : cents / 100);
  return [dollars(value.sealed?.valueCents), dollars(value.used?.valueCents), value.tier];
}

test.each([
  ['nothing is known', {}, [], [null, null, 'modeled']],
  ['only that it has no pieces', { pieces: 0 }, [], [null, null, 'modeled']],
  ['only its retail price', { msrpCents: 100_00 }, [], [88, 57.24, 'modeled']],
  ['only its pieces', { pieces: 1000 }, [], [96.8, 62.97, 'modeled']],
  // Sales say more than the retail price.
  ['one sealed sale', { msrpCents: 500_00 }, [sold(1, 100)], [100, 65.05, 'low']],
  ['one old sealed sale', {}, [sold(3000, 100)], [100, 65.05, 'low']],
  [
    'one used sale, new derived',
    { msrpCents: 500_00 },
    [sold(1, 65.05, used)],
    [100, 65.05, 'low'],
  ],
  ['one of each', {}, [sold(2, 100), sold(1, 80, used)], [100, 80, 'low']],
  ['three sealed sales', {}, [sold(3, 90), sold(2, 100), sold(1, 110)], [100, 65.05, 'medium']],
  // The tier is that of the new value.
  ['many used sales', {}, many(12, 65.05, used), [100, 65.05, 'low']],
  ['many sealed sales', {}, many(12, 100), [100, 65.05, 'high']],
  ['only an incomplete one', {}, [sold(1, 50, { ...used, completeness: 'incomplete' })], none()],
  ['only a sale that was taken back', {}, [sold(5, 100, { retractedAt: now - dayMs })], none()],
  ['only a sale that lies ahead', {}, [sold(-1, 100)], none()],
  ['a sale of this very moment', {}, [sold(0, 100)], [100, 65.05, 'low']],
])('when the store holds: %s', (_, facts, sales, expected) => {
  expect(valued(facts, sales)).toEqual(expected);
});

function many(count: number, dollars: number, facts: Partial<StoredSale> = {}): StoredSale[] {
  return Array.from({ length: count }, (_, index) => sold(count - index, dollars, facts));
}

function none() {
  return [null, null, 'modeled'];
}

test('without sales, retail price and pieces nothing is made up', () => {
  expect(baselineEstimator.valueSet(unknown, [], now)).toEqual(nothing);
});

test('a sale that was taken back changes nothing any more', () => {
  const kept = many(5, 100);
  const retracted = sold(0, 120, { retractedAt: now });
  const value = baselineEstimator.valueSet(unknown, [...kept, retracted], now);
  expect(value).toEqual(baselineEstimator.valueSet(unknown, kept, now));
});

test('a sale that lies ahead of the asked instant changes nothing yet', () => {
  const sales = many(5, 100);
  const value = baselineEstimator.valueSet(unknown, [...sales, sold(-1, 200)], now);
  expect(value).toEqual(baselineEstimator.valueSet(unknown, sales, now));
});

test('an odd sale supports no tier', () => {
  expect(valued({}, [...many(3, 100), sold(0, 500)])[2]).toBe('medium');
  expect(valued({}, [...many(9, 100), sold(0, 500)])[2]).toBe('medium');
  expect(valued({}, [...many(9, 100), sold(0, 101)])[2]).toBe('high');
});

test('a value made from sales does not change with time alone; its tier does, when announced', () => {
  const sales = many(12, 100);
  const today = baselineEstimator.valueSet({ ...unknown, releasedAt: now }, sales, now);
  const changesAt = today.changesAt ?? 0;
  for (const at of [changesAt - 1, changesAt, now + 4000 * dayMs]) {
    const later = baselineEstimator.valueSet({ ...unknown, releasedAt: now }, sales, at);
    expect(later.sealed).toEqual(today.sealed);
    expect(later.tier === 'high').toBe(at < changesAt);
  }
});

test('a derived value has a wider range than the one it is derived from', () => {
  const { sealed, used: usedValue } = baselineEstimator.valueSet(unknown, [sold(1, 100)], now);
  expect(sealed).toEqual({ valueCents: 100_00, lowCents: 84_20, highCents: 118_76 });
  expect(usedValue).toEqual({ valueCents: 65_05, lowCents: 42_66, highCents: 99_20 });
});

test('both values have low ≤ value ≤ high, whatever is known', () => {
  const cents = fc.integer({ min: 1, max: 100_000_000 });
  const facts = fc.record({
    msrpCents: fc.option(cents, { nil: null }),
    pieces: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: null }),
    releasedAt: fc.option(fc.integer({ min: 0, max: now }), { nil: null }),
    retiredAt: fc.option(fc.integer({ min: 0, max: now + 300 * dayMs }), { nil: null }),
  });
  const sale = fc
    .record({
      soldAt: fc.integer({ min: now - 1000 * dayMs, max: now + dayMs }),
      priceCents: cents,
      condition: fc.constantFrom('sealed', 'used'),
      completeness: fc.constantFrom('complete', 'no_box', 'unknown', 'incomplete', null),
      quantity: fc.integer({ min: 1, max: 20 }),
    })
    .map((given) => ({ ...sold(0, 1), ...given }));
  fc.assert(
    fc.property(facts, fc.array(sale, { maxLength: 25 }), (known, sales) => {
      const inOrder = sales.toSorted((a, b) => a.soldAt - b.soldAt);
      const value = baselineEstimator.valueSet(known, inOrder, now);
      expect(value.sealed === null).toBe(value.used === null);
      for (const one of [value.sealed, value.used]) {
        if (one === null) continue;
        expect(one.valueCents).toBeGreaterThanOrEqual(1);
        expect(one.lowCents).toBeLessThanOrEqual(one.valueCents);
        expect(one.highCents).toBeGreaterThanOrEqual(one.valueCents);
      }
    }),
    { seed: 100, numRuns: 300 },
  );
});

test.each([
  ['never', [], null],
  ['once, used', [sold(1, 8, used)], 8],
  ['once, new, which is worth a quarter more', [sold(1, 10.27)], 8],
  ['once, taken back', [sold(1, 8, { ...used, retractedAt: now })], null],
  ['once, tomorrow', [sold(-1, 8, used)], null],
  ['three times', [sold(3, 7, used), sold(2, 8, used), sold(1, 9, used)], 8],
])('a minifig that was sold %s has its value for a used one', (_, sales, dollars) => {
  const value = baselineEstimator.valueMinifig(sales, now);
  expect(value && value.valueCents / 100).toBe(dollars);
});
