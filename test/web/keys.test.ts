/** The key pages: created once, shown once, listed, revoked, and only the user's own. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { keysById } from '../support/keys-by-id.ts';
import {
  readForm,
  type Seen,
  type Site,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site.close());

/** The key shown on a page. */
const keyIn = ({ html }: Seen) => /bmk_[0-9a-f]{48}/.exec(html)?.[0] ?? '';

async function makeKey(visitor: Visitor, typed: Record<string, string> = {}): Promise<Seen> {
  return visitor.submit(await visitor.get('/keys'), '/keys', typed);
}

const keysOf = async (email: string) =>
  (await site.world.store.accounts.listKeys(email, site.world.now)) ?? [];

const call = (key: string) =>
  fetch(`${site.url}/api/v1/catalog/themes`, { headers: { Authorization: `Bearer ${key}` } });

describe('creating a key', () => {
  test('shows the key in the response of the form, with a curl command, and is not cached', async () => {
    const ann = await site.signedIn('ann@example.com', { plan: 'reseller' });
    const made = await makeKey(ann, { name: 'Price sheet', expires: '2026-12-31' });
    expect(made.status).toBe(200);
    expect(made.headers.get('Cache-Control')).toBe('no-store');
    const key = keyIn(made);
    expect((await call(key)).status).toBe(200);
    expect(textOf(made.html)).toContain(
      `curl -H "Authorization: Bearer ${key}" "${site.url}/api/v1/catalog/themes"`,
    );
    const [stored] = await keysOf('ann@example.com');
    expect(stored).toMatchObject({ name: 'Price sheet', allowance: 1000 });
    expect(stored?.expiresAt).toBe(Date.UTC(2027, 0, 1));
    const list = await ann.get('/keys');
    expect(list.html).not.toContain(key.slice(0, 12));
    expect(textOf(list.html)).toMatch(
      /Price sheet bmk_\w{4}… Nov 15, 2026, 12:00 UTC 1 999 1,000 Everything Dec 31, 2026/,
    );
    // Docs and messages refer to the page by this name.
    expect(list.html).toMatch(/<h1[^>]*>API keys</);
    expect(list.html).toMatch(/href="\/keys"[^>]*>API keys</);
    expect(textOf(list.html)).toContain('1 of 5 keys in use');
  });

  test('with a form sent again creates no second key, and does not show the first again', async () => {
    const bob = await site.signedIn('bob@example.com');
    const fields = { ...readForm((await bob.get('/keys')).html, '/keys'), name: 'Twice' };
    const both = await Promise.all([bob.post('/keys', fields), bob.post('/keys', fields)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = await bob.post('/keys', fields);
    expect(again.status).toBe(409);
    expect(keyIn(again)).toBe('');
    expect(textOf(again.html)).toContain('was already submitted');
    expect(await keysOf('bob@example.com')).toHaveLength(1);
  });

  test('with invalid input has errors at the fields, and keeps the input', async () => {
    const cat = await site.signedIn('cat@example.com');
    const late = await makeKey(cat, { name: '<b>Sheet</b>', expires: '2026-11-14' });
    expect(late.status).toBe(400);
    expect(readForm(late.html, '/keys')).toMatchObject({
      name: '<b>Sheet</b>',
      expires: '2026-11-14',
    });
    expect(late.html).not.toContain('<b>Sheet');
    expect(textOf(late.html)).toContain('This date has passed.');
    const never = await makeKey(cat, { expires: '2026-02-30' });
    expect(textOf(never.html)).toContain('Enter a date like 2027-01-31.');
    const long = await makeKey(cat, { name: 'x'.repeat(101) });
    expect(textOf(long.html)).toContain('The name is longer than 100 characters.');
    const hidden = await makeKey(cat, { name: 'x\u001b[2J' });
    expect(textOf(hidden.html)).toContain('contains invisible characters');
    expect(await keysOf('cat@example.com')).toEqual([]);
    // The day itself has not ended yet.
    const far = await makeKey(cat, { expires: '20026-11-15' });
    const ahead = await makeKey(cat, { expires: '2036-11-17' });
    expect([far.status, ahead.status]).toEqual([400, 400]);
    expect(textOf(ahead.html)).toContain('Enter a date within ten years');
    expect((await makeKey(cat, { expires: '2026-11-15' })).status).toBe(200);
  });

  test('rejects the sixth key, also if its form was open before', async () => {
    const dan = await site.signedIn('dan@example.com');
    const open = await dan.get('/keys');
    for (let count = 0; count < 5; count++) expect((await makeKey(dan)).status).toBe(200);
    const sixth = await dan.submit(open, '/keys', { name: 'Sixth' });
    expect(sixth.status).toBe(409);
    expect(textOf(sixth.html)).toContain('already has 5 active keys. Revoke one');
    expect(await keysOf('dan@example.com')).toHaveLength(5);
    const page = await dan.get('/keys');
    expect(() => readForm(page.html, '/keys')).toThrow();
    expect(textOf(page.html)).toContain('Revoke one first.');
  });

  test('that replaces a used one shows what is left', async () => {
    const { world } = site;
    const eve = await site.signedIn('eve@example.com', { plan: 'reseller' });
    for (let count = 0; count < 5; count++) {
      const key = keyIn(await makeKey(eve));
      expect((await call(key)).status).toBe(200);
      for (const { id } of await keysOf('eve@example.com')) {
        await keysById(world.store.accounts).revokeKey(id, world.now);
      }
    }
    expect(textOf((await eve.get('/keys')).html)).not.toContain('that replaces one you used');
    const key = keyIn(await makeKey(eve, { name: 'Sixth' }));
    expect((await call(key)).headers.get('x-ratelimit-remaining')).toBe('998');
    for (const path of ['/keys', '/usage']) {
      const text = textOf((await eve.get(path)).html);
      expect(text).toContain('A key that replaces one you used today starts');
      expect(text).toMatch(/Sixth bmk_.{5} .*1 998 1,000/);
    }
  });

  test('without the Reseller plan explains it, how to get it and what happens', async () => {
    const fay = await site.signedIn('fay@example.com');
    const text = textOf((await fay.get('/keys')).html);
    expect(text).toContain('Your account is on the Free plan.');
    expect(text).toContain('ask the operator of this site to upgrade');
    expect(text).toContain('Calls with them return 403');
    const key = keyIn(await makeKey(fay));
    expect((await call(key)).status).toBe(403);
    await site.world.store.accounts.setPlan('fay@example.com', 'reseller');
    expect(textOf((await fay.get('/keys')).html)).not.toContain('Free plan');
    expect((await call(key)).status).toBe(200);
  });
});

describe('the terms of a key', () => {
  const callAt = (key: string, path: string, address = '192.0.2.1') =>
    fetch(`${site.url}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address },
    });

  test('are market data only, or selected scopes', async () => {
    const kim = await site.signedIn('kim@example.com', { plan: 'reseller' });
    const market = keyIn(await makeKey(kim, { name: 'Widget', access: 'market' }));
    expect((await callAt(market, '/catalog/themes')).status).toBe(200);
    expect((await callAt(market, '/salesledger')).status).toBe(403);
    const some = { access: 'selected', scope_sales: 'yes', scope_events: 'yes' };
    const sales = keyIn(await makeKey(kim, { name: 'Books', ...some }));
    expect((await callAt(sales, '/salesledger')).status).toBe(200);
    expect((await callAt(sales, '/catalog/themes')).status).toBe(403);
    const text = textOf((await kim.get('/keys')).html);
    expect(text).toMatch(/Books bmk_.* sales, events Never .*Widget bmk_.* market Never/);
    const none = await makeKey(kim, { access: 'selected' });
    expect([none.status, textOf(none.html)]).toEqual([
      400,
      expect.stringContaining('Select at least one scope below.'),
    ]);
    expect(await keysOf('kim@example.com')).toHaveLength(2);
  });

  test('are networks, which are checked', async () => {
    const lee = await site.signedIn('lee@example.com', { plan: 'reseller' });
    const networks = '203.0.113.0/24\n2001:db8::/32';
    const key = keyIn(await makeKey(lee, { name: 'Office', networks }));
    expect((await callAt(key, '/catalog/themes', '203.0.113.9')).status).toBe(200);
    expect((await callAt(key, '/catalog/themes')).status).toBe(401);
    const wrong = await makeKey(lee, { networks: '203.0.113.0/99' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong.html)).toContain("'203.0.113.0/99' is not a network. Write one like");
    expect(wrong.html).toMatch(/<textarea[^>]*name="networks"[^>]*>\s*203\.0\.113\.0\/99</);
    const [{ id } = { id: 0 }] = await keysOf('lee@example.com');
    const page = textOf((await lee.get(`/keys/${id}`)).html);
    expect(page).toContain('203.0.113.0/24, 2001:db8::/32');
  });

  test('make it a test key, which is marked', async () => {
    const mia = await site.signedIn('mia@example.com', { plan: 'reseller' });
    const key = keyIn(await makeKey(mia, { name: 'Try', test: 'yes' }));
    const response = await callAt(key, '/set/10482');
    expect([response.status, response.headers.get('x-key-test')]).toEqual([200, 'true']);
    expect(textOf((await mia.get('/keys')).html)).toMatch(/Try bmk_7e57\w{4}… Test/);
    // A spreadsheet link cannot use it.
    const sheets = textOf((await mia.get('/keys/spreadsheets')).html);
    expect(sheets).toContain('you have no active one');
  });
});

describe('the page of a key', () => {
  test('renames it', async () => {
    const ned = await site.signedIn('ned@example.com');
    await makeKey(ned, { name: 'Old name' });
    const [{ id } = { id: 0 }] = await keysOf('ned@example.com');
    const form = await ned.get(`/keys/${id}/rename`);
    const empty = await ned.submit(form, `/keys/${id}/rename`, { name: 'x\u202e' });
    expect(empty.status).toBe(400);
    const done = await ned.submit(form, `/keys/${id}/rename`, { name: 'New <i>name' });
    expect(done.goTo).toBe(`/keys/${id}?did=renamed`);
    const page = await ned.get(done.goTo ?? '');
    expect(page.html).not.toContain('<i>name');
    expect(textOf(page.html)).toContain('Key renamed.');
    expect((await keysOf('ned@example.com'))[0]?.name).toBe('New <i>name');
  });

  test('changes its access, from the next call on', async () => {
    const ron = await site.signedIn('ron@example.com', { plan: 'reseller' });
    const key = keyIn(await makeKey(ron, { access: 'market', networks: '203.0.113.0/24' }));
    const [{ id } = { id: 0 }] = await keysOf('ron@example.com');
    const path = `/keys/${id}/access`;
    const form = await ron.get(path);
    expect(readForm(form.html, path)).toMatchObject({ access: 'market', scope_market: 'yes' });
    expect(form.html).toMatch(/<textarea[^>]*name="networks"[^>]*>\s*203\.0\.113\.0\/24</);
    expect((await call(key)).status).toBe(401);
    const wrong = await ron.submit(form, path, { networks: 'here' });
    expect([wrong.status, (await call(key)).status]).toEqual([400, 401]);
    const done = await ron.submit(form, path, { networks: '' });
    expect(done.goTo).toBe(`/keys/${id}?did=changed`);
    expect((await call(key)).status).toBe(200);
    const sales = { access: 'selected', scope_market: '', scope_sales: 'yes' };
    await ron.submit(await ron.get(path), path, sales);
    expect((await call(key)).status).toBe(403);
    expect((await keysOf('ron@example.com'))[0]).toMatchObject({ scopes: 4, networks: null });
    const audit = textOf((await ron.get('/account/activity')).html);
    expect(audit).toContain('Access of an API key changed');
  });

  test('leaves what an operator limited', async () => {
    const { accounts } = site.world.store;
    const sue = await site.signedIn('sue@example.com', { plan: 'reseller' });
    const expiresAt = Date.UTC(2026, 11, 31, 12);
    await site.world.addKey('sue@example.com', { expiresAt });
    const [{ id } = { id: 0 }] = await keysOf('sue@example.com');
    const path = `/keys/${id}/access`;
    const form = await sue.get(path);
    const roll = await sue.get(`/keys/${id}/roll`);
    await keysById(accounts).setKeyAccess(id, { scopes: 1, networks: null }, { isLimited: true });
    expect((await sue.submit(form, path, { access: 'all' })).status).toBe(403);
    expect((await keysOf('sue@example.com'))[0]?.scopes).toBe(1);
    const page = await sue.get(`/keys/${id}`);
    expect(textOf(page.html)).toContain('An operator limited this key.');
    expect(page.html).not.toContain(path);
    for (const expires of ['', '2027-01-01']) {
      const late = await sue.submit(roll, `/keys/${id}/roll`, { expires });
      expect([late.status, keyIn(late)]).toEqual([400, '']);
      expect(textOf(late.html)).toContain('set this key to expire on Dec 31, 2026.');
    }
    // The date of the form ends with the day, which is later than the time that was set.
    expect(keyIn(await sue.submit(roll, `/keys/${id}/roll`, {}))).not.toBe('');
    expect((await keysOf('sue@example.com'))[0]?.expiresAt).toBe(expiresAt);
    const earlier = await sue.submit(await sue.get(`/keys/${id}/roll`), `/keys/${id}/roll`, {
      expires: '2026-12-30',
    });
    expect(keyIn(earlier)).not.toBe('');
    expect((await keysOf('sue@example.com'))[0]?.expiresAt).toBe(Date.UTC(2026, 11, 31));
  });

  test('rolls it: both secrets work, until the old one is ended', async () => {
    const ola = await site.signedIn('ola@example.com', { plan: 'reseller' });
    const old = keyIn(await makeKey(ola, { name: 'Prices', expires: '2026-12-31' }));
    const [{ id } = { id: 0 }] = await keysOf('ola@example.com');
    const form = await ola.get(`/keys/${id}/roll`);
    expect(readForm(form.html, `/keys/${id}/roll`).expires).toBe('2026-12-31');
    const rolled = await ola.submit(form, `/keys/${id}/roll`, { expires: '2027-06-30' });
    const fresh = keyIn(rolled);
    expect(fresh).not.toBe(old);
    expect(textOf(rolled.html)).toContain('The old secret works for 24 hours more.');
    for (const key of [old, fresh]) expect((await call(key)).status).toBe(200);
    expect((await keysOf('ola@example.com'))[0]).toMatchObject({
      usedToday: 2,
      expiresAt: Date.UTC(2027, 6, 1),
    });
    // The form again shows no secret, and changes nothing.
    const again = await ola.submit(form, `/keys/${id}/roll`, {});
    expect([again.status, keyIn(again)]).toEqual([409, '']);
    const page = await ola.get(`/keys/${id}`);
    expect(textOf(page.html)).toContain('The old secret bmk_');
    expect(textOf(page.html)).toContain('works until Nov 16, 2026, 12:00 UTC');
    const ended = await ola.submit(page, `/keys/${id}/end-old`);
    expect(ended.goTo).toBe(`/keys/${id}?did=ended`);
    expect((await call(old)).status).toBe(401);
    expect((await call(fresh)).status).toBe(200);
    const audit = textOf((await ola.get('/account/activity')).html);
    expect(audit).toContain('API key rolled');
  });

  test('rolls it once from two windows, so that the secret in use works for a day', async () => {
    const rae = await site.signedIn('rae@example.com', { plan: 'reseller' });
    const old = keyIn(await makeKey(rae));
    const [{ id } = { id: 0 }] = await keysOf('rae@example.com');
    const path = `/keys/${id}/roll`;
    const [one, other] = [await rae.get(path), await rae.get(path)];
    expect(keyIn(await rae.submit(one, path, {}))).not.toBe('');
    const late = await rae.submit(other, path, {});
    expect([late.status, keyIn(late)]).toEqual([409, '']);
    expect(textOf(late.html)).toContain('This key was rolled elsewhere');
    expect((await call(old)).status).toBe(200);
    // The page is about the new secret now, and says what rolling again would end.
    expect(textOf(late.html)).toContain('The secret before it stops working now.');
    expect(keyIn(await rae.submit(late, path, {}))).not.toBe('');
    expect((await call(old)).status).toBe(401);
  });

  test('of another account, or of a revoked key, cannot be rolled', async () => {
    const pam = await site.signedIn('pam@example.com');
    await makeKey(pam);
    const [{ id } = { id: 0 }] = await keysOf('pam@example.com');
    const quin = await site.signedIn('quin@example.com');
    for (const path of ['', '/rename', '/access', '/roll', '/revoke']) {
      expect((await quin.get(`/keys/${id}${path}`)).status).toBe(404);
    }
    const form = await pam.get(`/keys/${id}/roll`);
    await keysById(site.world.store.accounts).revokeKey(id, site.world.now);
    const late = await pam.submit(form, `/keys/${id}/roll`, {});
    expect([late.status, keyIn(late)]).toEqual([409, '']);
    expect(textOf(late.html)).toContain('This key is no longer active.');
  });
});

describe('revoking a key', () => {
  test('asks for confirmation, then calls get 401', async () => {
    const gus = await site.signedIn('gus@example.com', { plan: 'reseller' });
    const key = keyIn(await makeKey(gus, { name: 'Old' }));
    const [{ id } = { id: 0 }] = await keysOf('gus@example.com');
    const asking = await gus.get(`/keys/${id}/revoke`);
    expect(textOf(asking.html)).toContain('Revoke this key?');
    expect((await call(key)).status).toBe(200);
    const done = await gus.submit(asking, `/keys/${id}/revoke`);
    expect([done.status, done.goTo]).toEqual([303, '/keys?did=revoked']);
    expect((await call(key)).status).toBe(401);
    expect((await gus.submit(asking, `/keys/${id}/revoke`)).status).toBe(303);
    expect(textOf((await gus.get('/keys')).html)).toContain('Revoked');
  });

  test('of another account looks like one that does not exist', async () => {
    const hal = await site.signedIn('hal@example.com', { plan: 'reseller' });
    const key = keyIn(await makeKey(hal));
    const [{ id } = { id: 0 }] = await keysOf('hal@example.com');
    const ida = await site.signedIn('ida@example.com');
    const theirs = await ida.get(`/keys/${id}/revoke`);
    const nobodys = await ida.get('/keys/999999/revoke');
    expect([theirs.status, nobodys.status]).toEqual([404, 404]);
    expect(textOf(theirs.html)).toBe(textOf(nobodys.html));
    const { token = '' } = readForm((await ida.get('/keys')).html, '/keys');
    expect((await ida.post(`/keys/${id}/revoke`, { token })).status).toBe(404);
    expect((await call(key)).status).toBe(200);
  });
});

describe('forms about keys', () => {
  test('are rejected with a wrong token, from another site, or without signing in', async () => {
    const jim = await site.signedIn('jim@example.com');
    const fields = readForm((await jim.get('/keys')).html, '/keys');
    const token = (fields.token ?? '').replace(/^./, (first) => (first === '0' ? '1' : '0'));
    expect((await jim.post('/keys', { ...fields, token })).status).toBe(403);
    expect((await jim.post('/keys', fields, { Origin: 'https://evil.example' })).status).toBe(403);
    const stranger = await site.visitor().post('/keys', fields);
    expect([stranger.status, stranger.goTo]).toEqual([303, '/sign-in?next=%2Fkeys']);
    expect(await keysOf('jim@example.com')).toEqual([]);
    expect(site.world.failures).toEqual([]);
  });
});
