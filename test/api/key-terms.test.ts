/** Terms of keys on both engines: the end of a key, its networks, and its two secrets. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hashKey } from '../../src/accounts/keys/api-keys.work.ts';
import { oldSecretMs, type PlainKey } from '../../src/accounts/keys/keys.ts';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let count = 0;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
});

afterAll(() => world.close());

/** A new account with a key. */
async function newKey(options: Parameters<World['addKey']>[1] = {}) {
  const email = `terms-${++count}@example.com`;
  await world.addAccount(email);
  const key = await world.addKey(email, options);
  const list = async () => (await world.store.accounts.listKeys(email, world.now)) ?? [];
  const roll = async (expiresAt: number | null = null) => {
    const [row] = await list();
    const options = { expiresAt, at: world.now };
    return row ? await keysById(world.store.accounts).rollKey(row, options) : null;
  };
  const one = async () => {
    const [row] = await list();
    if (!row) throw new Error('The account has no key.');
    return row;
  };
  return { email, key, list, one, roll };
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

const statusOf = async (key: string | null, init?: RequestInit, path = '/set/75192') =>
  (await world.call(path, key ?? '', init)).status;

describe('a key that expires', () => {
  test('is announced in a header for 14 days, on data and on errors, and then refused', async () => {
    const expiresAt = world.now + 15 * dayMs;
    const { key } = await newKey({ expiresAt });
    const headerOf = async (path: string, init?: RequestInit) => {
      const response = await world.call(path, key, init);
      await response.text();
      return response.headers.get('x-key-expires');
    };
    expect(await headerOf('/set/75192')).toBeNull();
    const before = world.now;
    try {
      world.now = expiresAt - 14 * dayMs;
      const at = new Date(expiresAt).toISOString();
      expect(await headerOf('/set/75192')).toBe(at);
      expect(await headerOf('/catalog/themes')).toBe(at);
      expect(await headerOf('/set/404404')).toBe(at);
      expect(await headerOf('/set/75192?x=1')).toBe(at);
      const response = await world.call('/set/75192', key);
      expect(response.headers.get('access-control-expose-headers')).toContain('X-Key-Expires');
      // Others do not get it.
      const other = await newKey();
      const plain = await world.call('/set/75192', other.key);
      expect(plain.headers.get('x-key-expires')).toBeNull();
      world.now = expiresAt;
      expect(await statusOf(key)).toBe(401);
    } finally {
      world.now = before;
    }
  });
});

describe('a key that is limited to networks', () => {
  test('works from them, and elsewhere looks like a key that does not exist', async () => {
    const networks = '198.51.100.0/24 203.0.113.7 2001:db8:5::/48';
    const { key, one } = await newKey({ networks });
    const inside = ['198.51.100.200', '203.0.113.7', '2001:db8:5:1:2:3:4:5'];
    for (const address of inside) expect(await statusOf(key, from(address))).toBe(200);
    expect((await one()).usedToday).toBe(3);
    const outside = ['198.51.101.1', '203.0.113.8', '2001:db8:6::1', 'nonsense'];
    const unknown = await world.call('/set/75192', `bmk_${'0'.repeat(48)}`);
    for (const address of outside) {
      for (const path of ['/set/75192', '/brickfolio', '/set/404404']) {
        const response = await world.call(path, key, from(address));
        expect([address, path, response.status]).toEqual([address, path, 401]);
        expect(response.headers.get('x-ratelimit-limit')).toBeNull();
        if (path === '/set/75192') expect(await response.text()).toBe(await unknown.clone().text());
      }
    }
    expect((await one()).usedToday).toBe(3);
    // Answers that are read first, and refusals, are as usual from inside.
    expect(await statusOf(key, from('203.0.113.7'), '/brickfolio')).toBe(200);
    expect(await statusOf(key, from('203.0.113.7'), '/set/404404')).toBe(404);
    expect(await statusOf(key, from('203.0.113.7'), '/set/75192?x=1')).toBe(400);
    expect((await one()).usedToday).toBe(5);
  });

  test('is charged up to its allowance, also if many calls come at once', async () => {
    const { key, one } = await newKey({ networks: '203.0.113.0/24', allowance: 7 });
    const other = await newKey({ allowance: 5 });
    const calls = Array.from({ length: 12 }, () => [
      statusOf(key, from('203.0.113.9')),
      statusOf(key, from('192.0.2.9')),
      statusOf(other.key),
    ]);
    const statuses = await Promise.all(calls.flat());
    const tally = (status: number) => statuses.filter((each) => each === status).length;
    expect([tally(200), tally(429), tally(401)]).toEqual([12, 12, 12]);
    expect([(await one()).usedToday, (await other.one()).usedToday]).toEqual([7, 5]);
  });
});

describe('a rolled key', () => {
  test('has two secrets for a day, with one count', async () => {
    const { key, one, list, roll } = await newKey({ allowance: 10 });
    expect(await statusOf(key)).toBe(200);
    const fresh = await roll();
    expect(fresh).not.toBe(key as PlainKey);
    expect(await statusOf(key)).toBe(200);
    expect(await statusOf(fresh)).toBe(200);
    const row = await one();
    expect([row.usedToday, (await list()).length]).toEqual([3, 1]);
    expect(row.prefix).toBe(fresh?.slice(0, 8) ?? '');
    expect(row.old).toMatchObject({ prefix: key.slice(0, 8), until: world.now + oldSecretMs });
    await until(async () => (await one()).old?.lastUsedAt === world.now);
    // The old secret is announced as one that ends, the new one is not.
    const announced = async (secret: string) =>
      (await world.call('/set/75192', secret)).headers.get('x-key-expires');
    expect(await announced(key)).toBe(new Date(world.now + oldSecretMs).toISOString());
    expect(await announced(fresh ?? '')).toBeNull();
    const before = world.now;
    try {
      world.now += oldSecretMs - 1;
      expect(await statusOf(key)).toBe(200);
      world.now += 1;
      expect(await statusOf(key)).toBe(401);
      expect(await statusOf(fresh)).toBe(200);
    } finally {
      world.now = before;
    }
  });

  test('and rolled again has the last two secrets; ended or revoked, the old one is refused', async () => {
    const { key, one, roll } = await newKey();
    const second = await roll();
    const third = await roll();
    expect([await statusOf(key), await statusOf(second), await statusOf(third)]).toEqual([
      401, 200, 200,
    ]);
    await keysById(world.store.accounts).endOldSecret((await one()).id, world.now);
    expect([await statusOf(second), await statusOf(third)]).toEqual([401, 200]);
    const fourth = await roll();
    await keysById(world.store.accounts).revokeKey((await one()).id, world.now);
    expect([await statusOf(third), await statusOf(fourth)]).toEqual([401, 401]);
    expect(await roll()).toBeNull();
  });

  test('twice at once is rolled once, so that the secret in use works for a day', async () => {
    const { key, one } = await newKey();
    // Both have seen the same secret, as two windows with the same page.
    const seen = await one();
    const { rollKey } = keysById(world.store.accounts);
    const options = { expiresAt: null, at: world.now };
    const secrets = await Promise.all([rollKey(seen, options), rollKey(seen, options)]);
    expect(secrets.filter((secret) => secret !== null)).toHaveLength(1);
    expect(await statusOf(key)).toBe(200);
    for (const secret of secrets) if (secret !== null) expect(await statusOf(secret)).toBe(200);
  });

  test('counts as one of five, and keeps its terms unless its end is changed', async () => {
    const expiresAt = world.now + hourMs;
    const { email, key, list, roll } = await newKey({ networks: '203.0.113.7', expiresAt });
    for (let more = 1; more < 5; more++) await world.addKey(email);
    const fresh = await roll(expiresAt);
    expect(await list()).toHaveLength(5);
    await expect(world.addKey(email)).rejects.toThrow('5 active keys');
    expect(await statusOf(fresh)).toBe(401);
    expect(await statusOf(fresh, from('203.0.113.7'))).toBe(200);
    expect(await statusOf(key, from('203.0.113.7'))).toBe(200);
    const before = world.now;
    try {
      // The end of the key is the end of both.
      world.now = expiresAt;
      expect(await statusOf(key, from('203.0.113.7'))).toBe(401);
      expect(await statusOf(fresh, from('203.0.113.7'))).toBe(401);
    } finally {
      world.now = before;
    }
  });
});

test('a key from before scopes, networks and rolling works as it did', async () => {
  const email = 'before@example.com';
  await world.addAccount(email);
  await world.load(smallCollection(email));
  const account = await world.store.accounts.findAccount(email, world.now);
  const key = `bmk_${'ab'.repeat(24)}` as PlainKey;
  await onTables(
    world.folder,
    `INSERT INTO private.api_key
       (account_id, name, hash, prefix, allowance, scopes, created_at, place, used_before)
     VALUES (?, 'Before', ?, 'bmk_abab', 10, 15, ?, 1, 0)`,
    [account?.id ?? 0, hashKey(key), world.now],
  );
  for (const path of ['/set/75192', '/brickfolio', '/salesledger', '/api/plus/v1/events?after=0']) {
    const response = await world.call(path, key, from('192.0.2.55'));
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('x-key-expires')).toBeNull();
    expect(response.headers.get('x-key-test')).toBeNull();
  }
  const response = await world.call('/set/75192', key);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('5');
});
