/** Values of parts: the latest row of each source, in dollars, from import to publication. */
// @runs SQLite, PostgreSQL: is about the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aListingCount, aPartOutValue, aSale, aSet } from '../../../test/support/builders.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import { findWays } from '../../buying/ways/find-ways.work.ts';
import { dayMs } from '../../kernel/time.ts';
import { builtInFees } from '../fees/fee-table.ts';
import { builtInPostage } from '../fees/postage.ts';
import type { MarketRow } from '../source-rows/market-ingest.ts';
import type { PartOutValue } from '../source-rows/source-rows.ts';
import { valueEngine } from './engine.ts';

let world: StoredWorld;
const observedAt = Date.UTC(2026, 10, 9, 12);

beforeEach(async () => {
  world = await openWorld(undefined, valueEngine);
  await load({ kind: 'set', source: 'feed', facts: aSet({ number: '75192', pieces: 1_000 }) });
});
afterEach(() => world.close());

const load = (...rows: MarketRow[]) => world.store.market.applyRows(rows, world.now);

const partOut = (facts: Partial<PartOutValue> = {}): MarketRow => ({
  kind: 'part_out',
  partOut: aPartOutValue({ observedAt, ...facts }),
});

async function shown() {
  const ids = await world.store.market.listStale(0, 10);
  const [set] = await world.store.market.loadInputs(ids, { at: world.now, withSeries: false });
  return set?.parts ?? null;
}

test('the latest row of each source and condition counts', async () => {
  expect(await shown()).toBeNull();
  const outcomes = await load(
    partOut(),
    partOut({ amountCents: 410_00, observedAt: observedAt + 1 }),
    partOut({ amountCents: 5_00, observedAt: observedAt - 1 }),
    partOut({ source: 'brick_owl', lots: null, units: null }),
    partOut({ condition: 'used', amountCents: 300_00 }),
    partOut({ condition: 'used', amountCents: 300_00 }),
    partOut({ setKey: 'unknown' }),
    partOut({ amountCents: 4_100_01, observedAt: observedAt + 2 }),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    'added',
    'updated',
    'unchanged',
    'added',
    'added',
    'unchanged',
    'rejected',
    'updated',
  ]);
  expect(outcomes.at(-1)?.warning).toBe("'amount' is more than 10 times as high as before");
  const found = await shown();
  expect(found?.sealed).toMatchObject([
    { amountCents: 400_00, lots: null, units: null },
    { amountCents: 4_100_01, lots: 300, units: 1_000 },
  ]);
  expect(found?.used).toMatchObject([{ amountCents: 300_00 }]);
});

test('an amount is converted with the rate of its day, at most seven days old', async () => {
  const rate = { kind: 'fx', rate: { currency: 'EUR', date: '2026-11-02', usdPerUnit: 1.2 } };
  await load(
    rate as MarketRow,
    partOut({ currency: 'EUR', amountCents: 100_00 }),
    partOut({ currency: 'EUR', source: 'old', observedAt: observedAt - 30 * dayMs }),
  );
  expect((await shown())?.sealed.map(({ amountCents }) => amountCents)).toEqual([120_00, null]);
});

test('the estimate is published, and ways to sell use it; rows are not', async () => {
  const sold = { itemKey: '75192', soldAt: world.now - dayMs, channel: 'fixed' } as const;
  await load(
    ...['a', 'b', 'c'].map((id): MarketRow => {
      return { kind: 'sale', sale: aSale({ ...sold, sourceId: id, seller: id }) };
    }),
    { kind: 'listings', listings: aListingCount({ channel: 'fixed', units: 1, observedAt }) },
    partOut({ amountCents: 400_49, lots: 312, units: 1_044 }),
  );
  await world.publisher.publishStale();
  const record = (await world.store.market.findResaleRecords('set', ['75192'])).get('75192');
  // Three sold and one for sale are too few for a sell-through: 60 % of 290 lots.
  expect(record?.evidence?.sealed?.sold90).toEqual({ channels: { fixed: 3 }, sellers: 3 });
  expect(record?.evidence?.parts).toEqual({
    sealed: {
      soldCents: 240_00,
      spread: 0.3,
      lots: 290,
      units: 1_000,
      areLotsGuessed: false,
    },
    used: null,
  });
  const tables = { fees: builtInFees, postage: builtInPostage };
  const found = await findWays(world.store.market, ['75192', 'none'], {
    condition: 'sealed',
    tables,
    work: usualSettings,
    at: world.now,
  });
  expect([...found.keys()]).toEqual(['75192']);
  expect(found.get('75192')?.ways.map(({ name }) => name)).toContain('parts');
});
