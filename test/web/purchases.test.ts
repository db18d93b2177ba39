/** Purchases of several items: recording, changing, returning and undoing them. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { pageSourceId } from '../../src/portfolio/lots/own-lots.work.ts';
import { addPurchase } from '../../src/portfolio/purchases/own-purchases.work.ts';
import { startOwnerSite } from '../support/owner-pages.ts';
import type { Person } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { type Fields, readForm, type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  ({ site, ann, bob, person } = await startOwnerSite({}, sellingEngine));
});

afterAll(() => site.close());

const newPath = '/purchases/new';

/** Sends the form of a new purchase. */
async function record(typed: Fields, visitor = ann) {
  const form = readForm((await visitor.get(newPath)).html, newPath);
  const sent = await visitor.post(newPath, { ...form, do: 'save', ...typed });
  return { sent, text: textOf(sent.html), path: (sent.goTo ?? '').replace(/\?.*/, '') };
}

/** Sends a form of a page as it is, with some fields changed. */
async function send(action: string, typed: Fields, visitor = ann) {
  const form = readForm((await visitor.get(action)).html, action.replace(/\?.*/, ''));
  return visitor.post(action.replace(/\?.*/, ''), { ...form, do: 'save', ...typed });
}

/** The lots of purchases: number, condition, units and cost. */
async function bought(date: string) {
  const { entries } = await person.entries('?limit=100');
  return entries
    .filter(({ purchase_date }) => purchase_date === date)
    .map((each) => [each.set_number, each.condition, each.quantity, each.purchase_price_usd])
    .sort();
}

test('three sets for one price are three lots whose costs add up to it', async () => {
  // By value and list price: 90.00, 33.33 and 79.99 of 203.32.
  const typed = { items: '100 sealed\n101 sealed\n200 sealed', total: '100', store: 'Corner shop' };
  const { sent, path } = await record({ ...typed, purchase_date: '2026-11-01' });
  expect(sent.goTo).toBe(`${path}?did=added`);
  expect(await bought('2026-11-01')).toEqual([
    ['100', 'sealed', 1, 44.27],
    ['101', 'sealed', 1, 16.39],
    ['200', 'sealed', 1, 39.34],
  ]);
  const text = textOf((await ann.get(path)).html);
  expect(text).toContain('Corner shop, Nov 1, 2026');
  expect(text).toContain('Total paid $100.00 Cost of its lots $100.00');
  expect(textOf((await ann.get('/purchases')).html)).toMatch(
    /Corner shop, Nov 1, 2026 Nov 1, 2026 3 \$100\.00/,
  );
  const lot = /href="(\/lots\/\d+)"/.exec((await ann.get(path)).html)?.[1] ?? '';
  const lotPage = await ann.get(lot);
  expect(textOf(lotPage.html)).toContain('Corner shop');
  expect(lotPage.html).toContain(`href="${path}"`);
});

test('items with prices need no total; tax and shipping are in proportion', async () => {
  const typed = { items: '100 sealed $60, 101 used x2 $20', tax: '8', shipping: '2' };
  const { path } = await record({ ...typed, purchase_date: '2026-11-02' });
  expect(await bought('2026-11-02')).toEqual([
    ['100', 'sealed', 1, 66],
    ['101', 'used', 2, 22],
  ]);
  expect(textOf((await ann.get(path)).html)).toContain(
    'Total paid $110.00 Sales tax in it $8.00 Shipping in it $2.00',
  );
});

test('a price or a total far from the values is asked about before it is saved', async () => {
  const date = '2026-11-04';
  const typed = { items: '100 sealed $2250\n101 sealed $30', purchase_date: date };
  const { sent, text } = await record(typed);
  expect(sent.status).toBe(400);
  expect(text).toContain('$2,250.00 each is 25 times the market value of $90.00. Is it right?');
  expect(text).toContain('The price is right');
  expect(await bought(date)).toEqual([]);
  const form = readForm(sent.html, newPath);
  expect(form.sure).toBeUndefined();
  const [, sure = ''] = /name="sure" value="([^"]*)"/.exec(sent.html) ?? [];
  // Another price than the confirmed one is asked about again.
  const other = await ann.post(newPath, { ...form, do: 'save', sure, 'price-0': '2700' });
  expect(textOf(other.html)).toContain('is 30 times the market value');
  const done = await ann.post(newPath, { ...form, do: 'save', sure });
  expect(done.goTo).toMatch(/^\/purchases\/\d+/);
  const path = (done.goTo ?? '').replace(/\?.*/, '');
  // Recorded prices are not questioned again, unless costs change.
  expect((await send(`${path}/edit`, { store: 'Shop' })).goTo).toBe(`${path}?did=changed`);
  const edited = await send(`${path}/edit`, { 'price-1': '31' });
  expect(textOf(edited.html)).toContain('$2,250.00 each is 25 times');
  const total = await record({ items: '100 sealed\n101 sealed', total: '12000' });
  expect(total.text).toContain(
    '100 sealed: $8,756.99 each is 97 times the market value of $90.00.',
  );
  expect(total.text).toContain(
    '101 sealed: $3,243.01 each is 97 times the market value of $33.33.',
  );
  expect(total.text).toContain('Are they right?');
  const wrong = await record({ items: '100 sealed $60', total: '6000' });
  expect(wrong.text).toContain(
    '100 sealed: $6,000.00 each is 66 times the market value of $90.00.',
  );
});

test('a form that is sent twice records one purchase', async () => {
  const form = readForm((await ann.get(newPath)).html, newPath);
  const typed = { ...form, do: 'save', items: '100 used', total: '5', purchase_date: '2026-10-01' };
  const [one, two] = await Promise.all([ann.post(newPath, typed), ann.post(newPath, typed)]);
  expect(two.goTo).toBe(one.goTo);
  expect((await ann.post(newPath, typed)).goTo).toBe(one.goTo);
  expect(await bought('2026-10-01')).toEqual([['100', 'used', 1, 5]]);
});

test('a form that is corrected and sent again records what it says', async () => {
  const form = readForm((await ann.get(newPath)).html, newPath);
  const typed = { ...form, do: 'save', total: '60', purchase_date: '2026-10-02' };
  const paths = new Set<string | null>();
  for (const items of ['100 used x2', '100 sealed x2', '100 used x3', '100 used x2 $30']) {
    paths.add((await ann.post(newPath, { ...typed, items })).goTo);
  }
  expect(paths.size).toBe(4);
  expect(await bought('2026-10-02')).toEqual([
    ['100', 'sealed', 2, 30],
    ['100', 'used', 2, 30],
    ['100', 'used', 2, 30],
    ['100', 'used', 3, 20],
  ]);
});

test('lines with mistakes are mended in the form, and nothing is saved before', async () => {
  const items = '100\n103 sealed x2\nNight Ferry sealed\n101 (no box)';
  const first = await record({ items, total: '80', purchase_date: '2026-11-03', store: 'Fair' });
  expect(first.sent.status).toBe(400);
  expect(first.text).toContain('2 rows not found: choose or type what is meant, or remove it.');
  expect(first.sent.html).toMatch(
    /<select name="condition-0"[^>]*aria-invalid.*?Sealed or used\?/s,
  );
  const form = readForm(first.sent.html, newPath);
  // The text became rows, and is not shown again.
  expect(first.sent.html).toContain('name="add-4"');
  expect(form).toMatchObject({ store: 'Fair', total: '80', 'quantity-1': '2' });
  expect(form.items).toBeUndefined();
  expect(first.sent.html).toMatch(/name="choice-2".*?<option value="set 200">200 Night Ferry/s);
  const half = await ann.post(newPath, { ...form, 'choice-2': 'set 200', 'condition-0': 'used' });
  expect(textOf(half.html)).toContain('1 row not found');
  expect(await bought('2026-11-03')).toEqual([]);
  const rest = { ...readForm(half.html, newPath), 'line-1': '100 sealed x2', 'add-4': '101 new' };
  const done = await ann.post(newPath, rest);
  expect(done.goTo).toMatch(/^\/purchases\/\d+/);
  const lots = await bought('2026-11-03');
  // 80.00 cannot be divided such that both copies of set 100 cost the same.
  expect(lots.map(([number, condition, units]) => `${number} ${condition} ${units}`)).toEqual([
    '100 sealed 1',
    '100 sealed 1',
    '100 used 1',
    '101 sealed 1',
    '101 used 1',
    '200 sealed 1',
  ]);
});

test.each([
  [{ items: '' }, 'Enter some numbers.'],
  [{ items: '100 used' }, 'Enter the total, or a price for every item.'],
  [{ items: '100 used $9, 101 used', total: '9' }, 'leave nothing of the total for the others'],
  [{ items: '100 used', total: '5', tax: '6' }, 'Tax and shipping are more than the total.'],
  [{ items: '100 used', total: '5', purchase_date: '2036-01-01' }, 'The date is in the future'],
  [{ items: '100 used', total: '5', brickfolio: '999' }, 'Choose one of your collections.'],
])('%j is rejected', async (typed: Fields, fault) => {
  const { sent, text } = await record(typed);
  expect(sent.status).toBe(400);
  expect(text).toContain(fault);
});

const mostRows = 'A purchase can have 60 rows here. Evaluate larger ones as a box.';
const mostText = 'Use at most 20,000 characters.';

test.each([
  ['characters', '100 used '.repeat(2500), mostText],
  ['lines', '100 used\n'.repeat(1001), mostRows],
  ['rows', '100 used\n'.repeat(61), mostRows],
])('too many %s are rejected, and nothing is saved', async (_, items, fault) => {
  const date = '2026-07-07';
  const alone = await record({ items, total: '5', purchase_date: date });
  expect([alone.sent.status, alone.text]).toEqual([400, expect.stringContaining(fault)]);
  const begun = await record({ items: '100\n101 used $9', purchase_date: date });
  const form = { ...readForm(begun.sent.html, newPath), do: 'save', 'condition-0': 'used' };
  const more = { ...form, total: '50', 'add-2': items };
  for (const sent of [more, { ...more, do: 'remove', pick: 'row-0' }]) {
    const seen = await ann.post(newPath, sent);
    expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(fault)]);
  }
  expect(await bought(date)).toEqual([]);
});

test('a form with more rows than are shown is rejected', async () => {
  const form = readForm((await ann.get(newPath)).html, newPath);
  const rows = Array.from({ length: 61 }, (_, index) => [`item-${index}`, 'set 100']);
  const sent = { ...form, ...Object.fromEntries(rows), do: 'save', total: '5' };
  const seen = await ann.post(newPath, sent);
  expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(mostRows)]);
});

test('a purchase is changed as a whole, and its lots keep their details', async () => {
  const items = '100 sealed $30\n101 sealed $10';
  const { path } = await record({ items, purchase_date: '2026-09-01', store: 'Shop' });
  const [, lot = ''] = /href="(\/lots\/\d+)"/.exec((await ann.get(path)).html) ?? [];
  await send(`${lot}/edit`, { notes: 'Dented corner' });
  const form = readForm((await ann.get(`${path}/edit`)).html, `${path}/edit`);
  expect(form).toMatchObject({ 'price-0': '30.00', 'price-1': '10.00', store: 'Shop' });
  const change = {
    'quantity-0': '2',
    'condition-1': 'used',
    tax: '7',
    'add-2': '200 new $0',
  };
  const done = await ann.post(`${path}/edit`, { ...form, do: 'save', ...change });
  expect(done.goTo).toBe(`${path}?did=changed`);
  expect(await bought('2026-09-01')).toEqual([
    ['100', 'sealed', 2, 33],
    ['101', 'used', 1, 11],
    ['200', 'sealed', 1, 0],
  ]);
  expect(textOf((await ann.get(lot)).html)).toContain('Dented corner');
  const less = { do: 'remove', pick: 'row-2' };
  const shown = await send(`${path}/edit`, less);
  expect(textOf(shown.html)).toContain('Removed. Check the rest and save.');
  const rest = { ...readForm(shown.html, `${path}/edit`), do: 'save' };
  expect((await ann.post(`${path}/edit`, rest)).goTo).toBe(`${path}?did=changed`);
  expect(await bought('2026-09-01')).toHaveLength(2);
});

test('editing a lot changes the total of its receipt with it, if asked to', async () => {
  const items = '100 sealed $30\n101 sealed $10';
  const { path } = await record({ items, tax: '4', purchase_date: '2026-09-02' });
  const [lot = '', other = ''] = await lotsAt(path);
  const receipt = async () => textOf((await ann.get(path)).html);
  const edit = readForm((await ann.get(`${lot}/edit`)).html, `${lot}/edit`);
  // The receipt has a price for it, so a new one is a correction.
  expect(edit).toMatchObject({ price: '33.00', change_receipt: 'yes' });
  await ann.post(`${lot}/edit`, { ...edit, price: '66', quantity: '2' });
  expect(await receipt()).toContain(
    'Total paid $143.00 Sales tax in it $4.00 Cost of its lots $143.00',
  );
  const prices = readForm((await ann.get(`${path}/edit`)).html, `${path}/edit`);
  expect(prices).toMatchObject({ 'price-0': '60.00', 'quantity-0': '2', 'price-1': '10.00' });
  await send(`${other}/edit`, { price: '15', change_receipt: '' });
  expect(await receipt()).toContain(
    'Total paid $143.00 Sales tax in it $4.00 Cost of its lots $147.00',
  );
  await send(`${other}/edit`, { notes: 'Dented', change_receipt: 'yes' });
  expect(await receipt()).toContain('Total paid $143.00');
});

test('a share of a receipt does not change its total by itself, nor does a final one', async () => {
  const { path } = await record({ items: '100 sealed\n101 sealed', total: '50' });
  const [lot = '', other = ''] = await lotsAt(path);
  expect((await ann.get(`${lot}/edit`)).html).toContain('name="change_receipt"');
  await send(`${lot}/edit`, { price: '40' });
  expect(textOf((await ann.get(path)).html)).toContain('Total paid $50.00');
  await send(`${path}/return`, { [`units-${other.split('/').at(-1)}`]: '1' });
  expect((await ann.get(`${lot}/edit`)).html).not.toContain('name="change_receipt"');
});

/** The addresses of the lots of a purchase. */
async function lotsAt(path: string): Promise<string[]> {
  return [...(await ann.get(path)).html.matchAll(/href="(\/lots\/\d+)"/g)].map(
    ([, at]) => at ?? '',
  );
}

test.each([
  ['a lot that was split off', { items: '100 sealed x3 $30' }, 'split'],
  ['a lot with a price of its own', { items: '100 sealed\n101 sealed', total: '100' }, 'edit'],
  ['a deleted lot', { items: '100 sealed $30\n101 sealed $10' }, 'delete'],
])('changing the store leaves %s, and costs are not split again', async (_, typed, doing) => {
  const day = { split: '2026-10-12', edit: '2026-10-13', delete: '2026-10-14' };
  const date = day[doing as keyof typeof day];
  const { path } = await record({ ...typed, purchase_date: date, store: 'Shop' });
  const [first = ''] = await lotsAt(path);
  await send(`${first}/${doing}`, { units: '1', price: '50.00' });
  const last = (await lotsAt(path)).at(-1) ?? '';
  await send(`${last}/edit`, { notes: 'Signed', bought_at: 'Elsewhere' });
  const before = await bought(date);
  const sent = await send(`${path}/edit`, { store: 'Other shop' });
  expect(sent.goTo).toBe(`${path}?did=changed`);
  expect(await bought(date)).toEqual(before);
  const text = textOf((await ann.get(last)).html);
  expect(text).toContain('Signed');
  expect(text).toContain('Elsewhere');
  const others = (await lotsAt(path)).slice(0, -1);
  for (const lot of others) expect(textOf((await ann.get(lot)).html)).toContain('Other shop');
  const refused = await send(`${path}/edit`, { 'quantity-0': '9', total: '300', store: 'Third' });
  expect(refused.status).toBe(400);
  expect(textOf(refused.html)).toContain('Only the store and the date can be changed here');
  expect(await bought(date)).toEqual(before);
});

test('each row of one item has a price and a quantity of its own that can be edited', async () => {
  const items = '100 sealed $40\n100 sealed x2 $60\n101 sealed $10';
  const { path } = await record({ items, purchase_date: '2026-10-11' });
  const [, second = ''] = await lotsAt(path);
  await send(`${second}/edit`, { notes: 'Signed' });
  const form = readForm((await ann.get(`${path}/edit`)).html, `${path}/edit`);
  expect(form).toMatchObject({ 'price-0': '40.00', 'price-1': '60.00', 'quantity-1': '2' });
  const change = { 'price-0': '45', 'quantity-1': '3', 'add-3': '100 sealed $50' };
  expect((await send(`${path}/edit`, change)).goTo).toBe(`${path}?did=changed`);
  expect(await bought('2026-10-11')).toEqual([
    ['100', 'sealed', 1, 45],
    ['100', 'sealed', 1, 50],
    ['100', 'sealed', 3, 60],
    ['101', 'sealed', 1, 10],
  ]);
  const text = textOf((await ann.get(second)).html);
  expect([text.includes('Signed'), text.includes('$60.00')]).toEqual([true, true]);
  // Without the first row, the others keep their prices and lots.
  const shown = await send(`${path}/edit`, { do: 'remove', pick: 'row-0' });
  const rest = { ...readForm(shown.html, `${path}/edit`), do: 'save' };
  expect((await ann.post(`${path}/edit`, rest)).goTo).toBe(`${path}?did=changed`);
  expect((await bought('2026-10-11')).map(([, , units, cost]) => [units, cost])).toEqual([
    [1, 50],
    [3, 60],
    [1, 10],
  ]);
  expect(textOf((await ann.get(second)).html)).toContain('Signed');
});

test('a corrected price is kept, unless a total was entered', async () => {
  const items = '100 sealed $30\n101 used $10';
  const { path } = await record({ items, purchase_date: '2026-10-16' });
  expect((await send(`${path}/edit`, { 'price-0': '35' })).goTo).toBe(`${path}?did=changed`);
  expect(await bought('2026-10-16')).toEqual([
    ['100', 'sealed', 1, 35],
    ['101', 'used', 1, 10],
  ]);
  expect(textOf((await ann.get(path)).html)).toContain('Total paid $45.00');
  // With a discount.
  const { path: other } = await record({ items, total: '20', purchase_date: '2026-10-17' });
  const form = readForm((await ann.get(`${other}/edit`)).html, `${other}/edit`);
  expect(form.total).toBe('20.00');
});

test('a form of a purchase that was changed since is refused, and one sent twice is not', async () => {
  const items = '100 sealed $30\n101 used $10';
  const { path } = await record({ items, purchase_date: '2026-10-18' });
  const edit = `${path}/edit`;
  const old = { ...readForm((await ann.get(edit)).html, edit), do: 'save' };
  const change = { ...old, 'quantity-0': '3', store: 'New' };
  for (const _ of [1, 2]) expect((await ann.post(edit, change)).goTo).toBe(`${path}?did=changed`);
  const lots = await bought('2026-10-18');
  expect(lots).toContainEqual(['100', 'sealed', 3, 30]);
  const stale = await ann.post(edit, { ...old, shipping: '1' });
  expect(stale.status).toBe(400);
  expect(textOf(stale.html)).toContain('This purchase was changed since you opened it.');
  // Also when the form that says so is sent.
  const again = await ann.post(edit, { ...readForm(stale.html, edit), do: 'save' });
  expect(again.status).toBe(400);
  expect(await bought('2026-10-18')).toEqual(lots);
  expect(textOf((await ann.get(path)).html)).toContain('New');
});

test('a lot with notes is not deleted by editing its purchase', async () => {
  const date = '2026-10-15';
  const { path } = await record({ items: '100 sealed $30\n101 used $10', purchase_date: date });
  const [, second = ''] = await lotsAt(path);
  await send(`${second}/edit`, { notes: 'Signed' });
  const removeIt = async () => {
    const shown = await send(`${path}/edit`, { do: 'remove', pick: 'row-1' });
    return ann.post(`${path}/edit`, { ...readForm(shown.html, `${path}/edit`), do: 'save' });
  };
  expect(textOf((await removeIt()).html)).toContain(
    'This would delete a lot of 101 that has notes',
  );
  expect(await bought(date)).toHaveLength(2);
  await send(`${second}/edit`, { notes: '' });
  expect((await removeIt()).goTo).toBe(`${path}?did=changed`);
  expect(await bought(date)).toEqual([['100', 'sealed', 1, 30]]);
});

test('units are returned in part or as a whole, for what they cost or less', async () => {
  const { path } = await record({
    items: '100 sealed x3 $30\n101 used $10',
    purchase_date: '2026-08-01',
  });
  const page = await ann.get(`${path}/return`);
  const [first = '', second = ''] = [...page.html.matchAll(/name="(units-\d+)"/g)].map(
    ([, n]) => n,
  );
  expect(textOf((await send(`${path}/return`, {})).html)).toContain('Enter how many units');
  expect(textOf((await send(`${path}/return`, { [first]: '4' })).html)).toContain(
    'Enter 3 or less.',
  );
  const early = { [first]: '1', date: '2026-07-01' };
  expect(textOf((await send(`${path}/return`, early)).html)).toContain('It was bought on Aug 1');
  const part = { [first]: '1', [second]: '1', refund: '35.50', date: '2026-08-05' };
  expect((await send(`${path}/return`, part)).goTo).toBe(`${path}?did=returned`);
  expect(await bought('2026-08-01')).toEqual([['100', 'sealed', 2, 30]]);
  const text = textOf((await ann.get(path)).html);
  expect(text).toContain('Cost of its lots $60.00 Refunded $35.50');
  expect(text).toMatch(/100, 101 Aug 5, 2026 \$40\.00 \$35\.50/);
  expect(textOf((await ann.get(`${path}/edit`)).html)).toContain('its costs are final');
  expect((await send(`${path}/return?all=1`, {})).goTo).toBe(`${path}?did=returned`);
  expect(await bought('2026-08-01')).toEqual([]);
  expect(textOf((await ann.get(path)).html)).toContain('Refunded $95.50');
});

test('a return is undone by its button, for a day', async () => {
  const { path } = await record({
    items: '100 sealed x3 $30\n101 used $10',
    purchase_date: '2026-08-11',
  });
  const before = await bought('2026-08-11');
  const names = [...(await ann.get(`${path}/return`)).html.matchAll(/name="(units-\d+)"/g)];
  const [first = '', second = ''] = names.map(([, name]) => name);
  const done = await send(`${path}/return`, { [first]: '2', [second]: '1', date: '2026-08-12' });
  const undo = `${path}/undo-return`;
  const page = await ann.get(done.goTo ?? '');
  expect(textOf(page.html)).toContain('Return recorded. Undo');
  expect(textOf(page.html)).toContain('$70.00 Undo return of 2 × 100, 101');
  const form = readForm(page.html, undo);
  const token = readForm((await bob.get(newPath)).html, newPath);
  expect((await bob.post(undo, { ...token, edit: form.edit ?? '' })).status).toBe(404);
  const undone = await ann.post(undo, form);
  expect(undone.goTo).toBe(`${path}?did=return-undone`);
  const text = textOf((await ann.get(undone.goTo ?? '')).html);
  expect(text).toContain('Return undone. Its units are back in your inventory.');
  expect(text).not.toContain('Refunded');
  expect(await bought('2026-08-11')).toEqual(before);
  // Its costs can be edited again.
  expect((await send(`${path}/edit`, { 'price-0': '31' })).goTo).toBe(`${path}?did=changed`);
  const again = await ann.post(undo, form);
  expect(textOf((await ann.get(again.goTo ?? '')).html)).toContain('can no longer be undone');
});

/** A purchase with many lots of three units at 20 dollars, as a large box makes it. */
async function buyLots(count: number, purchaseDate: string): Promise<string> {
  const { accounts } = site.world.store;
  const accountId = (await accounts.findAccount(person.email, site.world.now))?.id ?? 0;
  const formId = `large ${purchaseDate}`;
  const action = { accounts, accountId, at: site.world.now, formId };
  const lot = { kind: 'set', number: '100', condition: 'sealed', grade: null } as const;
  const lots = Array.from({ length: count }, (_, index) => {
    return { ...lot, row: String(index + 1), quantity: 3, priceCents: 20_00 };
  });
  const costs = { totalCents: count * 60_00, taxCents: 0, shippingCents: 0, prices: {} };
  const terms = { store: null, purchaseDate, ...costs };
  await addPurchase(action, { terms, lots }, { name: 'Shelf', isNew: false });
  return `/purchases/${await accounts.findPurchaseId(accountId, pageSourceId(formId))}`;
}

test('a purchase of many lots is returned by pages, or as a whole in one step', async () => {
  const path = await buyLots(1_100, '2026-05-05');
  const shown = await ann.get(path);
  expect(textOf(shown.html)).toContain('1–50 of 1,100');
  const page = await ann.get(`${path}/return?page=6`);
  expect(textOf(page.html)).toContain('1,001–1,100 of 1,100');
  expect(textOf(page.html)).toContain('Each page is recorded as a return of its own.');
  const form = readForm(page.html, `${path}/return?page=6`);
  const [first = ''] = Object.keys(form).filter((name) => name.startsWith('units-'));
  const wrong = await ann.post(`${path}/return?page=6`, { ...form, [first]: '4' });
  expect(textOf(wrong.html)).toContain('Enter 3 or less.');
  expect(wrong.html).toContain(`name="${first}"`);
  const part = await ann.post(`${path}/return?page=6`, { ...form, [first]: '2' });
  expect(part.goTo).toBe(`${path}?did=returned`);
  const whole = await ann.get(`${path}/return?all=1`);
  expect(textOf(whole.html)).toContain(
    'Everything that is left: 3,298 units of 1,100 lots, bought for $65,960.00.',
  );
  expect((await send(`${path}/return?all=1`, { date: '2026-05-06' })).goTo).toBe(
    `${path}?did=returned`,
  );
  expect(await bought('2026-05-05')).toEqual([]);
  const text = textOf((await ann.get(path)).html);
  expect(text).toContain('Refunded $66,000.00');
  expect(text).toContain('3 × 100, 3 × 100 and 1,080 more lots');
});

test('a purchase is undone with its lots, until a unit was sold', async () => {
  const { path } = await record({
    items: '100 sealed x2 $30\n101 used $10',
    purchase_date: '2026-07-01',
  });
  const [, lot = ''] = /href="\/lots\/(\d+)"/.exec((await ann.get(path)).html) ?? [];
  // A part that is split off stays part of it.
  await send(`/lots/${lot}/split`, { units: '1' });
  expect(textOf((await ann.get(path)).html)).toContain('3 lots');
  await person.load({
    kind: 'ledger_sale',
    account: person.email,
    source_id: 'sold',
    set_number: '101',
    condition: 'used',
    platform: 'ebay',
    sale_date: '2026-11-02',
    quantity: 1,
    gross_proceeds_usd: 50,
  });
  const why = '1 unit of this purchase was sold, and the cost of a sale is final.';
  for (const part of ['/delete', '/edit']) {
    expect(textOf((await ann.get(path + part)).html)).toContain(why);
  }
  const token = readForm((await ann.get(newPath)).html, newPath);
  expect((await ann.post(`${path}/delete`, token)).status).toBe(400);
  expect(await bought('2026-07-01')).toEqual([
    ['100', 'sealed', 1, 30],
    ['100', 'sealed', 1, 30],
  ]);
  const { path: other } = await record({ items: '200 used $10', purchase_date: '2026-06-01' });
  expect((await send(`${other}/delete`, {})).goTo).toBe('/purchases?did=undone');
  expect(await bought('2026-06-01')).toEqual([]);
  expect((await ann.get(other)).status).toBe(404);
});

test('inventory and purchases are tabs of one section', async () => {
  for (const path of ['/inventory?view=all', '/purchases']) {
    const { html } = await bob.get(path);
    const [, tabs = ''] = /<nav class="tabs[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    expect(textOf(tabs)).toMatch(/Lots\s+Purchases/);
    expect(tabs).toContain('href="/purchases"');
    const [, current] = /href="([^"]*)" aria-current="page"/.exec(tabs) ?? [];
    expect(current).toBe(path.replace(/\?.*/, ''));
  }
});

test('every plan can record purchases, and those of others do not exist', async () => {
  const { path } = await record({ items: '100 used $5' }, bob);
  expect(path).toMatch(/^\/purchases\/\d+$/);
  expect((await bob.get(path)).status).toBe(200);
  for (const part of ['', '/edit', '/return', '/delete']) {
    expect((await ann.get(path + part)).status).toBe(404);
  }
  expect(textOf((await ann.get('/inventory')).html)).toContain('Purchase of several sets');
});

test('a return or a change that is sent again leads where it led, and is not repeated', async () => {
  const items = '100 sealed x3 $30\n101 used $10';
  const { path } = await record({ items, purchase_date: '2026-06-11' });
  const edit = `${path}/edit`;
  const changing = { ...readForm((await ann.get(edit)).html, edit), do: 'save', 'price-1': '12' };
  for (const _ of [1, 2]) expect((await ann.post(edit, changing)).goTo).toBe(`${path}?did=changed`);
  const others = { ...readForm((await ann.get(edit)).html, edit), do: 'save', 'price-1': '15' };
  expect((await ann.post(edit, others)).goTo).toBe(`${path}?did=changed`);
  const lots = await bought('2026-06-11');
  // Rejected for what the other form changed, if it had not been applied.
  expect((await ann.post(edit, changing)).goTo).toBe(`${path}?did=changed`);
  expect(await bought('2026-06-11')).toEqual(lots);
  const returning = readForm((await ann.get(`${path}/return?all=1`)).html, `${path}/return`);
  const send = () => ann.post(`${path}/return`, { ...returning, date: '2026-06-15' });
  for (const each of [...(await Promise.all([send(), send()])), await send()]) {
    expect(each.goTo).toBe(`${path}?did=returned`);
  }
  expect(await bought('2026-06-11')).toEqual([]);
  const page = await ann.get(path);
  expect(textOf(page.html)).toContain('Refunded $105.00');
  const undo = `${path}/undo-return`;
  expect((await ann.post(undo, readForm(page.html, undo))).goTo).toBe(`${path}?did=return-undone`);
  // It would say that the units were returned.
  const late = await send();
  expect([late.status, textOf(late.html)]).toEqual([
    400,
    expect.stringContaining('what it did was undone or removed since'),
  ]);
  expect(await bought('2026-06-11')).toEqual(lots);
});

test('a form whose purchase was undone since does not say that it was added', async () => {
  const form = readForm((await ann.get(newPath)).html, newPath);
  const terms = { items: '100 sealed $30', purchase_date: '2026-06-12', do: 'save' };
  const add = () => ann.post(newPath, { ...form, ...terms });
  const path = (await add()).goTo?.replace(/\?.*/, '') ?? '';
  expect((await add()).goTo).toBe(`${path}?did=added`);
  const remove = readForm((await ann.get(`${path}/delete`)).html, `${path}/delete`);
  for (const _ of [1, 2]) {
    expect((await ann.post(`${path}/delete`, remove)).goTo).toBe('/purchases?did=undone');
  }
  const again = await add();
  expect([again.status, textOf(again.html)]).toEqual([
    400,
    expect.stringContaining('what it did was undone or removed since'),
  ]);
  expect(await bought('2026-06-12')).toEqual([]);
});
