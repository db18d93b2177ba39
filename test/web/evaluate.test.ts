/** Evaluating a box in the browser, and creating lots from it. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
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
  ({ site, ann, bob, person } = await startOwnerSite({ exampleBox }, sellingEngine));
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

/** Evaluates typed items or a file. */
async function evaluate(typed: Fields, file?: File) {
  const fields = { ...hiddenFields((await ann.get('/evaluate')).html), ...blank, ...typed };
  const seen = await sendFile(site, { visitor: ann, action: '/evaluate', fields, file });
  return { seen, text: textOf(seen.html) };
}

test('the page needs the Reseller plan, and says so', async () => {
  for (const seen of [
    await bob.get('/evaluate'),
    await bob.post('/evaluate', { ...hiddenFields((await bob.get('/account')).html), ...blank }),
    await bob.post('/evaluate/lots', {
      ...hiddenFields((await bob.get('/account')).html),
      ...blank,
    }),
  ]) {
    expect(seen.status).toBe(403);
    expect(textOf(seen.html)).toContain('Evaluating a box is part of the Reseller plan');
  }
  expect((await site.visitor().get('/evaluate')).goTo).toStartWith('/sign-in');
  expect((await ann.get('/evaluate')).status).toBe(200);
});

test('a box is valued by its items; unknown or invalid lines are listed with a next step', async () => {
  const items = ['100 x2, 100-1', '100 used', '673419000017', 'cas001 x2', '999', '100 2', 'Gate'];
  const { seen, text } = await evaluate({ items: items.join('\n'), cost: '120' });
  expect(seen.status).toBe(200);
  // Three at 90.00, one used at 40.00, and one at its list price.
  expect(text).toContain('Market value $330.00 5 of 8 units valued');
  expect(text).toContain('Line 6: 100 2 Is 2 a quantity? Enter 100 x2,');
  expect(text).toContain('Line 7: Gate No set or minifig number found');
  expect(text).toContain('999 Not in the catalog.');
  expect(text).toContain('cas001 Knight No value yet (used).');
  expect(text).toMatch(/Set 100 100 Sealed 3 \w+( confidence)? \$90\.00 \$270\.00/);
  expect(text).toContain('First correct or remove the lines above that could not be read.');
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

test('an evaluated box links back to its input', async () => {
  const { seen } = await evaluate({ items: '100 x4' });
  expect(seen.html).toContain('href="#box">Edit box</a>');
  expect(seen.html).toMatch(/id="box".*100 x4<\/textarea>/s);
});

test('the time until most of the value is sold is shown, with a warning beyond a year', async () => {
  // One sale in 30 days, two other units: 20.5 × 3 for the first, 30 × (3 + 2 ln 4) for the rest.
  const { text } = await evaluate({ items: '100 sealed x4\n101 sealed' });
  expect(text).toMatch(
    /80% of the value sold in About \d months Slowest: 4 × Set 100 100, about 8 months\./,
  );
  expect(text).not.toContain('More than a year');
  const long = (await evaluate({ items: '100 sealed x1000\n101 sealed x2' })).text;
  expect(long).toContain('sold in Over 5 years Slowest: 1,000 × Set 100 100, over 5 years.');
  expect(long).toContain('More than a year. Consider a lower bid.');
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
  const { text } = await evaluate({ items: '100\n673419000024' });
  expect(text).toContain('Line 2: 673419000024 The barcode is on 301, 301-2; write which one.');
});

test('a file is read as by an import, and can be edited like typed input', async () => {
  const rows = [
    'Number,Qty owned,Qty owned used',
    '100,3,1',
    '200,1,0',
    '999,1,0',
    '101,0,0',
    'cas001,0,1',
  ];
  const { seen, text } = await evaluate({ items: '101' }, new File([rows.join('\n')], 'mine.csv'));
  expect(seen.html).toContain(
    '>\n101\n100 x2 sealed\n100 used\n200 sealed\ncas001 used</textarea>',
  );
  expect(text).toContain("mine.csv:4 Set '999' is not in the catalog.");
  expect(text).toContain("mine.csv:5 Not owned: 'Qty owned' is 0.");
  // 180.00, 40.00, 33.33 and 79.99
  expect(text).toContain('Market value $333.32 5 of 6 units valued');
  const figs = ['minifigure_no,quantity,condition', 'cas001,2,used', ',1,used'];
  const minifigs = await evaluate({}, new File([figs.join('\n')], 'figs.csv'));
  expect(minifigs.seen.html).toContain('>\ncas001 x2 used</textarea>');
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
  expect(store.seen.html).toContain('>\n100 x2 used\ncas001 x2 used</textarea>');
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
  expect(bought.seen.html).toContain('>\ncas001 x3 sealed</textarea>');
  expect(bought.text).toContain('Knight cas001 Sealed 3');
  expect(bought.text).toContain('It is a sale, not something in a box.');
  const sale = { kind: 'ledger_sale', account: person.email, source_id: 's', set_number: '100' };
  const sold = { platform: 'ebay', sale_date: '2026-11-02', quantity: 1, gross_proceeds_usd: 80 };
  const lines = [
    { ...lot('x', 2), account: person.email },
    { ...sale, ...sold },
  ];
  const feed = lines.map((line) => JSON.stringify(line)).join('\n');
  const own = await evaluate({}, new File([feed], 'mine.ndjson'));
  expect(own.text).toContain('mine.ndjson:2 It is a sale, not something in a box.');
  expect(own.seen.html).toContain('>\n100 x2 sealed</textarea>');
});

test.each([
  [{}, 'Enter some numbers or choose a file.'],
  [{ items: 'Falcon' }, 'Line 1: No set or minifig number found'],
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
  expect(seen.html).not.toContain('/tmp/');
});

test('a page of a thousand items is small enough, and more are rejected', async () => {
  const numbers = Array.from({ length: 1_001 }, (_, index) => String(50_000 + index));
  const { seen, text } = await evaluate({ items: numbers.slice(1).join('\n') });
  expect(text).toContain('The 150 most valuable of 1,000.');
  expect(text).toContain('The first 100 of 1,000.');
  expect(seen.html.length).toBeLessThan(150_000);
  const long = (await evaluate({ items: '1'.repeat(20_001) })).text;
  expect(long).toContain('Use at most 20,000 characters.');
  const lookedUp = spyOn(site.world.store.market, 'findListedItems');
  expect((await evaluate({ items: numbers.join('\n') })).text).toContain(
    'This box has 1,001 different items. The limit is 1,000.',
  );
  expect(lookedUp).not.toHaveBeenCalled();
  await evaluate({ items: '100' });
  expect(lookedUp).toHaveBeenCalled();
  lookedUp.mockRestore();
});

const lotsPath = '/evaluate/lots';

/** The lots after the two existing ones. */
async function added() {
  const { entries } = await person.entries('?limit=100');
  return entries
    .filter(({ purchase_date }) => purchase_date !== '2026-01-01')
    .map((each) => [each.set_number, each.condition, each.quantity, each.purchase_price_usd]);
}

test('one click creates lots with costs that add up to the price paid, once', async () => {
  // By value and list price 270.00, 40.00, 20.00 and 50.00; 999 gets no lot.
  const items = '100 x3\n100 used\n300\ncas001\n999';
  const { seen, text } = await evaluate({ items, cost: '100' });
  expect(text).toContain('Unknown numbers (1 unit) are not added');
  const form = { ...readForm(seen.html, lotsPath), paid: '100.01', purchase_date: '2026-11-10' };
  const done = await ann.post(lotsPath, { ...form, brickfolio: '1' });
  expect(done.goTo).toBe('/evaluate?added=5&collection=1');
  // 71.06, 10.53 and 5.26, and 13.16 for the minifig, which version 1 does not list.
  const lots = [
    ['100', 'sealed', 1, 23.68],
    ['100', 'sealed', 2, 23.69],
    ['100', 'used', 1, 10.53],
    ['300', 'sealed', 1, 5.26],
  ];
  expect((await added()).sort()).toEqual(lots);
  const { html } = await ann.get(done.goTo ?? '');
  expect(textOf(html)).toContain('5 lots added. Inventory');
  expect(html).toContain('href="/inventory?collection=1"');
  // Sent again, even after values have changed, it creates no more.
  await site.world.load([
    { kind: 'set', set_number: '300', title: 'Gate', theme: 'Castle', msrp_usd: 90 },
  ]);
  expect((await ann.post(lotsPath, { ...form, brickfolio: '1' })).goTo).toBe(done.goTo);
  expect((await added()).sort()).toEqual(lots);
});

test('an account without a collection gets one', async () => {
  const cid = await site.signedIn('cid@example.com', { plan: 'reseller' });
  const fields = { ...hiddenFields((await cid.get('/evaluate')).html), ...blank, items: '100' };
  const seen = await cid.post('/evaluate', fields);
  const form = { ...readForm(seen.html, lotsPath), paid: '5' };
  // A second click does not wait for the first.
  const [done] = await Promise.all([cid.post(lotsPath, form), cid.post(lotsPath, form)]);
  expect(done.goTo).toMatch(/^\/evaluate\?added=1&collection=\d+$/);
  expect((await cid.post(lotsPath, form)).goTo).toBe(done.goTo);
  const accountId = await site.addAccount('cid@example.com');
  const { accounts } = site.world.store;
  const { brickfolios } = await accounts.findHoldings(accountId, null);
  expect(brickfolios.map(({ name }) => name)).toEqual(['My collection']);
  expect(await accounts.listHeldCosts(accountId, 'set')).toMatchObject([
    { kind: 'set', key: '100', units: 1 },
  ]);
});

test('invalid input is rejected, and no lots are created', async () => {
  const before = await added();
  const { seen } = await evaluate({ items: '100', cost: '50' });
  const form = { ...readForm(seen.html, lotsPath), brickfolio: '1', paid: '50' };
  const theirs = (await person.brickfolios()).brickfolios.length + 1_000;
  for (const [typed, fault] of [
    [{ brickfolio: String(theirs) }, 'Choose one of your collections.'],
    [{ purchase_date: '2036-01-01' }, 'The date is in the future'],
    [{ paid: '' }, 'Enter an amount'],
    [{ items: '998\n999' }, 'Nothing in this box is in the catalog, so there is nothing to add.'],
    [{ items: '100\nGate' }, 'First correct or remove the lines that could not be read.'],
  ] as const) {
    const refused = await ann.post(lotsPath, { ...form, ...typed });
    expect(refused.status).toBe(400);
    expect(textOf(refused.html)).toContain(fault);
  }
  expect(await added()).toEqual(before);
  expect((await ann.get(lotsPath)).goTo).toBe('/evaluate');
});
