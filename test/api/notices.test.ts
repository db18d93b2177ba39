/** Notices about the account by API: recorded once, and only for their account. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dayMs } from '../../src/kernel/time.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallMarket } from '../support/market.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
});

afterAll(() => world.close());

interface Page {
  readonly notices: {
    readonly position: number;
    readonly kind: string;
    readonly details: Record<string, unknown>;
  }[];
  readonly next: number;
  readonly has_more: boolean;
}

async function read(key: string, query = ''): Promise<Page> {
  const response = await world.call(`/api/plus/v1/notices${query}`, key);
  return ((await response.json()) as { data: Page }).data;
}

test('80 and 100 percent of an allowance are noticed once a day, by their account alone', async () => {
  for (const email of ['a@example.com', 'b@example.com']) await world.addAccount(email);
  const busy = await world.addKey('a@example.com', { allowance: 10 });
  const reader = await world.addKey('a@example.com');
  const other = await world.addKey('b@example.com');
  const use = async (count: number) => {
    for (let call = 0; call < count; call++) await world.call('/set/75192', busy);
  };
  await use(7);
  expect((await read(reader)).notices).toEqual([]);
  await use(1);
  const [first, ...others] = (await read(reader)).notices;
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    kind: 'quota.reached',
    details: {
      key_prefix: busy.slice(0, 8),
      percent: 80,
      used: 8,
      limit: 10,
      reset: '2026-11-16T00:00:00.000Z',
    },
  });
  await use(2);
  const pages = await Promise.all([read(reader), read(reader), read(reader)]);
  for (const { notices } of pages) {
    expect(notices.map(({ details }) => details.percent)).toEqual([80, 100]);
  }
  const page = await read(reader, '?limit=1');
  expect(page).toMatchObject({ next: first?.position, has_more: true });
  const rest = await read(reader, `?after=${page.next}&limit=1`);
  expect(rest.notices).toHaveLength(1);
  // The page is full, but the last.
  expect(rest.has_more).toBe(false);
  expect((await read(other)).notices).toEqual([]);
  world.now += dayMs;
  await use(8);
  expect((await read(reader)).notices).toHaveLength(3);
});

test('keys that expire, and bulk files, are noticed', async () => {
  await world.addAccount('c@example.com');
  const key = await world.addKey('c@example.com', { expiresAt: world.now + 20 * dayMs });
  expect((await read(key)).notices).toEqual([]);
  world.now += 7 * dayMs;
  await world.makeBulkFiles();
  const { notices } = await read(key);
  expect(notices.map(({ kind }) => kind)).toEqual(['key.expiring', 'bulk.ready']);
  const bulk = await world.call('/api/plus/v1/bulk', key);
  const { files } = ((await bulk.json()) as { data: { files: { position: string }[] } }).data;
  expect(notices[1]?.details).toEqual({ bulk_position: files[0]?.position });
  world.now += 12.5 * dayMs;
  expect((await read(key)).notices.map(({ kind }) => kind)).toEqual([
    'key.expiring',
    'bulk.ready',
    'key.expiring',
  ]);
});

test('who rolls a key and chooses a date within 14 days is told a day before only', async () => {
  await world.addAccount('d@example.com');
  await world.addKey('d@example.com');
  const { accounts } = world.store;
  world.now += 100 * dayMs;
  const [rolled] = (await accounts.listKeys('d@example.com', world.now)) ?? [];
  if (!rolled) throw new Error('There is no key.');
  const terms = { expiresAt: world.now + 10 * dayMs, at: world.now };
  const fresh = (await keysById(accounts).rollKey(rolled, terms)) ?? '';
  const count = async () =>
    (await read(fresh)).notices.filter(({ kind }) => kind === 'key.expiring').length;
  expect(await count()).toBe(0);
  world.now += 9 * dayMs;
  expect(await count()).toBe(1);
});
