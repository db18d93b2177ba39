/** The pages of sales: record, change, delete, totals, tax files, and where to sell. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { LotPrediction } from '../../src/buying/prices/prediction.ts';
import { applyRows, rowsOf } from '../support/own-rows.ts';
import { hiddenFields, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, lot, type Person } from '../support/person.ts';
import { readForm, type Site, textOf, type Visitor } from '../support/site.ts';

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

/** Opens the sale form of the lot with this text on its page. */
async function openForm(words: string) {
  const { path } = await findLot(words);
  const { goTo = '' } = await ann.get(`${path}/sale`);
  expect(goTo).toBe(`/sales/new?lot=${path.split('/').at(-1)}`);
  return ann.get(goTo ?? '');
}

/** Records a sale of that lot. */
async function record(words: string, typed: Record<string, string>) {
  return ann.submit(await openForm(words), '/sales/new', { ...terms, ...typed });
}

const units = async () =>
  (await person.entries()).entries.map((each) => [each.purchase_price_usd, each.quantity]);

test('a sale takes units of its lot, with preset fees', async () => {
  const saved = await record('$12.34', { shipping: '7.5' });
  expect(saved.goTo).toMatch(/^\/sales\?did=saved&undo=\d+$/);
  const text = textOf((await ann.get(saved.goTo ?? '')).html);
  expect(text).toContain('Sale of 1 × Set 100 (100) saved: net $77.48, profit +$65.14. Undo');
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

test('a price far from the market value is questioned, and saved once it is confirmed', async () => {
  const before = await units();
  const asked = await record('$60.00', { gross: '10000' });
  const question = '$10,000.00 each is 111 times the market value of $90.00. Is it right?';
  expect([asked.status, textOf(asked.html)]).toEqual([400, expect.stringContaining(question)]);
  expect(await units()).toEqual(before);
  const saved = await record('$60.00', { gross: '10000', sure: 'gross=1000000' });
  const undone = await ann.submit(await ann.get(saved.goTo ?? ''), '/sales/undo');
  expect(undone.status).toBe(303);
  expect(await units()).toEqual(before);
});

test('first in, first out takes the oldest units; entered fees replace presets', async () => {
  const typed = { from: 'sealed', quantity: '2', gross: '200', platform_fees: '0' };
  expect((await record('$12.34', { ...typed, platform: 'bricklink' })).status).toBe(303);
  const [newest] = (await person.sales()).sales.toReversed();
  // 200.00 + 7.5% tax = 215.00; × 3.49% = 7.50, + 0.49
  expect(newest).toMatchObject({ platform_fees_usd: 0, payment_fees_usd: 7.99, quantity: 2 });
  expect(await units()).toEqual([
    [60, 1],
    [12.34, 1],
  ]);
});

test('a form that is sent twice records one sale', async () => {
  const form = await openForm('$60.00');
  const before = (await person.sales()).pagination.total;
  const send = () => ann.submit(form, '/sales/new', { ...terms, gross: '77' });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await person.sales()).pagination.total).toBe(before + 1);
  expect(await units()).toEqual([[12.34, 1]]);
});

test('invalid input is rejected at its field, and kept', async () => {
  const before = (await person.sales()).pagination.total;
  for (const [typed, fault] of [
    [{ quantity: '2' }, 'The sale is for 2 sealed units of 100, but only 1 is left in this lot.'],
    [{ quantity: '0' }, 'Enter 1 or more.'],
    [{ gross: '' }, 'Enter an amount'],
    [{ gross: 'a lot' }, "'a lot' is not an amount"],
    [{ gross: '12.345' }, 'Use at most two decimals.'],
    [{ platform_fees: '-1' }, 'Enter 0 or more.'],
    [{ payment_fees: 'x' }, "'x' is not an amount"],
    [{ shipping: '1e9' }, "'1e9' is not an amount"],
    [{ sale_date: '2026-11-16' }, 'The date is in the future'],
    [{ sale_date: '2025-12-31' }, 'The lot bought on Jan 1, 2026 cannot be sold before that day.'],
    [{ from: 'sealed', sale_date: '2025-12-31' }, 'The lot bought on Jan 1, 2026 cannot be sold'],
    [{ platform: 'moon' }, 'Choose one of the options.'],
    [{ from: 'hat' }, 'Choose one of the options.'],
    [{ from: '999999' }, 'Choose one of the options.'],
    [{ set: 'no such thing' }, "No set or minifig in your inventory matches 'no such thing'."],
  ] as const) {
    const seen = await record('$12.34', typed);
    expect([seen.status, typed]).toEqual([400, typed]);
    expect(textOf(seen.html)).toContain(fault);
    const [value = ''] = Object.values(typed);
    if (!['', 'moon', 'hat', '999999', 'sealed'].includes(value))
      expect(seen.html).toContain(`value="${value}"`);
  }
  expect((await person.sales()).pagination.total).toBe(before);
});

/** The sale with this gross amount, and its page. */
async function findSale(gross: number) {
  const found = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === gross);
  const path = `/sales/${found?.id}`;
  return { path, page: await ann.get(path) };
}

test('a changed sale keeps its cost, and takes or returns units with its quantity', async () => {
  const { path, page } = await findSale(200);
  const typed = { platform: 'local', gross: '210', quantity: '2' };
  expect((await ann.submit(page, path, typed)).goTo).toMatch(
    /^\/sales\?did=changed&n=\d+&undo=\d+$/,
  );
  const changed = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === 210);
  expect(changed).toMatchObject({ platform: 'local', payment_fees_usd: 7.99 });
  const fresh = await ann.get(path);
  expect((await ann.submit(fresh, path, { ...typed, quantity: '1' })).status).toBe(303);
  expect(await units()).toEqual([
    [60, 1],
    [12.34, 1],
  ]);
  const many = await ann.submit(await ann.get(path), path, { ...typed, quantity: '9' });
  expect([many.status, textOf(many.html).includes('sealed units of 100, but')]).toEqual([
    400,
    true,
  ]);
  const { path: other, page: form } = await findSale(100);
  const early = await ann.submit(form, other, { platform: 'ebay', sale_date: '2025-12-31' });
  expect([early.status, early.html.includes('The lot bought on Jan 1, 2026')]).toEqual([400, true]);
  const bad = await ann.submit(page, path, { ...typed, gross: 'much' });
  expect([bad.status, bad.html.includes('value="much"')]).toEqual([400, true]);
});

test('a change of a sale can be undone once, with units and cost', async () => {
  const { path, page } = await findSale(210);
  const before = [await person.sales(), await units()];
  const change = async (form: typeof page, typed: Record<string, string>) => {
    const { goTo } = await ann.submit(form, path, { platform: 'local', ...typed });
    return ann.get(goTo ?? '');
  };
  const undo = async (seen: typeof page) => {
    const { goTo } = await ann.submit(seen, '/sales/undo');
    return textOf((await ann.get(goTo ?? '')).html);
  };
  const response = await change(page, { quantity: '2', gross: '333' });
  expect(textOf(response.html)).toMatch(/Sale of \d × Set 100 \(100\) updated\. Undo/);
  expect(await units()).not.toEqual(before[1] as never);
  expect(await undo(response)).toContain('Change undone.');
  expect([await person.sales(), await units()]).toEqual(before);
  expect(await undo(response)).toContain('can no longer be undone');
  const other = await change(await ann.get(path), { gross: '334' });
  await change(await ann.get(path), { gross: '210' });
  expect(await undo(other)).toContain('This cannot be undone');
  expect([await person.sales(), await units()]).toEqual(before);
  const bobs = await bob.get('/sales/new');
  const { token = '' } = readForm(bobs.html, '/sales/new');
  const stolen = await bob.post('/sales/undo', { token, once: 'x', edit: '1' });
  expect(stolen.goTo).toBe('/sales?did=too-late');
});

test('a deleted sale returns its units', async () => {
  const { path, page } = await findSale(77);
  expect(textOf(page.html)).toMatch(/Delete this sale\? .*?Its units go back to their lots\./);
  for (let times = 0; times < 2; times++) {
    const seen = await ann.submit(page, `${path}/delete`);
    expect(seen.goTo).toBe(`/sales?did=deleted${times === 0 ? '&item=100' : ''}`);
    const text = times === 0 ? 'Sale of Set 100 (100) deleted.' : 'Sale deleted.';
    expect(textOf((await ann.get(seen.goTo ?? '')).html)).toContain(text);
  }
  expect((await ann.get(path)).status).toBe(404);
  expect(await units()).toEqual([
    [60, 2],
    [12.34, 1],
  ]);
});

test('the list, the totals and the file of a year agree with the API', async () => {
  await person.load(
    ledgerSale('given', 3, { cost_basis_usd: 10, platform: 'amazon', sale_date: '2025-12-31' }),
  );
  const { sales } = await person.sales();
  const text = textOf((await ann.get('/sales')).html);
  const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const sum = (pick: (sale: (typeof sales)[number]) => number) =>
    usd.format(sales.reduce((cents, sale) => cents + Math.round(pick(sale) * 100), 0) / 100);
  const gross = sum((sale) => sale.gross_proceeds_usd);
  expect(text).toContain(`Net ${sum((sale) => sale.net_proceeds_usd)} of ${gross} gross`);
  expect(text).toContain(`Profit +${sum((sale) => sale.profit_loss_usd)}`);
  expect(text).toContain('Amazon 3 $90.00 +$80.00 (+800.0%)');
  const lastYear = textOf((await ann.get('/sales?year=2025')).html);
  expect(lastYear).toContain('Net $90.00 of $90.00 gross Profit +$80.00 ROI +800.0%');
  const listed = async (query: string) =>
    [...(await ann.get(`/sales?${query}`)).html.matchAll(/<a href="\/sales\/(\d+)"/g)]
      .map((match) => sales.find(({ id }) => id === Number(match[1]))?.gross_proceeds_usd)
      .join();
  expect(await listed('platform=amazon')).toBe('90');
  expect(await listed('q=set+10&platform=local&year=2026')).toBe('210');
  expect(await listed('q=ferry')).toBe('');
  expect(await listed('sort=-gross')).toBe('210,100,90');
  expect(await listed('sort=profit')).toBe('100,90,210');
  const view = (await ann.get('/sales.csv?sort=gross&year=2026')).html.trimEnd().split('\r\n');
  expect(view.map((line) => line.split(',')[5])).toEqual([
    'gross_proceeds_usd',
    '100.00',
    '210.00',
  ]);
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

test('an entered cost can be changed', async () => {
  const { path, page } = await findSale(90);
  expect(textOf(page.html)).not.toContain('Its units go back');
  const typed = { platform: 'amazon', cost: '12.5' };
  expect((await ann.submit(page, path, typed)).status).toBe(303);
  const changed = (await person.sales()).sales.find((sale) => sale.gross_proceeds_usd === 90);
  expect(changed).toMatchObject({ profit_loss_usd: 77.5 });
});

/** The preview for these fields. */
const preview = async (fields: Record<string, string>) =>
  JSON.parse((await ann.get(`/sales/preview?${new URLSearchParams(fields)}`)).html);

test('the preview of fees, net, profit and ROI is what is saved', async () => {
  const typed = { ...terms, set: '100', from: 'sealed', quantity: '2', platform: 'bricklink' };
  const shown = await preview(typed);
  // 107.50 with tax × 3.49% = 3.75, + 0.49; 100.00 − 3.00 − 4.24 = 92.76.
  expect(shown.presets).toEqual({ platform_fees: '3.00', payment_fees: '4.24' });
  expect(shown.origins.map(([, text]: string[]) => text)).toEqual([
    'First in, first out: 3 sealed units',
    '2 sealed in Shelf · Bought Jan 1, 2026 · $60.00',
    '1 sealed in Shelf · Bought Jan 1, 2026 · $12.34',
  ]);
  const { live } = shown;
  expect(live.set.text).toBe('Set 100');
  const seen = await ann.submit(await ann.get('/sales/new'), '/sales/new', typed);
  const summary = `net ${live.net.text}, profit ${live.profit.text}.`;
  expect(textOf((await ann.get(seen.goTo ?? '')).html)).toContain(summary);
  const sold = (await person.sales()).sales.find((sale) => sale.quantity === 2);
  expect(sold).toMatchObject({ net_proceeds_usd: 92.76, profit_loss_usd: -27.24 });
  expect([live.net.text, live.cost.text]).toEqual(['$92.76', '$120.00']);
  expect([live.profit, live.roi.text]).toEqual([{ text: '-$27.24', sign: -2724 }, '-22.7%']);
  const path = `/sales/${sold?.id}`;
  const page = await ann.get(path);
  const edit = async (change: Record<string, string>) =>
    (await preview({ ...readForm(page.html, path), sale: String(sold?.id), ...change })).live;
  expect((await edit({ gross: '110' })).profit.text).toBe('-$17.24');
  // With another quantity, its own units can be sold again, and others with them.
  expect((await edit({ quantity: '1' })).cost.text).toBe('$60.00');
  expect((await edit({ quantity: '9' })).cost).toBeUndefined();
  const more = await edit({ quantity: '3' });
  expect([more.net.text, more.cost.text, more.profit.text]).toEqual([
    '$92.76',
    '$132.34',
    '-$39.58',
  ]);
  expect((await ann.submit(page, path, { quantity: '3' })).status).toBe(303);
  const changed = (await person.sales()).sales.find((sale) => sale.quantity === 3);
  expect(changed).toMatchObject({ profit_loss_usd: -39.58 });
  // Missing and invalid fields are left out.
  expect(await preview({ ...typed, gross: '' })).toMatchObject({ live: { set: live.set } });
  for (const wrong of [{ gross: '' }, { platform: 'moon' }, { quantity: '0' }]) {
    expect((await preview({ ...typed, ...wrong })).presets).toEqual({});
  }
  expect((await preview({ ...typed, quantity: '99' })).live.profit).toBeUndefined();
  await ann.submit(page, `${path}/delete`);
});

test('without script, Preview shows the same without saving', async () => {
  const before = (await person.sales()).pagination.total;
  const form = await ann.get('/sales/new');
  const typed = { ...terms, set: '100', gross: '50' };
  const seen = await ann.submit(form, '/sales/new', { ...typed, next: 'preview' });
  const { live } = await preview(typed);
  expect(seen.status).toBe(200);
  expect(textOf(seen.html)).toContain(`Net ${live.net.text} Cost basis ${live.cost.text}`);
  expect((await person.sales()).pagination.total).toBe(before);
  const words = await ann.submit(form, '/sales/new', { ...terms, set: 'set', gross: '50' });
  expect([words.status, (await person.sales()).pagination.total]).toEqual([303, before + 1]);
  await ann.submit(await ann.get(words.goTo ?? ''), '/sales/undo');
  expect((await person.sales()).pagination.total).toBe(before);
});

test('save and add another keeps platform and date, and undo deletes the sale', async () => {
  const before = await units();
  const form = await ann.get('/sales/new');
  const typed = { ...terms, set: '100', from: 'sealed', platform: 'local', next: 'another' };
  const { goTo } = await ann.submit(form, '/sales/new', typed);
  expect(goTo).toMatch(/^\/sales\/new\?platform=local&date=2026-11-14&did=saved&undo=\d+$/);
  const next = await ann.get(goTo ?? '');
  expect(readForm(next.html, '/sales/new')).toMatchObject({
    set: '',
    platform: 'local',
    sale_date: '2026-11-14',
    gross: '',
  });
  expect(/<input id="field-set"[^>]*>/.exec(next.html)?.[0]).toContain('autofocus');
  for (let times = 0; times < 2; times++) {
    expect((await ann.submit(next, '/sales/undo')).goTo).toBe('/sales?did=deleted&n=1');
  }
  expect(await units()).toEqual(before);
});

test('sales of several lots are recorded all or none', async () => {
  await person.load(lot('ferry', 2, { set_number: '200', purchase_price_usd: 40 }));
  const [ferry, other] = [await findLot('Night Ferry'), await findLot('$12.34')];
  const [a, b] = [ferry, other].map(({ path }) => path.split('/').at(-1));
  const form = await ann.get(`/sales/new?lots=${a},${b},${a},999999,x`);
  expect(textOf(form.html)).toContain('Record 2 sales');
  expect(readForm(form.html, '/sales/new')).toMatchObject({
    lots: `${a},${b}`,
    [`quantity_${a}`]: '2',
    [`quantity_${b}`]: '1',
  });
  const placesOf = (html: string) =>
    [...html.matchAll(/data-live="(\w+)"/g)].map(([, name]) => name);
  expect(placesOf(form.html)).toContain('net_all');
  // The totals of a single lot are those of its row.
  const single = placesOf((await ann.get(`/sales/new?lots=${a}`)).html);
  expect(single.filter((name) => name === `net_${a}`)).toHaveLength(2);
  const before = [await units(), (await person.sales()).pagination.total];
  const common = { platform: 'local', sale_date: '2026-11-14', [`gross_${a}`]: '100' };
  const missing = await ann.submit(form, '/sales/new', common);
  expect([missing.status, missing.html.includes(`field-gross_${b}-fault`)]).toEqual([400, true]);
  const typed = { ...common, [`gross_${b}`]: '20', [`shipping_${b}`]: '1.5' };
  const nine = { [`quantity_${b}`]: '9', [`gross_${b}`]: '180' };
  const many = await ann.submit(form, '/sales/new', { ...typed, ...nine });
  expect([many.status, many.html.includes(`field-quantity_${b}-fault`)]).toEqual([400, true]);
  expect([await units(), (await person.sales()).pagination.total]).toEqual(before);
  const { live } = await preview({ ...readForm(form.html, '/sales/new'), ...typed });
  expect([live.net_all.text, live.profit_all.text]).toEqual(['$118.50', '+$26.16']);
  // More units than are left have no cost: the net is still that of all rows.
  const short = { ...readForm(form.html, '/sales/new'), ...typed, [`quantity_${b}`]: '9' };
  const open = (await preview(short)).live;
  expect([open.net_all.text, open.profit_all]).toEqual(['$118.50', undefined]);
  const saved = await ann.submit(form, '/sales/new', typed);
  const list = await ann.get(saved.goTo ?? '');
  expect(textOf(list.html)).toContain('2 sales saved: net $118.50, profit +$26.16.');
  expect((await ann.submit(list, '/sales/undo')).goTo).toBe('/sales?did=deleted&n=2');
  const deleted = async (count: number) =>
    textOf((await ann.get(`/sales?did=deleted&n=${count}`)).html);
  expect(await deleted(2)).toContain('2 sales deleted. Units are back in their lots.');
  expect(await deleted(1)).toContain('Sale deleted. Units are back in their lots.');
  expect([await units(), (await person.sales()).pagination.total]).toEqual(before);
  expect(textOf((await ann.get('/sales/new?lots=999999')).html)).toContain('No units left to sell');
});

test('where to sell compares the net of channels, at expected prices or at one price', async () => {
  const { path } = await findLot('$60.00');
  const text = textOf((await ann.get(`${path}/sell`)).html);
  expect(text).toContain('Local pickup Assumed price $90.00 $0.00 $0.00 $90.00 +$30.00 (+50.0%)');
  expect(text).toContain('Assumed price: no sales are recorded on this channel');
  expect(text).toMatch(/Amazon FBA( Assumed price)? \$90\.00 — Box size unknown/);
  const other = await ann.get(`${path}/sell?price=100&shipping=5`);
  expect(textOf(other.html)).toContain('eBay $100.00 $15.02 $5.00 $79.98 +$19.98');
  // With an entered price nothing is assumed, so the channel without fees comes first.
  expect(textOf(other.html)).toContain('Time to sell Local pickup $100.00 $0.00');
  expect(textOf(other.html)).not.toContain('ssumed price');
  // With shipping of $5 only a channel without it has anything left of $4.
  const cheap = textOf((await ann.get(`${path}/sell?price=4&shipping=5`)).html);
  expect(cheap).toMatch(
    /Time to sell Local pickup \$4\.00 \$0\.00 \$0\.00 \$4\.00 \S+ .*Not channels/,
  );
  expect(cheap).toMatch(
    /Not channels at this price: Mercari, [^.]*eBay\. .*would take all of it\./,
  );
  expect(cheap).not.toContain('eBay $4.00');
  const bad = await ann.get(`${path}/sell?price=%3Cb%3E`);
  expect([bad.status, bad.html.includes('value="&lt;b>"')]).toEqual([400, true]);
});

test("another account's sales and lots are as good as none, in every form and path", async () => {
  const { path: lotPath } = await findLot('$60.00');
  const { path: salePath } = await findSale(100);
  const before = JSON.stringify([await person.sales(), await units()]);
  const tokens = hiddenFields((await bob.get('/inventory')).html);
  const missing = textOf((await bob.get('/sales/999999')).html);
  const lotId = lotPath.split('/').at(-1) ?? '';
  for (const path of [salePath, `${lotPath}/sell`]) {
    const seen = await bob.get(path);
    expect([path, seen.status, textOf(seen.html)]).toEqual([path, 404, missing]);
  }
  const typed = { ...tokens, ...terms };
  for (const path of [salePath, `${salePath}/delete`]) {
    expect([path, (await bob.post(path, { ...typed, once: path })).status]).toEqual([path, 404]);
  }
  for (const [of, status] of [
    [{ set: '100', from: lotId }, 400],
    [{ set: '100', from: 'sealed' }, 400],
    [{ lots: lotId }, 404],
  ] as const) {
    expect([of, (await bob.post('/sales/new', { ...typed, ...of })).status]).toEqual([of, status]);
  }
  for (const of of [`lot=${lotId}`, `lots=${lotId}`, 'set=100']) {
    expect(textOf((await bob.get(`/sales/new?${of}`)).html)).not.toContain('Shelf');
  }
  await bob.post('/sales/undo', { ...typed, sales: salePath.split('/').at(-1) ?? '' });
  expect((await bob.get('/sales/year/2026.csv')).html.split('\r\n')).toHaveLength(2);
  expect(JSON.stringify([await person.sales(), await units()])).toBe(before);
});

test('months are named, and figures of other sales are labeled or left out', async () => {
  const email = 'old@example.com';
  const old = await site.signedIn(email);
  const rows = rowsOf(email);
  const prediction: LotPrediction = {
    at: site.world.now,
    condition: 'sealed',
    valueCents: 40_00,
    netHalfCents: 26_00,
    netSafeCents: 24_00,
    channel: 'ebay',
    waitDays: 27.5,
  };
  const bought = rows.lot('lot', { number: '100', quantity: 3, purchaseDate: '2022-01-01' });
  const sold = (saleDate: string) => rows.sale(saleDate, { number: '100', saleDate });
  const { accounts } = site.world.store;
  await applyRows(
    accounts,
    [
      rows.brickfolio('Shelf'),
      { ...bought, prediction } as typeof bought,
      ...['2024-10-31', '2024-11-30', '2026-10-01'].map(sold),
    ],
    site.world.now,
  );
  const all = textOf((await old.get('/sales')).html);
  expect(all).toContain('Latest 24 months');
  expect(all).toContain('Month Net Profit Nov 2024 $24.00 $14.00 Dec 2024 $0.00 $0.00');
  expect(all).toContain('3 of 3 units met the cautious estimate');
  for (const query of ['year=2024', 'platform=ebay', 'q=100']) {
    expect(textOf((await old.get(`/sales?${query}`)).html)).not.toContain('cautious estimate');
  }
  const year = textOf((await old.get('/sales?year=2024')).html);
  expect(year).toContain('By month Net Profit');
});

test('no request failed', () => {
  expect(site.world.failures).toEqual([]);
});

test('fees of orders are compared with published fees, and the fitted rate is adopted', async () => {
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
  expect(text).not.toContain('do not include payment fees');
  expect(text).toMatch(/Largest differences .* Mercari \$100.00 \$12.50 \$10.00 \+\$2.50/);
  expect((await bob.get('/sales/fees-paid')).html).toContain('None of your imported orders');
  const used = await ann.submit(page, '/sales/fees-paid', {});
  expect(used.goTo).toBe('/account/buying?did=saved');
  const rate = { platform: 'mercari', basisPoints: 1_200, feeCents: 50 } as const;
  const { accounts } = site.world.store;
  expect((await accounts.findBuyingSettings(1)).ownRates).toEqual([rate]);
  const [entry] = await accounts.listAudit({ accountId: 1, before: null, limit: 1 });
  expect(entry).toMatchObject({ action: 'settings.changed', detail: 'buying' });
});

test('the profit report groups sales, agrees with the sales page, and is a file', async () => {
  const email = 'profit@example.com';
  const owner = await site.signedIn(email);
  expect(textOf((await owner.get('/sales/profit')).html)).toContain('No sales recorded');
  const rows = rowsOf(email);
  const lots = [
    rows.lot('new', { number: '100', purchaseDate: '2026-10-02', boughtAt: '=Target' }),
    rows.lot('old', { number: '100', purchaseDate: '2024-10-01' }),
  ];
  const sale = (id: string, lotId: string, saleDate: string) =>
    rows.sale(id, { number: '100', lot: lotId, saleDate });
  await applyRows(
    site.world.store.accounts,
    [
      rows.brickfolio('Shelf'),
      ...lots,
      sale('first', 'new', '2026-11-01'),
      sale('second', 'old', '2025-10-02'),
    ],
    site.world.now,
  );
  const read = async (query: string) => textOf((await owner.get(`/sales/profit?${query}`)).html);
  const sales = textOf((await owner.get('/sales')).html);
  const profit = /Profit \+\$[\d.]+/.exec(sales)?.[0] ?? 'no profit';
  for (const by of ['theme', 'year', 'month', 'platform', 'bought_at', 'time_held']) {
    expect(await read(`by=${by}`)).toContain(profit);
  }
  expect(await read('by=bought_at')).toMatch(/=Target .* Not recorded/);
  expect(await read('by=time_held')).toMatch(/Up to 30 days .* 1 to 2 years/);
  expect(await read('by=time_held&sort=-group')).toMatch(/1 to 2 years .* Up to 30 days/);
  expect(await read('by=time_held&sort=valueOf')).toMatch(/Up to 30 days .* 1 to 2 years/);
  expect(await read('by=time_held&year=2025')).not.toContain('Up to 30 days');
  expect(await read('q=nothing')).toContain('No sales match');
  const file = (await owner.get('/sales/profit.csv?by=bought_at&sort=group')).html.split('\r\n');
  expect(file).toEqual([
    'bought_at,sales,units,gross_proceeds_usd,fees_and_shipping_usd,net_proceeds_usd,' +
      'cost_basis_usd,profit_loss_usd,roi_pct,average_days_held',
    "'=Target',1,1,30.00,6.00,24.00,10.00,14.00,140.00,30.0",
    'Not recorded,1,1,30.00,6.00,24.00,10.00,14.00,140.00,366.0',
    '',
  ]);
  expect(textOf((await bob.get('/sales/profit?by=bought_at')).html)).not.toContain('=Target');
});

test('a sale of the last unit that is sent again leads where it led, until it is deleted', async () => {
  await person.load(lot('last', 1, { set_number: '300', purchase_price_usd: 7.89 }));
  const form = await openForm('$7.89');
  const before = (await person.sales()).pagination.total;
  const send = () => ann.submit(form, '/sales/new', { ...terms, gross: '55' });
  const [{ goTo }, second] = [await send(), await send()];
  expect(goTo).toMatch(/^\/sales\?did=saved&undo=\d+$/);
  expect(second.goTo).toBe(goTo);
  expect((await person.sales()).pagination.total).toBe(before + 1);
  const path = `/sales/${goTo?.split('=').at(-1)}`;
  const page = await ann.get(path);
  const changed = await ann.submit(page, path, { gross: '56' });
  expect(changed.goTo).toContain('did=changed');
  await ann.submit(await ann.get(path), path, { gross: '57' });
  // Rejected for what the other form changed, if it had not been applied.
  expect((await ann.submit(page, path, { gross: '56' })).goTo).toContain('did=changed');
  expect((await person.sales()).sales.map((sale) => sale.gross_proceeds_usd)).toContain(57);
  await ann.submit(await ann.get(path), `${path}/delete`);
  const late = await send();
  expect([late.status, textOf(late.html)]).toEqual([
    400,
    expect.stringContaining('what it did was undone or removed since'),
  ]);
  expect((await person.sales()).pagination.total).toBe(before);
});
