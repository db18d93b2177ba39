/** Which documents a batch makes stale, and from which month on parameters are learned again. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aPublishedItem, aSale, aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { onTables } from '../../../test/support/tables.ts';
import { dayMs, monthOf, parseMonth } from '../../kernel/time.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import type { Store } from '../../store/store.ts';

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

/** Applies rows, and marks everything as published and learned. */
async function settle(...rows: MarketRow[]): Promise<void> {
  const outcomes = await store.market.applyRows(rows, now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  const ids = await store.market.listStale(0, 99);
  const inputs = await store.market.loadInputs(ids, { at: now, withSeries: false });
  await store.market.publish(inputs.map(({ id, version }) => aPublishedItem({ id, version })));
  await onTables(folder, "DELETE FROM meta WHERE name = 'parameters_changed_from'");
}

/** The keys that rows make stale, and the month from which parameters are affected. */
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
  rate('EUR', '2026-09-04'),
  rate('GBP', '2026-09-04'),
  ...['before', 'first', 'last', 'next', 'pounds', 'dollars'].map((number) => set(number)),
  sale('before', { ...euros, soldAt: start - 1 }),
  sale('first', { ...euros, soldAt: start }),
  sale('last', { ...euros, soldAt: start + dayMs - 1 }),
  sale('next', { ...euros, soldAt: start + dayMs }),
  sale('pounds', { currency: 'GBP' }),
  sale('dollars'),
];

test('a rate affects sales in its currency from its day until the next rate', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-11'));
  expect(await changed(rate('EUR', '2026-09-10', 3))).toEqual([['first', 'last'], monthOf(start)]);
});

test('without a next rate, it affects sales up to the seventh day after it', async () => {
  await settle(...soldAbroad, set('later'), sale('later', { ...euros, soldAt: start + 7 * dayMs }));
  expect((await changed(rate('EUR', '2026-09-10', 3)))[0]).toEqual([
    'first',
    'last',
    'later',
    'next',
  ]);
  await settle(sale('later', { ...euros, soldAt: start + 8 * dayMs }));
  expect((await changed(rate('EUR', '2026-09-10', 4)))[0]).toEqual(['first', 'last', 'next']);
});

test('rates of one batch affect the sales on any of their days', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-10'), rate('EUR', '2026-09-11'));
  const [stale, month] = await changed(
    rate('EUR', '2026-09-11', 3),
    rate('EUR', '2026-09-04', 3),
    rate('GBP', '2026-08-01', 3),
  );
  expect(stale).toEqual(['before', 'next']);
  expect(month).toBe(monthOf(start));
});

test.each([
  ['2026-09-08T23:59:59Z', '2026-09'],
  ['2026-10-01T00:00:00Z', '2026-10'],
  ['2026-10-17T23:59:59Z', '2026-10'],
  ['2026-11-08T00:00:00Z', '2026-11'],
])('rates that a sale of %s needs affect months from its own on: %s', async (at, month) => {
  await settle(set('1'), sale('1', { ...euros, soldAt: Date.parse(at) }));
  const rates = ['2026-11-01', '2026-10-10', '2026-09-30', '2026-09-01'];
  const [stale, from] = await changed(...rates.map((date) => rate('EUR', date, 3)));
  expect([stale, from]).toEqual([['1'], parseMonth(month)]);
});

test.each(['2026-09-09', '2026-10-08', '2026-11-09'])(
  'rates more than seven days older than a sale of %s do not affect it',
  async (day) => {
    await settle(set('1'), sale('1', { ...euros, soldAt: Date.parse(day) }));
    const rates = ['2026-11-01', '2026-10-10', '2026-09-30', '2026-09-01'];
    expect(await changed(...rates.map((date) => rate('EUR', date, 3)))).toEqual([[], null]);
  },
);

test('a rate that no sale uses changes nothing', async () => {
  await settle(...soldAbroad, rate('EUR', '2026-09-11'), rate('EUR', '2026-09-13'));
  expect(await changed(rate('EUR', '2026-09-12', 3))).toEqual([[], null]);
  expect(await changed(rate('CHF', '2026-09-01', 3))).toEqual([[], null]);
  expect(await changed(rate('EUR', '2026-08-28', 3))).toEqual([[], null]);
});

test('a sale with a changed day affects months from the earlier of both days on', async () => {
  await settle(set('1'), set('2'), sale('1'));
  const moved = sale('1', { soldAt: Date.UTC(2026, 6, 1) });
  expect(await changed(moved)).toEqual([['1'], monthOf(Date.UTC(2026, 6, 1))]);
  await settle();
  expect(await changed(sale('1'))).toEqual([['1'], monthOf(Date.UTC(2026, 6, 1))]);
});

test('a sale that moves to another item makes both stale', async () => {
  await settle(set('1'), set('2'), set('3'), sale('1'));
  expect((await changed(sale('2', { sourceId: '1' })))[0]).toEqual(['1', '2']);
});

test('facts of an item affect all months if it was ever sold, otherwise none', async () => {
  await settle(set('sold'), set('unsold'), sale('sold'));
  expect(await changed(set('unsold', 'Fort'))).toEqual([['unsold'], null]);
  expect(await changed(set('sold', 'Fort'))).toEqual([['sold', 'unsold'], 0]);
});

test('rows of a batch count in order: facts before the first sale affect no month', async () => {
  await settle(set('1'), set('2'));
  expect(await changed(set('1', 'Fort'), sale('1'))).toEqual([['1'], monthOf(start)]);
  expect(await changed(sale('2'), set('2', 'Fort'))).toEqual([['1', '2'], 0]);
});

test('an item that loses its only sale in the same batch affects only the month of that sale', async () => {
  await settle(set('1'), set('2'), sale('1'));
  const moved = sale('2', { sourceId: '1' });
  expect(await changed(moved, set('1', 'Fort'))).toEqual([['1', '2'], monthOf(start)]);
});

test('a minifig is stale if one of its parts is', async () => {
  await settle(minifig('m', ['part']), minifig('other', []));
  const sold = sale('part', { itemKind: 'minifig' });
  expect((await changed(sold))[0]).toEqual(['m']);
});

test('a minifig and the sets that start or stop listing it make each other stale', async () => {
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
