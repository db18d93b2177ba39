/** The pages of lots: edit, move, split and delete, by their owner only. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { applyRows, rowsOf } from '../support/own-rows.ts';
import { hiddenFields, lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, lot, type Person } from '../support/person.ts';
import { readForm, type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;
let add: OwnerSite['add'];
let findLot: OwnerSite['findLot'];

beforeAll(async () => {
  ({ site, ann, bob, person, add, findLot } = await startOwnerSite());
});

afterAll(() => site.close());

/** Ann's collections and lots in the API. */
const everything = async () => JSON.stringify([await person.brickfolios(), await person.entries()]);

test('a lot is changed, moved, listed and split, and the API returns the result', async () => {
  await ann.submit(await ann.get('/inventory/collections'), '/inventory/collections', {
    name: 'Barn',
    is_default: '',
  });
  const barn = (await person.brickfolios()).brickfolios.find(({ name }) => name === 'Barn')?.id;
  await add({ set: '100', price: '', quantity: '1' });
  const guess = { price: '', use_list: 'yes' };
  await add({ set: '200', ...guess, quantity: '5', purchase_date: '2026-10-01' });
  const { path, page } = await findLot('5 of 5');
  expect(textOf(page.html)).toContain('$79.99 each Estimated');
  const form = await ann.get(`${path}/edit`);
  const typed = { condition: 'used', status: 'owned', brickfolio: String(barn) };
  const changed = await ann.submit(form, `${path}/edit`, {
    ...typed,
    price: '60.01',
    quantity: '4',
  });
  expect(changed.goTo).toBe(`${path}?did=changed`);
  expect((await ann.submit(page, `${path}/status`)).goTo).toBe(`${path}?did=changed`);
  const inBarn = async () =>
    (await person.entries(`?brickfolio_id=${barn}`)).entries.map((each) => [
      each.quantity,
      each.condition,
      each.purchase_price_usd,
      each.status,
    ]);
  expect(await inBarn()).toEqual([[4, 'used', 60.01, 'listed']]);
  expect(textOf((await ann.get(path)).html)).not.toContain('Estimated');
  const options = { units: '1', to: String(barn) };
  const split = await ann.get(`${path}/split`);
  for (let times = 0; times < 2; times++) {
    expect((await ann.submit(split, `${path}/split`, options)).goTo).toBe(`${path}?did=changed`);
  }
  expect((await inBarn()).map(([quantity]) => quantity)).toEqual([3, 1]);
  const most = await ann.submit(split, `${path}/split`, { ...options, units: '3' });
  expect([most.status, textOf(most.html).includes('At most 2 units')]).toEqual([400, true]);
  const confirmation = await ann.get(`${path}/delete`);
  expect(textOf(confirmation.html)).toContain('Delete this lot?');
  for (let times = 0; times < 2; times++) {
    const { goTo } = await ann.submit(confirmation, `${path}/delete`);
    expect(goTo).toMatch(times === 0 ? /^\/inventory\?undo=\d+$/ : /^\/inventory$/);
  }
  expect((await inBarn()).map(([quantity]) => quantity)).toEqual([1]);
});

test('a price far from the market value is questioned, and saved once it is confirmed', async () => {
  const before = await everything();
  const asked = await add({ price: '1999', purchase_date: '2024-05-05' });
  const question = '$1,999.00 each is 22 times the market value of $90.00. Is it right?';
  expect([asked.status, textOf(asked.html)]).toEqual([400, expect.stringContaining(question)]);
  expect(await everything()).toBe(before);
  const given = { price: '1999', purchase_date: '2024-05-05', sure: 'price=199900' };
  expect((await add({ ...given, price: '2999' })).status).toBe(400);
  expect((await add({ price: '4.50', purchase_date: '2024-05-05' })).status).toBe(400);
  expect((await add(given)).status).toBe(303);
  expect(await everything()).not.toBe(before);
  const { path } = await findLot('$1,999.00 each');
  await ann.submit(await ann.get(`${path}/delete`), `${path}/delete`);
});

test('a lot with sales cannot be deleted or reduced below the units sold', async () => {
  await person.load(
    lot('sold', 3, { set_number: '101', condition: 'used', purchase_date: '2020-01-01' }),
    ledgerSale('s', 2, { set_number: '101', condition: 'used', lot: 'sold' }),
  );
  const { path, page } = await findLot('1 of 3');
  const form = await ann.get(`${path}/edit`);
  const smaller = await ann.submit(form, `${path}/edit`, { quantity: '1' });
  expect(smaller.status).toBe(400);
  expect(textOf(smaller.html)).toContain('Quantity 1 is less than the 2 already sold');
  expect(smaller.html).toContain('value="1"');
  const later = await ann.submit(form, `${path}/edit`, { purchase_date: '2026-11-01' });
  expect(later.status).toBe(400);
  expect(textOf(later.html)).toMatch(/Units were sold on .*, 20\d\d. Enter that day or an earlier/);
  const deleted = await ann.post(`${path}/delete`, { ...hiddenFields(page.html), sure: 'yes' });
  expect(deleted.status).toBe(400);
  const edit = await ann.get('/collections/1/edit');
  expect(textOf(edit.html)).toContain('1 of them with recorded sales');
});

test("another account's collections and lots are as good as none, in every form and path", async () => {
  const [lotId = 0] = lotIds((await ann.get('/inventory')).html);
  const tokens = hiddenFields((await bob.get('/inventory')).html);
  const before = await everything();
  const typed = {
    ...tokens,
    name: 'Mine',
    set: '100',
    quantity: '1',
    condition: 'sealed',
    price: '1',
    purchase_date: '2026-01-01',
    status: 'owned',
    sure: 'yes',
    lots: 'remove',
    to: '1',
    units: '1',
    brickfolio: '1',
  };
  const own = { token: tokens.token ?? '', name: 'Mine' };
  await bob.post('/inventory/collections', own);
  const missing = textOf((await bob.get('/collections/999999/edit')).html);
  for (const path of [
    '/collections/1/edit',
    `/lots/${lotId}`,
    `/lots/${lotId}/edit`,
    `/lots/${lotId}/split`,
    `/lots/${lotId}/delete`,
  ]) {
    const seen = await bob.get(path);
    expect([path, seen.status, textOf(seen.html)]).toEqual([path, 404, missing]);
  }
  expect(lotIds((await bob.get('/inventory?collection=1')).html)).toEqual([]);
  const foreign = await bob.post('/inventory/add', typed);
  expect([foreign.status, textOf(foreign.html).includes('one of your collections')]).toEqual([
    400,
    true,
  ]);
  for (const path of [
    '/collections/1/edit',
    '/collections/1/default',
    '/collections/1/delete',
    `/lots/${lotId}/edit`,
    `/lots/${lotId}/split`,
    `/lots/${lotId}/status`,
    `/lots/${lotId}/delete`,
  ]) {
    const seen = await bob.post(path, { ...typed, once: path });
    expect([path, seen.status]).toEqual([path, 404]);
  }
  expect(await everything()).toBe(before);
});

test("lots cannot be moved to another account's collection", async () => {
  const { html } = await bob.get('/inventory/collections');
  const mine = Number(/\/collections\/(\d+)\/edit/.exec(html)?.[1]);
  const typed = { set: '100', price: '10', condition: 'sealed', status: 'owned' };
  await bob.submit(await bob.get('/inventory/add'), '/inventory/add', typed);
  const [id = 0] = lotIds((await bob.get(`/inventory?collection=${mine}`)).html);
  const page = await bob.get(`/lots/${id}`);
  for (const [path, fields] of [
    [`/lots/${id}/edit`, { ...typed, brickfolio: '1' }],
    [`/lots/${id}/split`, { units: '1', to: '1' }],
  ] as const) {
    const seen = await bob.post(path, { ...hiddenFields(page.html), ...fields });
    expect([path, seen.status]).toEqual([path, 400]);
  }
  const form = await bob.get(`/collections/${mine}/edit`);
  const fate = { sure: 'yes', lots: 'move', to: '1' };
  expect((await bob.submit(form, `/collections/${mine}/delete`, fate)).status).toBe(400);
});

test('assumed and unknown dates and prices are marked wherever they are shown', async () => {
  const email = 'eve@example.com';
  const eve = await site.signedIn(email);
  const rows = rowsOf(email);
  const assumed = { number: '100', purchaseDate: '2020-02-02', dateBasis: 'assumed' } as const;
  await applyRows(
    site.world.store.accounts,
    [
      rows.brickfolio('Shelf'),
      rows.lot('assumed', { ...assumed, isEstimated: true, priceCents: 0 }),
      rows.lot('unknown', { ...assumed, dateBasis: 'unknown' }),
      rows.sale('sale', { number: '100', quantity: 3 }),
    ],
    site.world.now,
  );
  const linkTo = async (path: string, pattern: RegExp) =>
    pattern.exec((await eve.get(path)).html)?.[0] ?? '';
  const salePath = await linkTo('/sales', /\/sales\/\d+/);
  const sale = await eve.get(salePath);
  expect(textOf(sale.html)).toContain('Bought Feb 2, 2020 (assumed) Shelf 2 Date unknown Shelf 1');
  const lot = await eve.get(await linkTo('/inventory?show=sold', /\/lots\/\d+/));
  expect(textOf(lot.html)).toContain('Feb 2, 2020 (assumed) Bought 2 units for $0.00 each');
  expect(lot.html).toContain('No price was entered, so it counts as 0.');
  const prices = await eve.get('/inventory/prices?all=1');
  expect(textOf(prices.html)).toMatch(/Set 100 100 · Sealed 1 Unknown \$90\.00/);
  const gone = await eve.get('/inventory/prices?show=sold&all=1');
  expect(textOf(gone.html)).toMatch(/Set 100 100 · Sealed 2 Feb 2, 2020 \(assumed\)/);
});

test('an unknown purchase date stays empty until one is entered', async () => {
  const email = 'day@example.com';
  const day = await site.signedIn(email);
  const rows = rowsOf(email);
  const lot = rows.lot('lot', { number: '100', dateBasis: 'unknown' });
  await applyRows(site.world.store.accounts, [rows.brickfolio('Shelf'), lot], site.world.now);
  const [path = ''] = /\/lots\/\d+/.exec((await day.get('/inventory')).html) ?? [];
  const change = async (typed: Record<string, string>) => {
    const form = await day.get(`${path}/edit`);
    expect(readForm(form.html, `${path}/edit`).purchase_date).toBe('');
    const sent = { condition: 'sealed', status: 'owned', ...typed };
    expect((await day.submit(form, `${path}/edit`, sent)).status).toBe(303);
    return textOf((await day.get(path)).html);
  };
  expect(await change({ price: '11' })).toContain('$11.00 each Purchase date Unknown');
  // The same day as the placeholder.
  expect(await change({ purchase_date: '2026-03-04' })).toContain('Purchase date Mar 4, 2026 Coll');
});

test('an estimated price and an assumed date stay marked until they are confirmed', async () => {
  const email = 'sure@example.com';
  const sure = await site.signedIn(email);
  const rows = rowsOf(email);
  const guessed = { number: '100', isEstimated: true, dateBasis: 'assumed' } as const;
  await applyRows(
    site.world.store.accounts,
    [rows.brickfolio('Shelf'), rows.lot('one', guessed), rows.lot('two', guessed)],
    site.world.now,
  );
  const paths = async () =>
    (await sure.get('/inventory')).html.match(/\/lots\/\d+(?=")/g)?.sort() ?? [];
  const [path = '', other = ''] = new Set(await paths());
  const save = async (typed: Record<string, string>) => {
    const form = await sure.get(`${path}/edit`);
    const sent = { condition: 'sealed', status: 'owned', ...typed };
    expect((await sure.submit(form, `${path}/edit`, sent)).status).toBe(303);
    return textOf((await sure.get(path)).html);
  };
  const left = await save({});
  expect(left).toContain('$10.00 each Estimated Purchase date Mar 4, 2026 Assumed');
  expect(await save({ confirm_price: 'yes' })).toContain(
    '$10.00 each Purchase date Mar 4, 2026 Assumed',
  );
  expect(await save({ confirm_date: 'yes' })).toContain('Purchase date Mar 4, 2026 Collection');
  expect((await sure.get(`${path}/edit`)).html).not.toContain('confirm_');
  // The same in the table of prices: only checked rows.
  const prices = '/inventory/prices?all=1';
  const name = `confirm-${other.split('/').at(-1)}`;
  const table = await sure.get(prices);
  expect(table.html.match(/name="confirm-\d+"/g)).toEqual([`name="${name}"`]);
  const grid = table.html.slice(table.html.lastIndexOf('<form', table.html.indexOf('price-grid')));
  const action = /action="([^"]+)"/.exec(grid)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const unticked = await sure.post(action, readForm(grid, action));
  expect(textOf((await sure.get(other)).html)).toContain('$10.00 each Estimated');
  expect(unticked.goTo).toContain('did=nothing');
  const ticked = await sure.post(action, { ...readForm(grid, action), [name]: 'yes' });
  expect(textOf((await sure.get(ticked.goTo ?? '')).html)).toContain('Undo');
  expect(textOf((await sure.get(other)).html)).not.toContain('Estimated');
});

test('the page of a set has the same totals as the inventory', async () => {
  const email = 'sum@example.com';
  const sum = await site.signedIn(email);
  const rows = rowsOf(email);
  const apply = (...lots: ReturnType<typeof rows.lot>[]) =>
    applyRows(site.world.store.accounts, [rows.brickfolio('Shelf'), ...lots], site.world.now);
  await apply(rows.lot('gift', { number: '101', priceCents: 0 }));
  const free = textOf((await sum.get('/sets/101')).html);
  expect(free).toMatch(/Market value \$66\.66 Unrealized gain \+\$66\.66 (?![+-]|0)/);
  // There are no used sales.
  await apply(rows.lot('used', { number: '101', condition: 'used', priceCents: 5_00 }));
  const totals = /Cost basis \$10\.00 .*?Market value \$76\.66 .*?Unrealized gain \+\$66\.66/;
  const set = textOf((await sum.get('/sets/101')).html);
  expect(set).toMatch(totals);
  expect(set).toContain('2 units without a value, counted at cost');
  expect(textOf((await sum.get('/inventory?q=101')).html)).toMatch(totals);
});

test('an estimated value is marked, also for several units', async () => {
  const email = 'est@example.com';
  const est = await site.signedIn(email);
  const rows = rowsOf(email);
  const lot = rows.lot('ferry', { number: '200' });
  await applyRows(site.world.store.accounts, [rows.brickfolio('Shelf'), lot], site.world.now);
  const [path = ''] = /\/lots\/\d+/.exec((await est.get('/inventory')).html) ?? [];
  expect(textOf((await est.get(path)).html)).toContain('Estimated Estimated Cost basis');
});

test('no request failed', () => {
  expect(site.world.failures).toEqual([]);
});

test('a collection is not deleted with lots that its owner did not see', async () => {
  await ann.submit(await ann.get('/inventory/collections'), '/inventory/collections', {
    name: 'Den',
  });
  const { html } = await ann.get('/inventory/collections');
  const [, id = ''] = /inventory\?collection=(\d+)">Den</.exec(html) ?? [];
  const path = `/collections/${id}`;
  const typed = { set: '100', price: '10', condition: 'sealed', status: 'owned', brickfolio: id };
  const adding = await ann.get('/inventory/add');
  const add = () => ann.submit(adding, '/inventory/add', typed);
  const opened = await ann.get(`${path}/edit`);
  const fate = { sure: 'yes', lots: 'remove' };
  await add();
  const refused = await ann.submit(opened, `${path}/delete`, fate);
  expect([refused.status, textOf(refused.html)]).toEqual([
    400,
    expect.stringContaining('The lots of this collection changed since you opened this page.'),
  ]);
  const seen = await ann.get(`${path}/edit`);
  for (const _ of [1, 2]) {
    const deleted = await ann.submit(seen, `${path}/delete`, fate);
    expect(deleted.goTo).toBe('/inventory/collections?did=deleted');
  }
  // The lot is gone, so its form does not say that it was added.
  const again = await add();
  expect([again.status, again.goTo]).toEqual([400, null]);
});

test('a changed lot stays as another form left it if its form is sent again', async () => {
  await add({ price: '13.13', quantity: '5', purchase_date: '2024-06-06' });
  const { path } = await findLot('$13.13');
  const first = await ann.get(`${path}/edit`);
  const change = () => ann.submit(first, `${path}/edit`, { quantity: '4' });
  expect((await change()).goTo).toBe(`${path}?did=changed`);
  await ann.submit(await ann.get(`${path}/edit`), `${path}/edit`, { quantity: '6' });
  expect((await change()).goTo).toBe(`${path}?did=changed`);
  expect(textOf((await ann.get(path)).html)).toContain('6');
  const split = await ann.get(`${path}/split`);
  const brickfolio = /<option value="(\d+)" selected/.exec(split.html)?.[1] ?? '1';
  // All but one unit: the second form finds one.
  for (const _ of [1, 2]) {
    const done = await ann.submit(split, `${path}/split`, { units: '5', to: brickfolio });
    expect(done.goTo).toBe(`${path}?did=changed`);
  }
});
