/** Calls by endpoint and key: counted in memory, saved, exported and removed. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { serverSettings } from '../../../test/support/server-settings.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { startServer } from '../../api/server.ts';
import { apiPrefix, plusPrefix } from '../../contract/limits.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import { endpointCsv } from './endpoint-usage.ts';
import { EndpointUses, endpointRecords, startEndpointUses } from './endpoint-uses.work.ts';

const email = 'ann@example.com';
const today = '2026-11-15';
let world: StoredWorld;
let accountId: number;

beforeAll(async () => {
  world = await openWorld();
  await world.load([{ kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast' }]);
  await world.addAccount(email);
  accountId = (await world.store.accounts.findAccount(email, world.now))?.id ?? 0;
});

afterAll(() => world.close());

const log = { failure: () => {} };
const clock = () => world.now;
const use = { accountId: 1, keyId: 1, endpoint: 'getSet' };
const records = () => endpointRecords(world.store.accounts, { accountId, email }, world.now);

test('calls are counted with their cost and errors, and saved when the server stops', async () => {
  const uses = new EndpointUses();
  const server = startServer(world.store, { ...serverSettings(clock, []), uses });
  const [key, other] = [
    await world.addKey(email, { name: '=Sheet' }),
    await world.addKey(email, { isTest: true }),
  ];
  const get = async (path: string, secret: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    await (await fetch(`${server.url}${path}`, { headers, ...init })).text();
  };
  for (const path of ['/set/1', '/set/1', '/set/2', '/set/1?x=1']) {
    await get(`${apiPrefix}${path}`, key);
    await get(`${apiPrefix}${path}`, other);
  }
  await get(`${apiPrefix}/set/1`, key.replace(/.$/, 'x'));
  const body = JSON.stringify({ sets: ['1', '2', '3'] });
  await get(`${apiPrefix}/catalog/batch`, key, { method: 'POST', body });
  await get(`${plusPrefix}/usage`, key);
  await server.stop();
  await startEndpointUses({ uses, accounts: world.store.accounts, clock, log })();
  const [{ id = 0 } = {}] = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  const named = { key_id: id, key_name: '=Sheet', key_prefix: key.slice(0, 8) };
  expect(await records()).toEqual([
    { date: today, ...named, endpoint: 'getBatch', calls: 1, cost: 3, errors: 0 },
    { date: today, ...named, endpoint: 'getSet', calls: 4, cost: 3, errors: 2 },
    { date: today, ...named, endpoint: 'getUsage', calls: 1, cost: 0, errors: 0 },
  ]);
  const csv = endpointCsv(await records());
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    'date,key_id,key_name,key_prefix,endpoint,calls,cost,errors',
    `${today},${id},'=Sheet',${key.slice(0, 8)},getBatch,1,3,0`,
  ]);
});

test('further counts of a day are added, others get rows of their own', async () => {
  const { accounts } = world.store;
  const [{ id = 0 } = {}] = (await accounts.listKeys(email, world.now)) ?? [];
  const more = { accountId, keyId: id, endpoint: 'getSet', calls: 2, cost: 5, errors: 1 };
  await accounts.addEndpointUses([more, { ...more, keyId: 999 }], dayOf(world.now));
  await accounts.addEndpointUses([more], dayOf(world.now) + 1);
  const rows = (await records()).filter(({ endpoint }) => endpoint === 'getSet');
  expect(rows.map(({ date, key_name, calls, cost }) => [date, key_name, calls, cost])).toEqual([
    [today, '=Sheet', 6, 8],
    [today, null, 2, 5],
    ['2026-11-16', '=Sheet', 2, 5],
  ]);
});

test('counts that cannot be saved are kept, and those of removed accounts are dropped', async () => {
  const failures: string[] = [];
  const failing = { failure: (event: string) => failures.push(event) };
  const uses = new EndpointUses();
  uses.add(use, 'getSet', { cost: 1, status: 404 });
  for (const error of [new StoreBusyError('busy'), new Error('away')]) {
    const accounts = { addEndpointUses: () => Promise.reject(error) };
    await startEndpointUses({ uses, accounts, clock, log: failing })();
  }
  expect(failures).toEqual(['endpoint usage']);
  const [kept] = uses.take(9);
  expect(kept).toEqual({ ...use, calls: 1, cost: 1, errors: 1 });
  const before = await records();
  const gone = { ...use, accountId: 999_999, calls: 1, cost: 1, errors: 0 };
  await world.store.accounts.addEndpointUses([gone], dayOf(world.now));
  expect(await records()).toEqual(before);
});

test('counts are limited, and taken a few at a time', () => {
  const uses = new EndpointUses();
  for (let keyId = 0; keyId < 20_001; keyId++) {
    uses.add({ accountId: 1, keyId }, 'getSet', { cost: 1, status: 200 });
  }
  uses.add({ accountId: 1, keyId: 5 }, 'getSet', { cost: 1, status: 200 });
  const first = uses.take(15_000);
  expect([first.length, first[5]?.calls]).toEqual([15_000, 2]);
  expect([uses.take(15_000).length, uses.take(1).length]).toEqual([5_000, 0]);
});

test('a count is put back to that of meanwhile, and dropped only without room', () => {
  const uses = new EndpointUses();
  const add = (keyId: number) =>
    uses.add({ accountId: 1, keyId }, 'getSet', { cost: 3, status: 404 });
  for (let keyId = 0; keyId < 20_000; keyId++) add(keyId);
  const taken = uses.take(2);
  add(1);
  add(30_000);
  uses.putBack(taken);
  const again = new Map(uses.take(20_001).map((count) => [count.keyId, count]));
  expect(again.get(0)).toBeUndefined();
  expect(again.get(1)).toMatchObject({ calls: 2, cost: 6, errors: 2 });
  expect(again.get(30_000)).toMatchObject({ calls: 1, cost: 3, errors: 1 });
});

test('rows are removed after 90 days, and with their account', async () => {
  const { accounts } = world.store;
  const removeOld = async (at: number) => {
    while ((await accounts.sweep(at, 2)) > 0);
    return (await accounts.listEndpointUses(accountId)).length;
  };
  const all = (await accounts.listEndpointUses(accountId)).length;
  expect(await removeOld(world.now + 89 * dayMs)).toBe(all);
  expect(await removeOld(world.now + 90 * dayMs)).toBe(1);
  await accounts.removeAccount(email);
  expect(await accounts.listEndpointUses(accountId)).toEqual([]);
});
