/** Dates and times on pages are in the time zone of the account, else of the browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { smallMarket } from '../support/market.ts';
import { readForm, type Site, startSite, textOf, type Visitor } from '../support/site.ts';

const email = 'ann@example.com';
let site: Site;
let ann: Visitor;

beforeAll(async () => {
  site = await startSite();
  await site.world.load(smallMarket);
  ann = await site.signedIn(email);
  // 8:37 pm on December 31 in Los Angeles.
  site.world.now = Date.parse('2027-01-01T04:37:00Z');
  ann = await site.signedIn(email);
});

afterAll(() => site.close());

const suggested = async (path: string, field: string) => {
  const { html } = await ann.get(path);
  const input = html.match(new RegExp(`<input[^>]*name="${field}"[^>]*>`))?.[0] ?? '';
  return input.match(/value="([^"]*)"/)?.[1];
};

const chooseZone = async (timeZone: string) => {
  const account = await site.world.store.accounts.findAccount(email, site.world.now);
  await site.world.store.accounts.saveAlertSettings(account?.id ?? 0, { timeZone, quiet: null });
};

test('without a known time zone, dates are in UTC', async () => {
  expect(await suggested('/inventory/add', 'purchase_date')).toBe('2027-01-01');
});

test('forms suggest the date in the browser', async () => {
  ann.cookies.set('brickmark_zone', 'America/Los_Angeles');
  expect(await suggested('/inventory/add', 'purchase_date')).toBe('2026-12-31');
  expect(await suggested('/sales/new', 'sale_date')).toBe('2026-12-31');
  expect(textOf((await ann.get('/account')).html)).toContain('Dec 31, 2026, 20:37 PST');
});

test('activity is listed in the time zone of the browser', async () => {
  const text = textOf((await ann.get('/account/activity')).html);
  expect(text).toContain('Times are in America/Los_Angeles.');
  expect(text).toContain('Dec 31, 2026, 20:37 PST');
});

test('a cookie that is no time zone is ignored', async () => {
  for (const cookie of ['Mars', '%', '%00', '+02:00', 'x'.repeat(5_000)]) {
    ann.cookies.set('brickmark_zone', cookie);
    expect(await suggested('/inventory/add', 'purchase_date')).toBe('2027-01-01');
  }
});

test('tomorrow there is rejected, and today there accepted, whatever the date in UTC', async () => {
  ann.cookies.set('brickmark_zone', 'America/Los_Angeles');
  const lot = { set: '75192', quantity: '1', price: '10', condition: 'sealed' };
  const tomorrow = await ann.submit(await ann.get('/inventory/add'), '/inventory/add', {
    ...lot,
    purchase_date: '2027-01-01',
  });
  expect(textOf(tomorrow.html)).toContain('The date is in the future. Today is Dec 31, 2026.');
  ann.cookies.set('brickmark_zone', 'Pacific/Kiritimati');
  site.world.now = Date.parse('2027-01-01T11:00:00Z');
  expect(await suggested('/inventory/add', 'purchase_date')).toBe('2027-01-02');
});

test('the time zone of the account comes before that of the browser', async () => {
  await chooseZone('Asia/Tokyo');
  site.world.now = Date.parse('2026-12-31T20:00:00Z');
  expect(await suggested('/inventory/add', 'purchase_date')).toBe('2027-01-01');
});

test('quiet hours start in the zone of the browser, and keep it until they are removed', async () => {
  const bob = await site.signedIn('bob@example.com');
  bob.cookies.set('brickmark_zone', 'America/Los_Angeles');
  const path = '/alerts/settings';
  const night = { quiet_from: '22:00', quiet_until: '07:00' };
  await bob.submit(await bob.get(path), path, night);
  const { accounts } = site.world.store;
  const { id = 0 } = (await accounts.findAccount('bob@example.com', site.world.now)) ?? {};
  const settings = { timeZone: 'America/Los_Angeles', quiet: { from: 22 * 60, until: 7 * 60 } };
  expect(await accounts.findAlertSettings(id)).toEqual(settings);
  const asInBrowser = async () =>
    bob.submit(await bob.get('/account'), '/account/region', { time_zone: '' });
  const refused = await asInBrowser();
  expect(refused.status).toBe(400);
  expect(textOf(refused.html)).toContain(
    'Your quiet hours need a time zone. Choose one, or remove your quiet hours under ' +
      'Notifications.',
  );
  expect(await accounts.findAlertSettings(id)).toEqual(settings);
  await bob.submit(await bob.get(path), path, { quiet_from: '', quiet_until: '' });
  expect((await asInBrowser()).goTo).toBe('/account?did=region');
  expect(readForm((await bob.get(path)).html, path).time_zone).toBe('America/Los_Angeles');
});
