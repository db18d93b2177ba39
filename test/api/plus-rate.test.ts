/** Headers of the Plus API only, and its rate per second. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Brickmark } from '../../clients/typescript/src/index.ts';
import { platform } from '../../clients/typescript/src/pause.ts';
import { startServer } from '../../src/api/server.ts';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import { type Endpoint, endingHeadersOf, endingMonths } from '../../src/contract/endpoint.ts';
import { apiPrefix, plusPrefix } from '../../src/contract/limits.ts';
import { keysById } from '../support/keys-by-id.ts';
import { serverSettings } from '../support/server-settings.ts';
import { startWorld, type World } from '../support/world.ts';

const email = 'ann@example.com';
let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount(email);
  await world.load([{ kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast' }]);
});

afterAll(() => world.close());

const costOf = ({ headers }: Response) => headers.get('X-RateLimit-Cost');

describe('the cost header', () => {
  test('has what was charged, also on errors and 304', async () => {
    const key = await world.addKey(email);
    const path = `${plusPrefix}/sets`;
    const first = await world.call(path, key);
    expect([first.status, costOf(first)]).toEqual([200, '1']);
    const tag = first.headers.get('ETag') ?? '';
    const asked = { headers: { Authorization: `Bearer ${key}`, 'If-None-Match': tag } };
    const same = await world.call(path, key, asked);
    expect([same.status, costOf(same)]).toEqual([304, '1']);
    expect(costOf(await world.call(`${plusPrefix}/usage`, key))).toBe('0');
    const missing = await world.call(`${plusPrefix}/set/2/evidence`, key);
    expect([missing.status, costOf(missing)]).toEqual([404, '1']);
    const wrong = await world.call(`${path}?limit=x`, key);
    expect([wrong.status, costOf(wrong)]).toEqual([400, '0']);
    expect(wrong.headers.get('Access-Control-Expose-Headers')).toContain('X-RateLimit-Cost');
  });

  test('is not in version 1, whatever came before', async () => {
    const key = await world.addKey(email);
    const names = ['X-RateLimit-Cost', 'X-RateLimit-Per-Second'];
    for (const path of ['/set/1', '/set/2', '/set/1?x=1']) {
      await world.call(`${plusPrefix}/sets`, key);
      const { headers } = await world.call(`${apiPrefix}${path}`, key);
      expect(names.filter((name) => headers.has(name))).toEqual([]);
      expect(headers.get('Access-Control-Expose-Headers')).not.toContain('X-RateLimit-Cost');
    }
  });
});

describe('the rate per second', () => {
  test('refuses further calls of a key at no cost, and earns them back', async () => {
    let elapsed = 0;
    const settings = { ...serverSettings(() => world.now, []), elapsed: () => elapsed };
    const server = startServer(world.store, { ...settings, plusRate: 2 });
    const call = (key: string, path = `${plusPrefix}/sets`) =>
      fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    const statuses = async (key: string, count: number) => {
      const seen: number[] = [];
      for (let index = 0; index < count; index++) seen.push((await call(key)).status);
      return seen;
    };
    const key = await world.addKey(email);
    // Two seconds' calls at once after a pause.
    expect(await statuses(key, 5)).toEqual([200, 200, 200, 200, 429]);
    const refused = await call(key);
    expect(await refused.json()).toEqual({
      error: {
        code: 'TooManyRequests',
        message: 'This key may call the Plus API 2 times per second. This call was not charged.',
      },
    });
    expect(
      ['Retry-After', 'X-RateLimit-Cost', 'X-RateLimit-Per-Second', 'X-RateLimit-Remaining'].map(
        (name) => refused.headers.get(name),
      ),
    ).toEqual(['1', '0', '2', '996']);
    // Others, and version 1, are not affected.
    expect((await call(key, `${apiPrefix}/set/1`)).status).toBe(200);
    expect(await statuses(await world.addKey(email), 1)).toEqual([200]);
    elapsed += 1_000;
    expect(await statuses(key, 3)).toEqual([200, 200, 429]);
    await server.stop();
  });

  test('does not end an ordinary loop of the client, which waits as long as it is told', async () => {
    let elapsed = 0;
    const settings = { ...serverSettings(() => world.now, []), elapsed: () => elapsed };
    const server = startServer(world.store, { ...settings, plusRate: 10 });
    const sleep = async (ms: number) => {
      elapsed += ms;
    };
    await world.addAccount('looper@example.com');
    const key = await world.addKey('looper@example.com');
    const client = new Brickmark({ url: server.url, key }, { ...platform, sleep });
    for (let call = 0; call < 70; call++) await client.plus.getRetailHistory('1');
    expect([elapsed, client.budget?.remaining]).toEqual([5_000, 930]);
    await server.stop();
  });

  test('both secrets of a rolled key share its rate', async () => {
    const server = startServer(world.store, {
      ...serverSettings(() => world.now, []),
      plusRate: 2,
    });
    const owner = 'roller@example.com';
    await world.addAccount(owner);
    const old = await world.addKey(owner);
    const { accounts } = world.store;
    const [rolled] = (await accounts.listKeys(owner, world.now)) ?? [];
    if (!rolled) throw new Error('There is a key.');
    const options = { expiresAt: null, at: world.now };
    const secret = (await keysById(accounts).rollKey(rolled, options)) ?? '';
    const statuses: number[] = [];
    for (const key of [old, secret, old, secret, old, secret]) {
      const headers = { Authorization: `Bearer ${key}` };
      statuses.push((await fetch(`${server.url}${plusPrefix}/sets`, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    await server.stop();
  });

  test('an invalid key is still called invalid', async () => {
    const server = startServer(world.store, { ...serverSettings(() => 0, []), plusRate: 1 });
    const headers = { Authorization: `Bearer ${(await world.addKey(email)).replace(/.$/, 'x')}` };
    for (let count = 0; count < 4; count++) {
      expect((await fetch(`${server.url}${plusPrefix}/sets`, { headers })).status).toBe(401);
    }
    await server.stop();
  });
});

test('no endpoint of version 1 ends, and others not within six months', () => {
  for (const { prefix, ending } of Object.values<Endpoint>(allEndpoints)) {
    if (!ending) continue;
    expect(prefix).toBe(plusPrefix);
    const earliest = new Date(`${ending.deprecatedOn}T00:00:00Z`);
    earliest.setUTCMonth(earliest.getUTCMonth() + endingMonths);
    expect(Date.parse(`${ending.removedOn}T00:00:00Z`)).toBeGreaterThanOrEqual(earliest.getTime());
  }
});

test('an endpoint that ends says since when, and when', () => {
  expect(endingHeadersOf({})).toBeNull();
  const ending = { deprecatedOn: '2027-01-01', removedOn: '2027-07-01' };
  expect(endingHeadersOf({ ending })).toEqual({
    Deprecation: '@1798761600',
    Sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
  });
});
