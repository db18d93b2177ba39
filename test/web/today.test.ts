/** Today: each part with what fills it, skipped deals, and the visit before. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import { AlertOwner } from '../support/alerts.ts';
import { bargains, smallCollection, smallMarket } from '../support/market.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { readForm, type Site, sendFile, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;

const email = 'ann@example.com';

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  await site.addAccount(email, { plan: 'reseller' });
  await site.world.load([...smallMarket, ...bargains, ...smallCollection(email)]);
  ann = await site.signedIn(email);
});

afterAll(async () => {
  expect(site.world.failures.filter(Boolean)).toEqual([]);
  await site.close();
});

const read = async (visitor: Visitor, path = '/today') => textOf((await visitor.get(path)).html);

const bargain = (price: number) => ({
  ...bargains.find(({ kind, set_number }) => kind === 'offer' && set_number === '8101'),
  observed_at: new Date(site.world.now).toISOString(),
  price,
});

test('a new account sees what would fill each part', async () => {
  const text = await read(await site.signedIn('new@example.com'));
  expect(text).toContain('Your collection is empty');
  expect(text).toContain('Nothing new. Set an alert');
  expect(text).toContain('Deals are part of the Reseller plan.');
  expect(text).toContain('Add sets to your watchlist to see here when their price falls.');
  expect(text).toContain('Listed for too long Listed lots Nothing. When you list a lot');
  expect(text).not.toContain('Needs a hand');
});

test('signing in and the home page lead here, and it is the first in the navigation', async () => {
  expect((await ann.get('/')).goTo).toBe('/today');
  const { html } = await ann.get('/today');
  expect(html).toMatch(/<nav class="main"[^>]*><a href="\/today" aria-current="page"/);
});

test('the collection has the value of the portfolio, and its change since yesterday', async () => {
  const value = /Portfolio value (\$[\d,.]+)/.exec(await read(ann, '/portfolio'))?.[1];
  const text = await read(ann);
  expect(text).toContain(`Your collection Portfolio Market value ${value} `);
  expect(text).toContain('Since yesterday');
  expect(text).not.toContain('Since your last visit');
  const day = /Total gain, 1 day .*? ([+−-]?\$[\d.]+) market/.exec(
    await read(ann, '/portfolio?range=1d'),
  )?.[1];
  expect(text).toContain(`Since yesterday ${day}`);
});

test('the portfolio is below, over the range that is chosen', async () => {
  const { html } = await ann.get('/today?range=7d');
  expect(textOf(html)).toContain('Total gain, 7 days');
  expect(html).toContain('href="/today?range=ytd"');
  expect(html.match(/<h1/g)).toHaveLength(1);
});

test('the change since the last visit follows it', async () => {
  const bob = await site.signedIn('bob@example.com');
  await site.world.load(smallCollection('bob@example.com'));
  await bob.get('/inventory');
  site.world.now += 3 * dayMs;
  expect(await read(bob)).toContain('Since your last visit');
  expect(await read(bob)).toContain('Nov 15, 2026.');
  site.world.now -= 3 * dayMs;
});

test.each([
  ['today_profit', '10000', '10'],
  ['today_roi', '1000', '15'],
  ['today_wait', '1', '365'],
])('deals on Today are limited by %s, those on their page are not', async (name, most, usual) => {
  const save = async (value: string) =>
    ann.submit(await ann.get('/account/buying'), '/account/buying', { [name]: value });
  expect((await save(most)).goTo).toBe('/account/buying?did=saved');
  expect(await read(ann)).toContain('No deal is within your limits for Today .');
  expect(await read(ann, '/deals')).toContain('Harbor 1');
  await save(usual);
  expect(await read(ann)).toContain('Best deals today All deals Harbor 1');
});

test('a deal has its reason in words, a button, and can be skipped until it is cheaper', async () => {
  const seen = await ann.get('/today');
  const text = textOf(seen.html);
  expect(text).toContain(
    'Best deals today All deals Harbor 1 8101 · Harbors ' +
      '$10.92 below your max buy price. Sells on eBay, in about 65 days, ' +
      'for $33.23 profit after fees and shipping (+83.1%). $40.00 Buy at Retailer A : Harbor 1 ' +
      'Skip Harbor 1 ',
  );
  expect(text).toContain('Check: Sold by a third party.');
  expect(seen.html).toContain('<a class="button" href="https://retailer-a.example.com/8101"');
  const skipped = await ann.submit(seen, '/deals/skip');
  expect(skipped.goTo).toBe('/today?did=skipped&set=8101');
  const after = await ann.get(skipped.goTo ?? '');
  expect(textOf(after.html)).toContain(
    'Skipped 8101 at all retailers, until one sells it for less. Undo',
  );
  expect(textOf(after.html)).not.toContain('Harbor 1');
  expect(await read(ann, '/deals')).toContain('1 deal Set');
  expect((await ann.get('/deals')).html).toContain('1 skipped</a> <a href="/account/buying"');
  expect(await read(ann, '/deals?skipped=yes')).toContain('Harbor 1');
  // Undo, and skip again.
  const undone = await ann.submit(after, '/deals/unskip');
  expect(undone.goTo).toBe('/today?did=unskipped&set=8101');
  expect(await read(ann)).toContain('Harbor 1');
  await ann.submit(await ann.get('/today'), '/deals/skip');
  site.world.now += hourMs;
  await site.world.load([bargain(41)]);
  expect(await read(ann)).not.toContain('Harbor 1');
  site.world.now += hourMs;
  await site.world.load([bargain(39.99)]);
  expect(await read(ann)).toContain('Harbor 1');
});

test('a skip in a list of one retailer skips the cheaper offer of another, too', async () => {
  const other = { ...bargain(45), retailer: 'retailer_b' };
  await site.world.load([other]);
  const { token = '' } = readForm((await ann.get('/deals')).html, '/deals/skip');
  await ann.post('/deals/unskip', { set: '8101', token });
  const filtered = '/deals?retailer=retailer_b&sort=price';
  const seen = await ann.get(filtered);
  expect(textOf(seen.html)).toContain('$45.00');
  const skipped = await ann.submit(seen, '/deals/skip');
  // The list keeps its filters.
  expect(skipped.goTo).toBe(`${filtered}&did=skipped&set=8101`);
  expect(await read(ann, filtered)).not.toContain('Harbor 1');
  expect(await read(ann, '/deals')).not.toContain('Harbor 1');
  expect(await read(ann)).not.toContain('Harbor 1');
  const undone = await ann.submit(await ann.get(skipped.goTo ?? ''), '/deals/unskip');
  expect(undone.goTo).toBe(`${filtered}&did=unskipped&set=8101`);
  expect(await read(ann, '/deals')).toContain('Harbor 1');
  site.world.now += hourMs;
  await site.world.load([{ ...bargain(99), retailer: 'retailer_b' }]);
});

test('a skip from Deals leads back there; an unknown one is refused', async () => {
  const deals = await ann.get('/deals');
  const skipped = await ann.submit(deals, '/deals/skip');
  expect(skipped.goTo).toBe('/deals?did=skipped&set=8101');
  const list = await ann.get('/deals?skipped=yes');
  expect((await ann.submit(list, '/deals/unskip')).goTo).toBe(
    '/deals?skipped=yes&did=unskipped&set=8101',
  );
  const { token = '' } = readForm(deals.html, '/deals/skip');
  for (const fields of [
    { set: '<b>', price: '1' },
    { set: '8101' },
    { set: '8101', price: '-1' },
  ]) {
    expect((await ann.post('/deals/skip', { ...fields, token })).status).toBe(400);
  }
  expect((await ann.post('/deals/unskip', { set: '', token })).status).toBe(400);
});

test('watched prices that fell are listed, and others are not', async () => {
  const { accounts } = site.world.store;
  const id = await site.addAccount(email);
  const owner = new AlertOwner(accounts, id, site.world.now);
  await owner.list('Wanted', { '8101': null });
  site.world.now += hourMs;
  await site.world.load([bargain(45)]);
  expect(await read(ann)).toContain('No price on your watchlist fell in the last 7 days.');
  site.world.now += hourMs;
  await site.world.load([bargain(36)]);
  expect(await read(ann)).toContain('Retailer A, all-time low $36.00 -$9.00, Nov 15, 2026');
});

test('a lot that is listed for long is named, and a file that waits', async () => {
  const listed = {
    kind: 'holding',
    account: email,
    brickfolio: 'Shelf',
    condition: 'sealed',
    quantity: 1,
    source_id: 'slow',
    set_number: '8101',
    purchase_price_usd: 40,
    purchase_date: '2025-01-02',
    status: 'listed',
    asking_price_usd: 99,
    listed_at: '2026-01-02',
  };
  await site.world.load([listed]);
  expect(await read(ann)).toMatch(
    /Harbor 1 8101 · listed 317 days, half sell within [^$]+\$99\.00/,
  );
  await site.world.load([{ ...listed, listed_at: '2026-11-10' }]);
  expect(await read(ann)).not.toContain('listed 5 days');
  const action = '/inventory/import';
  const fields = readForm((await ann.get(action)).html, action);
  const file = new File(['Number\n8101\n'], 'mine.csv');
  const draft = (await sendFile(site, { visitor: ann, action, fields, file })).goTo ?? '';
  const { html } = await ann.get('/today');
  expect(textOf(html)).toContain('mine.csv was uploaded but not imported yet.');
  expect(html).toContain(`href="${draft}"`);
});

test('a skipped deal stays away while another of its offers is cheaper', async () => {
  const observed_at = new Date(site.world.now).toISOString();
  const offer = { kind: 'offer', set_number: '8102', observed_at };
  await site.world.load([
    { ...offer, retailer: 'retailer_a', price: 45, in_stock: true, seller_type: 'retailer' },
    { ...offer, retailer: 'retailer_b', price: 42, in_stock: null, seller_type: 'third_party' },
  ]);
  const deals = await ann.get('/deals');
  expect(textOf(deals.html)).toMatch(/Harbor 2 .*\$45\.00.*\$42\.00/);
  const [, price = ''] =
    /name="set" value="8102".*?name="price" value="(\d+)"/s.exec(deals.html) ?? [];
  await ann.submit(deals, '/deals/skip', { set: '8102', price });
  expect(await read(ann, '/deals')).not.toContain('Harbor 2');
  site.world.now += hourMs;
  const cheaper = { retailer: 'retailer_b', price: 41.99, in_stock: true };
  const seen = { observed_at: new Date(site.world.now).toISOString(), seller_type: 'retailer' };
  await site.world.load([{ ...offer, ...cheaper, ...seen }]);
  expect(await read(ann, '/deals')).toContain('Harbor 2');
});

test('the percentage since the last visit is the time-weighted return', async () => {
  const carl = await site.signedIn('carl@example.com');
  await site.world.load(smallCollection('carl@example.com'));
  await carl.get('/inventory');
  site.world.now += 2 * dayMs;
  const bought = {
    kind: 'holding',
    account: 'carl@example.com',
    brickfolio: 'Shelf',
    condition: 'sealed',
    quantity: 1000,
    source_id: 'many',
    set_number: '75192',
    purchase_price_usd: 190,
  };
  const purchase_date = new Date(site.world.now).toISOString().slice(0, 10);
  await site.world.load([
    { ...bought, purchase_date },
    { ...bought, source_id: 'undated', purchase_date: null },
  ]);
  site.world.now += 5 * dayMs;
  const percent = /Time-weighted return ([^%]+%)/.exec(
    await read(carl, '/portfolio?range=7d'),
  )?.[1];
  const sinceVisit = /Since your last visit [^(]+\(([^)]+)\)/.exec(await read(carl))?.[1];
  expect([sinceVisit, percent]).toEqual(['-0.9%', '-0.9%']);
});
