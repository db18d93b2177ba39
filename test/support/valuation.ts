/** Sales and sets as input of the value engine: typical ones, and arbitraries for properties. */
import fc from 'fast-check';
import { itemClasses } from '../../src/catalog/items/item-class.ts';
import { compareText } from '../../src/catalog/items/numbers.ts';
import { at } from '../../src/kernel/at.ts';
import { dayMs } from '../../src/kernel/time.ts';
import {
  channels,
  completenesses,
  conditions,
  type StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import { admitSales } from '../../src/market/values/engine/admit.ts';
import type { PricedSale } from '../../src/market/values/engine/agreement.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { defaultParameters, type Parameters } from '../../src/market/values/engine/parameters.ts';
import type { SaleCount } from '../../src/market/values/engine/seller-sales.ts';
import type {
  MinifigToValue,
  SetToValue,
  StoredParameters,
  ValuationFacts,
} from '../../src/market/values/estimator.ts';
import { aStoredSale } from './builders.ts';

/** The current time in most of these tests. */
export const noon = Date.UTC(2026, 10, 9, 12);

let lastId = 0;

/** A sealed set sold at `noon` for $100 at a fixed price, ingested at once. */
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

export interface SomeSale {
  /** Days after `noon`. */
  readonly day: number;
  /** By default, each sale has another seller. */
  readonly seller?: string | null | undefined;
  readonly source?: string;
  readonly log?: number;
  /** How many sellers a source without names can be; any number by default. */
  readonly sellersMax?: number;
}

/** A sale that counts in full. */
export const fullCount: SaleCount = { share: 1, isRated: true, sellersMax: 1 };

/** An admitted sale with its comparable price, $1.48 by default. */
export function pricedSale(given: SomeSale): PricedSale {
  const { day, seller, source = 'shop', log = 5, sellersMax = Number.POSITIVE_INFINITY } = given;
  const name = seller === undefined ? `seller ${lastId}` : seller;
  const rows = admitSales([sold({ soldAt: noon + day * dayMs, seller: name, source })]);
  return { row: at(rows, 0), log, count: { ...fullCount, sellersMax } };
}

/** One sale per price, `days` apart, the last one at `until`. */
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

/** Prices that vary by about 10% around one, deterministically. */
export function scattered(dollars: number, count: number): number[] {
  const errors = [0.04, -0.12, 0.09, -0.03, 0.15, -0.07, 0.01, -0.16, 0.11, -0.02];
  return Array.from({ length: count }, (_, i) => dollars * Math.exp(errors[i % 10] ?? 0));
}

/** A set without known facts. */
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

/** A set that retired long ago, so its value is stable at about $200. */
export const restingFacts: ValuationFacts = {
  ...unknownFacts,
  msrpCents: 100_00,
  pieces: 900,
  minifigs: 4,
  theme: 'Castles',
  releasedAt: Date.UTC(2016, 0, 1),
  retiredAt: Date.UTC(2018, 0, 1),
};

/** A set with its sales in the store's order. */
export function setOf(
  sales: readonly StoredSale[],
  facts: ValuationFacts = restingFacts,
): SetToValue {
  return { facts, sales: inOrder(sales), retailWeeks: [] };
}

export function minifigOf(sales: readonly StoredSale[]): MinifigToValue {
  const facts = { category: 'Castle', releasedAt: Date.UTC(2020, 0, 1), sets: 2 };
  return { facts, sales: inOrder(sales) };
}

/** In the store's order: by time, source and source ID. */
export function inOrder(sales: readonly StoredSale[]): StoredSale[] {
  return [...sales].sort(
    (a, b) =>
      a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId),
  );
}

export const unlearned = makeEstimator([]);

export function valuationOf(sales: readonly StoredSale[], at = noon, facts = restingFacts) {
  return unlearned.prepareSet(setOf(sales, facts)).valueAt(at);
}

export function newDollars(sales: readonly StoredSale[], at = noon, facts = restingFacts): number {
  return (valuationOf(sales, at, facts).sealed?.valueCents ?? Number.NaN) / 100;
}

/** Stored parameters that differ from the defaults. */
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

/** Any sale that the store could contain, including extremes. */
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

export const anySales = fc.array(anySale, { maxLength: 40 }).map(inOrder);

const date = fc.option(fc.integer({ min: noon - 9000 * dayMs, max: noon + 900 * dayMs }));

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

export const anySet: fc.Arbitrary<SetToValue> = fc.record({
  facts: anyFacts,
  sales: anySales,
  retailWeeks: fc
    .uniqueArray(fc.integer({ min: 2850, max: 2960 }), { maxLength: 8 })
    .map((weeks) => weeks.sort((a, b) => a - b))
    .map((weeks) => weeks.map((week) => ({ week, priceCents: 50_00 + week }))),
});
