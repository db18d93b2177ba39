/** Somebody with an account, a key and things of their own, for tests of private answers. */
import { expect } from 'bun:test';
import type {
  Analytics,
  BrickfolioList,
  HoldingPage,
  SalePage,
} from '../../src/contract/brickfolio.ts';
import type { ImportReport } from '../../src/ingest/report.ts';
import type { FeedLine, World } from './world.ts';

/** An account and the ways to use it. Lines need no `account`; it is put in. */
export interface Person {
  readonly email: string;
  readonly key: string;
  load(...lines: readonly FeedLine[]): Promise<ImportReport>;
  ask(path: string): Promise<Response>;
  /** The `data` of a 200. */
  get<T>(path: string): Promise<T>;
  /** The exact bytes of the `data` of a 200. */
  data(path: string): Promise<string>;
  brickfolios(): Promise<BrickfolioList>;
  analytics(period?: string): Promise<Analytics>;
  entries(query?: string): Promise<HoldingPage>;
  sales(query?: string): Promise<SalePage>;
  /** What the key has spent today. */
  used(): Promise<number>;
}

/** Adds an account, a key, and lines of its own, all of which must be good. */
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

/** The exact bytes of the `data` of a 200. */
export async function dataBytes(response: Response): Promise<string> {
  const body = await response.text();
  expect({ status: response.status, start: body.slice(0, 8) }).toEqual({
    status: 200,
    start: '{"data":',
  });
  return body.slice('{"data":'.length, body.lastIndexOf(',"meta":{'));
}

/** The collection that lots are in. */
export const shelf: FeedLine = { kind: 'brickfolio', name: 'Shelf' };

/** A lot of set 100, bought at 60 a unit on the first of January, unless told otherwise. */
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

/** A recorded sale of set 100 on the first of June for 90, unless told otherwise. */
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

/** A set that is worth this much, because it was sold for it once; lines for the market. */
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
