/** Whose documents a batch makes stale, and from which month on parameters are learned again. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aPublishedItem, aSale, aSet } from '../../../../test/support/builders.ts';
import { openTestStore } from '../../../../test/support/engines.ts';
import { onTables } from '../../../../test/support/tables.ts';
import { dayMs, monthOf, parseMonth } from '../../../domain/kernel/time.ts';
import type { MarketRow } from '../../../domain/market/market-ingest.ts';
import type { Sale } from '../../../domain/market/source-rows.ts';
import type { Store } from '../../../domain/store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const start = Date.UTC(2026, 8, 10);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-changes-'));
  store = await openTestStore(folder);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const set = (number: string, title = 'Castle'): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number, title }),
});
const minifig = (number: string, aliases: string[], name = 'Knight'): MarketRow => ({
  kind: 'minifig',
  source: 'feed',
  facts: aMinifig({ number, aliases, name }),
});
const sale = (itemKey: string, facts: Partial<Sale> = {}): MarketRow => ({
  kind: 'sale',
  sale: aSale({ sourceId: itemKey, itemKey, soldAt: start, ...facts }),
});
const rate = (currency: string, date: string, usdPerUnit = 2): MarketRow => ({
  kind: 'fx',
  rate: { currency, date, usdPerUnit },
});

/** Applies rows, and takes all that there is for published and learned. */
async function settle(...rows: MarketRow[]): Promise<void> {
  const outcomes = await store.market.applyRows(rows, now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  const ids = await store.market.listStale(0, 99);
  const inputs = await store.market.loadInputs(ids, { at: now, withSeries: false });
  await store.market.publish(inputs.map(({ id, version }) => aPublishedItem({ id, version })));
  await onTables(folder, "DELETE FROM meta WHERE name = 'parameters_changed_from'");
}

/** What rows make stale, by key, and the month from which on they count. */
async function changed(...rows: MarketRow[]): Promise<[string[], number | null]> {
  await store.market.applyRows(rows, now);
  const stale = await onTables<{ key: string }>(
    folder,
    'SELECT key FROM item WHERE version <> published_version AND part_of IS NULL ORDER BY key',
  );
  const { changedFrom } = await store.market.findParameterVersions();
  return [stale.map(({ key }) => key), changedFrom];
}

const euros = { currency: 'EUR' };

/** Sales in euros around the days of two rates, and sales in other currencies. */
const soldAbroad = [
  rate('EUR', '2026-09-01'),
  rate('GBP', '2026-09-01'),
  ...['before', 'first', 'last', 'next', 'pounds', 'dollars'].map((number) => set(number)),
  sale('before', { ...euros, soldAt: start - 1 }),
  sale('first', { ...euros, soldAt: start }),
  sale('last', { ...euros, soldAt: start + dayMs - 1 }),
  sale('next', { ...euros, soldAt: start + dayMs }),
  sale('pounds', { currency: 'GBP' }),
  sale('dollars'),
];

test('a rate concerns the sales in its currency from its day up to that of the next one', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-11'));
  expect(await changed(rate('EUR', '2026-09-10', 3))).toEqual([['first', 'last'], monthOf(start)]);
});

test('the latest rate concerns all sales behind it', async () => {
  await settle(...soldAbroad);
  expect((await changed(rate('EUR', '2026-09-10', 3)))[0]).toEqual(['first', 'last', 'next']);
});

test('rates of one batch concern the sales that lie in any of their days', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-10'), rate('EUR', '2026-09-11'));
  const [stale, month] = await changed(
    rate('EUR', '2026-09-11', 3),
    rate('EUR', '2026-09-01', 3),
    rate('GBP', '2026-08-01', 3),
  );
  expect(stale).toEqual(['before', 'next']);
  expect(month).toBe(monthOf(start));
});

test.each([
  ['2026-10-09T23:59:59Z', '2026-09'],
  ['2026-10-10T00:00:00Z', '2026-10'],
  ['2026-10-15T00:00:00Z', '2026-10'],
  ['2026-11-05T00:00:00Z', '2026-11'],
])(
  'of rates that come latest first, the one that a sale of %s needs counts: %s',
  async (at, month) => {
    await settle(
      rate('EUR', '2026-08-01'),
      set('1'),
      sale('1', { ...euros, soldAt: Date.parse(at) }),
    );
    const rates = ['2026-11-01', '2026-10-20', '2026-10-10', '2026-09-01'];
    const [stale, from] = await changed(...rates.map((date) => rate('EUR', date, 3)));
    expect([stale, from]).toEqual([['1'], parseMonth(month)]);
  },
);

test('a rate that no sale needs changes nothing', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-11'), rate('EUR', '2026-09-13'));
  expect(await changed(rate('EUR', '2026-09-12', 3))).toEqual([[], null]);
  expect(await changed(rate('CHF', '2026-09-01', 3))).toEqual([[], null]);
  expect(await changed(rate('EUR', '2026-08-01', 3))).toEqual([[], null]);
});

test('a sale that the batch itself takes out of a currency is not counted for its rate', async () => {
  await settle(rate('EUR', '2026-08-01'), set('1'), sale('1', { ...euros, soldAt: start }));
  // The sale counts from its own day on, and the rate of a month before it no more.
  const [stale, month] = await changed(sale('1', { soldAt: start }), rate('EUR', '2026-08-01', 3));
  expect([stale, month]).toEqual([['1'], monthOf(start)]);
});

test('a sale that was sold earlier counts from the earlier of both days on', async () => {
  await settle(set('1'), set('2'), sale('1'));
  const moved = sale('1', { soldAt: Date.UTC(2026, 6, 1) });
  expect(await changed(moved)).toEqual([['1'], monthOf(Date.UTC(2026, 6, 1))]);
  await settle();
  expect(await changed(sale('1'))).toEqual([['1'], monthOf(Date.UTC(2026, 6, 1))]);
});

test('a sale that was of another item makes both stale', async () => {
  await settle(set('1'), set('2'), set('3'), sale('1'));
  expect((await changed(sale('2', { sourceId: '1' })))[0]).toEqual(['1', '2']);
});

test('what is said of an item counts for all months when it was ever sold, and for none before', async () => {
  await settle(set('sold'), set('unsold'), sale('sold'));
  expect(await changed(set('unsold', 'Fort'))).toEqual([['unsold'], null]);
  expect(await changed(set('sold', 'Fort'))).toEqual([['sold', 'unsold'], 0]);
});

test('rows of one batch count in their order: what is said before the first sale, for no month', async () => {
  await settle(set('1'), set('2'));
  expect(await changed(set('1', 'Fort'), sale('1'))).toEqual([['1'], monthOf(start)]);
  expect(await changed(sale('2'), set('2', 'Fort'))).toEqual([['1', '2'], 0]);
});

test('an item whose only sale moves to another in the same batch counts for no month but its own', async () => {
  await settle(set('1'), set('2'), sale('1'));
  const moved = sale('2', { sourceId: '1' });
  expect(await changed(moved, set('1', 'Fort'))).toEqual([['1', '2'], monthOf(start)]);
});

test('a minifig is stale when one of its parts is', async () => {
  await settle(minifig('m', ['part']), minifig('other', []));
  const sold = sale('part', { itemKind: 'minifig' });
  expect((await changed(sold))[0]).toEqual(['m']);
});

test('a minifig is stale with the sets that begin or cease to list it, and they with it', async () => {
  const listing = (number: string, minifigs: string[]): MarketRow => ({
    kind: 'set',
    source: 'feed',
    facts: aSet({ number, minifigs }),
  });
  await settle(minifig('m', []), minifig('n', []), listing('1', ['m']), set('2'));
  expect((await changed(listing('1', ['n'])))[0]).toEqual(['1', 'm', 'n']);
  await settle();
  expect((await changed(minifig('n', [], 'Queen')))[0]).toEqual(['1', 'n']);
});
