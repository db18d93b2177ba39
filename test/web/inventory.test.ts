/** The inventory pages: views, bulk changes and collections. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { hiddenFields, lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, lot, type Person } from '../support/person.ts';
import { readForm, type Seen, type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;
let add: OwnerSite['add'];

beforeAll(async () => {
  ({ site, ann, bob, person, add } = await startOwnerSite());
  await site.world.load([{ kind: 'set', set_number: '300', title: 'Blank', theme: 'Desert' }]);
});

afterAll(() => site.close());

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const list = '/inventory/collections';

test('pages show the same totals as the API', async () => {
  const { brickfolios } = await person.brickfolios();
  const sums = { cost: 0, value: 0 };
  for (const each of brickfolios) {
    sums.cost += each.total_cost_basis_usd;
    sums.value += each.total_current_value_usd;
    const text = textOf((await ann.get(`/inventory?collection=${each.id}`)).html);
    expect(text).toContain(`Cost basis ${usd.format(each.total_cost_basis_usd)}`);
    expect(text).toContain(`Market value ${usd.format(each.total_current_value_usd)}`);
  }
  const text = textOf((await ann.get('/inventory')).html);
  expect(text).toContain(`Cost basis ${usd.format(sums.cost)}`);
  expect(text).toContain(`Market value ${usd.format(sums.value)}`);
  expect(text).toContain('Unrealized gain +$245.32 +119.9%');
  expect(text).toContain('Low confidence $270.00 $90.00 each +$90.00 +50.0% Shelf');
  expect(textOf((await ann.get(list)).html)).toContain('$204.68 $450.00 +$245.32 (+119.9%)');
});

test('a collection is created, renamed, made the default and deleted', async () => {
  const typed = { name: 'Attic <b>', description: '', is_default: '' };
  const made = await ann.submit(await ann.get(list), list, typed);
  expect(made.goTo).toBe(`${list}?did=created&n=Attic+%3Cb%3E`);
  const shown = await ann.get(made.goTo ?? '');
  expect(textOf(shown.html)).toContain('Collection Attic <b> created.');
  const path =
    /\/collections\/\d+(?=\/edit"[^>]*>Edit<span[^>]*> Attic)/.exec(shown.html)?.[0] ?? '';
  const edit = await ann.get(`${path}/edit`);
  const renamed = await ann.submit(edit, `${path}/edit`, { name: 'Attic', description: 'Dry' });
  expect(renamed.goTo).toBe(`${list}?did=saved&n=Attic`);
  expect(textOf((await ann.get(list)).html)).toContain('Dry');
  expect((await ann.submit(edit, `${path}/default`)).goTo).toBe(list);
  expect((await person.brickfolios()).brickfolios[0]).toMatchObject({
    name: 'Attic',
    is_default: true,
    description: 'Dry',
  });
  const unsure = await ann.submit(edit, `${path}/delete`, { sure: '' });
  expect([unsure.status, textOf(unsure.html).includes('Check this box')]).toEqual([400, true]);
  const form = await ann.get(`${path}/edit`);
  const sent = { sure: 'yes' };
  expect((await ann.submit(form, `${path}/delete`, sent)).goTo).toBe(`${list}?did=deleted`);
  // Deleting again has the same response.
  expect((await ann.submit(form, `${path}/delete`, sent)).goTo).toBe(`${list}?did=deleted`);
  expect((await person.brickfolios()).brickfolios).toMatchObject([{ name: 'Shelf' }]);
});

test('a missing, long or taken name is rejected at its field, and kept', async () => {
  for (const [name, fault] of [
    ['', 'Enter a value.'],
    ['x'.repeat(101), 'Use at most 100 characters.'],
    ['Shelf', 'You already have a collection with this name'],
    ['Shelf\u001b[2J', 'Use only letters, digits and punctuation.'],
    ['Shelf\u202e', 'Use only letters, digits and punctuation.'],
  ] as const) {
    const typed = { name, description: 'for "rain" & snow', is_default: '' };
    const seen = await ann.submit(await ann.get(list), list, typed);
    expect(seen.status).toBe(400);
    expect(textOf(seen.html)).toContain(fault);
    if (/^\w+$/.test(name)) expect(seen.html).toContain(`value="${name}"`);
    expect(seen.html).toContain('for &quot;rain&quot; &amp; snow');
  }
});

test('a set is added by number, by name, and at its list price', async () => {
  const before = (await person.entries()).pagination.total;
  const added = await add({ set: '101', price: '$600.50' });
  expect(added.goTo).toBe('/inventory?did=added&n=101');
  expect(textOf((await ann.get(added.goTo ?? '')).html)).toContain('Added Set 101 (101).');
  const asked = await add({ set: 'night fer', price: '' });
  expect(asked.status).toBe(400);
  expect(textOf(asked.html)).toContain('Use list price ($79.99), marked as estimated');
  const typed = { use_list: 'yes', quantity: '1', condition: 'sealed', status: 'owned' };
  const another = await ann.submit(asked, '/inventory/add', { ...typed, another: 'yes' });
  expect(another.goTo).toStartWith('/inventory/add?did=added&n=200&');
  const next = readForm((await ann.get(another.goTo ?? '')).html, '/inventory/add');
  expect(next).toMatchObject({ set: '', brickfolio: '1', purchase_date: '2026-11-15' });
  const { entries, pagination } = await person.entries();
  expect(pagination.total).toBe(before + 2);
  expect(entries.find((each) => each.set_number === '101')).toMatchObject({
    purchase_price_usd: 600.5,
    purchase_date: '2026-11-15',
    current_value_usd: 33.33,
  });
  expect(entries.find((each) => each.set_number === '200')).toMatchObject({
    purchase_price_usd: 79.99,
  });
  await add({ set: '300', price: '8' });
  const text = textOf((await ann.get('/inventory')).html);
  expect(text).toContain('Night Ferry 200 · Coastline 1 Sealed $79.99 Estimated');
  expect(text).toContain('Blank 300 · Desert 1 Sealed $8.00 — No value yet — No value yet');
  expect(text).toContain('1 lot without a value, counted at cost');
});

test('a form sent twice adds one lot; with other content, another one', async () => {
  const shown = await ann.get('/inventory/add');
  const before = (await person.entries()).pagination.total;
  const chosen = { condition: 'sealed', status: 'owned' };
  const typed = { ...chosen, set: '101', price: '5', quantity: '4' };
  const send = (more = {}) => ann.submit(shown, '/inventory/add', { ...typed, ...more });
  const answers = await Promise.all([send(), send()]);
  await send();
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await person.entries()).pagination.total).toBe(before + 1);
  await send({ quantity: '5' });
  expect((await person.entries()).pagination.total).toBe(before + 2);
});

test('invalid input is rejected at its field, and kept', async () => {
  const before = (await person.entries()).pagination.total;
  for (const [typed, fault] of [
    [{ set: 'Qqzzx' }, "No set or minifig matches 'Qqzzx'."],
    [{ quantity: '0' }, 'Enter 1 or more.'],
    [{ quantity: '-2' }, 'Enter 1 or more.'],
    [{ quantity: 'two' }, 'Enter a whole number.'],
    [{ price: 'cheap' }, "'cheap' is not an amount"],
    [{ price: '€ 10' }, 'Enter the amount in US dollars.'],
    [{ price: '-1' }, 'Enter 0 or more.'],
    [{ price: '' }, 'The list price of this set is unknown.'],
    [{ purchase_date: '2026-11-16' }, 'The date is in the future'],
    [{ purchase_date: '2026-02-30' }, 'Enter a date, such as'],
    [{ condition: 'chewed' }, 'Choose one of the options.'],
    [{ status: 'lost' }, 'Choose one of the options.'],
    [{ brickfolio: '99' }, 'Choose one of your collections.'],
  ] as const) {
    const seen = await add(typed);
    expect([seen.status, typed]).toEqual([400, typed]);
    expect(textOf(seen.html)).toContain(fault);
    for (const value of Object.values(typed)) {
      if (!['chewed', 'lost', '99', ''].includes(value)) {
        expect(seen.html).toContain(`value="${value}"`);
      }
    }
  }
  expect((await person.entries()).pagination.total).toBe(before);
});

test('ambiguous input leads to a choice of sets', async () => {
  const seen = await add({ set: 'Set 10' });
  expect(seen.status).toBe(400);
  expect(textOf(seen.html)).toContain('More than one matches');
  const rest = { quantity: '7', condition: 'used', status: 'owned', price: '9' };
  const choice = { ...rest, set_choice: 'set 101' };
  expect((await ann.submit(seen, '/inventory/add', choice)).goTo).toEndWith('&n=101');
  // A choice only counts for the input it was offered for.
  const other = await ann.submit(seen, '/inventory/add', { ...choice, set: '100' });
  expect(other.goTo).toEndWith('&n=100');
});

test('the first set creates a collection for an account without any', async () => {
  const eve = await site.signedIn('eve@example.com');
  expect(textOf((await eve.get('/inventory')).html)).toContain('No lots yet');
  const form = await eve.get('/inventory/add?set=100');
  expect(readForm(form.html, '/inventory/add').set).toBe('100');
  await eve.submit(form, '/inventory/add', { price: '9', condition: 'sealed', status: 'owned' });
  const text = textOf((await eve.get('/inventory')).html);
  expect(text).toContain('$9.00');
  expect(text).toContain('My collection');
});

/** Adds lots to a new collection, and returns its id. */
async function addMany(
  name: string,
  count: number,
  more: Readonly<Record<string, unknown>>[] = [],
): Promise<number> {
  const many = Array.from({ length: count }, (_, n) =>
    lot(`${name} ${n}`, 1, {
      purchase_date: '2019-01-01',
      brickfolio: name,
      purchase_price_usd: n + 1,
    }),
  );
  await person.load({ kind: 'brickfolio', name }, ...many, ...more);
  const { brickfolios } = await person.brickfolios();
  return brickfolios.find((each) => each.name === name)?.id ?? 0;
}

test('lists have pages of 50 or 200 rows, and canonical addresses', async () => {
  const id = await addMany('Many', 60);
  const view = `/inventory?collection=${id}`;
  const first = await ann.get(view);
  expect(lotIds(first.html)).toHaveLength(50);
  const second = await ann.get(`${view}&page=2`);
  expect(lotIds(second.html)).toHaveLength(10);
  expect(textOf(second.html)).toContain('51–60 of 60');
  expect(lotIds((await ann.get(`${view}&rows=200`)).html)).toHaveLength(60);
  expect((await ann.get(`${view}&page=9`)).goTo).toBe(`${view}&page=2`);
  const typed = `q=&collection=${id}&theme=&sort=-date&rows=50&columns=cost&columns=gain`;
  expect((await ann.get(`/inventory?${typed}`)).goTo).toBe(`${view}&columns=cost%2Cgain`);
  expect((await ann.get(`${view}&page=nine`)).goTo).toBe(view);
  const few = await ann.get(`${view}&columns=cost%2Cgain`);
  expect([few.html.includes('aria-label="Lots"'), few.html.includes('>Qty<')]).toEqual([
    true,
    false,
  ]);
});

/** The prices of the lots of a page, in its order. */
const prices = (seen: Seen) =>
  [...seen.html.matchAll(/<td>(?:Sealed|Used)<td>\$([\d.,]+)/g)].map(([, text]) =>
    Number(text?.replaceAll(',', '')),
  );

test('lots are sorted and filtered by the address, on the page and in the file', async () => {
  const id = await addMany('Sorted', 3, [
    lot('used', 2, { brickfolio: 'Sorted', condition: 'used', status: 'listed' }),
    lot('blank', 1, { brickfolio: 'Sorted', set_number: '300', purchase_price_usd: 500 }),
    lot('sold', 1, { brickfolio: 'Sorted', set_number: '101', purchase_price_usd: 44 }),
    ledgerSale('of sorted', 1, { set_number: '101', lot: 'sold' }),
  ]);
  const view = `/inventory?collection=${id}`;
  const pricesOf = async (query: string) => prices(await ann.get(`${view}${query}`));
  expect(await pricesOf('&sort=cost')).toEqual([1, 2, 3, 120, 500]);
  expect(await pricesOf('&sort=-cost')).toEqual([500, 120, 3, 2, 1]);
  expect(await pricesOf('&sort=gain')).toEqual([120, 3, 2, 1, 500]);
  expect(await pricesOf('&condition=used')).toEqual([120]);
  expect(await pricesOf('&status=listed')).toEqual([120]);
  expect(await pricesOf('&value=none')).toEqual([500]);
  expect(await pricesOf('&theme=Desert')).toEqual([500]);
  expect((await ann.get(`${view}&q=bla`)).html).toContain('Blank');
  expect(textOf((await ann.get(`${view}&q=nothing`)).html)).toContain('No lots match');
  expect(await pricesOf('&show=sold')).toEqual([44]);
  const link = /href="([^"]*)"[^>]*aria-sort|aria-sort="descending"><a href="([^"]*)"/.exec(
    (await ann.get(`${view}&sort=-cost`)).html,
  );
  expect(link?.[2]).toBe(`/inventory?collection=${id}&amp;sort=cost`);
  const file = await ann.get(`/inventory.csv?collection=${id}&sort=cost`);
  expect(file.headers.get('Content-Disposition')).toContain('brickmark-inventory-2026-11-15.csv');
  const lines = file.html.trimEnd().split('\r\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toContain('unit_value_usd,market_value_usd,value_confidence,gain_usd,gain_pct');
  expect(lines[4]).toMatch(/,Sorted,used,2,2,60\.00,.*,listed,120\.00,40\.00,80\.00,/);
  expect(lines[5]).toMatch(/,300,Blank,Desert,Sorted,.*,500\.00,,500\.00,at_cost,,/);
});

test('every page and file has the same total, with lots without a value at cost', async () => {
  await add({ set: '300', price: '8' });
  const textAt = async (path: string) => textOf((await ann.get(path)).html);
  const [, total = ''] = /Market value (\$[\d,.]+)/.exec(await textAt('/inventory')) ?? [];
  expect(await textAt('/inventory')).toMatch(/\d lots? without a value, counted at cost/);
  expect(await textAt('/today')).toContain(total);
  expect(await textAt('/portfolio')).toContain(total);
  const sheet = await textAt('/inventory/insurance');
  expect(sheet).toContain(`Total value ${total}`);
  expect(sheet).toMatch(/Counted at cost \$[\d,.]+, \d+ units?/);
  const [header = '', ...lines] = (await ann.get('/inventory.csv')).html.trimEnd().split('\r\n');
  const place = header.split(',').indexOf('market_value_usd');
  const cents = lines.map((line) => Math.round(Number(line.split(',')[place]) * 100));
  expect(cents.reduce((sum, each) => sum + each, 0)).toBe(Number(total.replace(/\D/g, '')));
});

/** Submits the bulk form below the table with some lots selected. */
async function send(path: string, query: string, typed: Record<string, string>, ids: number[]) {
  const seen = await ann.get(`/inventory?${query}`);
  const body = new URLSearchParams({ ...hiddenFields(seen.html), ...typed });
  for (const id of ids) body.append('lot', String(id));
  const Cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(`${site.url}${path}?${query}`, {
    method: 'POST',
    body,
    headers: { Origin: site.url, Cookie },
    redirect: 'manual',
  });
  return {
    status: response.status,
    goTo: response.headers.get('Location') ?? '',
    html: await response.text(),
  };
}

/** Submits the undo form of a page. */
async function undo(goTo: string): Promise<Seen> {
  const done = await ann.get(goTo);
  const action = /action="(\/inventory\/undo[^"]*)"/.exec(done.html)?.[1] ?? '';
  const fields = { ...hiddenFields(done.html), edit: /undo=(\d+)/.exec(goTo)?.[1] ?? '' };
  return ann.post(action.replaceAll('&amp;', '&'), fields);
}

test('the audit log has the same formats for everyone', async () => {
  const { accounts } = site.world.store;
  const undone = spyOn(accounts, 'undoEdit').mockResolvedValue(1_234);
  const fields = { ...hiddenFields((await ann.get('/inventory')).html), edit: '1' };
  const german = { 'Accept-Language': 'de-DE' };
  const done = await ann.post('/inventory/undo', fields, german);
  undone.mockRestore();
  expect(done.goTo).toContain('did=undone&n=1234');
  const [latest] = await accounts.listAudit({ accountId: null, before: null, limit: 1 });
  expect(latest).toMatchObject({ action: 'edit.undone', detail: '1,234 lots' });
});

test('59 prices are changed at once, and undone', async () => {
  const id = await addMany('Prices', 59);
  const query = `collection=${id}&rows=200`;
  const ids = lotIds((await ann.get(`/inventory?${query}`)).html);
  const chosen = await send('/inventory/choose', query, { for: 'prices' }, ids);
  const grid = await ann.get(chosen.goTo);
  const action = chosen.goTo.replaceAll('&', '&amp;');
  const from = grid.html.lastIndexOf('<form', grid.html.indexOf('price-grid'));
  const form = readForm(grid.html.slice(from), action);
  const typed = Object.fromEntries(ids.map((lotId, index) => [`price-${lotId}`, `${index}.50`]));
  const bad = { ...form, ...typed, [`price-${ids[7]}`]: 'cheap' };
  const refused = await ann.post(chosen.goTo, bad);
  expect(refused.status).toBe(400);
  expect(textOf(refused.html)).toContain("'cheap' is not an amount");
  const before = prices(await ann.get(`/inventory?${query}`));
  const done = await ann.post(chosen.goTo, { ...form, ...typed });
  expect(done.goTo).toMatch(/^\/inventory\?collection=\d+&rows=200&undo=\d+$/);
  expect(textOf((await ann.get(done.goTo ?? '')).html)).toContain(
    '59 prices changed: Set 100 (100). Undo',
  );
  expect(prices(await ann.get(`/inventory?${query}`))).toEqual(ids.map((_, n) => n + 0.5));
  const back = await undo(done.goTo ?? '');
  expect(back.goTo).toContain('did=undone&n=59');
  expect(prices(await ann.get(`/inventory?${query}`))).toEqual(before);
  // It can be undone once.
  const fields = {
    ...hiddenFields(grid.html),
    edit: /undo=(\d+)/.exec(done.goTo ?? '')?.[1] ?? '',
  };
  const again = await ann.post('/inventory/undo', fields);
  expect([again.status, again.html.includes('can no longer be undone')]).toEqual([409, true]);
});

test('all lots of a view are changed at once, unless the view has changed', async () => {
  const id = await addMany('All', 55);
  const query = `collection=${id}`;
  const all = { all: 'yes', count: '55' };
  const listed = await send('/inventory/status', query, { ...all, status: 'listed' }, []);
  expect(textOf((await ann.get(listed.goTo)).html)).toContain(
    'Status of 55 lots changed: Set 100 (100). Undo',
  );
  const stale = await send(
    '/inventory/status',
    query,
    { ...all, count: '54', status: 'owned' },
    [],
  );
  expect([stale.status, stale.html.includes('changed since you opened it')]).toEqual([409, true]);
  const chosen = await send('/inventory/choose', query, { ...all, for: 'date' }, []);
  const form = await ann.get(chosen.goTo);
  const typed = { purchase_date: '2020-02-02' };
  const sent = { ...readForm(form.html, chosen.goTo.replaceAll('&', '&amp;')), ...typed };
  const done = await ann.post(chosen.goTo, sent);
  expect(textOf((await ann.get(done.goTo ?? '')).html)).toContain('55 purchase dates changed:');
  const sale = await send('/inventory/choose', query, { for: 'sale' }, [3, 4]);
  expect(sale.goTo).toBe('/sales/new?lots=3,4');
  expect((await send('/inventory/choose', query, { for: 'sale' }, [])).status).toBe(409);
  // More than the form of sales accepts is rejected.
  const tooMany = Array.from({ length: 101 }, (_, at) => at + 1);
  const refused = await send('/inventory/choose', query, { for: 'sale' }, tooMany);
  expect([refused.status, refused.html.includes('Select at most 100 lots')]).toEqual([409, true]);
});

test('lots are moved and deleted; lots with sales are kept and counted', async () => {
  const id = await addMany('Doomed', 3, [
    lot('partly', 2, { brickfolio: 'Doomed', set_number: '101' }),
    ledgerSale('of doomed', 1, { set_number: '101', lot: 'partly' }),
  ]);
  const query = `collection=${id}`;
  const ids = lotIds((await ann.get(`/inventory?${query}`)).html);
  const chosen = await send('/inventory/choose', query, { for: 'delete' }, ids);
  const confirm = await ann.get(chosen.goTo);
  expect(textOf(confirm.html)).toContain('Delete 3 lots?');
  expect(textOf(confirm.html)).toContain('1 lot with recorded sales will be kept.');
  const fields = readForm(confirm.html, chosen.goTo.replaceAll('&', '&amp;'));
  const done = await ann.post(chosen.goTo, fields);
  // Sent again, it finds fewer lots than its page showed.
  expect((await ann.post(chosen.goTo, fields)).goTo).toBe(done.goTo);
  const text = textOf((await ann.get(done.goTo ?? '')).html);
  expect(text).toContain('3 lots deleted: Set 100 (100). 1 lot kept: units were sold from it.');
  expect(lotIds((await ann.get(`/inventory?${query}`)).html)).toHaveLength(1);
  await undo(done.goTo ?? '');
  expect(lotIds((await ann.get(`/inventory?${query}`)).html)).toEqual(ids);
  const moved = await send('/inventory/move', query, { to: '1' }, ids);
  expect(textOf((await ann.get(moved.goTo)).html)).toContain(
    '4 lots moved: Set 100 (100) and Set 101 (101). Undo',
  );
  const nowhere = await send('/inventory/move', query, { to: '9999' }, ids);
  expect([nowhere.status, nowhere.html.includes('no longer exists')]).toEqual([409, true]);
  // Lots of others are treated as missing.
  const theirs = await bob.post(`/inventory/status?view=all`, {
    ...hiddenFields((await bob.get('/inventory')).html),
    lot: String(ids[0]),
    status: 'listed',
  });
  expect([theirs.status, textOf(theirs.html).includes('1 lot not found.')]).toEqual([409, true]);
});

test('a view is saved under a name, opens by default, and is deleted', async () => {
  const query = 'condition=used&sort=-value';
  const seen = await ann.get(`/inventory?${query}`);
  const tokens = hiddenFields(seen.html);
  const saved = await ann.post(`/inventory/views?${query}`, { ...tokens, name: 'Used <b>' });
  expect(saved.goTo).toBe(`/inventory?${query}&did=saved`);
  const shown = await ann.get(`/inventory?${query}`);
  expect(shown.html).toContain(
    '<a href="/inventory?condition=used&amp;sort=-value" aria-current="page">Used &lt;b></a>',
  );
  const path = /\/inventory\/views\/\d+/.exec(shown.html)?.[0] ?? '';
  const change = (how: string) => ann.post(`${path}?${query}`, { ...tokens, change: how });
  await change('default');
  expect((await ann.get('/inventory')).goTo).toBe(`/inventory?${query}`);
  expect((await ann.get('/inventory?view=all')).status).toBe(200);
  expect((await ann.get('/inventory?q=&sort=-date')).goTo).toBe('/inventory?view=all');
  expect((await bob.get('/inventory')).status).toBe(200);
  await change('delete');
  expect((await ann.get('/inventory')).status).toBe(200);
  const unnamed = await ann.post(`/inventory/views?${query}`, { ...tokens, name: '' });
  expect([unnamed.status, unnamed.html.includes('Enter a name')]).toEqual([409, true]);
  const long = encodeURIComponent('☃'.repeat(100));
  const both = await ann.post(`/inventory/views?q=${long}&theme=${long}`, { ...tokens, name: 'x' });
  expect([both.status, both.html.includes('too long to save')]).toEqual([409, true]);
});

test('the address of a collection leads to its lots', async () => {
  expect((await ann.get('/collections/1?page=2')).goTo).toBe('/inventory?collection=1&page=2');
  expect((await ann.get('/collections/none')).status).toBe(404);
});

test('input is escaped on every page', async () => {
  const name = '<script>alert("a")</script>';
  const typed = { name, description: '"><img src=x>', is_default: '' };
  await ann.submit(await ann.get(list), list, typed);
  const search = `/inventory?q=${encodeURIComponent(name)}`;
  const url = `${list}?did=created&n=${encodeURIComponent(name)}`;
  for (const each of [list, url, '/inventory', search, '/inventory/add', '/collections/1/edit']) {
    const { html } = await ann.get(each);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
  }
});

test('no request failed', () => {
  expect(site.world.failures).toEqual([]);
});

test('a bulk change that is sent again leads to its undo', async () => {
  const id = await addMany('Again', 3);
  const query = `collection=${id}&rows=200`;
  const ids = lotIds((await ann.get(`/inventory?${query}`)).html);
  const chosen = await send('/inventory/choose', query, { for: 'delete' }, ids.slice(0, 2));
  const fields = readForm((await ann.get(chosen.goTo)).html, chosen.goTo.replaceAll('&', '&amp;'));
  const remove = () => ann.post(chosen.goTo, fields);
  const { goTo } = await remove();
  expect(goTo).toMatch(/undo=\d+/);
  const all = await send('/inventory/choose', query, { for: 'delete', all: 'yes' }, []);
  const last = readForm((await ann.get(all.goTo)).html, all.goTo.replaceAll('&', '&amp;'));
  expect(last.count).toBe('1');
  const others = await ann.post(all.goTo, { ...last, count: '3' });
  expect(textOf(others.html)).toContain('changed since you opened it');
  await undo(goTo ?? '');
  const again = await remove();
  expect(again.goTo).toContain('did=nothing');
  expect(lotIds((await ann.get(`/inventory?${query}`)).html)).toEqual(ids);
});
