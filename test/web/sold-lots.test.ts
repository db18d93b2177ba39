/** Lots and their sales in the browser: each leads to the other, sold out or not. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
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

/** The first address of a page that looks like this. */
const linkOf = (html: string, path: RegExp) =>
  new RegExp(`href="(${path.source})"`).exec(html)?.[1];

test('a lot that is sold out is listed, says what can be done, and leads to its sale', async () => {
  const path = '/inventory?collection=1&show=sold';
  expect((await ann.get('/collections/1/sold')).goTo).toBe(path);
  const sold = await ann.get(path);
  expect(textOf(sold.html)).toContain('Set 100 100 · Castle 3 Sealed $180.00 $60.00 each');
  expect(textOf(sold.html)).toContain('Jan 1, 2026 Sold out');
  const lotPath = linkOf(sold.html, /\/lots\/\d+/) ?? '';
  const page = await ann.get(lotPath);
  const text = textOf(page.html);
  expect(text).toContain('Jun 1, 2026 Sold 3 units · eBay Jan 1, 2026 Bought 3 units for $60.00');
  const asked = textOf((await ann.get(`${lotPath}/delete`)).html);
  expect(asked).toContain('3 units of this lot were sold. Delete its sales first.');
  expect(asked).not.toContain('change the quantity bought to');
  const sale = await ann.get(linkOf(page.html, /\/sales\/\d+/) ?? '');
  expect(textOf(sale.html)).toContain('Bought Jan 1, 2026 Shelf 3');
  expect(linkOf(sale.html, /\/lots\/\d+/)).toBe(lotPath);
  expect((await bob.get(path)).html).not.toContain('/lots/');
});

test('the page of a set leads to the lots of it, and to adding another', async () => {
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

test('the table of a year says when units were bought, and which sale it was', async () => {
  const [head = '', line = ''] = (await ann.get('/sales/year/2026.csv')).html.split('\r\n');
  expect(head).toEndWith(',profit_loss_usd,purchase_date,sale_id,term,lot_id');
  expect(line).toContain(`,2026-01-01,${(await person.sales()).sales[0]?.id},short,`);
});

test('a page that was left open does not undo what was changed meanwhile', async () => {
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

test('what cost nothing has no gain in percent, and is no reason to say that nothing gained', async () => {
  const text = textOf((await ann.get('/inventory')).html);
  expect(text).toContain('$33.33 ▲ +$33.33 Shelf');
  await person.load(ledgerSale('the rest', 2, { lot: 'other' }));
  const portfolio = textOf((await ann.get('/portfolio')).html);
  // Of nothing there is no percentage.
  expect(portfolio).toContain('Portfolio value $33.33 ▲ +$33.33 unrealized gain · 1 unit');
});

test('nothing failed on the way', () => {
  expect(site.world.failures).toEqual([]);
});
