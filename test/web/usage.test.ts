/** The usage page agrees with the API. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dayMs, dayOf } from '../../src/kernel/time.ts';
import { type Site, startSite, textOf } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site.close());

test('calls by endpoint can be downloaded, and only your own', async () => {
  const { accounts } = site.world.store;
  const dee = await site.signedIn('dee@example.com');
  const eli = await site.signedIn('eli@example.com');
  const { id: accountId = 0 } =
    (await accounts.findAccount('dee@example.com', site.world.now)) ?? {};
  const use = { accountId, keyId: 1, endpoint: 'getSet', calls: 3, cost: 2, errors: 1 };
  await accounts.addEndpointUses([use], dayOf(site.world.now));
  expect((await dee.get('/usage')).html).toContain('href="/usage.csv"');
  const file = await dee.get('/usage.csv');
  expect(file.headers.get('Content-Disposition')).toContain('usage-by-endpoint.csv');
  expect(file.html).toContain('2026-11-15,1,,,getSet,3,2,1');
  expect((await eli.get('/usage.csv')).html).not.toContain('getSet');
});

test('without keys it has a next step', async () => {
  const ann = await site.signedIn('ann@example.com');
  const text = textOf((await ann.get('/usage')).html);
  expect(text).toContain('No active API key Create a key');
  expect(text).toContain('No calls in the last 30 days');
});

test('calls are shown by day and key, with what is left and when it resets', async () => {
  const { world } = site;
  const bob = await site.signedIn('bob@example.com', { plan: 'reseller' });
  const key = await world.addKey('bob@example.com', { allowance: 1200 });
  const other = await world.addKey('bob@example.com');
  await world.addAccount('cat@example.com');
  const theirs = await world.addKey('cat@example.com');
  world.now -= 3 * dayMs;
  await world.call('/catalog/themes', other);
  world.now += 3 * dayMs;
  for (const used of [key, key, other, theirs]) await world.call('/catalog/themes', used);
  const { html } = await bob.get('/usage');
  const text = textOf(html);
  expect(text).toContain('Calls today 3 Calls in 30 days 4');
  expect(text).toContain('Limits reset in 12 hours 00:00 UTC');
  expect(text).toContain(`${key.slice(0, 8)}… 2 1,198 1,200`);
  const rows = [...html.matchAll(/<tr data-at="\d+"><td>([^<]+)(.*?)(?=<tr|<\/tbody>)/g)];
  expect(rows).toHaveLength(30);
  const numbers = Object.fromEntries(
    rows.map(([, day = '', cells = '']) => [day, textOf(cells).trim()]),
  );
  expect(numbers['Nov 15, 2026']).toBe('3 2 1');
  expect(numbers['Nov 12, 2026']).toBe('1 0 1');
  expect(numbers['Oct 17, 2026']).toBe('0 0 0');
  expect(world.failures).toEqual([]);
});
