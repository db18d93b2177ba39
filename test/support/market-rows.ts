/** Arbitrary source rows about few items, so that rows collide within and across batches. */
import fc from 'fast-check';
import { dayMs } from '../../src/kernel/time.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import { retailers, type Sale } from '../../src/market/source-rows/source-rows.ts';
import { aListingCount, aMinifig, anOffer, aPartOutValue, aSale, aSet } from './builders.ts';

const setNumbers = ['1', '2', '2-1', 'S3', 's3'];
/** Minifigs and their aliases share a few numbers, in several spellings. */
const minifigNumbers = ['m1', 'M1', 'm2', 'm3', 'a1', 'A1', 'a2'];
const sources = ['feed', 'other'];
/** Brickset's lists of minifigs have another priority than its titles. */
const setSources = [...sources, 'brickset'];

/** Days in three months, at and near days with exchange rates. */
const days = ['2026-08-31', '2026-09-01', '2026-09-02', '2026-10-05', '2026-10-06'];
const instants = days.flatMap((day) => [
  Date.parse(`${day}T00:00:00Z`),
  Date.parse(`${day}T23:59:59.999Z`),
  Date.parse(`${day}T00:00:00Z`) + 6 * dayMs,
]);

const anySet: fc.Arbitrary<MarketRow> = fc
  .record({
    source: fc.constantFrom(...setSources),
    number: fc.constantFrom(...setNumbers),
    title: fc.constantFrom('Castle', 'Tower \\ "x"', null),
    theme: fc.constantFrom('Castles', 'Castles', null),
    minifigs: fc.option(fc.array(fc.constantFrom(...minifigNumbers), { maxLength: 3 })),
  })
  .map(({ source, ...facts }) => ({ kind: 'set', source, facts: aSet(facts) }));

const anyMinifig: fc.Arbitrary<MarketRow> = fc
  .record({
    source: fc.constantFrom(...sources),
    number: fc.constantFrom(...minifigNumbers),
    name: fc.constantFrom('Knight', 'Wizard'),
    aliases: fc.array(fc.constantFrom(...minifigNumbers), { maxLength: 2 }),
  })
  .map(({ source, ...facts }) => ({
    kind: 'minifig',
    source,
    facts: aMinifig(facts),
  }));

const anySale: fc.Arbitrary<MarketRow> = fc
  .record({
    item: fc.oneof(
      fc.record({
        itemKind: fc.constant('set' as const),
        itemKey: fc.constantFrom('1', '2', 's3', 'none'),
      }),
      fc.record({
        itemKind: fc.constant('minifig' as const),
        itemKey: fc.constantFrom('m1', 'm2', 'm3', 'a1', 'a2'),
      }),
    ),
    source: fc.constantFrom(...sources),
    sourceId: fc.constantFrom('a', 'b', 'c', 'd\\t'),
    priceCents: fc.constantFrom(1, 2),
    currency: fc.constantFrom('USD', 'EUR', 'EUR', 'GBP'),
    soldAt: fc.constantFrom(...instants),
    seller: fc.constantFrom(null, null, 'x', 'tab\tbed'),
  })
  .map(({ item, ...facts }) => ({ kind: 'sale', sale: aSale({ ...item, ...facts }) }));

const anyRetract: fc.Arbitrary<MarketRow> = fc
  .record({
    source: fc.constantFrom(...sources),
    sourceId: fc.constantFrom('a', 'b', 'c', 'd\\t'),
  })
  .map((facts) => ({ kind: 'retract', ...facts }));

const anyOffer: fc.Arbitrary<MarketRow> = fc
  .record({
    setKey: fc.constantFrom('1', '2', 's3', 'none'),
    retailer: fc.constantFrom(...retailers),
    observedAt: fc.constantFrom(...instants.slice(-4), Date.UTC(1969, 11, 28, 23)),
    currency: fc.constantFrom('USD', 'USD', 'EUR', 'GBP'),
    priceCents: fc.option(fc.integer({ min: 1, max: 4 })),
    sellerType: fc.constantFrom('retailer', 'retailer', 'third_party', null),
    inStock: fc.constantFrom(true, true, true, false, null),
  })
  .map((facts) => ({ kind: 'offer', offer: anOffer(facts) }));

const anyListings: fc.Arbitrary<MarketRow> = fc
  .record({
    item: fc.constantFrom(
      { itemKind: 'set', itemKey: '1' } as const,
      { itemKind: 'set', itemKey: 'none' } as const,
      { itemKind: 'minifig', itemKey: 'm1' } as const,
    ),
    condition: fc.constantFrom('sealed', 'used'),
    channel: fc.constantFrom('fixed', 'bricklink'),
    observedAt: fc.constantFrom(...instants.slice(-4)),
    units: fc.nat({ max: 3 }),
    lowestCents: fc.option(fc.integer({ min: 1, max: 4 })),
    currency: fc.constantFrom('USD', 'EUR'),
  })
  .map(({ item, ...facts }) => ({
    kind: 'listings',
    listings: aListingCount({ ...item, ...facts }),
  }));

const anyPartOut: fc.Arbitrary<MarketRow> = fc
  .record({
    setKey: fc.constantFrom('1', '2', 'none'),
    condition: fc.constantFrom('sealed', 'used'),
    source: fc.constantFrom('a', 'b'),
    observedAt: fc.constantFrom(...instants.slice(-4)),
    amountCents: fc.integer({ min: 1, max: 3 }),
    currency: fc.constantFrom('USD', 'EUR'),
    lots: fc.option(fc.integer({ min: 1, max: 2 })),
  })
  .map((facts) => ({ kind: 'part_out', partOut: aPartOutValue(facts) }));

const anyRate: fc.Arbitrary<MarketRow> = fc
  .record({
    currency: fc.constantFrom('EUR', 'EUR', 'GBP', 'USD'),
    date: fc.constantFrom(...days, '2026-09-28', '2026-09-29', '1969-12-28'),
    usdPerUnit: fc.constantFrom(1.1, 1 / 3, 1e-7),
  })
  .map((rate) => ({ kind: 'fx', rate }));

/** The kinds of rows in a batch: all, or a few, since other kinds could hide their effects. */
const mixes: readonly fc.Arbitrary<MarketRow>[] = [
  fc.oneof(
    anySet,
    anyMinifig,
    anySale,
    anySale,
    anyRetract,
    anyOffer,
    anyListings,
    anyPartOut,
    anyRate,
  ),
  fc.oneof(anySet, anyMinifig),
  fc.oneof(anySet, anyMinifig, anySale),
  fc.oneof(anySale, anyRetract),
  fc.oneof(anySale, anyRate),
  fc.oneof(anySet, anyListings, anyPartOut),
  anyRate,
  anyOffer,
  fc.oneof(anyOffer, anyRate),
];

/** All sets and minifigs, so that most later rows refer to an existing item. */
const catalog: readonly MarketRow[] = [
  ...['1', '2', 's3'].map((number): MarketRow => {
    const facts = aSet({ number, minifigs: ['m1', 'a2'] });
    return { kind: 'set', source: 'feed', facts };
  }),
  ...['m1', 'm2', 'm3'].map((number): MarketRow => {
    const facts = aMinifig({ number, aliases: number === 'm1' ? [] : ['a1', 'a2'] });
    return { kind: 'minifig', source: 'feed', facts };
  }),
  { kind: 'fx', rate: { currency: 'EUR', date: '2026-08-31', usdPerUnit: 1.1 } },
];

const sold = (sourceId: string, facts: Partial<Sale>): MarketRow => ({
  kind: 'sale',
  sale: aSale({ sourceId, itemKey: '1', ...facts }),
});
const rated = (currency: string, date: string): MarketRow => ({
  kind: 'fx',
  rate: { currency, date, usdPerUnit: 2 },
});
const changed = (number: string): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number, title: 'Changed' }),
});
const october = Date.UTC(2026, 9, 5, 12);

/** Batches with dependencies between rows that are unlikely to be generated. */
export const knottyBatches: readonly (readonly MarketRow[])[][] = [
  // The only sale of a set moves to another set before the facts of the first change.
  [
    catalog,
    [sold('a', { soldAt: october })],
    [changed('s3'), sold('a', { soldAt: october, itemKey: '2' }), changed('1')],
  ],
  // The only sale in a currency is corrected to dollars before a rate changes.
  [
    catalog,
    [sold('a', { soldAt: october, currency: 'EUR' })],
    [sold('a', { soldAt: october }), rated('EUR', '2026-09-01')],
  ],
  // A rate arrives that is older than all others, then a sale that needs it.
  [
    catalog,
    [rated('GBP', '2026-10-06')],
    [rated('GBP', '2026-09-01'), sold('a', { soldAt: october, currency: 'GBP' })],
  ],
  // A rate applies until another one of the same batch.
  [
    [...catalog, rated('GBP', '2026-08-31'), rated('GBP', '2026-10-06')],
    [sold('a', { soldAt: october, currency: 'GBP' })],
    [rated('GBP', '2026-10-05'), rated('GBP', '2026-09-01')],
  ],
  // A sale is retracted twice and arrives again.
  [
    [...catalog, sold('a', {})],
    [{ kind: 'retract', source: 'shop', sourceId: 'a' }, sold('a', {})],
    [{ kind: 'retract', source: 'shop', sourceId: 'a' }],
    [sold('a', { priceCents: 1 }), { kind: 'retract', source: 'shop', sourceId: 'a' }],
  ],
];

const anyBatch = fc
  .constantFrom(...mixes)
  .chain((anyRow) => fc.oneof(fc.array(anyRow, { maxLength: 4 }), fc.array(anyRow)));

export const anyBatches = fc
  .tuple(fc.boolean(), fc.array(anyBatch, { minLength: 1, maxLength: 9, size: 'max' }))
  .map(([hasCatalog, batches]) => (hasCatalog ? [catalog, ...batches] : batches));

/** The same, in which every set with one minifig is a collectible minifig. */
export const collectibleBatches = anyBatches.map((batches) =>
  batches.map((rows) => rows.map(asCollectible)),
);

function asCollectible(row: MarketRow): MarketRow {
  if (row.kind !== 'set' || row.facts.theme === null) return row;
  return { ...row, facts: { ...row.facts, theme: 'Collectible Minifigures' } };
}
