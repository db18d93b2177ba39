/** Evaluating a box in the browser, and creating lots from it. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { hiddenFields, startOwnerSite } from '../support/owner-pages.ts';
import { lot, type Person, setWorth } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import {
  type Fields,
  readForm,
  type Site,
  sendFile,
  textOf,
  type Visitor,
} from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  const exampleBox = { text: '100 x2 sealed\n101 used', askCents: 75_00 };
  ({ site, ann, bob, person } = await startOwnerSite({ site: { exampleBox } }, sellingEngine));
  const facts = { kind: 'set', theme: 'Castle', msrp_usd: 20 };
  await site.world.load([
    { kind: 'minifig', minifig_number: 'cas001', name: 'Knight', category: 'Castle' },
    ...setWorth('302', { sealed: 1 }),
    { ...facts, set_number: '300', title: 'Gate', upc: '673419000017' },
    { ...facts, set_number: '301', title: 'Wall', upc: '673419000024' },
    { ...facts, set_number: '301-2', title: 'Wall again', upc: '673419000024' },
  ]);
});

afterAll(() => site.close());

/** The fields of an empty form. */
const blank = { items: '', condition: 'sealed', cost: '', share: '', margin: '' };

/** Evaluates typed items or a file, and opens the box. */
async function evaluate(typed: Fields, file?: File) {
  const fields = { ...hiddenFields((await ann.get('/evaluate')).html), ...blank, ...typed };
  const sent = await sendFile(site, { visitor: ann, action: '/evaluate', fields, file });
  const path = sent.goTo ?? '';
  const seen = sent.goTo ? await ann.get(path) : sent;
  return { seen, text: textOf(seen.html), path };
}

/** Saves changes of a box, and opens it again. */
async function change(path: string, fields: Fields) {
  const sent = await ann.post(path, {
    ...readForm((await ann.get(path)).html, path),
    do: 'save',
    ...fields,
  });
  const seen = sent.goTo ? await ann.get(sent.goTo) : sent;
  return { seen, text: textOf(seen.html), goTo: sent.goTo };
}

test('the page needs the Reseller plan, and says so', async () => {
  for (const seen of [
    await bob.get('/evaluate'),
    await bob.post('/evaluate', { ...hiddenFields((await bob.get('/account')).html), ...blank }),
  ]) {
    expect(seen.status).toBe(403);
    expect(textOf(seen.html)).toContain('Evaluating a box is part of the Reseller plan');
  }
  expect((await site.visitor().get('/evaluate')).goTo).toStartWith('/sign-in');
  expect((await ann.get('/evaluate')).status).toBe(200);
});

test('a box is valued by its items; what is not known is listed with a next step', async () => {
  const items = ['100 x2, 100-1', '100 used', '673419000017', 'cas001 x2', '999', '100 2', 'Gate'];
  const { seen, text } = await evaluate({ items: items.join('\n'), cost: '120' });
  expect(seen.status).toBe(200);
  // Three at 90.00, one used at 40.00, and one at its list price.
  expect(text).toContain('Market value $330.00 5 of 8 units valued');
  expect(text).toContain('80% of similar boxes, including growth until the sale; median $');
  expect(text).toContain('Is 2 a quantity? Enter 100 x2,');
  expect(text).toContain('No set or minifig number found');
  expect(text).toContain('999 is not in the catalog.');
  expect(text).toContain('Not counted yet. 3 rows not found: choose or type what is meant.');
  expect(text).toContain('1 row without a value: enter your own max.');
  expect(text).toContain('First mend or remove the rows that could not be read.');
});

test('units that the bid leaves out are reported with the reason, and a tiny cost has no ROI', async () => {
  // 300 has only a list price, and postage exceeds the price of 302.
  const { text } = await evaluate({ items: '100\n300 x2\n302 x3', cost: '0.03' });
  expect(text).toContain('6 of 6 units valued');
  expect(text).toContain('Not counted: 2 units, because too few sales support their value.');
  expect(text).toContain(
    'Not counted: 3 units, because fees and shipping take all of their price.',
  );
  expect(text).toContain('less cost $0.03');
  expect(text).not.toContain('ROI +');
  expect(text).toContain('Assumed price: for at least one item, no sales are recorded');
  // The profit is of the median sale, the bid of the price that four in five sales reach.
  const one = (await evaluate({ items: '100', cost: '20' })).text;
  expect(one).toMatch(/Median net \$\d+\.\d\d less cost \$20\.00; ROI \+/);
  expect(one).toContain('Channel Net at an 80% chance Max bid');
});

test('a box without known values has no value, instead of $0.00', async () => {
  const { text } = await evaluate({ items: '999' });
  expect(text).toContain('Market value — No value yet 0 of 1 unit valued');
});

test('the condition is asked for where a line does not say it', async () => {
  const items = '100 Castle (no box) from my attic\n100\ncas001';
  const { text, path } = await evaluate({ items, condition: '' });
  expect(text).toContain('1 row without a condition: sealed or used?');
  // One used at 95% of 40.00, as it has no box; the minifig has no value.
  expect(text).toContain('Market value $38.00 1 of 2 units valued');
  expect(text).toContain('Not used: “Castle from my attic”');
  expect(text).toContain('First choose the condition of every item.');
  const { seen, text: then } = await change(path, { 'condition-1': 'damaged_box' });
  expect(then).toContain('Box saved.');
  expect(then).toContain('2 of 3 units valued');
  expect(seen.html).toMatch(/name="condition-0".*?value="complete" selected/s);
  expect(seen.html).toMatch(/name="condition-1".*?value="damaged_box" selected/s);
  const all = await evaluate({ items: '100\n101\n300', condition: '' });
  const filled = await change(all.path, { fill: 'used' });
  expect(filled.text).not.toContain('without a condition');
});

test('a box has an address, a name and a place in the list, and can be deleted', async () => {
  const { path } = await evaluate({ items: '100 x4', cost: '75.50' });
  expect(path).toMatch(/^\/evaluate\/\d+$/);
  const { text } = await change(path, { name: 'Attic of Mr. Smith' });
  expect(text).toContain('Attic of Mr. Smith · Brickmark');
  const list = textOf((await ann.get('/evaluate')).html);
  expect(list).toMatch(/Attic of Mr\. Smith Nov 15, 2026 \$75\.50 \$360\.00 \$\d+\.\d\d/);
  await ann.submit(await ann.get(`${path}/delete`), `${path}/delete`, {});
  expect((await ann.get(path)).status).toBe(404);
  expect(textOf((await ann.get('/evaluate?did=deleted')).html)).toContain('Box deleted.');
});

test('a box of another account does not exist', async () => {
  const { path } = await evaluate({ items: '100' });
  const eve = await site.signedIn('eve@example.com', { plan: 'reseller' });
  expect((await eve.get(path)).status).toBe(404);
  const token = hiddenFields((await eve.get('/evaluate')).html);
  for (const action of [path, `${path}/delete`, `${path}/buy`]) {
    expect((await eve.post(action, { ...token, name: 'Mine' })).status).toBe(404);
  }
  expect((await ann.get(path)).status).toBe(200);
});

test('rows are changed, mended, added and removed in place', async () => {
  const { path, seen } = await evaluate({ items: '100 used\n103 used x2\n100 2\nGate\n302' });
  // 103 may be a mistyped 100, 101 or 302 is too far; Gate is found by its name.
  expect(seen.html).toMatch(/name="choice-1".*?<option value="set 101">101 Set 101/s);
  expect(seen.html).toMatch(/name="choice-3".*?<option value="set 300">300 Gate/s);
  const mended = await change(path, {
    'condition-0': 'sealed',
    'quantity-0': '3',
    'price-0': '55',
    'choice-1': 'set 101',
    'line-2': '100 used x2 $30',
    'choice-3': 'set 300',
    'condition-3': 'sealed',
    'max-3': '12.34',
    add: '101 sealed $20, 100 used',
  });
  expect(mended.text).toContain('7 items');
  expect(mended.text).not.toContain('not found');
  // 3 × 90, 2 × 20.00, 2 × 40, 1, 1, 33.33 and 40
  expect(mended.text).toContain('of 11 units valued');
  expect(mended.text).toContain('$12.34 of it is the max that you entered.');
  const form = readForm(mended.seen.html, path);
  expect(form).toMatchObject({
    'quantity-1': '2',
    'condition-1': 'used',
    'quantity-2': '2',
    'price-2': '30.00',
    'max-3': '12.34',
    'price-5': '20.00',
  });
  const less = await change(path, { do: 'remove', pick: 'row-0' });
  expect(less.text).toContain('6 items');
});

test('typed prices and words that are not read are shown with their rows', async () => {
  const items = '100 used $30 attic find\nGate sealed $12\n101 sealed box only $5';
  const { seen, text, path } = await evaluate({ items });
  expect(text).toContain('Not used: “attic find”');
  const graded = await evaluate({ items: '100 no box attic find' });
  expect(graded.text).toContain('(assumed). Not used: “attic find”');
  expect(text).toContain('A box, instructions or minifigs alone are not the set.');
  expect(text).toContain('First mend or remove the rows that could not be read.');
  // Only 100 is valued.
  expect(text).toContain('1 of 1 unit valued');
  const prices = { 'price-0': '30.00', 'price-1': '12.00', 'price-2': '5.00' };
  expect(readForm(seen.html, path)).toMatchObject(prices);
  const mended = await change(path, { 'choice-1': 'set 300' });
  expect(readForm(mended.seen.html, path)).toMatchObject(prices);
});

test('changes are rejected at their fields, and those of a stale form are not saved', async () => {
  const { path, seen } = await evaluate({ items: '100 x4' });
  const refused = await change(path, { 'quantity-0': '0', 'price-0': 'much' });
  expect(refused.seen.status).toBe(400);
  expect(refused.text).toContain('Enter 1 or more.');
  expect(refused.text).toContain("'much' is not an amount");
  const stale = { ...readForm(seen.html, path), 'quantity-0': '9' };
  await change(path, { 'quantity-0': '5' });
  const { goTo } = await ann.post(path, stale);
  expect(textOf((await ann.get(goTo ?? '')).html)).toContain('Not saved: this box was changed');
  expect((await ann.get(path)).html).toMatch(/name="quantity-0"[^>]*value="5"/);
});

test('a form that is sent twice saves one box', async () => {
  const fields = { ...hiddenFields((await ann.get('/evaluate')).html), ...blank, items: '100 x7' };
  const first = await ann.post('/evaluate', fields);
  expect((await ann.post('/evaluate', fields)).goTo).toBe(first.goTo);
});

test('a form that is sent again with other items saves another box, and finds each again', async () => {
  const fields = { ...hiddenFields((await ann.get('/evaluate')).html), ...blank };
  const send = async (items: string) => (await ann.post('/evaluate', { ...fields, items })).goTo;
  const [first, second] = [await send('100 x8'), await send('101 x9')];
  expect(second).not.toBe(first);
  expect((await ann.get(second ?? '')).html).toContain('value="9"');
  expect([await send('100 x8'), await send('101 x9')]).toEqual([first, second]);
});

test('the time until most of the value is sold is shown, with a warning beyond a year', async () => {
  // One sale in 30 days, and two other units for sale.
  const { text } = await evaluate({ items: '100 sealed x4\n101 sealed' });
  expect(text).toMatch(
    /80% of the value sold in About \d months Slowest: 4 × Set 100 100, about \d months\./,
  );
  expect(text).not.toContain('More than a year');
  const long = (await evaluate({ items: '100 sealed x1000\n101 sealed x2' })).text;
  expect(long).toContain('sold in Over 5 years Slowest: 1,000 × Set 100 100, over 5 years.');
  expect(long).toContain('More than a year. Consider a lower bid.');
});

test('the time is unknown if it is not known how often most of the value sells', async () => {
  const { text } = await evaluate({ items: '100 used' });
  expect(text).toContain('80% of the value sold in Unknown');
});

test('an example box can fill in the form, if there is one', async () => {
  const { html } = await ann.get('/evaluate');
  expect(html).toContain('href="/evaluate?example=1"');
  expect(html).not.toContain('100 x2 sealed');
  const filled = (await ann.get('/evaluate?example=1')).html;
  expect(filled).toContain('100 x2 sealed\n101 used</textarea>');
  expect(filled).toContain('value="75.00"');
});

test('a barcode of several sets leads to a choice', async () => {
  const { seen, text } = await evaluate({ items: '100\n673419000024' });
  expect(text).toContain('The barcode is on 301, 301-2; choose which one.');
  expect(seen.html).toMatch(/name="choice-1".*?value="set 301-2"/s);
});

/** Number, condition and quantity of the rows that were found. */
function rowsOf(html: string): string[] {
  return html.split('<tr>').flatMap((row) => {
    const [, number] = /href="\/(?:sets|minifigs)\/([^"/]+)"/.exec(row) ?? [];
    const [, condition] = /<option value="([^"]*)" selected/.exec(row) ?? [];
    const [, quantity] = /name="quantity-\d+"[^>]*value="(\d+)"/.exec(row) ?? [];
    // Other tables have no fields.
    return number && quantity ? [`${number} ${condition} ${quantity}`] : [];
  });
}

test('a file is read as by an import, and becomes rows like typed input', async () => {
  const rows = [
    'Number,Qty owned,Qty owned used',
    '100,3,1',
    '200,1,0',
    '999,1,0',
    '101,0,0',
    'cas001,0,1',
  ];
  const { seen, text } = await evaluate({ items: '101' }, new File([rows.join('\n')], 'mine.csv'));
  expect(rowsOf(seen.html)).toEqual([
    '101 sealed 1',
    '100 sealed 2',
    '100 used 1',
    '200 sealed 1',
    'cas001 used 1',
  ]);
  expect(text).toContain("Set '999' is not in the catalog.");
  expect(text).toContain("'Qty owned' is 0, so there is nothing to add.");
  // 180.00, 40.00, 33.33 and 79.99
  expect(text).toContain('Market value $333.32 5 of 6 units valued');
  const figs = ['minifigure_no,quantity,condition', 'cas001,2,used', ',1,used'];
  const minifigs = await evaluate({}, new File([figs.join('\n')], 'figs.csv'));
  expect(rowsOf(minifigs.seen.html)).toEqual(['cas001 used 2']);
  const item = (id: string, type: string, more = '') =>
    `<Item><ItemID>${id}</ItemID><ItemTypeID>${type}</ItemTypeID><Qty>2</Qty>${more}</Item>`;
  const inventory = [
    item('100', 'S', '<Condition>U</Condition>'),
    item('cas001', 'M', '<Condition>U</Condition>'),
    item('cas001', 'M', '<Status>X</Status>'),
    item('3001', 'P'),
  ];
  const bsx = `<BrickStoreXML><Inventory>${inventory.join('')}</Inventory></BrickStoreXML>`;
  const store = await evaluate({}, new File([bsx], 'mine.bsx'));
  expect(rowsOf(store.seen.html)).toEqual(['100 used 2', 'cas001 used 2']);
  expect(store.text).toContain('The lot is marked as excluded in BrickStore.');
  expect(store.text).toContain("'3001' is a part; only sets and minifigs can be imported.");
  const order = (party: string, figure: string) =>
    `<ORDER><ORDERID>7</ORDERID><${party}>x</${party}><ORDERDATE>9/4/2026</ORDERDATE>` +
    '<ORDERTOTAL>9</ORDERTOTAL><BASEGRANDTOTAL>9</BASEGRANDTOTAL>' +
    '<BASECURRENCYCODE>USD</BASECURRENCYCODE>' +
    `<ITEM><ITEMTYPE>M</ITEMTYPE><ITEMID>${figure}</ITEMID><QTY>3</QTY><PRICE>3</PRICE>` +
    '<CONDITION>N</CONDITION></ITEM></ORDER>';
  const orders = `<ORDERS>${order('SELLER', 'cas001')}${order('BUYER', 'cas002')}</ORDERS>`;
  const bought = await evaluate({}, new File([orders], 'orders.xml'));
  expect(rowsOf(bought.seen.html)).toEqual(['cas001 sealed 3']);
  expect(bought.text).toContain('Knight cas001');
  expect(bought.text).toContain('It is a sale, not something in a box.');
  const sale = { kind: 'ledger_sale', account: person.email, source_id: 's', set_number: '100' };
  const sold = { platform: 'ebay', sale_date: '2026-11-02', quantity: 1, gross_proceeds_usd: 80 };
  const lines = [
    { ...lot('x', 2), account: person.email },
    { ...sale, ...sold },
  ];
  const feed = lines.map((line) => JSON.stringify(line)).join('\n');
  const own = await evaluate({}, new File([feed], 'mine.ndjson'));
  expect(own.text).toContain('It is a sale, not something in a box.');
  expect(rowsOf(own.seen.html)).toEqual(['100 sealed 2']);
});

test.each([
  [{}, 'Enter some numbers or choose a file.'],
  [{ items: '100', cost: 'much' }, "'much' is not an amount"],
  [{ items: '100', share: '20' }, 'Enter 50 to 95.'],
  [{ items: '100 x60000, 101 x60000' }, 'This box has 120,000 units. The limit is 100,000.'],
])('%j is rejected at its field', async (typed: Fields, fault) => {
  const { seen, text } = await evaluate(typed);
  expect(seen.status).toBe(400);
  expect(text).toContain(fault);
});

test('unreadable files are rejected without internal details', async () => {
  const { seen, text } = await evaluate({}, new File(['a,b\n1,2'], 'odd.csv'));
  expect(seen.status).toBe(400);
  expect(text).toContain('odd.csv:1: the columns match no supported file');
  expect(seen.html).not.toContain(tmpdir());
});

test('a page of a thousand items is small enough, and more are rejected', async () => {
  const numbers = Array.from({ length: 1_001 }, (_, index) => String(50_000 + index));
  const { seen, text, path } = await evaluate({ items: numbers.slice(1).join('\n') });
  expect(text).toContain('1–40 of 1,000');
  expect(seen.html.length).toBeLessThan(150_000);
  const last = await ann.get(`${path}?page=25`);
  expect(last.html).toContain('name="quantity-999"');
  const action = `${path}?page=25`;
  const form = { ...readForm(last.html, action), 'choice-999': 'set 100', do: 'save' };
  expect((await ann.post(action, form)).goTo).toBe(`${action}&did=saved`);
  expect((await ann.get(`${path}?page=99`)).goTo).toBe(path);
  const long = (await evaluate({ items: '1'.repeat(20_001) })).text;
  expect(long).toContain('Use at most 20,000 characters.');
  const lookedUp = spyOn(site.world.store.market, 'findListedItems');
  expect((await evaluate({ items: numbers.join('\n') })).text).toContain(
    'This box has 1,001 items. The limit is 1,000.',
  );
  expect(lookedUp).not.toHaveBeenCalled();
  await evaluate({ items: '100' });
  expect(lookedUp).toHaveBeenCalled();
  lookedUp.mockRestore();
});

/** The lots after the two existing ones. */
async function added() {
  const { entries } = await person.entries('?limit=100');
  return entries
    .filter(({ purchase_date }) => purchase_date !== '2026-01-01')
    .map((each) => [each.set_number, each.condition, each.quantity, each.purchase_price_usd]);
}

test('grades change values and bids, say how that is known, and stay with bought lots', async () => {
  const lines = ['used', 'no box', '50% complete', 'for parts', 'sealed', 'damaged box sealed'];
  const { seen, text, path } = await evaluate({
    items: lines.map((line) => `100 ${line}`).join('\n'),
    with_modeled: 'on',
  });
  // 40.00 used, and 90.00 sealed.
  for (const value of ['$40.00', '$38.00', '$20.75', '$12.00', '$90.00', '$81.00']) {
    expect(text).toContain(value);
  }
  expect(text).toContain('Complete: 95% of the value (assumed)');
  expect(text).toContain('Incomplete (50%): 52% of the value (assumed)');
  expect(text).toContain('Parts: 30% of the value (assumed)');
  expect(text).toContain('Damaged box: 90% of the value (assumed)');
  const maxima = [...seen.html.matchAll(/name="max-\d"[^>]*placeholder="([^"]*)"/g)];
  expect(new Set(maxima.map(([, max]) => max)).size).toBe(lines.length);
  const buy = `${path}/buy`;
  const form = { ...readForm(seen.html, buy), total: '60', purchase_date: '2026-01-01' };
  const done = await ann.post(buy, { ...form, brickfolio: '1' });
  const bought = textOf((await ann.get(done.goTo ?? '')).html);
  for (const grade of ['complete, no box', 'incomplete (50%)', 'parts', 'damaged box']) {
    expect(bought).toContain(grade);
  }
});

test('one click creates lots with costs that add up to the price paid, once', async () => {
  // By value and list price 270.00, 40.00, 20.00 and 50.00; 999 gets no lot.
  const items = '100 x3\n100 used\n300\ncas001\n999';
  const { seen, text, path } = await evaluate({ items, cost: '100' });
  expect(text).toContain('1 row not in the catalog is not added');
  const buy = `${path}/buy`;
  const form = { ...readForm(seen.html, buy), total: '100.01', purchase_date: '2026-11-10' };
  const done = await ann.post(buy, { ...form, brickfolio: '1' });
  expect(done.goTo).toMatch(/^\/purchases\/\d+\?did=added$/);
  expect(textOf((await ann.get('/evaluate')).html)).toContain('5 items Bought');
  // 71.06, 10.53 and 5.26, and 13.16 for the minifig, which version 1 does not list.
  const lots = [
    ['100', 'sealed', 1, 23.68],
    ['100', 'sealed', 2, 23.69],
    ['100', 'used', 1, 10.53],
    ['300', 'sealed', 1, 5.26],
  ];
  expect((await added()).sort()).toEqual(lots);
  // Sent again, it creates no more.
  expect((await ann.post(buy, { ...form, brickfolio: '1' })).goTo).toBe(done.goTo);
  expect((await added()).sort()).toEqual(lots);
});

test('a box is not bought in two windows, and is no longer bought once that is undone', async () => {
  const { seen, path } = await evaluate({ items: '100 used\n300 used', cost: '50' });
  const buy = `${path}/buy`;
  const [one, two] = [seen.html, (await ann.get(path)).html].map((html) => readForm(html, buy));
  const done = await ann.post(buy, { ...one, brickfolio: '1' });
  expect(done.goTo).toMatch(/^\/purchases\/\d+\?did=added$/);
  const refused = await ann.post(buy, { ...two, brickfolio: '1' });
  expect(refused.goTo).toBe(`${path}?did=bought-before`);
  const told = await ann.get(refused.goTo ?? '');
  expect(textOf(told.html)).toContain('Not bought again: this box was bought in another window.');
  const purchase = (done.goTo ?? '').replace(/\?.*/, '');
  expect(told.html).toContain(`<a href="${purchase}">Open that purchase</a>`);
  const row = () => ann.get('/evaluate').then(({ html }) => html.split(`href="${path}"`)[1] ?? '');
  const isBought = async () => (await row()).split('<td')[0]?.includes('Bought');
  expect(await isBought()).toBe(true);
  const undo = (done.goTo ?? '').replace(/\?.*/, '/delete');
  await ann.submit(await ann.get(undo), undo, {});
  expect(await isBought()).toBe(false);
});

test('of two windows that buy a box at once, one does, and the other leads to its purchase', async () => {
  const { seen, path } = await evaluate({ items: '101 sealed\n300 used', cost: '40' });
  const buy = `${path}/buy`;
  const forms = [seen.html, (await ann.get(path)).html].map((html) => readForm(html, buy));
  const before = (await added()).length;
  const answers = await Promise.all(
    forms.map((form) => ann.post(buy, { ...form, brickfolio: '1', purchase_date: '2026-11-10' })),
  );
  const [bought = '', told = ''] = answers
    .map(({ goTo }) => goTo ?? '')
    .sort((a, b) => b.localeCompare(a));
  expect(bought).toMatch(/^\/purchases\/\d+\?did=added$/);
  expect(told).toBe(`${path}?did=bought-before`);
  expect((await ann.get(told)).html).toContain(`href="${bought.replace(/\?.*/, '')}"`);
  expect((await added()).length - before).toBe(2);
  // A box that was only changed says so.
  const stale = readForm((await ann.get(path)).html, buy);
  await change(path, { add: '100 used' });
  await ann.post(
    bought.replace(/\?.*/, '/delete'),
    hiddenFields((await ann.get('/evaluate')).html),
  );
  const refused = await ann.post(buy, { ...stale, brickfolio: '1' });
  expect(refused.status).toBe(400);
  expect(textOf(refused.html)).toContain('Not bought: this box was changed in another window.');
});

test('prices far from the values are asked about when a box is bought', async () => {
  const { seen, path } = await evaluate({ items: '100 sealed $2250\n101 sealed $30' });
  const buy = `${path}/buy`;
  const form = { ...readForm(seen.html, buy), brickfolio: '1', purchase_date: '2026-11-09' };
  const asked = await ann.post(buy, form);
  expect(asked.status).toBe(400);
  expect(textOf(asked.html)).toContain(
    '100 sealed: $2,250.00 each is 25 times the market value of $90.00. Is it right?',
  );
  const [, sure = ''] = /name="sure" value="([^"]*)"/.exec(asked.html) ?? [];
  const done = await ann.post(buy, { ...readForm(asked.html, buy), brickfolio: '1', sure });
  expect(done.goTo).toMatch(/^\/purchases\/\d+\?did=added$/);
});
