/** A complete generated market over HTTP: every document and month is valid. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { demoCollection, demoMarket, makeDemoWorld } from '../../simulator/market/demo-world.ts';
import type { EndpointName } from '../../src/contract/all-endpoints.ts';
import type { Analytics, BrickfolioList, HoldingPage } from '../../src/contract/brickfolio.ts';
import type { RetailRow } from '../../src/contract/retail.ts';
import { answerFaults } from '../support/openapi.ts';
import { importFeed, startWorld, type World } from '../support/world.ts';

const size = { sets: 150, minifigs: 120, years: 3, salesPerSet: 25 };

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  const today = Date.UTC(2026, 10, 15);
  const place = makeDemoWorld({ seed: 3, today, size });
  const lines = [...demoMarket(place)];
  const report = await importFeed(world.store, lines, () => world.now);
  expect(report.rejected).toBe(0);
  await world.publisher.publishStale();
  await world.addAccount('caller@example.com');
  const collection = [...demoCollection(place, 'caller@example.com')];
  expect((await importFeed(world.store, collection, () => world.now)).rejected).toBe(0);
  key = await world.addKey('caller@example.com', { allowance: 1_000_000 });
});

afterAll(() => world.close());

async function check<T>(name: EndpointName, path: string): Promise<T> {
  const body = (await (await world.call(path, key)).json()) as { data: T };
  expect([path, answerFaults(name, body)]).toEqual([path, []]);
  return body.data;
}

interface Ranged {
  readonly new_value_usd: number | null;
  readonly value_range: { readonly low: number; readonly high: number } | null;
}

interface Months {
  readonly history: {
    readonly value_usd: number | null;
    readonly range_low: number;
    readonly range_high: number;
  }[];
}

test('every set is valid, low ≤ value ≤ high, and its history agrees', async () => {
  const entries = await world.store.market.listKeys('set');
  expect(entries.length).toBeGreaterThanOrEqual(150);
  for (const number of entries) {
    const set = await check<Ranged>('getSet', `/set/${number}`);
    expect(set.value_range === null).toBe(set.new_value_usd === null);
    const { low, high } = set.value_range ?? { low: 0, high: 0 };
    expect(low <= (set.new_value_usd ?? 0) && (set.new_value_usd ?? 0) <= high).toBe(true);
    for (const condition of ['sealed', 'used']) {
      const path = `/set/${number}/history?condition=${condition}`;
      const { history } = await check<Months>('getSetHistory', path);
      for (const month of history) {
        if (month.value_usd === null) continue;
        expect(month.range_low <= month.value_usd && month.value_usd <= month.range_high).toBe(
          true,
        );
      }
    }
  }
});

test('every minifig, the themes, and two-letter searches are valid', async () => {
  for (const number of await world.store.market.listKeys('minifig')) {
    await check('getMinifig', `/minifig/${number}`);
  }
  const { themes } = await check<{ themes: { set_count: number }[] }>(
    'listThemes',
    '/catalog/themes',
  );
  const sets = await world.store.market.listKeys('set');
  expect(themes.reduce((sum, theme) => sum + theme.set_count, 0)).toBe(sets.length);
  for (const q of ['ca', 'er', '10', 'of', 'zé']) {
    await check('searchSets', `/catalog/sets/search?q=${encodeURIComponent(q)}&limit=250`);
    await check('searchMinifigs', `/catalog/minifigs/search?q=${encodeURIComponent(q)}`);
  }
});

test('every retail row is valid, and the same by any of its identifiers', async () => {
  let rows = 0;
  for (const number of await world.store.market.listKeys('set')) {
    const path = `/set/${number}/retail-prices`;
    const row = await check<RetailRow | null>('getSetRetailPrices', path);
    if (row === null) continue;
    rows++;
    const names = { set: number, asin: row.asin, upc: row.upc };
    const query = Object.entries(names).flatMap(([name, id]) => (id ? [`${name}=${id}`] : []));
    expect(await check('findRetailPrices', `/retail-prices?${query.join('&')}`)).toEqual(row);
  }
  expect(rows).toBeGreaterThan(100);
});

test('every page of the collection is valid, and the sums agree', async () => {
  const { brickfolios } = await check<BrickfolioList>('listBrickfolios', '/brickfolio');
  const entries = [
    ...(await check<HoldingPage>('listEntries', '/brickfolio/entries?limit=25')).entries,
    ...(await check<HoldingPage>('listEntries', '/brickfolio/entries?limit=250&offset=25')).entries,
  ];
  const cents = (dollars: readonly number[]) =>
    dollars.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  const value = cents(entries.map((entry) => entry.total_current_value_usd));
  expect(cents(brickfolios.map((b) => b.total_current_value_usd))).toBe(value);
  for (const period of ['30d', '90d', '1y']) {
    const path = `/brickfolio/analytics?period=${period}`;
    const { summary, value_history } = await check<Analytics>('getAnalytics', path);
    expect(cents([summary.total_current_value_usd])).toBe(value);
    expect(cents([value_history.at(-1)?.total_value_usd ?? 0])).toBe(value);
  }
  const watched = await check<RetailRow[]>('listRetailWatch', '/brickfolio/retail-watch');
  expect(watched.length).toBeGreaterThan(10);
  expect(watched.every((row) => row.paid !== undefined)).toBe(true);
  await check('listSales', '/salesledger');
});
