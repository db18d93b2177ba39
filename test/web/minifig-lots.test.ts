/** Minifigs in the inventory: added, listed, sold, and told apart from what version 1 counts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startOwnerSite } from '../support/owner-pages.ts';
import type { Person } from '../support/person.ts';
import { type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  ({ site, ann, bob, person } = await startOwnerSite());
  const sold = { kind: 'sale', source: 'shop', item_type: 'minifig', item: 'kni001' };
  const at = { condition: 'used', sold_at: '2026-10-01T10:00:00Z' };
  await site.world.load([
    { kind: 'minifig', minifig_number: 'kni001', name: 'Red Knight', aliases: ['fig-000009'] },
    { kind: 'set', set_number: '100', title: 'Set 100', theme: 'Castle', minifigs: ['kni001'] },
    { ...sold, ...at, source_id: 'fig 1', price: 8 },
  ]);
});

afterAll(() => site.close());

const add = async (typed: Readonly<Record<string, string>>) => {
  const usual = { quantity: '1', status: 'owned', brickfolio: '1', purchase_date: '2026-11-01' };
  const page = await ann.get('/inventory/add');
  return ann.submit(page, '/inventory/add', { ...usual, condition: 'used', ...typed });
};

test('a minifig is added by either number, which the lot keeps, and not without a price', async () => {
  const asked = await add({ set: 'kni001', price: '' });
  expect(textOf(asked.html)).toContain('Enter what you paid. Minifigs have no list price.');
  const { pagination } = await person.entries();
  expect((await add({ set: 'kni001', quantity: '3', price: '2.50' })).goTo).toBe(
    '/inventory?did=added&n=kni001',
  );
  await person.load({
    kind: 'holding',
    source_id: 'by alias',
    brickfolio: 'Shelf',
    minifig_number: 'fig-000009',
    quantity: 1,
    condition: 'used',
    purchase_price_usd: 3,
    purchase_date: '2026-10-01',
  });
  const figs = await ann.get('/inventory?kind=minifig');
  const text = textOf(figs.html);
  expect(text).toContain('Red Knight kni001');
  expect(text).toContain('Red Knight fig-000009');
  expect(text).not.toContain('Set 100');
  expect(text).toContain('Units 4 2 lots, 2 items Cost basis $10.50 Market value $32.00');
  expect((await person.entries()).pagination).toEqual(pagination);
  const file = (await ann.get('/inventory.csv?kind=minifig')).html.split('\r\n');
  expect(file[0]).toEndWith(',minifig_number');
  expect(file[1]).toEndWith(',kni001');
  expect((await bob.get('/inventory?kind=minifig')).html).not.toContain('Red Knight');
});

test('the page of its lot links the sets it comes in, and its own page shows what is owned', async () => {
  const list = await ann.get('/inventory?kind=minifig');
  const lot = await ann.get(/href="(\/lots\/\d+)"/.exec(list.html)?.[1] ?? '');
  expect(textOf(lot.html)).toContain('Minifig Red Knight kni001 Comes in 100');
  expect(lot.html).toContain('href="/sets/100"');
  const page = await ann.get('/minifigs/kni001');
  expect(textOf(page.html)).toContain('In your inventory View lots Record sale Units 4');
  expect(page.html).toContain('href="/inventory/add?minifig=kni001"');
  expect(textOf((await bob.get('/minifigs/kni001')).html)).not.toContain('In your inventory');
});

test('a minifig is sold from its lots, and version 1 leaves the sale out', async () => {
  const before = await person.sales();
  const address = '/sales/new?minifig=kni001';
  const sold = await ann.submit(await ann.get(address), '/sales/new', {
    set: 'kni001',
    from: '',
    quantity: '1',
    gross: '9',
    platform: 'local',
    sale_date: '2026-11-10',
  });
  expect(sold.goTo).toStartWith('/sales?did=saved');
  const sales = textOf((await ann.get('/sales')).html);
  expect(sales).toContain('Red Knight kni001');
  expect(await person.sales()).toEqual(before);
  const year = (await ann.get('/sales/year/2026.csv')).html.split('\r\n');
  expect(year.some((line) => /^2026-11-10,,Red Knight,local,1,9\.00.*,kni001$/.test(line))).toBe(
    true,
  );
});

test('a minifig entered under an alias is found and sold under its main number', async () => {
  await site.world.load([
    { kind: 'minifig', minifig_number: 'cas002', name: 'Blue Knight', aliases: ['fig-000010'] },
  ]);
  const lot = {
    kind: 'holding',
    source_id: 'blue',
    brickfolio: 'Shelf',
    minifig_number: 'fig-000010',
    quantity: 4,
    condition: 'used',
    purchase_price_usd: 3,
    purchase_date: '2026-10-01',
  };
  await person.load(lot);
  const page = await ann.get('/minifigs/cas002');
  const [listed = '', selling = ''] = ['View lots', 'Record sale'].map(
    (link) => new RegExp(`href="([^"]+)">${link}`).exec(page.html)?.[1],
  );
  expect(textOf((await ann.get(listed)).html)).toContain('Blue Knight fig-000010');
  const form = await ann.get(selling);
  expect(textOf(form.html)).toContain('First in, first out: 4 used units');
  const typed = { set: 'cas002', from: '', quantity: '1', gross: '9', platform: 'local' };
  const sell = (more: object = {}) =>
    ann.submit(form, '/sales/new', { ...typed, sale_date: '2026-11-10', ...more });
  const sold = await sell();
  expect(sold.goTo).toStartWith('/sales?did=saved');
  const lotId = /<option value="(\d+)"/.exec(form.html)?.[1] ?? '';
  expect((await sell({ from: lotId, gross: '10' })).goTo).toStartWith('/sales?did=saved');
  expect(textOf((await ann.get(`/lots/${lotId}`)).html)).toContain('2 of 4');
  // A sale keeps its lot when its quantity is changed, and when that is undone.
  const saleId = /undo=(\d+)/.exec(sold.goTo ?? '')?.[1] ?? '';
  const path = `/sales/${saleId}`;
  const changed = await ann.submit(await ann.get(path), path, { quantity: '2' });
  expect(changed.goTo).toStartWith('/sales?did=changed');
  expect(await unitsLeft()).toBe(1);
  const list = await ann.get(changed.goTo ?? '');
  const undo = /action="(\/sales\/[^"]*undo[^"]*)"/.exec(list.html)?.[1] ?? '';
  expect((await ann.submit(list, undo, {})).goTo).toContain('did=');
  expect(await unitsLeft()).toBe(2);
});

async function unitsLeft(): Promise<number> {
  const lots = await site.world.store.accounts.listLotsOfItem(
    (await site.world.store.accounts.findAccount(person.email, site.world.now))?.id ?? 0,
    { kind: 'minifig', key: 'fig-000010' },
    9,
  );
  return lots.reduce((sum, { quantity, sold }) => sum + quantity - sold, 0);
}
