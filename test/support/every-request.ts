/** Requests to every endpoint that cover all data of a world, and its errors. */

import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import type { BrickfolioList } from '../../src/contract/brickfolio.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { batchItemsMax, plusPrefix } from '../../src/contract/limits.ts';
import type { RetailRow } from '../../src/contract/retail.ts';
import { conditions } from '../../src/market/source-rows/source-rows.ts';
import { periods } from '../../src/portfolio/returns/periods.ts';
import { validRequests } from './endpoints.ts';
import { isOfOwnThing, ownList } from './own-things.ts';
import { batch, type World } from './world.ts';

export interface ApiCall {
  readonly path: string;
  readonly init?: RequestInit;
}

/** The contents of a world. */
export interface Known {
  readonly sets: readonly string[];
  readonly minifigs: readonly string[];
  readonly rows: readonly RetailRow[];
  readonly brickfolios: readonly number[];
}

export async function readKnown({ store, call }: World, key: string): Promise<Known> {
  const data = async <T>(path: string) =>
    ((await (await call(path, key)).json()) as { data: T }).data;
  const sets = await store.market.listKeys('set');
  const minifigs = await store.market.listKeys('minifig');
  const rows: RetailRow[] = [];
  for (const set of sets) {
    const row = await data<RetailRow | null>(`/set/${set}/retail-prices`);
    if (row) rows.push(row);
  }
  const { brickfolios } = await data<BrickfolioList>('/brickfolio');
  return { sets, minifigs, rows, brickfolios: brickfolios.map(({ id }) => id) };
}

const pages = [
  '',
  'limit=1',
  'limit=7&offset=3',
  'limit=250',
  'limit=9&offset=18446744073709551617',
];
const words = ['ca', 'er', '10', 'of', 'the', 'zé', 'set 1', 'nowhere to be found', 'a"b', "o'"];
const paged = (path: string, query: string) => pages.map((page) => `${path}?${query}${page}`);
const searches = (path: string) =>
  words.flatMap((word) => paged(path, `q=${encodeURIComponent(word)}&`));

/** Requests to each endpoint, in addition to its valid request. */
const more: Readonly<Partial<Record<EndpointName, (known: Known) => (string | ApiCall)[]>>> = {
  getSet: ({ sets }) => [...sets, '0', 'x'].map((number) => `/set/${number}`),
  getMinifig: ({ minifigs }) => [...minifigs, '0', 'X'].map((number) => `/minifig/${number}`),
  searchSets: () => searches('/catalog/sets/search'),
  searchMinifigs: () => searches('/catalog/minifigs/search'),
  listThemes: () => ['/catalog/themes'],
  getBatch: ({ sets, minifigs }) =>
    [
      { sets: sets.slice(0, batchItemsMax / 2), minifigs: minifigs.slice(0, batchItemsMax / 2) },
      { sets: [...sets.slice(-20).reverse(), '0', 'nothing'] },
      { minifigs: [...minifigs.slice(-5), ...minifigs.slice(-5), 'nothing'] },
      { sets: [] },
      { sets: 'x' },
    ].map((body) => ({ path: '/catalog/batch', init: batch(body) })),
  getSetHistory: ({ sets }) =>
    [...sets, '0'].flatMap((number) =>
      ['', ...conditions.map((condition) => `?condition=${condition}`)].map(
        (query) => `/set/${number}/history${query}`,
      ),
    ),
  getSetRetailPrices: ({ sets }) => [...sets, '0'].map((n) => `/set/${n}/retail-prices`),
  findRetailPrices: ({ rows }) => [
    ...rows.flatMap((row) => namesOf(row).map((name) => `/retail-prices?${name}`)),
    ...rows.map((row) => `/retail-prices?${namesOf(row).join('&')}`),
    `/retail-prices?set=0`,
    `/retail-prices?set=${rows[0]?.setNumber}&upc=${rows[1]?.upc}`,
  ],
  listRetailWatch: ({ rows }) =>
    [
      '',
      'changed_within=1h',
      'changed_within=7d',
      'changed_within=90d',
      'since=2026-11-01T00:00:00Z',
      'since=2020-01-01T00:00:00%2B02:00',
      'since=2026-11-01T00:00:00Z&changed_within=3d',
      `asin=${listOf(rows, (row) => row.asin)}`,
      `upc=${listOf(rows, (row) => row.upc)}`,
      `upc=${listOf(rows, (row) => row.ean)}&changed_within=30d`,
    ].map((query) => `/brickfolio/retail-watch?${query}`),
  listBrickfolios: () => ['/brickfolio'],
  getAnalytics: () =>
    ['', ...periods.map((period) => `?period=${period}`)].map((q) => `/brickfolio/analytics${q}`),
  listEntries: ({ brickfolios }) => [
    ...paged('/brickfolio/entries', ''),
    ...[...brickfolios, 999_999].flatMap((id) =>
      paged('/brickfolio/entries', `brickfolio_id=${id}&`),
    ),
  ],
  listSales: () => paged('/salesledger', ''),
  getMaxBuy: ({ sets, minifigs }) =>
    [
      ...sets.flatMap((number) => [`set=${number}`, `set=${number}&condition=used&share=0.65`]),
      ...minifigs.map((number) => `minifig=${number}&margin_pct=0`),
      ...['ebay', 'fba', 'local', 'other'].map((channel) => `set=75192&channel=${channel}`),
      'set=0',
      'minifig=0',
      'set=75192&minifig=cas001',
    ].map((query) => `${plusPrefix}/max-buy?${query}`),
  listDeals: () =>
    [
      ...pages.map((page) => `min_tier=low&share=0.5&margin_pct=0&${page}`),
      'retailer=retailer_b',
      'status_id=4&min_profit_usd=5.5&min_roi_pct=10',
      'max_price_usd=40&share=0.73',
      'theme=Castle&min_tier=high',
    ].map((query) => `${plusPrefix}/deals?${query}`),
  evaluateBox: ({ sets, minifigs }) =>
    [
      { items: sets.slice(0, batchItemsMax).map((set) => ({ set })) },
      { items: minifigs.slice(-20).map((minifig) => ({ minifig, quantity: 2 })), cost_usd: 50 },
      {
        items: sets.slice(-9).map((set) => ({ set, condition: 'used' })),
        share: 0.5,
        margin_pct: 0,
      },
      { items: [] },
    ].map((body) => ({ path: `${plusPrefix}/evaluate`, init: batch(body) })),
  listSets: () =>
    [
      '',
      'limit=250&fields=title,new_value_usd,used_value_usd,data_tier,value_range,retailers,box',
      'sort=-value&limit=50&fields=change_30d_pct,change_90d_pct,change_365d_pct',
      'sort=-below_value&limit=7&fields=retail_price_usd,below_value_pct',
      'sort=price_per_piece&fields=price_per_piece_usd,msrp_usd&limit=20',
      'min_year=2010&max_year=2020&status_id=4&min_tier=low&sort=-change_90d',
      'min_change_30d_pct=-5&max_change_365d_pct=20&min_value_usd=10&max_pieces=900',
      'min_below_value_pct=10',
      'theme=nothing&subtheme=x',
      'min_year=2020&max_year=2010',
      'fields=nothing',
    ].map((query) => `${plusPrefix}/sets?${query}`),
  listMinifigs: () =>
    ['limit=250&fields=current_value_usd,data_tier,color,sets', 'sort=-value', 'min_tier=low'].map(
      (query) => `${plusPrefix}/minifigs?${query}`,
    ),
  getSetDailyValues: ({ sets }) =>
    [...sets, '0'].flatMap((number) =>
      ['', '?condition=used'].map((query) => `${plusPrefix}/set/${number}/daily-values${query}`),
    ),
  getMinifigDailyValues: ({ minifigs }) =>
    [...minifigs, '0'].map((number) => `${plusPrefix}/minifig/${number}/daily-values`),
  getHistoryBatch: ({ sets }) =>
    [
      { sets: sets.slice(0, batchItemsMax) },
      { sets: [...sets.slice(-20), '0'], condition: 'used' },
      { sets: [] },
    ].map((body) => ({ path: `${plusPrefix}/history/batch`, init: batch(body) })),
  getMaxBuyBatch: ({ sets, minifigs }) =>
    [
      { items: sets.slice(0, batchItemsMax).map((set) => ({ set, condition: 'used' })) },
      { items: minifigs.slice(-20).map((minifig) => ({ minifig })), channel: 'ebay' },
      { items: [{}] },
    ].map((body) => ({ path: `${plusPrefix}/max-buy/batch`, init: batch(body) })),
  getEvidenceBatch: ({ sets, minifigs }) =>
    [
      { sets: sets.slice(0, batchItemsMax / 2), minifigs: minifigs.slice(0, batchItemsMax / 2) },
      { minifigs: [...minifigs.slice(-5), 'nothing'] },
      {},
    ].map((body) => ({ path: `${plusPrefix}/evidence/batch`, init: batch(body) })),
  getRetailHistoryBatch: ({ sets }) =>
    [
      { sets: sets.slice(0, batchItemsMax), limit: 50 },
      { sets: [...sets.slice(-20), '0'], from: '2020-01-01T00:00:00Z', retailer: 'retailer_b' },
      { sets: [] },
    ].map((body) => ({ path: `${plusPrefix}/retail-history/batch`, init: batch(body) })),
  getRetailPriceBatch: ({ sets }) =>
    [{ sets: sets.slice(0, batchItemsMax) }, { sets: [...sets.slice(-20), '0'] }, {}].map(
      (body) => ({ path: `${plusPrefix}/retail-prices/batch`, init: batch(body) }),
    ),
  getRetailHistory: ({ sets }) =>
    [...sets, '0'].flatMap((number) =>
      ['', '?limit=1', '?after=0', '?from=2020-01-01T00:00:00Z&retailer=retailer_b'].map(
        (query) => `${plusPrefix}/set/${number}/retail-history${query}`,
      ),
    ),
  getWaysToSell: ({ sets }) =>
    [...sets, '0'].flatMap((number) =>
      ['', '?condition=used', '?price_usd=12.34'].map(
        (query) => `${plusPrefix}/set/${number}/ways-to-sell${query}`,
      ),
    ),
  getSetEvidence: ({ sets }) => sets.map((number) => `${plusPrefix}/set/${number}/evidence`),
  getMinifigEvidence: ({ minifigs }) =>
    minifigs.map((number) => `${plusPrefix}/minifig/${number}/evidence`),
  saveWatchedItem: ({ sets, minifigs }) => {
    const [set, minifig] = [`set/${sets[0]}`, `minifig/${minifigs[0]}`];
    const bodies = [
      { target_price_usd: 12.34, note: 'a' },
      { note: null },
      { target_price_usd: 0 },
    ];
    return [set, minifig, 'set/0'].flatMap((item) =>
      bodies.map((body) => ({
        path: `${plusPrefix}/watchlists/${ownList}/items/${item}`,
        init: { ...batch(body), method: 'PUT' },
      })),
    );
  },
  getBulkFile: () =>
    ['minifigs', 'months?format=csv', 'retail?format=parquet', 'sets?position=1-0', 'themes'].map(
      (file) => `${plusPrefix}/bulk/files/${file}`,
    ),
  listBulkChanges: () =>
    ['', 'after=0-0&types=months', 'after=0-0&types=sets,retail&limit=7', 'limit=1001'].map(
      (query) => `${plusPrefix}/bulk/changes?${query}`,
    ),
};

function namesOf({ setNumber, asin, upc, ean }: RetailRow): string[] {
  const names = [`set=${setNumber}`];
  if (asin) names.push(`asin=${asin}`);
  if (upc ?? ean) names.push(`upc=${upc ?? ean}`);
  return names;
}

function listOf(rows: readonly RetailRow[], id: (row: RetailRow) => string | null): string {
  return rows
    .flatMap((row) => id(row) ?? [])
    .slice(0, 40)
    .join(',');
}

/** Every request by endpoint; invalid ones come last. */
export function everyRequest(known: Known): [EndpointName, ApiCall[]][] {
  return (Object.keys(allEndpoints) as EndpointName[]).map((name) => {
    const asked = (more[name]?.(known) ?? []).map((one) =>
      typeof one === 'string' ? { path: one } : one,
    );
    const good = validRequests[name];
    // Streams do not end, so there is no response to compare.
    const { kind }: Endpoint = allEndpoints[name];
    const right = kind === 'stream' ? [] : [good, ...asked];
    return [name, [...right, ...wrong(name, good)]];
  });
}

/** Requests that every endpoint rejects, and invalid values of each parameter. */
function wrong(name: EndpointName, first: ApiCall): ApiCall[] {
  const { prefix, query } = allEndpoints[name];
  const path = `${prefix}${allEndpoints[name].path}`;
  const bare = first.path.split('?', 1)[0] ?? '';
  const values = Object.keys(query.properties).flatMap((key) => [
    `${bare}?${key}=`,
    `${bare}?${key}=${encodeURIComponent('\u0001')}`,
    `${bare}?${key}=-1&${key}=x`,
  ]);
  const numbers = path.includes('{number}')
    ? ['0', '%00', 'x'.repeat(65), '%F0%9F%A7%B1'].map((number) => path.replace('{number}', number))
    : [];
  const others = isOfOwnThing(bare) ? [bare.replace(/\/90000\d/, '/77777777')] : [];
  return [`${bare}?nonsense=1`, `${bare}/`, ...values, ...numbers, ...others].map((one) => ({
    ...first,
    path: one,
  }));
}
