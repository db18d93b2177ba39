/** Sales and sets as the value engine sees them, plain ones and any that could come. */
import fc from 'fast-check';
import { itemClasses } from '../../src/domain/catalog/item-class.ts';
import { compareText } from '../../src/domain/catalog/numbers.ts';
import { dayMs } from '../../src/domain/kernel/time.ts';
import type {
  MinifigToValue,
  SetToValue,
  StoredParameters,
  ValuationFacts,
} from '../../src/domain/market/estimator.ts';
import {
  channels,
  completenesses,
  conditions,
  type StoredSale,
} from '../../src/domain/market/source-rows.ts';
import { makeEstimator } from '../../src/valuation/engine/estimator.ts';
import { defaultParameters, type Parameters } from '../../src/valuation/engine/parameters.ts';
import { aStoredSale } from './builders.ts';

/** The day that most of these tests speak of. */
export const noon = Date.UTC(2026, 10, 9, 12);

let lastId = 0;

/** A sealed set, sold at noon for 100 dollars at a fixed price, and known at once. */
export function sold(facts: Partial<StoredSale> = {}): StoredSale {
  lastId++;
  return aStoredSale({
    sourceId: String(lastId).padStart(9, '0'),
    channel: 'fixed',
    completeness: 'complete',
    soldAt: noon,
    ...facts,
  });
}

/** One sale per price, so many days apart, the last of them so many days before noon. */
export function soldEvery(
  days: number,
  prices: readonly number[],
  { until = noon, ...facts }: Partial<StoredSale> & { readonly until?: number } = {},
): StoredSale[] {
  return prices.map((dollars, index) =>
    sold({
      soldAt: until - (prices.length - 1 - index) * days * dayMs,
      priceCents: Math.round(dollars * 100),
      ...facts,
    }),
  );
}

/** Prices that scatter around one by a tenth, in the same way each time. */
export function scattered(dollars: number, count: number): number[] {
  const errors = [0.04, -0.12, 0.09, -0.03, 0.15, -0.07, 0.01, -0.16, 0.11, -0.02];
  return Array.from({ length: count }, (_, i) => dollars * Math.exp(errors[i % 10] ?? 0));
}

/** A set of which nothing is known. */
export const unknownFacts: ValuationFacts = {
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

/** A set that retired long ago, so that its value is at rest: some 200 dollars. */
export const restingFacts: ValuationFacts = {
  ...unknownFacts,
  msrpCents: 100_00,
  pieces: 900,
  minifigs: 4,
  theme: 'Castles',
  releasedAt: Date.UTC(2016, 0, 1),
  retiredAt: Date.UTC(2018, 0, 1),
};

/** A set with its sales in the order in which the store gives them. */
export function setOf(
  sales: readonly StoredSale[],
  facts: ValuationFacts = restingFacts,
): SetToValue {
  return { facts, sales: inOrder(sales), retailWeeks: [] };
}

/** A minifig with its sales in order. */
export function minifigOf(sales: readonly StoredSale[]): MinifigToValue {
  const facts = { category: 'Castle', releasedAt: Date.UTC(2020, 0, 1), sets: 2 };
  return { facts, sales: inOrder(sales) };
}

/** In order of sale, source and source id. */
export function inOrder(sales: readonly StoredSale[]): StoredSale[] {
  return [...sales].sort(
    (a, b) =>
      a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId),
  );
}

/** The estimator that has learned nothing. */
export const unlearned = makeEstimator([]);

/** The values of a set at an instant. */
export function valuationOf(sales: readonly StoredSale[], at = noon, facts = restingFacts) {
  return unlearned.prepareSet(setOf(sales, facts)).valueAt(at);
}

/** The new value in dollars. */
export function newDollars(sales: readonly StoredSale[], at = noon, facts = restingFacts): number {
  return (valuationOf(sales, at, facts).sealed?.valueCents ?? Number.NaN) / 100;
}

/** Parameters as they are stored, with what a test is about. */
export function stored(month: number, facts: Partial<Parameters> = {}): StoredParameters {
  const body = JSON.stringify({ ...defaultParameters, ...facts });
  return { month, version: `test-${month}-${body.length}`, body };
}

const cents = fc.oneof(
  fc.integer({ min: 0, max: 100_00 }),
  fc.integer({ min: 50_00, max: 500_00 }),
  fc.constantFrom(1, 2_000_000_000, Number.MAX_SAFE_INTEGER),
);
const instant = fc.integer({ min: noon - 900 * dayMs, max: noon });

/** Any sale that the store could hold, extreme ones among them. */
export const anySale: fc.Arbitrary<StoredSale> = fc
  .record({
    source: fc.constantFrom('source-one', 'source-two'),
    sourceId: fc.uuid(),
    condition: fc.constantFrom(...conditions),
    priceCents: cents,
    shippingCents: fc.oneof(fc.constant(0), cents),
    currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'JPY'),
    quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 }), fc.constant(1_000_000)),
    soldAt: fc.oneof(instant, fc.constantFrom(noon, noon - dayMs)),
    channel: fc.constantFrom(...channels, null),
    seller: fc.constantFrom('seller-red', 'seller-blue', null),
    completeness: fc.constantFrom(...completenesses, null),
    ingestedAt: instant,
    retractedAt: fc.option(instant, { freq: 9 }),
    usdPerUnit: fc.constantFrom(1, 1, 1, 1.1, 0.0065, 0),
  })
  .map(aStoredSale);

/** Any number of them, in order. */
export const anySales = fc.array(anySale, { maxLength: 40 }).map(inOrder);

const date = fc.option(fc.integer({ min: noon - 9000 * dayMs, max: noon + 900 * dayMs }));

/** Any facts. */
export const anyFacts: fc.Arbitrary<ValuationFacts> = fc.record({
  msrpCents: fc.option(fc.oneof(fc.integer({ min: 0, max: 900_00 }), fc.constant(2_000_000_000))),
  pieces: fc.option(fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constant(1_000_000_000))),
  minifigs: fc.option(fc.integer({ min: 0, max: 40 })),
  theme: fc.constantFrom('Castles', null),
  subtheme: fc.constantFrom('Kings', null),
  releasedAt: date,
  retiredAt: date,
  weightLbs: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
  cubicInches: fc.option(fc.double({ min: 0, max: 9000, noNaN: true })),
  itemClass: fc.constantFrom(...itemClasses),
});

/** A set with anything. */
export const anySet: fc.Arbitrary<SetToValue> = fc.record({
  facts: anyFacts,
  sales: anySales,
  retailWeeks: fc
    .uniqueArray(fc.integer({ min: 2850, max: 2960 }), { maxLength: 8 })
    .map((weeks) => weeks.sort((a, b) => a - b))
    .map((weeks) => weeks.map((week) => ({ week, priceCents: 50_00 + week }))),
});
