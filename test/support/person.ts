/** An account with a key and private data, for tests of private responses. */
import { expect } from 'bun:test';
import type {
  Analytics,
  BrickfolioList,
  HoldingPage,
  SalePage,
} from '../../src/contract/brickfolio.ts';
import type { ImportReport } from '../../src/ingest/runner/report.ts';
import type { FeedLine, World } from './world.ts';

/** An account and ways to use it. Feed lines get its `account`. */
export interface Person {
  readonly email: string;
  readonly key: string;
  load(...lines: readonly FeedLine[]): Promise<ImportReport>;
  ask(path: string): Promise<Response>;
  get<T>(path: string): Promise<T>;
  /** The raw JSON of `data` in a 200 response. */
  data(path: string): Promise<string>;
  brickfolios(): Promise<BrickfolioList>;
  analytics(period?: string): Promise<Analytics>;
  entries(query?: string): Promise<HoldingPage>;
  sales(query?: string): Promise<SalePage>;
  /** Calls used today. */
  used(): Promise<number>;
}

/** Adds an account with a key and feed lines; throws if a line is rejected. */
export async function addPerson(
  world: World,
  email: string,
  lines: readonly FeedLine[] = [],
): Promise<Person> {
  await world.addAccount(email);
  const key = await world.addKey(email, { allowance: 100_000 });
  const ask = (path: string) => world.call(path, key);
  const data = async (path: string) => dataBytes(await ask(path));
  const get = async <T>(path: string): Promise<T> => JSON.parse(await data(path));
  const load = (...more: readonly FeedLine[]) =>
    world.load(more.map((line) => ({ account: email, ...line })));
  if (lines.length > 0) expect((await load(...lines)).rejects).toEqual([]);
  return {
    email,
    key,
    load,
    ask,
    get,
    data,
    brickfolios: () => get('/brickfolio'),
    analytics: (period = '1y') => get(`/brickfolio/analytics?period=${period}`),
    entries: (query = '') => get(`/brickfolio/entries${query}`),
    sales: (query = '') => get(`/salesledger${query}`),
    used: async () => (await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday ?? -1,
  };
}

/** The raw JSON of `data` in a 200 response. */
export async function dataBytes(response: Response): Promise<string> {
  const body = await response.text();
  expect({ status: response.status, start: body.slice(0, 8) }).toEqual({
    status: 200,
    start: '{"data":',
  });
  return body.slice('{"data":'.length, body.lastIndexOf(',"meta":{'));
}

/** The default collection of lots. */
export const shelf: FeedLine = { kind: 'brickfolio', name: 'Shelf' };

/** A lot of set 100, by default bought on January 1 at $60 per unit. */
export function lot(source_id: string, quantity: number, facts: FeedLine = {}): FeedLine {
  return {
    kind: 'holding',
    source_id,
    brickfolio: 'Shelf',
    set_number: '100',
    quantity,
    condition: 'sealed',
    purchase_price_usd: 60,
    purchase_date: '2026-01-01',
    ...facts,
  };
}

/** A sale of set 100, by default on June 1 for $90. */
export function ledgerSale(source_id: string, quantity: number, facts: FeedLine = {}): FeedLine {
  return {
    kind: 'ledger_sale',
    source_id,
    set_number: '100',
    platform: 'ebay',
    sale_date: '2026-06-01',
    quantity,
    gross_proceeds_usd: 90,
    ...facts,
  };
}

/** Feed lines for a set with one sale at each of these prices. */
export function setWorth(
  set_number: string,
  values: { readonly sealed?: number; readonly used?: number; readonly currency?: string } = {},
): FeedLine[] {
  const { currency = 'USD', ...prices } = values;
  const sales = Object.entries(prices).map(([condition, price]) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${set_number} ${condition}`,
    item_type: 'set',
    item: set_number,
    condition,
    price,
    currency,
    sold_at: '2026-10-01T10:00:00Z',
  }));
  return [{ kind: 'set', set_number, title: `Set ${set_number}`, theme: 'Castle' }, ...sales];
}
