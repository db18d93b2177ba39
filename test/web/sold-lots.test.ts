/** Lots and their sales: links between their pages, also for sold-out lots. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { applyRows, rowsOf } from '../support/own-rows.ts';
import { startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, lot, type Person } from '../support/person.ts';
import { readForm, type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  ({ site, ann, bob, person } = await startOwnerSite());
  await person.load(
    lot('gift', 1, { set_number: '101', purchase_price_usd: 0, purchase_date: '2026-02-02' }),
    ledgerSale('all of it', 3, { lot: 'old' }),
  );
});

afterAll(() => site.close());

/** The first link of a page that matches. */
const linkOf = (html: string, path: RegExp) =>
  new RegExp(`href="(${path.source})"`).exec(html)?.[1];

test('a sold-out lot is listed with its actions, and links to its sale', async () => {
  const path = '/inventory?collection=1&show=sold';
  const sold = await ann.get(path);
  expect(textOf(sold.html)).toContain('Set 100 100 · Castle 3 Sealed $180.00 $60.00 each');
  expect(textOf(sold.html)).toContain('Jan 1, 2026 Sold out');
  const lotPath = linkOf(sold.html, /\/lots\/\d+/) ?? '';
  const page = await ann.get(lotPath);
  const text = textOf(page.html);
  expect(text).toContain('Jun 1, 2026 Sold 3 units · eBay Jan 1, 2026 Bought 3 units for $60.00');
  const confirmation = textOf((await ann.get(`${lotPath}/delete`)).html);
  expect(confirmation).toContain('3 units of this lot were sold. Delete its sales first.');
  expect(confirmation).not.toContain('change the quantity bought to');
  const sale = await ann.get(linkOf(page.html, /\/sales\/\d+/) ?? '');
  expect(textOf(sale.html)).toContain('Bought Jan 1, 2026 Shelf 3');
  expect(linkOf(sale.html, /\/lots\/\d+/)).toBe(lotPath);
  expect((await bob.get(path)).html).not.toContain('/lots/');
});

test('the page of a set links to its lots, and to the form that adds one', async () => {
  const page = await ann.get('/sets/100');
  expect(textOf(page.html)).toContain('In your inventory View lots Record sale Units 2');
  expect(linkOf(page.html, /\/inventory\?q=100/)).toBeDefined();
  const add = linkOf(page.html, /\/inventory\/add\?set=100/) ?? '';
  const form = readForm((await ann.get(add)).html, '/inventory/add');
  expect(form.set).toBe('100');
  const none = await bob.get('/sets/100');
  expect(none.html).not.toContain('/inventory?q=100');
  expect(readForm((await bob.get(add)).html, '/inventory/add').set).toBe('100');
});

test('the file of a year has purchase dates and sale ids', async () => {
  const [head = '', line = ''] = (await ann.get('/sales/year/2026.csv')).html.split('\r\n');
  expect(head).toEndWith(',profit_loss_usd,purchase_date,sale_id,term,lot_id,minifig_number');
  expect(line).toContain(`,2026-01-01,${(await person.sales()).sales[0]?.id},short,`);
});

test('an outdated form does not overwrite newer changes', async () => {
  const path = linkOf((await ann.get('/inventory')).html, /\/lots\/\d+/) ?? '';
  const edit = `${path}/edit`;
  const [old, other] = [await ann.get(edit), await ann.get(edit)];
  const typed = { condition: 'sealed', status: 'owned', brickfolio: '1' };
  const change = { ...typed, price: '0', purchase_date: '2026-02-03' };
  for (let times = 0; times < 2; times++) {
    expect((await ann.submit(other, edit, change)).status).toBe(303);
  }
  const stale = await ann.submit(old, edit, { ...typed, quantity: '1', status: 'listed' });
  expect(stale.status).toBe(400);
  expect(textOf(stale.html)).toContain('changed elsewhere since you opened the page');
  expect(textOf((await ann.get(path)).html)).toContain('Purchase date Feb 3, 2026');
  expect((await ann.submit(stale, edit, typed)).status).toBe(303);
  const salePath = linkOf((await ann.get('/sales')).html, /\/sales\/\d+/) ?? '';
  const form = await ann.get(salePath);
  const send = (gross: string) => ann.submit(form, salePath, { platform: 'ebay', gross });
  const answers = [await send('91'), await send('91'), await send('92')];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 400]);
});

test('an outdated form does not make a date known that became unknown elsewhere', async () => {
  const email = 'late@example.com';
  const late = await site.signedIn(email);
  const rows = rowsOf(email);
  const load = (facts?: { readonly dateBasis: 'unknown' }) =>
    applyRows(
      site.world.store.accounts,
      [rows.brickfolio('Shelf'), rows.lot('lot', { number: '100', ...facts })],
      site.world.now,
    );
  await load();
  const path = linkOf((await late.get('/inventory')).html, /\/lots\/\d+/) ?? '';
  const form = await late.get(`${path}/edit`);
  await load({ dateBasis: 'unknown' });
  const typed = { condition: 'sealed', status: 'owned', price: '11' };
  const stale = await late.submit(form, `${path}/edit`, typed);
  expect(stale.status).toBe(400);
  expect(textOf(stale.html)).toContain('changed elsewhere since you opened the page');
  expect(textOf((await late.get(path)).html)).toContain('Purchase date Unknown');
});

test('a lot that cost nothing has a gain in dollars but not in percent', async () => {
  const text = textOf((await ann.get('/inventory')).html);
  expect(text).toContain('$33.33 +$33.33 Shelf');
  await person.load(ledgerSale('the rest', 2, { lot: 'other' }));
  const portfolio = textOf((await ann.get('/portfolio')).html);
  // A cost of 0 has no percentage.
  expect(portfolio).toContain('Portfolio value $33.33 +$33.33 unrealized gain · 1 unit');
});

test('no request failed', () => {
  expect(site.world.failures).toEqual([]);
});
