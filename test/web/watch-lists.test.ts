/** The pages of watchlists: every form, its errors, and the market data in the table. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { watchLimits } from '../../src/alerts/watchlists/watch-list.ts';
import { AlertOwner } from '../support/alerts.ts';
import { bargains, smallMarket } from '../support/market.ts';
import { hiddenFields } from '../support/owner-pages.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { readForm, type Site, sendFile, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let annId: number;
let bob: Visitor;

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  annId = await site.addAccount('ann@example.com', { plan: 'reseller' });
  await site.world.load([...smallMarket, ...bargains]);
  ann = await site.signedIn('ann@example.com');
  bob = await site.signedIn('bob@example.com');
});

afterAll(() => site.close());

/** The path of a new list. */
async function makeList(visitor: Visitor, name: string): Promise<string> {
  const made = await visitor.submit(await visitor.get('/watchlist'), '/watchlist', { name });
  expect(made.goTo).toMatch(/^\/watchlist\/\d+$/);
  return made.goTo ?? '';
}

const add = async (path: string, typed: Record<string, string>, visitor = ann) =>
  visitor.submit(await visitor.get(path), `${path}/items`, typed);

const textAt = async (path: string, visitor = ann) => textOf((await visitor.get(path)).html);

/** The address of the page to edit the same rows. */
const editing = (path: string) => `${path}${path.includes('?') ? '&' : '?'}edit=yes`;

/** The ids of the rows of a page, in their order. */
const idsIn = (html: string) => [...html.matchAll(/name="was-(\d+)"/g)].map(([, id]) => id ?? '');

/** The form with the rows of a page, without its checkboxes. */
function rowsForm(html: string, action: string): Record<string, string> {
  const fields = Object.entries(readForm(html, action.replaceAll('&', '&amp;')));
  return Object.fromEntries(fields.filter(([name]) => name !== 'pick'));
}

/** The numbers on a list, in the order of the page. */
const numbersAt = async (path: string) =>
  [...(await ann.get(editing(path))).html.matchAll(/aria-label="Note for ([^"]*)"/g)].map(
    ([, n]) => n,
  );

test('a list is created, renamed and deleted, once per form', async () => {
  expect(await textAt('/watchlist')).toContain('Your watchlist is empty');
  const form = await ann.get('/watchlist');
  const path = (await ann.submit(form, '/watchlist', { name: 'Gifts <b>' })).goTo ?? '';
  expect((await ann.submit(form, '/watchlist', { name: 'Gifts <b>' })).goTo).toBe(path);
  expect(await textAt('/watchlist')).toContain('This list is empty');
  const other = await makeList(ann, 'Other');
  const conflict = await ann.submit(await ann.get(`${other}/edit`), `${other}/edit`, {
    name: 'Gifts <b>',
  });
  expect([conflict.status, textOf(conflict.html).includes('already have a list')]).toEqual([
    400,
    true,
  ]);
  const again = await ann.submit(await ann.get(path), '/watchlist', { name: 'Other' });
  expect([again.status, textOf(again.html).includes('already have a list')]).toEqual([400, true]);
  const edit = await ann.get(`${path}/edit`);
  const renamed = await ann.submit(edit, `${path}/edit`, { name: 'Gifts' });
  expect(renamed.goTo).toBe(`${path}?did=renamed`);
  expect(await textAt(other)).toContain('Gifts (0) Other (0)');
  const confirmation = await ann.get(`${path}/delete`);
  expect(textOf(confirmation.html)).toContain('Delete this list? Gifts');
  expect((await ann.get(path)).status).toBe(200);
  for (const _ of [1, 2]) {
    const gone = await ann.submit(confirmation, `${path}/delete`);
    expect(gone.goTo).toBe('/watchlist?did=deleted');
  }
  expect((await ann.get(path)).status).toBe(404);
  await site.world.store.accounts.removeWatchList(annId, Number(other.split('/').at(-1)));
});

test('the first item creates a list', async () => {
  const eve = await site.signedIn('eve@example.com');
  const form = await eve.get('/watchlist');
  const added = await eve.submit(form, '/watchlist/items', { item: '8102', target: '9' });
  expect(added.goTo).toMatch(/^\/watchlist\/\d+\?did=added&n=8102$/);
  expect(await textAt('/watchlist', eve)).toContain('Watchlist');
  // A single list needs no tabs.
  expect((await eve.get(added.goTo ?? '')).html).not.toContain('aria-label="Lists"');
  expect((await eve.submit(form, '/watchlist/items', { item: '8101' })).goTo).toBe(
    added.goTo?.replace('8102', '8101') ?? '',
  );
});

test('an item is added by number, by barcode, by name, or chosen from several', async () => {
  const path = await makeList(ann, 'Adding');
  expect((await add(path, { item: '8101-1', target: '35', note: 'Soon' })).goTo).toBe(
    `${path}?did=added&n=8101`,
  );
  expect((await add(path, { item: '673419000017' })).goTo).toBe(`${path}?did=added&n=75192`);
  expect((await add(path, { item: 'fig-000001' })).goTo).toBe(`${path}?did=added&n=cas001`);
  expect((await add(path, { item: 'mystery' })).goTo).toBe(`${path}?did=added&n=7001`);
  const several = await add(path, { item: 'tower' });
  expect(several.status).toBe(400);
  const chosen = { item: 'tower', item_choice: 'set 6003' };
  expect((await ann.submit(several, `${path}/items`, chosen)).goTo).toBe(
    `${path}?did=added&n=6003`,
  );
  for (const [typed, fault] of [
    [{ item: 'nothing at all' }, "No set or minifig matches 'nothing at all'."],
    [{ item: '' }, 'Enter a value.'],
    [{ item: '8102', target: 'cheap' }, 'is not an amount'],
    [{ item: '8102', target: '0' }, 'Enter a price above 0'],
    [{ item: '8102', note: 'x'.repeat(watchLimits.noteLength + 1) }, 'Use at most 200 characters.'],
  ] as const) {
    const refused = await add(path, typed);
    expect([refused.status, textOf(refused.html).includes(fault)]).toEqual([400, true]);
  }
  expect(await numbersAt(`${path}?sort=added`)).toEqual([
    '6003',
    '7001',
    'cas001',
    '75192',
    '8101',
  ]);
});

test('a row has best price, value, max buy price and distance to the target', async () => {
  const path = await makeList(ann, 'Figures');
  await add(path, { item: '8101', target: '50', note: 'Only new' });
  await add(path, { item: '8102', target: '40' });
  await add(path, { item: '75192', target: '180' });
  await add(path, { item: 'cas001', target: '5' });
  const text = await textAt(path);
  expect(text).toMatch(/Harbor 1 8101 · \w+ \w+ confidence \$100\.00 \$40\.00 Retailer A /);
  expect(text).toMatch(/Harbor 1 .* \$10\.00 below 20\.0% .*Harbor 2 8102 .* \$45\.00 Retailer A/);
  expect(text).toMatch(/Grand Castle 75192 .* \$180\.00 Retailer B .* At target/);
  expect(text).toContain('$5.00 above 12.5%');
  expect(text).toMatch(/Knight of the Café cas001 · Minifig \w+ confidence \$8\.00 — No offer/);
  expect(await numbersAt(path)).toEqual(['8101', '75192', '8102', 'cas001']);
  expect(await numbersAt(`${path}?sort=name`)).toEqual(['75192', '8101', '8102', 'cas001']);
  const set = textOf((await ann.get('/sets/8101')).html);
  const maxBuy = /at an 80% chance (\$[\d.]+)/.exec(set)?.[1] ?? 'none';
  expect(text).toContain(`$40.00 Retailer A ${maxBuy}`);
  // An offer that changes shows at once.
  const offer = bargains.find((line) => line.kind === 'offer' && line.set_number === '8101') ?? {};
  site.world.now += 60_000;
  const observed_at = new Date(site.world.now).toISOString();
  await site.world.load([{ kind: 'offer', ...offer, observed_at, price: 60 }]);
  expect(await textAt(path)).toMatch(/Harbor 1 8101 .* \$100\.00 \$60\.00 Retailer A/);
  expect(await numbersAt(path)).toEqual(['75192', '8102', '8101', 'cas001']);
});

test('targets of minifigs have a note that they trigger no alerts', async () => {
  const path = await makeList(ann, 'Minifigs');
  const note = 'Retailers don’t sell minifigs, so their targets don’t trigger price alerts.';
  expect(await textAt('/minifigs/cas001')).toContain(note);
  const preview = await sendList(path, 'cas001 5');
  expect(textOf(preview.html)).toContain(note);
  await confirm(preview.html, path);
  const text = await textAt(path);
  expect([text.includes(note), text.includes('Alert me at target prices')]).toEqual([true, false]);
  await add(path, { item: '8102', target: '1' });
  const off = await ann.get(path);
  expect(textOf(off.html)).toContain('Alert me at target prices');
  // One click creates the alert, and the rows show it.
  expect((await ann.submit(off, `${path}/alert`)).goTo).toBe(`${path}?did=alerted`);
  const on = await textAt(path);
  expect([on.includes('Alert me'), / On Nov \d/.test(on)]).toEqual([false, true]);
});

test('without the Reseller plan there is no max buy price', async () => {
  const path = await makeList(bob, 'Mine');
  await add(path, { item: '8102' }, bob);
  expect(await textAt(path, bob)).not.toContain('Max buy');
});

test('targets and notes are edited in the table, without touching other rows', async () => {
  const path = await makeList(ann, 'Editing');
  for (const item of ['8101', '8102', '6003']) await add(path, { item, target: '50', note: 'Old' });
  const page = `${path}?sort=added`;
  const read = await ann.get(page);
  expect(idsIn(read.html)).toEqual([]);
  expect(textOf(read.html)).toMatch(/Harbor 1 8101 .* \$50\.00 .* Old /);
  expect(read.html).toContain(`href="${page}&amp;edit=yes"`);
  const seen = await ann.get(editing(page));
  const [a = '', b = '', c = ''] = idsIn(seen.html);
  const shown = rowsForm(seen.html, page);
  const save = (typed: Record<string, string>) =>
    ann.post(page, { ...shown, do: 'save', ...typed });
  const saved = await save({
    [`target-${a}`]: '$1,049.99',
    [`note-${b}`]: '',
    [`target-${b}`]: '',
  });
  expect(saved.goTo).toBe(`${page}&did=saved&n=2`);
  const { accounts } = site.world.store;
  const listId = Number(path.split('/').at(-1));
  const facts = async () =>
    (await accounts.listWatchedItems(annId, listId, { after: 0, limit: 9 }))
      .reverse()
      .map(({ targetCents, note }) => [targetCents, note]);
  expect(await facts()).toEqual([
    [1049_99, 'Old'],
    [null, ''],
    [50_00, 'Old'],
  ]);
  // An unchanged row of an outdated page is not saved.
  expect((await save({ [`note-${c}`]: 'New' })).goTo).toBe(`${page}&did=saved&n=1`);
  expect((await facts()).map(([, note]) => note)).toEqual(['Old', '', 'New']);
  const stale = await save({ [`note-${a}`]: 'Late' });
  expect([stale.status, textOf(stale.html).includes('Changed elsewhere')]).toEqual([400, true]);
  const wrong = await save({ [`target-${c}`]: 'x"y', [`note-${b}`]: 'Kept' });
  expect([wrong.status, wrong.html.includes('value="x&quot;y"')]).toEqual([400, true]);
  expect(wrong.html).toContain('value="Kept"');
  expect((await facts()).map(([, note]) => note)).toEqual(['Old', '', 'New']);
});

test('items that already match an alert are reported when they are saved', async () => {
  const path = await makeList(ann, 'Alerted');
  const listId = Number(path.split('/').at(-1));
  const scope = { kind: 'list', listId } as const;
  const owner = new AlertOwner(site.world.store.accounts, annId, site.world.now);
  const ruleId = await owner.rule({ scope, condition: { kind: 'price_target' } });
  expect((await add(path, { item: '8102', target: '1' })).goTo).toBe(`${path}?did=added&n=8102`);
  expect((await add(path, { item: '75192', target: '900' })).goTo).toBe(
    `${path}?did=added&n=75192&matching=1`,
  );
  const seen = await ann.get(editing(path));
  const [id] = idsIn(seen.html).filter((each) =>
    seen.html.includes(`name="target-${each}" aria-label="Target price for 8102"`),
  );
  const shown = rowsForm(seen.html, path);
  const saved = await ann.post(path, { ...shown, do: 'save', [`target-${id}`]: '900' });
  expect(saved.goTo).toBe(`${path}?did=saved&n=1&matching=1`);
  expect(await textAt(saved.goTo ?? '')).toContain('1 item already matches your alerts.');
  const preview = await sendList(path, '8101 900\n8102 800');
  const done = await confirm(preview.html, path);
  expect(done.goTo).toBe(`${path}?did=imported&n=2&matching=1`);
  await site.world.store.accounts.removeAlertRule(annId, ruleId);
});

test('several items are removed at once', async () => {
  const path = await makeList(ann, 'Removing');
  for (const item of ['8101', '8102', '6003']) await add(path, { item });
  const seen = await ann.get(editing(path));
  const [a = '', , c = ''] = idsIn(seen.html);
  const fields = { ...rowsForm(seen.html, path), do: 'remove' };
  expect((await ann.post(path, fields)).goTo).toBe(`${path}?did=removed&n=0`);
  const picked = [...Object.entries(fields), ['pick', a], ['pick', c]] as [string, string][];
  const gone = await ann.post(path, picked);
  expect(gone.goTo).toBe(`${path}?did=removed&n=2`);
  expect(await numbersAt(path)).toEqual(['8102']);
});

test('the page of an item shows its lists and targets', async () => {
  const [carl, { accounts }] = [await site.signedIn('carl@example.com'), site.world.store];
  const carlId = (await accounts.findAccount('carl@example.com', site.world.now))?.id ?? 0;
  const watch = async (item: string, typed: Record<string, string>, action = 'watch') =>
    carl.submit(await carl.get(item), `/watchlist/${action}`, typed);
  const summary = async (item: string) =>
    /<summary class="button plain">([^<]*)</.exec((await carl.get(item)).html)?.[1];
  expect(await summary('/sets/8101')).toBe('Watch');
  expect((await watch('/sets/8101', { target: '30' })).goTo).toBe('/sets/8101#watch');
  expect(await summary('/sets/8101')).toBe('Watching, target $30.00');
  expect(await textAt('/sets/8101', carl)).toContain('On Watchlist , target $30.00');
  const second = await makeList(carl, 'Second');
  const list = second.split('/').at(-1) ?? '';
  expect((await watch('/minifigs/cas001', { list, target: '' })).goTo).toBe(
    '/minifigs/cas001#watch',
  );
  expect(await summary('/minifigs/cas001')).toBe('Watching');
  await watch('/sets/8101', { list, target: '45' });
  expect(await summary('/sets/8101')).toBe('Watching, target $45.00');
  await watch('/sets/8101', { list, target: '' });
  expect(await summary('/sets/8101')).toBe('Watching, target $30.00');
  const faulty = await watch('/sets/8101', { list, target: 'x' });
  expect([faulty.status, textOf(faulty.html).includes('is not an amount')]).toEqual([400, true]);
  expect((await watch('/sets/8101', { list: '999999', target: '' })).status).toBe(400);
  expect((await watch('/sets/8101', {}, 'unwatch')).goTo).toBe('/sets/8101#watch');
  expect(await summary('/sets/8101')).toBe('Watch');
  // Any of its numbers is recognized.
  const items = [{ kind: 'minifig', key: 'fig-000001', number: 'fig-000001' } as const];
  const old = items.map((item) => ({ ...item, targetCents: 5_00, note: '' }));
  await accounts.removeWatchedItems(
    carlId,
    (await accounts.findWatched(carlId, { set: [], minifig: ['cas001'] })).map(({ id }) => id),
  );
  await accounts.saveWatchedItems(carlId, Number(list), { items: old, at: 1 });
  expect(await summary('/minifigs/cas001')).toBe('Watching, target $5.00');
  await add(second, { item: 'cas001', target: '6' }, carl);
  expect(await textAt(second, carl)).toContain('Second (1)');
  expect(await summary('/minifigs/cas001')).toBe('Watching, target $6.00');
  expect(textOf((await site.visitor().get('/sets/8101')).html)).not.toContain('Watch');
});

test('without email, alerts go to the active channels', async () => {
  const [dora, { accounts }] = [await site.signedIn('dora@example.com'), site.world.store];
  const id = await site.addAccount('dora@example.com');
  const made = await accounts.addDeliveryChannel(id, {
    kind: 'ntfy',
    name: 'Phone',
    address: null,
    secret: null,
    subscription: null,
    position: null,
    at: site.world.now,
  });
  const channelId = typeof made === 'object' ? made.id : 0;
  const typed = { target: '30', alert: 'yes' };
  await dora.submit(await dora.get('/sets/8102'), '/watchlist/watch', typed);
  expect(await accounts.listAlertRules(id)).toMatchObject([{ channelIds: [channelId] }]);
  const form = async () => readForm((await dora.get('/alerts/new')).html, '/alerts/new');
  expect(await form()).toHaveProperty(`channel_${channelId}`);
  await accounts.changeDeliveryChannel(id, channelId, { isOn: false, at: site.world.now });
  expect(await form()).not.toHaveProperty(`channel_${channelId}`);
});

/** Submits an import as pasted text or as a file, and returns the next page. */
async function sendList(path: string, items: string, file?: File) {
  const fields = { ...hiddenFields((await ann.get(`${path}/import`)).html), items };
  const sent = await sendFile(site, { visitor: ann, action: `${path}/import`, fields, file });
  return sent.goTo === null ? sent : ann.get(sent.goTo);
}

/** Confirms a preview. */
const confirm = (html: string, path: string) => {
  const [, action = ''] = new RegExp(`action="(${path}/import/\\d+)"`).exec(html) ?? [];
  return ann.post(action, readForm(html, action));
};

test('a pasted list has a preview with rejects and reasons', async () => {
  const path = await makeList(ann, 'Pasting');
  await add(path, { item: '8101', target: '50', note: 'Old' });
  const preview = await sendList(path, '8101 45 New\n8102\n404404 5\n8102 7\ncas001');
  const text = textOf(preview.html);
  expect(text).toContain('New 2 Changed 1 Unchanged 0 Rejected 2');
  expect(text).toContain('Target was $50.00. Note was “Old”');
  expect(text).toContain('Numbers that are not in the catalog 1 404404 (line 3)');
  expect(text).toContain('Listed twice 1 line 4');
  expect(await numbersAt(path)).toEqual(['8101']);
  expect((await confirm(preview.html, path)).goTo).toBe(`${path}?did=imported&n=3`);
  expect(await numbersAt(path)).toEqual(['8101', 'cas001', '8102']);
  expect(textOf((await sendList(path, '8101')).html)).toContain('Nothing to import');
});

test('an exported list imports unchanged, as CSV and as wanted list', async () => {
  const path = await makeList(ann, 'Exporting');
  await add(path, { item: '75192-2', target: '99.99', note: '=a, "b" <c> & \'d\'' });
  await add(path, { item: '75192' });
  await add(path, { item: 'cas001', note: 'é' });
  const facts = async (of: string) => {
    const id = Number(of.split('/').at(-1));
    const page = { after: 0, limit: 9 };
    const items = await site.world.store.accounts.listWatchedItems(annId, id, page);
    return items.map(({ kind, key, number, targetCents, note }) => {
      return { kind, key, number, targetCents, note };
    });
  };
  for (const format of ['csv', 'xml']) {
    const seen = await ann.get(`${path}/export/${format}`);
    expect(seen.headers.get('Content-Disposition')).toContain(`watchlist-Exporting.${format}`);
    const copy = await makeList(ann, `Copy ${format}`);
    const file = new File([seen.html], `list.${format}`);
    const preview = await sendList(copy, '', file);
    expect((await confirm(preview.html, copy)).goTo).toBe(`${copy}?did=imported&n=3`);
    expect(await facts(copy)).toEqual(await facts(path));
    expect(textOf((await sendList(path, '', file)).html)).toContain('Unchanged 3 Rejected 0');
  }
  expect((await ann.get(`${path}/export/doc`)).status).toBe(404);
});

test('unreadable and empty input is rejected with a reason', async () => {
  const path = await makeList(ann, 'Faults');
  for (const [items, file, fault] of [
    ['', undefined, 'Choose a file that is not empty, or paste text.'],
    ['8101', new File(['8102'], 'a.txt'), 'not both'],
    ['<html>', undefined, 'but BrickLink wanted lists begin'],
    ['', new File(['<INVENTORY><ITEM>'], 'a.xml'), 'is it complete?'],
  ] as const) {
    const refused = await sendList(path, items, file);
    expect([refused.status, textOf(refused.html).includes(fault)]).toEqual([400, true]);
  }
});

test("another account's list is a 404", async () => {
  const path = await makeList(ann, 'Private');
  await add(path, { item: '8101' });
  const [id = ''] = idsIn((await ann.get(path)).html);
  const own = hiddenFields((await bob.get('/watchlist')).html);
  const ends = ['', '/edit', '/delete', '/import', '/import/1', '/export/csv', '/export/xml'];
  for (const end of ends) expect((await bob.get(`${path}${end}`)).status).toBe(404);
  for (const [end, fields] of [
    ['', { do: 'save', [`was-${id}`]: 'x', [`target-${id}`]: '1' }],
    ['', { do: 'remove', pick: id }],
    ['/items', { item: '8102' }],
    ['/edit', { name: 'Mine now' }],
    ['/delete', {}],
    ['/alert', {}],
    ['/import', { items: '8102' }],
  ] as const) {
    expect((await bob.post(`${path}${end}`, { ...own, ...fields })).status).toBe(404);
  }
  // An own list gives no access to another account's items.
  const mine = (await bob.get('/watchlist')).html;
  const list = /action="(\/watchlist\/\d+)"/.exec(mine)?.[1] ?? '';
  await bob.post(list, { ...own, do: 'remove', pick: id });
  await bob.post(list, { ...own, do: 'save', [`was-${id}`]: 'x', [`target-${id}`]: '1' });
  await bob.post('/watchlist/watch', { ...own, kind: 'set', number: '8101', list: '1' });
  expect(await textAt(path)).toContain('Private');
  expect(await numbersAt(path)).toEqual(['8101']);
});

test('a long list is paged', async () => {
  const { accounts } = site.world.store;
  const path = await makeList(ann, 'Long');
  const items = Array.from({ length: 60 }, (_, index) => {
    const number = `long-${index}`;
    const note = '🧱'.repeat(watchLimits.noteLength);
    return { kind: 'set' as const, key: number, number, targetCents: null, note };
  });
  await accounts.saveWatchedItems(annId, Number(path.split('/').at(-1)), { items, at: 1 });
  const page = await ann.get(`${path}?sort=added&page=3&edit=yes`);
  expect(idsIn(page.html)).toHaveLength(10);
  expect(textOf(page.html)).toContain('51–60 of 60');
  expect(textOf(page.html)).toContain('Not in the catalog');
  expect((await ann.get(`${path}?page=9`)).goTo).toBe(`${path}?page=3`);
  // A page with the longest notes fits into one form.
  const first = await ann.get(editing(path));
  const [id = ''] = idsIn(first.html);
  const changed = { ...rowsForm(first.html, path), do: 'save', [`target-${id}`]: '5' };
  expect((await ann.post(path, changed)).goTo).toBe(`${path}?did=saved&n=1`);
});
