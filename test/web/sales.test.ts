/** Sales in the browser: recorded, changed, deleted; totals, taxes, and where to sell. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hiddenFields, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, type Person } from '../support/person.ts';
import { type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;
let findLot: OwnerSite['findLot'];

beforeAll(async () => {
  ({ site, ann, bob, person, findLot } = await startOwnerSite());
});

afterAll(() => site.close());

const terms = { platform: 'ebay', sale_date: '2026-11-14', quantity: '1', gross: '100' };

/** Sends the form that records a sale of the lot whose page says these words. */
async function record(words: string, typed: Record<string, string>) {
  const { path } = await findLot(words);
  const form = await ann.get(`${path}/sale`);
  return ann.submit(form, `${path}/sale`, { from: 'lot', ...terms, ...typed });
}

const units = async () =>
  (await person.entries()).entries.map((each) => [each.purchase_price_usd, each.quantity]);

test('a sale takes units of the lot it was recorded for, with the fees of the presets', async () => {
  expect((await record('$12.34', { shipping: '7.5' })).goTo).toBe('/sales?recorded=1');
  expect((await person.sales()).sales).toMatchObject([
    {
      set_number: '100',
      platform: 'ebay',
      sale_date: '2026-11-14',
      quantity: 1,
      gross_proceeds_usd: 100,
      platform_fees_usd: 15.02,
      payment_fees_usd: 0,
      shipping_cost_usd: 7.5,
      net_proceeds_usd: 77.48,
      profit_loss_usd: 65.14,
    },
  ]);
  expect(await units()).toEqual([
    [60, 3],
    [12.34, 1],
  ]);
});

test('first in, first out takes the oldest units, and written fees win over presets', async () => {
  const typed = { from: 'oldest', quantity: '2', gross: '200', platform_fees: '0' };
  expect((await record('$12.34', { ...typed, platform: 'bricklink' })).status).toBe(303);
  const [newest] = (await person.sales()).sales.toReversed();
  expect(newest).toMatchObject({ platform_fees_usd: 0, payment_fees_usd: 7.47, quantity: 2 });
  expect(await units()).toEqual([
    [60, 1],
    [12.34, 1],
  ]);
});

test('a form that is sent twice records one sale', async () => {
  const { path } = await findLot('$60.00');
  const form = await ann.get(`${path}/sale`);
  const before = (await person.sales()).pagination.total;
  const send = () => ann.submit(form, `${path}/sale`, { from: 'lot', ...terms, gross: '77' });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await person.sales()).pagination.total).toBe(before + 1);
  expect(await units()).toEqual([[12.34, 1]]);
});

test('what cannot be right is refused beside its field, and what was typed is kept', async () => {
  const before = (await person.sales()).pagination.total;
  for (const [typed, fault] of [
    [{ quantity: '2' }, 'Only 1 sealed units of 100 are left in this lot; the sale is of 2.'],
    [{ quantity: '0' }, 'At least 1.'],
    [{ gross: '' }, 'Write an amount'],
    [{ gross: 'a lot' }, "'a lot' is not an amount"],
    [{ gross: '12.345' }, 'At most two digits for the cents.'],
    [{ platform_fees: '-1' }, 'The amount cannot be below 0.'],
    [{ payment_fees: 'x' }, "'x' is not an amount"],
    [{ shipping: '1e9' }, "'1e9' is not an amount"],
    [{ sale_date: '2026-11-16' }, 'The day lies ahead'],
    [{ sale_date: '2025-12-31' }, 'The lot bought on 2026-01-01 cannot be sold before that day.'],
    [{ from: 'oldest', sale_date: '2025-12-31' }, 'The lot bought on 2026-01-01 cannot be sold'],
    [{ platform: 'moon' }, 'Choose one of these.'],
    [{ from: 'hat' }, 'Choose one of these.'],
  ] as const) {
    const seen = await record('$12.34', typed);
    expect([seen.status, typed]).toEqual([400, typed]);
    expect(textOf(seen.html)).toContain(fault);
    const [value = ''] = Object.values(typed);
    if (!['', 'moon', 'hat'].includes(value)) expect(seen.html).toContain(`value="${value}"`);
  }
  expect((await person.sales()).pagination.total).toBe(before);
});

/** The sale of this gross, with its page. */
async function findSale(gross: number) {
  const found = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === gross);
  const path = `/sales/${found?.id}`;
  return { path, page: await ann.get(path) };
}

test('a sale is changed: its cost stays frozen, and units come and go with the quantity', async () => {
  const { path, page } = await findSale(200);
  const typed = { platform: 'local', gross: '210', quantity: '2' };
  expect((await ann.submit(page, path, typed)).goTo).toBe('/sales?changed=1');
  const changed = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === 210);
  expect(changed).toMatchObject({ platform: 'local', payment_fees_usd: 7.47 });
  const fresh = await ann.get(path);
  expect((await ann.submit(fresh, path, { ...typed, quantity: '1' })).status).toBe(303);
  expect(await units()).toEqual([
    [60, 1],
    [12.34, 1],
  ]);
  const many = await ann.submit(await ann.get(path), path, { ...typed, quantity: '9' });
  expect([many.status, textOf(many.html).includes('units of 100 are left')]).toEqual([400, true]);
  const { path: other, page: form } = await findSale(100);
  const early = await ann.submit(form, other, { platform: 'ebay', sale_date: '2025-12-31' });
  expect([early.status, early.html.includes('The lot bought on 2026-01-01')]).toEqual([400, true]);
  const bad = await ann.submit(page, path, { ...typed, gross: 'much' });
  expect([bad.status, bad.html.includes('value="much"')]).toEqual([400, true]);
});

test('a sale is deleted, and its units are there again', async () => {
  const { path, page } = await findSale(77);
  expect((await ann.submit(page, `${path}/delete`, { sure: '' })).status).toBe(400);
  const form = await ann.get(path);
  for (let times = 0; times < 2; times++) {
    const seen = await ann.submit(form, `${path}/delete`, { sure: 'yes' });
    expect(seen.goTo).toBe('/sales?removed=1');
  }
  expect((await ann.get(path)).status).toBe(404);
  expect(await units()).toEqual([
    [60, 2],
    [12.34, 1],
  ]);
});

test('the list, the totals and the table of a year say what the API says', async () => {
  await person.load(
    ledgerSale('given', 3, { cost_basis_usd: 10, platform: 'amazon', sale_date: '2025-12-31' }),
  );
  const { sales } = await person.sales();
  const text = textOf((await ann.get('/sales')).html);
  const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const sum = (pick: (sale: (typeof sales)[number]) => number) =>
    usd.format(sales.reduce((cents, sale) => cents + Math.round(pick(sale) * 100), 0) / 100);
  expect(text).toContain(`Buyers paid ${sum((sale) => sale.gross_proceeds_usd)}`);
  expect(text).toContain(`You got ${sum((sale) => sale.net_proceeds_usd)}`);
  expect(text).toContain(`Profit +${sum((sale) => sale.profit_loss_usd)}`);
  expect(text).toContain('2025-12 1 3 $90.00 $90.00 $10.00 +$80.00 (+800.00%)');
  expect(text).toContain('Amazon 1 3 $90.00');
  expect((await ann.get('/sales?page=2')).goTo).toBe('/sales');
  const file = await ann.get('/sales/year/2026.csv');
  expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="sales-2026.csv"');
  const lines = file.html.trimEnd().split('\r\n');
  expect(lines).toHaveLength(sales.filter((sale) => sale.sale_date >= '2026').length + 1);
  expect(lines[1]).toContain('2026-11-14,100,Set 100,');
  await site.world.load([
    { kind: 'set', set_number: '300', title: '=1+1, "two"', theme: 'Castle' },
  ]);
  const given = { set_number: '300', cost_basis_usd: 1, sale_date: '2023-01-02' };
  await person.load(ledgerSale('formula', 1, given));
  const formula = (await ann.get('/sales/year/2023.csv')).html;
  expect(formula).toContain('2023-01-02,300,"\'=1+1, ""two""\'",ebay,1,90.00');
  expect((await ann.get('/sales/year/2024.csv')).html.split('\r\n')).toHaveLength(2);
  expect((await ann.get('/sales/year/2026.xls')).status).toBe(404);
});

test('a given cost can be changed', async () => {
  const { path, page } = await findSale(90);
  const typed = { platform: 'amazon', cost: '12.5' };
  expect((await ann.submit(page, path, typed)).status).toBe(303);
  const changed = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === 90);
  expect(changed).toMatchObject({ profit_loss_usd: 77.5 });
});

test('the preset fees of what is being typed can be asked for', async () => {
  const ask = async (query: string) => JSON.parse((await ann.get(`/sales/fees?${query}`)).html);
  const fees = { platform_fees: '3.00', payment_fees: '3.98' };
  expect(await ask('platform=bricklink&gross=100&sale_date=2026-11-14')).toEqual(fees);
  expect(await ask('platform=bricklink&gross=&sale_date=2026-11-14')).toEqual({});
  expect(await ask('platform=moon&gross=100')).toEqual({});
});

test('where to sell: the price of each channel today less its fees, or one price in all', async () => {
  const { path } = await findLot('$60.00');
  const text = textOf((await ann.get(`${path}/sell`)).html);
  expect(text).toContain('Local pickup assumed price $90.00 $0.00 $0.00 $90.00 +$30.00 (+50.00%)');
  expect(text).toContain('Assumed price: no sales are known from this channel');
  expect(text).toMatch(/Amazon FBA( assumed price)? \$90\.00 Box size not known – – –/);
  const other = await ann.get(`${path}/sell?price=100&shipping=5`);
  expect(textOf(other.html)).toContain('eBay $100.00 $15.02 $5.00 $79.98 +$19.98');
  // Whoever names the price assumes nothing, so that the channel without fees comes first.
  expect(textOf(other.html)).toContain('Profit Local pickup $100.00 $0.00');
  expect(textOf(other.html)).not.toContain('ssumed price');
  const bad = await ann.get(`${path}/sell?price=%3Cb%3E`);
  expect([bad.status, bad.html.includes('value="&lt;b>"')]).toEqual([400, true]);
});

test("another account's sales and lots are as good as none, in every form and path", async () => {
  const { path: lotPath } = await findLot('$60.00');
  const { path: salePath } = await findSale(100);
  const before = JSON.stringify([await person.sales(), await units()]);
  const tokens = hiddenFields((await bob.get('/inventory')).html);
  const missing = textOf((await bob.get('/sales/999999')).html);
  for (const path of [salePath, `${lotPath}/sale`, `${lotPath}/sell`]) {
    const seen = await bob.get(path);
    expect([path, seen.status, textOf(seen.html)]).toEqual([path, 404, missing]);
  }
  const typed = { ...tokens, ...terms, from: 'lot', sure: 'yes' };
  for (const path of [salePath, `${salePath}/delete`, `${lotPath}/sale`]) {
    expect([path, (await bob.post(path, { ...typed, once: path })).status]).toEqual([path, 404]);
  }
  expect((await bob.get('/sales/year/2026.csv')).html.split('\r\n')).toHaveLength(2);
  expect(JSON.stringify([await person.sales(), await units()])).toBe(before);
});

test('nothing failed on the way', () => {
  expect(site.world.failures).toEqual([]);
});

test('fees of orders are held against published fees, and the rate that was paid is used', async () => {
  const orders = [20, 40, 60, 80, 100].map((gross, index) =>
    ledgerSale(`order ${index}`, 1, {
      platform: 'mercari',
      gross_proceeds_usd: gross,
      platform_fees_usd: gross * 0.12 + 0.5,
      cost_basis_usd: 1,
    }),
  );
  await person.load(...orders);
  const page = await ann.get('/sales/fees-paid');
  const text = textOf(page.html);
  // 12% of 300.00 and five times 0.50, against 10%.
  expect(text).toContain('Mercari 5 $300.00 $38.50 $30.00 +$8.50 12.83%');
  expect(text).toContain('12% of what the buyer pays plus $0.50 per order.');
  expect(text).toMatch(/Largest differences .* Mercari \$100.00 \$12.50 \$10.00 \+\$2.50/);
  expect((await bob.get('/sales/fees-paid')).html).toContain('None of your imported orders');
  const used = await ann.submit(page, '/sales/fees-paid', {});
  expect(used.goTo).toBe('/account/buying?saved=1');
  const rate = { platform: 'mercari', basisPoints: 1_200, feeCents: 50 } as const;
  const { accounts } = site.world.store;
  expect((await accounts.findBuyingSettings(1)).ownRates).toEqual([rate]);
});
