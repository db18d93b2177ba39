/** One valid request per endpoint, for tests that loop over the endpoint tables. */
import type { Brickmark } from '../../clients/typescript/src/index.ts';
import {
  allEndpoints,
  type EndpointInput,
  type EndpointName,
} from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import { ownList, ownWebhook } from './own-things.ts';
import { until } from './until.ts';
import { batch } from './world.ts';

/** Endpoints with a path parameter. */
type WithParams = {
  [N in EndpointName]: keyof EndpointInput<N>['params'] extends never ? never : N;
}[EndpointName];

/** Input that returns 200 in the small market. Endpoints without an entry need no input. */
const inputs: { readonly [N in EndpointName]?: ValidInput<N> } & {
  readonly [N in WithParams]: ValidInput<N>;
} = {
  getSet: { params: { number: '75192' } },
  getMinifig: { params: { number: 'cas001' } },
  searchSets: { query: { q: 'castle' } },
  searchMinifigs: { query: { q: 'knight' } },
  getBatch: { body: { sets: ['75192', '404404'], minifigs: ['cas001'] } },
  getSetHistory: { params: { number: '75192' } },
  getSetRetailPrices: { params: { number: '75192' } },
  findRetailPrices: { query: { upc: '673419000017' } },
  listRetailWatch: { query: { changed_within: '30d' } },
  getAnalytics: { query: { period: '90d' } },
  listEntries: { query: { limit: 10 } },
  listSales: { query: { limit: 10 } },
  listSets: { query: { theme: 'Castle', max_change_30d_pct: 100, fields: 'new_value_usd' } },
  listMinifigs: { query: { max_year: 2030 } },
  getSetDailyValues: { params: { number: '75192' }, query: { condition: 'used' } },
  getMinifigDailyValues: { params: { number: 'cas001' } },
  getHistoryBatch: { body: { sets: ['75192', '404404'], condition: 'used' } },
  getMaxBuy: { query: { set: '75192' } },
  getMaxBuyBatch: {
    body: { items: [{ set: '75192' }, { set: '404404' }, { minifig: 'cas001' }], share: 0.5 },
  },
  listDeals: { query: { min_tier: 'low', share: 0.5 } },
  evaluateBox: {
    body: {
      items: [{ set: '75192', quantity: 2 }, { set: '404404' }, { minifig: 'cas001' }],
      cost_usd: 99.99,
    },
  },
  getWaysToSell: { params: { number: '75192' }, query: { price_usd: 99.99 } },
  getSetEvidence: { params: { number: '75192' } },
  getMinifigEvidence: { params: { number: 'cas001' } },
  getEvidenceBatch: { body: { sets: ['75192', '404404'], minifigs: ['cas001'] } },
  getRetailHistoryBatch: { body: { sets: ['75192', '404404'], limit: 5 } },
  getRetailPriceBatch: { body: { sets: ['75192', '404404'] } },
  getRetailHistory: { params: { number: '75192' }, query: { limit: 10 } },
  listHoldings: { query: { number: '75192', limit: 10 } },
  listRecordedSales: { query: { sold_from: '2000-01-01', limit: 10 } },
  createWatchlist: { body: { name: 'Castles' } },
  renameWatchlist: { params: { list: ownList }, body: { name: 'Castles to buy' } },
  deleteWatchlist: { params: { list: ownList } },
  listWatchedItems: { params: { list: ownList }, query: { limit: 10 } },
  saveWatchedItem: {
    params: { list: ownList, item_type: 'set', number: '75192' },
    body: { target_price_usd: 99.5, note: 'x' },
  },
  deleteWatchedItem: { params: { list: ownList, item_type: 'set', number: '75192' } },
  listEvents: { query: { after: 0, scope: 'holdings' } },
  streamEvents: { query: { after: 0, scope: 'holdings' } },
  createWebhook: {
    body: {
      name: 'Shop',
      url: 'https://example.com/brickmark',
      kinds: ['retail.price'],
      scope: 'watch',
      notices: ['quota.reached'],
    },
  },
  getWebhook: { params: { webhook: ownWebhook } },
  changeWebhook: { params: { webhook: ownWebhook }, body: { kinds: ['deal.open'], is_on: true } },
  testWebhook: { params: { webhook: ownWebhook } },
  rotateWebhookSecret: { params: { webhook: ownWebhook } },
  deleteWebhook: { params: { webhook: ownWebhook } },
  getBulkFile: { params: { type: 'sets' } },
  listBulkChanges: { query: { after: '0-0', limit: 2 } },
};

type ValidInput<N extends EndpointName> = {
  readonly [P in keyof EndpointInput<N>]?: Partial<EndpointInput<N>[P]>;
};

interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>> | null;
}

export interface ValidRequest {
  readonly path: string;
  readonly init?: RequestInit;
  readonly cost: number;
}

/** The cost of a file is a setting of the test world. */
const costs = { one: 1, 'per result': 1, 'per hour': 1, 'per file': 3, free: 0 } as const;

export const validRequests = Object.fromEntries(
  Object.entries<Endpoint>(allEndpoints).map(([name, row]) => [
    name,
    requestOf(row, inputOf(name)),
  ]),
) as Readonly<Record<EndpointName, ValidRequest>>;

export const everyEndpoint = Object.entries(validRequests) as [EndpointName, ValidRequest][];

/** Makes the same request with the client: reads files to their end, opens and closes streams. */
export async function callClient(client: Brickmark, name: EndpointName): Promise<unknown> {
  const row: Endpoint = allEndpoints[name];
  const { params = {}, query, body } = inputOf(name);
  const methods = (row.prefix === plusPrefix ? client.plus : client) as unknown as Methods;
  const args = [...Object.values(params), ...(query || body ? [body ?? query] : [])];
  if (row.kind === 'stream') return openStream((options) => methods[name]?.(...args, options));
  const answered = methods[name]?.(...args);
  return row.kind === 'file' ? Array.fromAsync(answered as AsyncIterable<unknown>) : answered;
}

/** Reads a response as text; cancels streams, which do not end. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.text();
  await response.body?.cancel();
  return '';
}

type Methods = Readonly<Record<string, ((...args: readonly unknown[]) => unknown) | undefined>>;

async function openStream(
  open: (options: { readonly signal: AbortSignal }) => unknown,
): Promise<void> {
  const stop = new AbortController();
  const stream = open({ signal: stop.signal }) as ReturnType<Brickmark['plus']['streamEvents']>;
  const reading = Array.fromAsync(stream).catch((reason) => reason === stop.signal.reason);
  await until(() => stream.position !== null);
  stop.abort();
  await reading;
}

/** The input of the request of an endpoint. */
export function inputOf(name: string): Input {
  return (inputs[name as EndpointName] ?? {}) as Input;
}

function requestOf(row: Endpoint, { params, query, body }: Input): ValidRequest {
  const { prefix, path, cost, method } = row;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `${params?.[name]}`);
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]) => [name, `${value}`]),
  );
  return {
    path: `${prefix}${filled}${query ? `?${search}` : ''}`,
    ...(method !== 'GET' && { init: { ...(body && batch(body)), method } }),
    cost: cost === 'per item' ? itemsOf(body ?? {}) : costs[cost],
  };
}

function itemsOf(body: Readonly<Record<string, unknown>>): number {
  return Object.values(body).filter(Array.isArray).flat().length;
}
