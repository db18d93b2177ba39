/** Requests of devices: every kind of entry, its errors, and the account it belongs to. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayMs } from '../../src/kernel/time.ts';
import { smallMarket } from '../support/market.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { password, type Site, startSite, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  await site.world.load(smallMarket);
  ann = await site.signedIn('ann@example.com', { plan: 'reseller' });
  bob = await site.signedIn('bob@example.com');
});

afterAll(() => site.close());

interface Session {
  readonly account: number;
  readonly token: string;
}

const sessionOf = async (visitor: Visitor): Promise<Session> =>
  JSON.parse((await visitor.get('/device/session')).html);

type Entry = Readonly<Record<string, unknown>>;

/** Sends entries as the script does; `typed` replaces fields of the request. */
async function send(visitor: Visitor, entries: readonly Entry[], typed = {}) {
  const { account, token } = await sessionOf(visitor);
  const sentAt = String(site.world.now);
  const fields = { token, account: String(account), sent_at: sentAt };
  const sent = { ...fields, entries: JSON.stringify(entries), ...typed };
  const answer = await visitor.post('/device/entries', sent);
  return { status: answer.status, ...JSON.parse(answer.html || '{}') };
}

const reasonsOf = async (visitor: Visitor, entries: readonly Entry[]) =>
  (await send(visitor, entries)).results.map(({ reason }: { reason: string | null }) => reason);

const purchase = (fields: Entry = {}): Entry => ({
  id: crypto.randomUUID(),
  kind: 'purchase',
  madeAt: site.world.now - dayMs,
  number: '75192-1',
  type: 'set',
  quantity: 2,
  priceCents: 119_99,
  condition: 'sealed',
  date: '2026-11-14',
  ...fields,
});

const lotsOf = async (visitor: Visitor) => {
  const { account } = await sessionOf(visitor);
  return site.world.store.accounts.listInventory(account, { after: 0, limit: 100 });
};

test('a purchase becomes a lot, once', async () => {
  const eve = await site.signedIn('eve@example.com');
  const entry = purchase();
  expect(await reasonsOf(eve, [entry])).toEqual([null]);
  expect(await reasonsOf(eve, [entry, entry])).toEqual([null, null]);
  const [lot, ...others] = await lotsOf(eve);
  expect(others).toEqual([]);
  expect(lot).toMatchObject({ number: '75192', quantity: 2, priceCents: 119_99, place: null });
  expect(lot).toMatchObject({
    purchaseDate: '2026-11-14',
    condition: 'sealed',
    isEstimated: false,
  });
  // The next one goes to the same collection.
  expect(await reasonsOf(eve, [purchase({ priceCents: null })])).toEqual([null]);
  const estimated = (await lotsOf(eve)).find(({ isEstimated }) => isEstimated);
  expect(estimated).toMatchObject({ priceCents: 149_99, brickfolioId: lot?.brickfolioId });
});

test.each(['device', 'offline'])(
  'the page /%s has every place that its script fills',
  async (name) => {
    const folder = join(import.meta.dir, '..', '..', 'src', 'web', 'owner', 'device');
    const script = readFileSync(join(folder, `${name}.client.js`), 'utf8');
    const places = [...script.matchAll(/\bpart\('([\w-]+)'\)/g)].map(([, place]) => place);
    expect(places.length).toBeGreaterThan(5);
    const { html } = await ann.get(`/${name}`);
    expect(places.filter((place) => !new RegExp(` data-${place}[ >=]`).test(html))).toEqual([]);
  },
);

test('invalid entries have a reason, and the others go through', async () => {
  const eve = await site.signedIn('eve2@example.com');
  const reasons = await reasonsOf(eve, [
    purchase({ number: '99999' }),
    purchase(),
    purchase({ quantity: 0 }),
    purchase({ priceCents: -1 }),
    purchase({ priceCents: 1.5 }),
    purchase({ number: '7001', priceCents: null }),
    purchase({ condition: 'new' }),
    purchase({ date: '2026-11-16' }),
    purchase({ type: 'part' }),
    purchase({ kind: 'gift' }),
    purchase({ kind: 'constructor' }),
    purchase({ madeAt: site.world.now - 91 * dayMs }),
  ]);
  expect(reasons).toEqual([
    'No set has the number 99999.',
    null,
    'Enter 1 or more.',
    'Enter 0 or more.',
    'Use at most two decimals.',
    'Enter what you paid. The list price is unknown.',
    'Choose one of the options.',
    'The date is in the future. Today is Nov 15, 2026.',
    'Choose one of the options.',
    "This server does not know entries of the kind 'gift'.",
    "This server does not know entries of the kind 'constructor'.",
    'It was made more than 90 days ago; check whether it is in your account.',
  ]);
  expect(await lotsOf(eve)).toHaveLength(1);
});

test('an entry that the server fails to apply does not block the others', async () => {
  const eve = await site.signedIn('eve6@example.com');
  const { accounts } = site.world.store;
  const apply = spyOn(accounts, 'change').mockRejectedValueOnce(new Error('A full disk.'));
  const entries = [purchase(), purchase()];
  const { results } = await send(eve, entries);
  apply.mockRestore();
  const reason = 'The server failed to save it. It will be sent again.';
  expect(results).toEqual([
    { id: entries[0]?.id, reason, hasFailed: true },
    { id: entries[1]?.id, reason: null },
  ]);
  expect(site.world.failures.splice(0)).toEqual([new Error('A full disk.')]);
  expect(await reasonsOf(eve, entries)).toEqual([null, null]);
  expect(await lotsOf(eve)).toHaveLength(2);
});

test('what was applied stays applied, whatever became of the item', async () => {
  const entry = purchase({ number: '7001' });
  expect(await reasonsOf(bob, [entry])).toEqual([null]);
  expect(await reasonsOf(bob, [{ ...entry, number: '99999', quantity: 0 }])).toEqual([null]);
});

test('a watched item is on one list, under any of its numbers', async () => {
  const eve = await site.signedIn('eve3@example.com');
  const watch = (number: string, type: string) => ({
    ...purchase({ number, type }),
    kind: 'watch',
  });
  const watched = [
    watch('75192', 'set'),
    watch('cas001', 'minifig'),
    watch('fig-000001', 'minifig'),
  ];
  expect(await reasonsOf(eve, watched)).toEqual([null, null, null]);
  const { account } = await sessionOf(eve);
  const lists = await site.world.store.accounts.listWatchLists(account);
  expect(lists.map(({ name, items }) => [name, items])).toEqual([['Watchlist', 2]]);
});

test('an unknown barcode is kept, and found once it is attached to a set', async () => {
  const eve = await site.signedIn('eve4@example.com');
  const code = { ...purchase({ code: '5702017000008' }), kind: 'code' };
  const wrong = { ...purchase({ code: '5702017000009' }), kind: 'code' };
  expect(await reasonsOf(eve, [code, code, wrong])).toEqual([
    null,
    null,
    'It is no barcode: its check digit does not match.',
  ]);
  const { account } = await sessionOf(eve);
  const [kept] = await site.world.store.accounts.listOwnBarcodes(account);
  expect(kept).toMatchObject({ code: '5702017000008', lastScannedAt: site.world.now - dayMs });
  const set = { setKey: '75192', at: site.world.now };
  await site.world.store.accounts.attachBarcode(account, '5702017000008', set);
  const { barcodes } = await unpacked(eve, '/device/data');
  expect(barcodes).toEqual([['5702017000008', '75192']]);
});

test('the clock of a device may be wrong', async () => {
  const offset = 5_000 * dayMs;
  const madeAt = site.world.now - offset - 3 * dayMs;
  const sent = { sent_at: String(site.world.now - offset) };
  expect((await send(bob, [purchase({ madeAt })], sent)).results[0].reason).toBeNull();
  // Set right since the entry was made, by far.
  const early = { ...purchase({ code: '5702017000008', madeAt: 1e300 }), kind: 'code' };
  expect(await reasonsOf(bob, [early])).toEqual([null]);
  const { account } = await sessionOf(bob);
  const [kept] = await site.world.store.accounts.listOwnBarcodes(account);
  expect(kept?.lastScannedAt).toBe(site.world.now);
});

test('entries are accepted only from the account that made them, with its token', async () => {
  const { account, token } = await sessionOf(ann);
  const before = await lotsOf(bob);
  const answer = await send(bob, [purchase()], { account: String(account) });
  expect([answer.status, answer.error]).toEqual([409, 'These entries are from another account.']);
  expect((await send(bob, [purchase()], { entries: '[]' })).status).toBe(400);
  expect((await send(bob, [purchase()], { entries: '{' })).status).toBe(400);
  for (const sent_at of ['x', '1.5', '-Infinity']) {
    expect((await send(bob, [purchase()], { sent_at })).status).toBe(400);
  }
  expect((await send(bob, [purchase({ id: 'x' })])).status).toBe(400);
  expect((await send(bob, [purchase(), purchase({ id: 'x' })])).status).toBe(400);
  const wrong = { token, account: '0', sent_at: '0', entries: '[]' };
  expect((await bob.post('/device/entries', wrong)).status).toBe(403);
  const stranger = await site.visitor().post('/device/entries', wrong);
  expect(stranger.goTo).toContain('/sign-in');
  expect(await lotsOf(bob)).toEqual(before);
});

async function unpacked(visitor: Visitor, path: string) {
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const answer = await fetch(site.url + path, { headers: { Cookie: cookie }, redirect: 'manual' });
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  if (answer.status !== 200) return { status: answer.status };
  return JSON.parse(gunzipSync(await answer.arrayBuffer()).toString());
}

test('the data of a device has holdings and watchlists', async () => {
  await reasonsOf(ann, [purchase(), { ...purchase(), kind: 'watch' }]);
  const data = await unpacked(ann, '/device/data');
  expect(data).toMatchObject({ email: 'ann@example.com', at: site.world.now, hasCatalog: true });
  expect(data.holdings).toEqual([
    {
      type: 'set',
      number: '75192',
      name: 'Grand Castle',
      units: 2,
      condition: 'sealed',
      paidCents: 119_99,
      valueCents: expect.any(Number),
      collection: 'My collection',
      place: null,
    },
  ]);
  expect(data.watchLists[0].items).toEqual([
    { type: 'set', number: '75192', name: 'Grand Castle', targetCents: null, note: '' },
  ]);
  expect((await unpacked(site.visitor(), '/device/data')).status).toBe(303);
});

test('the catalog needs the plan, and has what changed since a version', async () => {
  expect((await unpacked(bob, '/device/catalog')).status).toBe(403);
  const whole = await unpacked(ann, '/device/catalog');
  const row = whole.columns.number.indexOf('75192');
  const lengths = Object.values<unknown[]>(whole.columns).map(({ length }) => length);
  expect(new Set(lengths).size).toBe(1);
  const shown = await ann.get('/sets/75192');
  const inDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
  expect(shown.html).toContain(inDollars(whole.columns.sealed[row]));
  expect(shown.html).toContain(inDollars(whole.columns.paySealed[row]));
  expect(whole.columns.codes[row]).toBe('0673419000017 5702000000015');
  expect(whole.themes[whole.columns.theme[row]]).toBe('Castle');
  const none = await unpacked(ann, `/device/catalog?version=${whole.version}`);
  expect([none.isWhole, none.columns.number]).toEqual([false, []]);
  const [, basis] = whole.version.split('-');
  expect((await unpacked(ann, `/device/catalog?version=1.5-${basis}`)).isWhole).toBe(true);
  await site.world.load([
    { kind: 'set', set_number: '4242', title: 'Late Lighthouse', theme: 'Sea' },
  ]);
  const changed = await unpacked(ann, `/device/catalog?version=${whole.version}`);
  expect([changed.isWhole, changed.columns.number, changed.themes]).toEqual([
    false,
    ['4242'],
    ['Sea'],
  ]);
  // Another number of a minifig is removed, which only the whole catalog says.
  await site.world.load([{ kind: 'minifig', minifig_number: 'late1', name: 'Keeper' }]);
  const before = await unpacked(ann, `/device/catalog?version=${changed.version}`);
  expect([before.isWhole, before.columns.number]).toEqual([false, ['late1']]);
  const keeper = { kind: 'minifig', minifig_number: 'late2', name: 'Keeper', aliases: ['late1'] };
  await site.world.load([keeper]);
  const after = await unpacked(ann, `/device/catalog?version=${before.version}`);
  expect(after.isWhole).toBe(true);
  expect(after.columns.number).toContain('late2');
  expect(after.columns.number).not.toContain('late1');
  // Other settings change every max buy price.
  const form = await ann.get('/account/buying');
  await ann.submit(form, '/account/buying', { margin: '60' });
  const other = await unpacked(ann, `/device/catalog?version=${changed.version}`);
  expect(other.isWhole).toBe(true);
  expect(other.columns.paySealed[row]).toBeLessThan(whole.columns.paySealed[row]);
});

test('accounts with the same settings share the catalog of a publication', async () => {
  const [eve, fay] = [
    await site.signedIn('eve7@example.com', { plan: 'reseller' }),
    await site.signedIn('fay@example.com', { plan: 'reseller' }),
  ];
  await site.world.load([{ kind: 'set', set_number: '4343', title: 'Late Mill', theme: 'Sea' }]);
  const read = spyOn(site.world.store.market, 'findResaleRecords');
  const first = await unpacked(eve, '/device/catalog');
  const reads = read.mock.calls.length;
  const second = await unpacked(fay, '/device/catalog');
  expect([reads > 0, read.mock.calls.length]).toEqual([true, reads]);
  expect(second.columns).toEqual(first.columns);
  expect(second.columns.number).toContain('4343');
  expect(second.account).not.toBe(first.account);
  read.mockRestore();
});

test('signing out and deleting the account tell the device to delete its data', async () => {
  const cookieOf = ({ cookies }: Visitor) => cookies.get('brickmark_keeps');
  const signOut = async (visitor: Visitor, typed = {}) =>
    visitor.submit(await visitor.get('/today'), '/sign-out', typed);
  const eve = await site.signedIn('eve5@example.com');
  const { account } = await sessionOf(eve);
  await signOut(eve);
  expect(cookieOf(eve)).toBeUndefined();
  // A device that keeps something, of any account.
  eve.cookies.set('brickmark_keeps', '999');
  const signIn = async () => {
    const typed = { email: 'eve5@example.com', password };
    await eve.submit(await eve.get('/sign-in'), '/sign-in', typed);
  };
  await signIn();
  expect(cookieOf(eve)).toBe(String(account));
  const page = await eve.get('/today');
  expect(page.html).toContain(`data-account="${account}"`);
  expect(page.html).toContain('-device.js');
  // Asks unless the script did.
  expect((await signOut(eve)).html).toContain('name="asked"');
  expect(cookieOf(eve)).toBe(String(account));
  await signOut(eve, { asked: 'yes' });
  expect(cookieOf(eve)).toBe(`out-${account}`);
  await signIn();
  const typed = { email: 'eve5@example.com', password };
  await eve.submit(await eve.get('/account/delete'), '/account/delete', typed);
  expect(cookieOf(eve)).toBe(`out-${account}`);
  expect((await eve.get('/')).html).not.toContain('data-account');
});
