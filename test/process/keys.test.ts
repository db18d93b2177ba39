/** Keys across processes: immediate revocation, at most five, and no way around the quota. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { everythingStored } from '../support/tables.ts';

let place: Workplace;

beforeAll(async () => {
  place = makeWorkplace();
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' };
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(set) });
});

afterAll(() => place.close());

test('a key revoked by another process is refused from the next request on', async () => {
  await place.json(['account', 'add', 'a@example.com', '--plan', 'reseller']);
  const { key, key_id } = await place.json<{ key: string; key_id: number }>([
    'key',
    'add',
    'a@example.com',
  ]);
  const server = await place.serve();
  expect((await server.get('/set/1000', key)).status).toBe(200);
  await place.json(['key', 'revoke', String(key_id)]);
  expect((await server.get('/set/1000', key)).status).toBe(401);
});

test('a plan or allowance changed by another process applies from the next request on', async () => {
  await place.json(['account', 'add', 'b@example.com', '--plan', 'reseller']);
  const { key, key_id } = await place.json<{ key: string; key_id: number }>([
    'key',
    'add',
    'b@example.com',
  ]);
  const server = await place.serve();
  expect((await server.get('/set/1000', key)).status).toBe(200);
  await place.json(['key', 'allowance', String(key_id), '1']);
  const poorer = await server.get('/set/1000', key);
  expect(poorer.status).toBe(429);
  expect(poorer.headers.get('x-ratelimit-limit')).toBe('1');
  await place.json(['account', 'plan', 'b@example.com', 'free']);
  expect((await server.get('/set/1000', key)).status).toBe(403);
  await place.json(['account', 'remove', 'b@example.com']);
  expect((await server.get('/set/1000', key)).status).toBe(401);
});

test('a sixth key is refused, even if eight processes ask at once', async () => {
  await place.json(['account', 'add', 'c@example.com', '--plan', 'reseller']);
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => place.start(['key', 'add', 'c@example.com', '--json'])),
  );
  expect(asked.filter(({ status }) => status === 0)).toHaveLength(5);
  for (const { stderr } of asked.filter(({ status }) => status !== 0)) {
    expect(stderr).toContain('5 active keys');
  }
});

test('a key that replaces an exhausted one has nothing left that day', async () => {
  await place.json(['account', 'add', 'd@example.com', '--plan', 'reseller']);
  const server = await place.serve();
  const addKey = (allowance: number) => {
    const add = ['key', 'add', 'd@example.com', '--allowance', String(allowance)];
    return place.json<{ key: string; key_id: number }>(add);
  };
  const five = await Promise.all(Array.from({ length: 5 }, () => addKey(1)));
  for (const { key } of five) expect((await server.get('/set/1000', key)).status).toBe(200);
  await place.json(['key', 'revoke', String(five[2]?.key_id)]);
  const { key, key_id } = await addKey(1);
  expect((await server.get('/set/1000', key)).status).toBe(429);
  // The new key continues the count of the one it replaced.
  await place.json(['key', 'allowance', String(key_id), '2']);
  const more = await server.get('/set/1000', key);
  expect([more.status, more.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
});

test('no key or password is stored, only hashes', async () => {
  const password = 'correct horse battery';
  const add = ['account', 'add', 'e@example.com', '--plan', 'reseller', '--password-stdin'];
  await place.json(add, { stdin: password });
  const { key } = await place.json<{ key: string }>(['key', 'add', 'e@example.com']);
  const server = await place.serve();
  expect((await server.get('/set/1000', key)).status).toBe(200);
  for (const [name, bytes] of await everythingStored(place.data)) {
    expect([name, bytes.includes(key.slice(8)), bytes.includes(password)]).toEqual([
      name,
      false,
      false,
    ]);
  }
});
