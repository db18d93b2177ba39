/** Responses of large accounts, computed in a helper process, equal those of the server. */
// @runs SQLite, PostgreSQL: reads the store
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { usualCaller } from '../../test/support/callers.ts';
import { openStream } from '../../test/support/event-stream.ts';
import { portfolioMarket, portfolioOf } from '../../test/support/portfolio.ts';
import { serverSettings } from '../../test/support/server-settings.ts';
import { startWorld, type World } from '../../test/support/world.ts';
import type { Caller } from '../accounts/keys/quota.ts';
import { endpoints } from '../contract/endpoints.ts';
import { apiPrefix, plusPrefix } from '../contract/limits.ts';
import { serveSocket } from '../http/process-socket.ts';
import type { AnswerProcess } from './account-answer-cache.ts';
import { AnswerData } from './answer-data.ts';
import { answerProcess, serveLargeAccounts } from './large-accounts.ts';
import { type RunningServer, startServer } from './server.ts';

const email = 'ann@example.com';
let world: World;
let key: string;
/** A server that uses the helper process for every account. */
let server: RunningServer;
let process: { stop(): Promise<void> };
/** The endpoints requested from the helper. */
const asked: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  await world.load(portfolioMarket);
  await world.addAccount(email);
  await world.ingest(portfolioOf(email));
  key = await world.addKey(email);
  const clock = () => world.now;
  const socket = join(world.folder, 'answers');
  process = serveLargeAccounts(world.store, {
    socket,
    clock,
    tables: serverSettings(clock, []).findTables(),
    onFault: (error) => world.failures.push(error),
  });
  const accounts = { hasMoreRows: async () => true };
  const real = answerProcess(accounts, { socket: async () => socket, giveUp: () => {} });
  const watched: AnswerProcess = {
    isFor: real.isFor,
    make: (caller, question) => {
      asked.push(question.endpoint);
      return real.make(caller, question);
    },
  };
  server = startServer(world.store, {
    ...serverSettings(clock, world.failures),
    answerProcess: watched,
  });
});

afterAll(async () => {
  await server.stop();
  await process.stop();
  await world.close();
});

async function dataOf(url: string, path: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const text = await (await fetch(`${url}${apiPrefix}${path}`, { headers })).text();
  return text.replace(/,"meta":.*$/, '');
}

/** Requests to every endpoint of the caller's own data, with every parameter. */
const paths = {
  listBrickfolios: ['/brickfolio'],
  getAnalytics: ['30d', '90d', '1y'].map((period) => `/brickfolio/analytics?period=${period}`),
  listEntries: [
    '/brickfolio/entries',
    '/brickfolio/entries?limit=2&offset=1',
    '/brickfolio/entries?brickfolio_id=1',
    '/brickfolio/entries?brickfolio_id=999',
  ],
  listSales: ['/salesledger', '/salesledger?limit=1&offset=2'],
  listRetailWatch: [
    '/brickfolio/retail-watch',
    '/brickfolio/retail-watch?changed_within=30d&since=2026-01-01T00:00:00Z',
    '/brickfolio/retail-watch?asin=B000000001,B000000002',
  ],
};

describe('responses of the helper process', () => {
  for (const [endpoint, requests] of Object.entries(paths)) {
    test(`are byte for byte the same as in this process: ${endpoint}`, async () => {
      for (const path of requests) {
        asked.length = 0;
        const there = await dataOf(server.url, path);
        expect(there).toBe(await dataOf(world.url, path));
        expect(asked).toEqual([endpoint]);
      }
    });
  }

  test('cover every endpoint with private data', () => {
    const own = Object.entries(endpoints).filter(([, { scope }]) => scope === 'caller');
    expect(own.map(([name]) => name).sort()).toEqual(Object.keys(paths).sort());
  });

  test('can be errors that depend on the data', async () => {
    const { market } = world.store;
    await market.restateHistory({ fromMonth: 680, reason: 'Wrong prices', at: world.now });
    await market.pruneEvents(world.now + 1, 9);
    asked.length = 0;
    const ask = (url: string) =>
      fetch(`${url}${plusPrefix}/events?after=0&scope=holdings`, {
        headers: { Authorization: `Bearer ${key}` },
      });
    const there = await ask(server.url);
    expect([there.status, asked]).toEqual([400, ['listEvents']]);
    expect(await there.text()).toBe(await (await ask(world.url)).text());
    expect(world.failures).toEqual([]);
  });

  test('give streams the items held, once per state of the account', async () => {
    asked.length = 0;
    const client = await openStream(server.url, key, { query: 'scope=holdings' });
    for (const fromMonth of [681, 682]) {
      const restated = { fromMonth, reason: 'Wrong prices', at: world.now };
      await world.store.market.restateHistory(restated);
      await client.until(() => client.events().length === fromMonth - 680);
    }
    expect(asked).toEqual(['streamEvents']);
    await client.close();
  });

  test('are cached until the account or the market changes', async () => {
    const path = '/brickfolio/entries?limit=3';
    await dataOf(server.url, path);
    asked.length = 0;
    await dataOf(server.url, path);
    expect(asked).toEqual([]);
    await world.ingest([
      {
        kind: 'holding',
        account: email,
        source_id: 'late',
        brickfolio: 'Shelf',
        set_number: '1001',
        quantity: 1,
        condition: 'sealed',
        purchase_price_usd: 10,
        purchase_date: '2026-11-14',
      },
    ]);
    expect(await dataOf(server.url, path)).toBe(await dataOf(world.url, path));
    expect(asked).toEqual(['listEntries']);
  });
});

test('a response, a 404 and a failure are distinguished', async () => {
  const socket = join(world.folder, 'others');
  let status = 200;
  let headers: Record<string, string> = { 'X-Brickmark-Stamp': '7' };
  const other = serveSocket(socket, {
    answer: async (request) => new Response(await request.text(), { status, headers }),
    onFault: (error) => world.failures.push(error),
  });
  const asking: number[] = [];
  const hasMoreRows = async (accountId: number, count: number) => {
    asking.push(accountId, count);
    return true;
  };
  const { isFor, make } = answerProcess(
    { hasMoreRows },
    { socket: async () => socket, giveUp: () => {} },
  );
  const caller = { ...usualCaller, accountId: 5, privateVersion: 2 };
  const question = { endpoint: 'listEntries', input: {} } as const;
  const sent = JSON.stringify({ caller, question });
  expect(await isFor(caller as Caller)).toBe(true);
  expect(asking).toEqual([5, 200]);
  expect(await make(caller as Caller, question)).toEqual({
    answer: new AnswerData(sent),
    stamp: 7,
  });
  status = 404;
  expect(await make(caller as Caller, question)).toEqual({ answer: { missing: sent }, stamp: 7 });
  // Without a stamp, the publication of the response is unknown.
  headers = {};
  expect((await make(caller as Caller, question)).stamp).toBe(-1);
  for (status of [500, 201]) {
    await expect(make(caller as Caller, question)).rejects.toThrow('large accounts failed');
  }
  await other.stop();
});

test('lots and sales together make an account large', async () => {
  const { accounts } = world.store;
  const { id = 0 } = (await accounts.findAccount(email, world.now)) ?? {};
  const lots = (await accounts.listLots(id, { after: 0, limit: 100 })).length;
  const sales = (await accounts.listRecordedSales(id, { after: 0, limit: 100 })).length;
  expect(await accounts.hasMoreRows(id, lots + sales)).toBe(false);
  expect(await accounts.hasMoreRows(id, lots + sales - 1)).toBe(true);
  expect(await accounts.hasMoreRows(id + 1000, 0)).toBe(false);
});

test('there were no faults', () => {
  expect(world.failures).toEqual([]);
});
