/** Units for sale: the latest counts, in dollars, from import to publication. */
// @runs SQLite, PostgreSQL: is about the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aListingCount, aMinifig, aSet } from '../../../test/support/builders.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { dayMs } from '../../kernel/time.ts';
import type { MarketRow } from '../source-rows/market-ingest.ts';
import type { ListingCount } from '../source-rows/source-rows.ts';

let world: StoredWorld;
const observedAt = Date.UTC(2026, 10, 9, 12);

beforeEach(async () => {
  world = await openWorld();
  await load({ kind: 'set', source: 'feed', facts: aSet({ number: '75192' }) });
});
afterEach(() => world.close());

const load = (...rows: MarketRow[]) => world.store.market.applyRows(rows, world.now);

const listings = (facts: Partial<ListingCount> = {}): MarketRow => ({
  kind: 'listings',
  listings: aListingCount({ observedAt, ...facts }),
});

const rate = (date: string, usdPerUnit: number): MarketRow => ({
  kind: 'fx',
  rate: { currency: 'EUR', date, usdPerUnit },
});

async function inputs(number = '75192') {
  const ids = await world.store.market.listStale(0, 10);
  const all = await world.store.market.loadInputs(ids, { at: world.now, withSeries: false });
  return all.find((item) => item.number === number)?.listings ?? null;
}

const counted = (given: object) => ({
  channel: 'bricklink' as const,
  observedAt,
  units: 12,
  lowestCents: null,
  ...given,
});

test('the latest count of each condition and channel counts', async () => {
  expect(await inputs()).toBeNull();
  const outcomes = await load(
    listings({ units: 40 }),
    listings({ units: 41, observedAt: observedAt + 1 }),
    listings({ units: 7, observedAt: observedAt - 1 }),
    listings({ channel: 'fixed', lowestCents: 99_50 }),
    listings({ condition: 'used', units: 0 }),
    listings({ condition: 'used', units: 0 }),
    listings({ itemKey: 'unknown' }),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    'added',
    'updated',
    'unchanged',
    'added',
    'added',
    'unchanged',
    'rejected',
  ]);
  const found = await inputs();
  expect(found?.sealed).toEqual([
    counted({ units: 41, observedAt: observedAt + 1 }),
    counted({ channel: 'fixed', lowestCents: 99_50 }),
  ]);
  expect(found?.used).toEqual([counted({ units: 0 })]);
});

test('a count that is ten times as high as before is stored with a warning', async () => {
  const at = (hour: number, facts: Partial<ListingCount>) =>
    listings({ observedAt: observedAt + hour, ...facts });
  const outcomes = await load(
    at(0, { units: 1_000, lowestCents: 99_50 }),
    at(1, { units: 10_000, lowestCents: 995_00 }),
    at(2, { units: 1_000_000, lowestCents: 995_00 }),
    at(3, { units: 9, lowestCents: 9_951_00 }),
    at(4, { units: 100 }),
  );
  expect(outcomes.map((outcome) => outcome.warning ?? null)).toEqual([
    null,
    null,
    "'units' went from 10,000 to 1,000,000",
    "'lowest_price' is more than 10 times as high as before",
    null,
  ]);
  expect((await inputs())?.sealed).toEqual([counted({ units: 100, observedAt: observedAt + 4 })]);
});

test('a lowest price is converted with the rate of its day, at most seven days old', async () => {
  const eur = { currency: 'EUR', lowestCents: 100_00 };
  await load(
    rate('2026-11-01', 1.5),
    rate('2026-11-02', 1.2),
    rate('2026-11-10', 9),
    listings(eur),
    listings({ ...eur, channel: 'fixed', observedAt: observedAt - dayMs * 30 }),
    listings({ channel: 'amazon', currency: 'EUR' }),
  );
  const lowest = new Map((await inputs())?.sealed.map((one) => [one.channel, one.lowestCents]));
  expect(lowest).toEqual(
    new Map([
      ['bricklink', 120_00],
      ['amazon', null],
      ['fixed', null],
    ]),
  );
});

test('a minifig has the latest count of any of its numbers', async () => {
  await load(
    { kind: 'minifig', source: 'feed', facts: aMinifig({ number: 'm1', aliases: ['m2'] }) },
    { kind: 'minifig', source: 'other', facts: aMinifig({ number: 'm2' }) },
    listings({ itemKind: 'minifig', itemKey: 'm1', units: 3 }),
    listings({ itemKind: 'minifig', itemKey: 'm2', units: 5, observedAt: observedAt + 1 }),
  );
  expect((await inputs('m1'))?.sealed).toEqual([counted({ units: 5, observedAt: observedAt + 1 })]);
});

test('counts are published with the evidence', async () => {
  await load(listings());
  await world.publisher.publishStale();
  const record = (await world.store.market.findResaleRecords('set', ['75192'])).get('75192');
  expect(record?.evidence?.listings).toEqual({ sealed: [counted({})], used: [] });
});
