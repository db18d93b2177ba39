/** Collections in the browser: every form, what it refuses, and totals like the API's. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { lot, type Person } from '../support/person.ts';
import { type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let person: Person;
let add: OwnerSite['add'];

beforeAll(async () => {
  ({ site, ann, person, add } = await startOwnerSite());
});

afterAll(() => site.close());

const collection = (number = 1) => `/collections/${number}`;

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

test('pages show the totals of the API, to the cent', async () => {
  const { brickfolios } = await person.brickfolios();
  for (const each of brickfolios) {
    const text = textOf((await ann.get(collection(each.id))).html);
    expect(text).toContain(`Cost ${usd.format(each.total_cost_basis_usd)}`);
    expect(text).toContain(`Value now ${usd.format(each.total_current_value_usd)}`);
  }
  const list = textOf((await ann.get('/collections')).html);
  expect(list).toContain('Cost $204.68 Value now $450.00 Gain +$245.32');
});

test('a collection is made, named anew, made the default and deleted', async () => {
  const made = await ann.submit(await ann.get('/collections'), '/collections', {
    name: 'Attic <b>',
    description: '',
    is_default: '',
  });
  expect(made.status).toBe(303);
  const path = (made.goTo ?? '').split('?')[0] ?? '';
  const edit = await ann.get(`${path}/edit`);
  const renamed = await ann.submit(edit, `${path}/edit`, { name: 'Attic', description: 'Dry' });
  expect(renamed.goTo).toBe(`${path}?changed=1`);
  expect(textOf((await ann.get(path)).html)).toContain('Dry');
  expect((await ann.submit(edit, `${path}/default`)).goTo).toBe(`${path}?changed=1`);
  expect((await person.brickfolios()).brickfolios[0]).toMatchObject({
    name: 'Attic',
    is_default: true,
    description: 'Dry',
  });
  const unsure = await ann.submit(edit, `${path}/delete`, { sure: '' });
  expect([unsure.status, textOf(unsure.html).includes('Tick this')]).toEqual([400, true]);
  const form = await ann.get(`${path}/edit`);
  const sent = { sure: 'yes' };
  expect((await ann.submit(form, `${path}/delete`, sent)).goTo).toBe('/collections?removed=1');
  // The same form once more is harmless, and what others send is not told from it.
  expect((await ann.submit(form, `${path}/delete`, sent)).goTo).toBe('/collections?removed=1');
  expect((await person.brickfolios()).brickfolios).toMatchObject([{ name: 'Shelf' }]);
});

test('a name that is missing, too long or taken is refused beside it, and kept', async () => {
  for (const [name, fault] of [
    ['', 'Write something here.'],
    ['x'.repeat(101), 'At most 100 characters.'],
    ['Shelf', 'You have a collection of this name'],
  ] as const) {
    const typed = { name, description: 'for "rain" & snow', is_default: '' };
    const seen = await ann.submit(await ann.get('/collections'), '/collections', typed);
    expect(seen.status).toBe(400);
    expect(textOf(seen.html)).toContain(fault);
    if (name !== '') expect(seen.html).toContain(`value="${name}"`);
    expect(seen.html).toContain('for &quot;rain&quot; &amp; snow');
  }
});

test('signs that nobody sees are refused in names', async () => {
  const page = await ann.get('/collections');
  for (const name of ['Shelf\u001b[2J', 'Shelf\u202e']) {
    const refused = await ann.submit(page, '/collections', { name });
    expect(refused.status).toBe(400);
    expect(textOf(refused.html)).toContain('Only letters, digits and signs.');
  }
});

test('a set is added by number, by name and by nothing more than a list price', async () => {
  const before = (await person.entries()).pagination.total;
  expect((await add({ item: '101', price: '$1,000.50' })).goTo).toBe('/collections/1?added=101');
  expect((await add({ item: 'night fer', price: '' })).goTo).toBe('/collections/1?added=200');
  const { entries, pagination } = await person.entries();
  expect(pagination.total).toBe(before + 2);
  expect(entries.find((each) => each.set_number === '101')).toMatchObject({
    purchase_price_usd: 1000.5,
    purchase_date: '2026-11-15',
    current_value_usd: 33.33,
  });
  expect(entries.find((each) => each.set_number === '200')).toMatchObject({
    purchase_price_usd: 79.99,
  });
  expect(textOf((await ann.get(collection())).html)).toContain('$79.99 estimated');
});

test('a form that is sent twice adds one lot; with other content it is another one', async () => {
  const shown = await ann.get(collection());
  const action = `${collection()}/lots`;
  const before = (await person.entries()).pagination.total;
  const chosen = { condition: 'sealed', status: 'owned' };
  const typed = { ...chosen, item: '101', price: '5', quantity: '4' };
  const answers = await Promise.all([1, 2].map(() => ann.submit(shown, action, typed)));
  await ann.submit(shown, action, typed);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await person.entries()).pagination.total).toBe(before + 1);
  await ann.submit(shown, action, { ...typed, quantity: '5' });
  expect((await person.entries()).pagination.total).toBe(before + 2);
});

test('what cannot be right is refused beside its field, and what was typed is kept', async () => {
  const before = (await person.entries()).pagination.total;
  for (const [typed, fault] of [
    [{ item: 'Nowhere Castle' }, "No set is known by 'Nowhere Castle'."],
    [{ quantity: '0' }, 'At least 1.'],
    [{ quantity: 'two' }, 'Write a whole number.'],
    [{ price: 'cheap' }, "'cheap' is not an amount"],
    [{ price: '€ 10' }, 'Amounts are in US dollars.'],
    [{ price: '-1' }, 'The amount cannot be below 0.'],
    [{ price: '' }, 'The list price of this set is not known'],
    [{ purchase_date: '2026-11-16' }, 'The day lies ahead'],
    [{ purchase_date: '2026-02-30' }, 'Write a day, such as'],
    [{ condition: 'chewed' }, 'Choose one of these.'],
    [{ status: 'lost' }, 'Choose one of these.'],
  ] as const) {
    const seen = await add(typed);
    expect([seen.status, typed]).toEqual([400, typed]);
    expect(textOf(seen.html)).toContain(fault);
    for (const value of Object.values(typed)) {
      if (!['chewed', 'lost', ''].includes(value)) expect(seen.html).toContain(`value="${value}"`);
    }
  }
  expect((await person.entries()).pagination.total).toBe(before);
});

test('where several sets fit, one is chosen from a list', async () => {
  const seen = await add({ item: 'Set 10' });
  expect(seen.status).toBe(400);
  expect(textOf(seen.html)).toContain('Several sets fit');
  const action = `${collection()}/lots`;
  const rest = { quantity: '7', condition: 'used', status: 'owned', price: '1', chosen: '101' };
  const chosen = await ann.submit(seen, action, rest);
  expect(chosen.goTo).toBe('/collections/1?added=101');
  // What is typed afterwards counts, not what was chosen for something else.
  const other = await ann.submit(seen, action, { ...rest, item: '100' });
  expect(other.goTo).toBe('/collections/1?added=100');
});

test('suggestions come by number, by name and by barcode, for whoever is signed in', async () => {
  const ask = async (visitor: Visitor, q: string) =>
    visitor.get(`/collections/suggest?q=${encodeURIComponent(q)}`);
  const numbers = async (q: string) =>
    JSON.parse((await ask(ann, q)).html).map((set: { number: string }) => set.number);
  expect(await numbers('10')).toEqual(['100', '101']);
  expect(await numbers('ferry')).toEqual(['200']);
  expect(await numbers('x')).toEqual([]);
  await site.world.load([
    {
      kind: 'set',
      set_number: '10482',
      title: 'Harbour Lighthouse',
      theme: 'Coastline',
      upc: '673419000017',
    },
    {
      kind: 'offer',
      retailer: 'retailer_b',
      set_number: '10482',
      price: 99,
      observed_at: '2026-11-10T00:00:00Z',
      in_stock: true,
      seller_type: 'third_party',
    },
  ]);
  expect(await numbers('673419000017')).toEqual(['10482']);
  expect(await numbers('0673419000017')).toEqual(['10482']);
  expect((await add({ item: '673419000017' })).goTo).toBe('/collections/1?added=10482');
  expect((await ask(site.visitor(), '10')).goTo).toStartWith('/sign-in');
});

test('lists have pages of fifty', async () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    lot(`many ${n}`, 1, { purchase_date: '2019-01-01', brickfolio: 'Many' }),
  );
  await person.load({ kind: 'brickfolio', name: 'Many' }, ...many);
  const id = (await person.brickfolios()).brickfolios.find(({ name }) => name === 'Many')?.id ?? 0;
  const first = await ann.get(collection(id));
  const second = await ann.get(`${collection(id)}?page=2`);
  expect(lotIds(first.html)).toHaveLength(50);
  expect(lotIds(second.html)).toHaveLength(10);
  expect(textOf(second.html)).toContain('51 to 60 of 60');
  expect((await ann.get(`${collection(id)}?page=nine`)).status).toBe(200);
});

test('what people write is shown as text, wherever it turns up', async () => {
  const name = '<script>alert("a")</script>';
  const made = await ann.submit(await ann.get('/collections'), '/collections', {
    name,
    description: '"><img src=x>',
    is_default: '',
  });
  const path = (made.goTo ?? '').split('?')[0] ?? '';
  for (const each of ['/collections', path, `${path}/edit`, '/collections/1/edit']) {
    const { html } = await ann.get(each);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
  }
  const added = await ann.get(`${path}?added=${encodeURIComponent(name)}`);
  expect(added.html).not.toContain('<script>alert');
});

test('nothing failed on the way', () => {
  expect(site.world.failures).toEqual([]);
});
