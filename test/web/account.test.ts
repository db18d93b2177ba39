/** The account pages: sign-up, export, deletion, expired sessions and passwords. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createKey } from '../../src/accounts/keys/api-keys.work.ts';
import { attemptKey } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { hashToken, makeResetLink } from '../../src/accounts/sign-in/sign-in.work.ts';
import { usualSettings } from '../../src/buying/prices/buying-settings.ts';
import type { Encrypted } from '../../src/kernel/encryption.ts';
import { AlertOwner } from '../support/alerts.ts';
import { portfolioMarket, portfolioOf } from '../support/portfolio.ts';
import {
  password,
  readForm,
  type Seen,
  type Site,
  sendFile,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
  await site.world.load(portfolioMarket);
});

afterAll(() => site.close());

interface Exported {
  readonly account: object;
  readonly buying_settings: object;
  readonly brickfolios: object[];
  readonly lots: object[];
  readonly sales: object[];
  readonly saved_views: object[];
  readonly watch_lists: object[];
  readonly watched_items: object[];
  readonly keys: object[];
  readonly spreadsheet_links: object[];
  readonly usage: object[];
  readonly channels: object[];
  readonly deliveries: object[];
  readonly alert_settings: object;
  readonly alerts: object[];
  readonly notifications: object[];
}

describe('the export', () => {
  test('has all data of the account, and no secrets', async () => {
    const { world } = site;
    const email = 'ann@example.com';
    const ann = await site.signedIn(email, { plan: 'reseller' });
    await world.ingest(portfolioOf(email));
    const key = await world.addKey(email);
    await world.call('/catalog/themes', key);
    const link = { accountId: 1, keyId: 1, name: 'Prices', content: 'values' } as const;
    const handle = 'handle-of-the-link';
    await world.store.accounts.addSheetLink({ ...link, handle, at: world.now });
    const settings = { ...usualSettings, inboundCents: 1_50 };
    const rate = { platform: 'ebay', basisPoints: 1_325, feeCents: 40 } as const;
    await world.store.accounts.saveBuyingSettings(1, { ...settings, ownRates: [rate] });
    const made = await world.store.accounts.addWatchList(1, { name: 'Wanted', at: world.now });
    const listId = typeof made === 'object' ? made.id : 0;
    const watched = { kind: 'set', key: '1001', number: '1001' } as const;
    const items = [{ ...watched, targetCents: 49_99, note: 'For Ben' }];
    await world.store.accounts.saveWatchedItems(1, listId, { items, at: world.now });
    const sealed = new TextEncoder().encode('whsec_hidden') as Encrypted;
    const facts = { subscription: null, position: null, at: 5 };
    const webhook = { kind: 'webhook', name: 'Shop', address: sealed, secret: sealed } as const;
    await world.store.accounts.addDeliveryChannel(1, { ...webhook, ...facts });
    await world.store.accounts.addTest(1, 1, 6);
    const body = '{"end_url":"https://b.example/alerts/end/a-token"}';
    const alert = { channelId: 1, messageId: 'alert_1_1', type: 'alert', orderKey: null, body };
    await world.store.accounts.addDeliveries([{ ...alert, at: 6 }]);
    const night = { timeZone: 'America/New_York', quiet: { from: 22 * 60 + 30, until: 7 * 60 } };
    await world.store.accounts.saveAlertSettings(1, night);
    await new AlertOwner(world.store.accounts, 1, world.now).rule({ channelIds: [1] });
    const view = { name: 'Used', query: 'condition=used' };
    await world.store.accounts.saveView(1, view, world.now);
    const seen = await ann.get('/account/export');
    expect(seen.headers.get('Content-Disposition')).toBe(
      'attachment; filename="brickmark-account-2026-11-15.json"',
    );
    expect(seen.headers.get('Cache-Control')).toBe('no-store');
    const all: Exported = JSON.parse(seen.html);
    expect(all.account).toMatchObject({ email, plan: 'reseller', is_operator: false });
    expect(all.buying_settings).toEqual({
      share: 0.8,
      margin_pct: 25,
      sales_tax_pct: 0,
      cashback_pct: 0,
      inbound_usd: 1.5,
      cost_of_money_pct: 0,
      own_rates: [{ platform: 'ebay', percent: 13.25, per_order_usd: 0.4 }],
      today_min_profit_usd: 10,
      today_min_roi_pct: 15,
      today_max_wait_days: 365,
      hour_usd: 15,
      seconds_per_lot: 40,
      seconds_per_piece: 3,
    });
    expect(all.brickfolios).toHaveLength(2);
    expect(all.lots).toHaveLength(6);
    expect(all.lots[0]).toMatchObject({
      source_id: 'lot-1',
      brickfolio: 'Shelf',
      set_number: '1001',
      title: 'Lighthouse',
      quantity: 3,
      sold: 3,
      purchase_price_usd: 60,
    });
    expect(all.sales).toHaveLength(5);
    expect(all.sales[1]).toMatchObject({ source_id: 'sale-2', cost_basis_usd: 270 });
    const now = new Date(world.now).toISOString();
    expect(all.saved_views).toEqual([{ ...view, is_default: false }]);
    expect(all.watch_lists).toEqual([{ name: 'Wanted', created_at: now }]);
    expect(all.watched_items).toEqual([
      {
        list: 'Wanted',
        item_type: 'set',
        number: '1001',
        target_usd: 49.99,
        note: 'For Ben',
        added_at: now,
      },
    ]);
    expect(all.keys).toMatchObject([{ name: 'Test', prefix: key.slice(0, 8), revoked_at: null }]);
    expect(all.spreadsheet_links).toEqual([
      {
        link_id: 1,
        name: 'Prices',
        shows: 'values',
        key_id: 1,
        created_at: now,
        last_used_at: null,
      },
    ]);
    expect(seen.html).not.toContain(handle);
    expect(all.usage).toMatchObject([{ date: '2026-11-15', calls: 1 }]);
    expect(all.channels).toMatchObject([{ kind: 'webhook', name: 'Shop', event_kinds: [] }]);
    expect(all.deliveries).toMatchObject([
      { type: 'alert', body: '{"end_url":"https://b.example/alerts/end/…"}' },
      { channel_id: 1, type: 'test', state: 'waiting' },
    ]);
    expect(Object.keys(all.channels[0] ?? {})).not.toContain('address');
    expect(all.alert_settings).toEqual({
      time_zone: 'America/New_York',
      quiet_from: '22:30',
      quiet_until: '07:00',
    });
    expect(all.alerts).toMatchObject([
      { name: 'Cheap', scope: 'all', condition: 'price_amount', usd: 50, channel_ids: [1] },
    ]);
    expect(all.notifications).toEqual([]);
    expect(seen.html).not.toContain('whsec_');
    expect(seen.html).not.toContain(key.slice(0, 12));
    expect(seen.html).not.toContain('argon2');
  });

  test('is only for the signed-in user', async () => {
    const stranger = await site.visitor().get('/account/export');
    expect([stranger.status, stranger.goTo]).toEqual([303, '/sign-in?next=%2Faccount%2Fexport']);
  });
});

describe('signing up', () => {
  const signUp = async (email: string, from = '/sign-up') => {
    const visitor = site.visitor();
    const seen = await visitor.submit(await visitor.get(from), '/sign-up', { email, password });
    return { visitor, seen };
  };

  test('signs in at once, with a first collection and three next steps', async () => {
    const { visitor, seen } = await signUp('new@example.com');
    expect([seen.status, seen.goTo]).toEqual([303, '/welcome']);
    const { html } = await visitor.get('/welcome');
    for (const way of ['/inventory/import', '/inventory/add', '/market']) {
      expect(html).toContain(`href="${way}"`);
    }
    const { accounts } = site.world.store;
    const { id = 0 } = (await accounts.findAccount('new@example.com', site.world.now)) ?? {};
    expect((await accounts.findHoldings(id, null)).brickfolios).toMatchObject([
      { name: 'My collection', isDefault: true },
    ]);
  });

  test('redirects to the requested page', async () => {
    const { seen } = await signUp('next@example.com', '/sign-up?next=%2Flots%2F7%3Fset%3D75192');
    expect(seen.goTo).toBe('/lots/7?set=75192');
    const evil = await signUp('evil@example.com', '/sign-up?next=%2F%2Fevil.example');
    expect(evil.seen.goTo).toBe('/welcome');
    const stranger = await site.visitor().get('/sign-in?next=%2Fsales');
    expect(stranger.html).toContain('href="/sign-up?next=%2Fsales"');
  });

  test('reveals that an email has an account at most 20 times a day per network', async () => {
    await site.addAccount('old@example.com');
    const { visitor, seen } = await signUp('Old@example.com');
    expect(seen.status).toBe(409);
    expect(textOf(seen.html)).toContain('An account with this email already exists.');
    expect((await visitor.get('/account')).status).toBe(303);
    const { accounts } = site.world.store;
    const throttle = { key: attemptKey('sign up', '127.0.0.1'), max: 20 };
    while (await accounts.countTry([throttle], { at: site.world.now, ms: 86_400_000 }));
    const late = await signUp('old@example.com');
    expect([late.seen.status, textOf(late.seen.html).includes('already exists')]).toEqual([
      429,
      false,
    ]);
    await accounts.forgetTries(throttle.key);
  });

  test('rejects a password that is easy to guess, also when it is changed', async () => {
    const visitor = site.visitor();
    const typed = { email: 'weak@example.com', password: '1234567890' };
    const seen = await visitor.submit(await visitor.get('/sign-up'), '/sign-up', typed);
    expect([seen.status, textOf(seen.html).includes('easy to guess')]).toEqual([400, true]);
    const eve = await site.signedIn('eve@example.com');
    const change = { old_password: password, new_password: 'eve@example.com' };
    const changed = await eve.submit(await eve.get('/account'), '/account/password', change);
    expect([changed.status, textOf(changed.html).includes('your email')]).toEqual([400, true]);
  });
});

describe('an ended session', () => {
  const typed = { name: 'Attic "A"', description: 'Boxes & bags', is_default: 'yes' };

  /** A visitor whose session ends elsewhere while a form is filled in. */
  async function lose(email: string) {
    const visitor = await site.signedIn(email);
    const page = await visitor.get('/inventory/collections');
    const { accounts } = site.world.store;
    const { id = 0 } = (await accounts.findAccount(email, site.world.now)) ?? {};
    await accounts.endOtherSessions(id, null);
    return { visitor, page, id };
  }

  async function signInAgain(visitor: Visitor, seen: Seen, email: string) {
    const form = await visitor.get(seen.goTo ?? '');
    return { form, done: await visitor.submit(form, '/sign-in', { email, password }) };
  }

  test('keeps the input, shows it once after signing in, and submits nothing by itself', async () => {
    const email = 'lost@example.com';
    const { visitor, page, id } = await lose(email);
    const secret = { ...typed, old_password: 'never kept' };
    const lost = await visitor.submit(page, '/inventory/collections', secret);
    expect([lost.status, lost.goTo]).toEqual([303, '/sign-in?next=%2Finventory%2Fcollections']);
    const cookie = lost.headers.getSetCookie().find((each) => /^brickmark_draft=/.test(each)) ?? '';
    expect(cookie.split('; ').slice(1)).toEqual([
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      'Max-Age=1800',
    ]);
    const { form, done } = await signInAgain(visitor, lost, email);
    expect(textOf(form.html)).toContain('You were signed out.');
    expect(done.goTo).toBe('/inventory/collections#draft');
    const again = await visitor.get('/inventory/collections');
    expect(textOf(again.html)).toContain('Review your entries and save.');
    expect(readForm(again.html, '/inventory/collections')).toMatchObject(typed);
    expect(again.html).not.toContain('never kept');
    expect((await site.world.store.accounts.findHoldings(id, null)).brickfolios).toEqual([]);
    const third = await visitor.get('/inventory/collections');
    expect(readForm(third.html, '/inventory/collections').name).toBe('');
    const saved = await visitor.submit(again, '/inventory/collections');
    expect(saved.goTo).toStartWith('/inventory/collections?did=created');
  });

  test('never redirects to an address that only accepts forms', async () => {
    const { visitor, page } = await lose('lost@example.com');
    const token = readForm(page.html, '/inventory/collections').token ?? '';
    const lost = await visitor.post('/account/password', { token, old_password: password });
    expect(lost.goTo).toBe('/sign-in?next=%2Faccount');
    expect(visitor.cookies.has('brickmark_draft')).toBe(false);
    const { done } = await signInAgain(visitor, lost, 'lost@example.com');
    expect(done.goTo).toBe('/account');
    const looked = await visitor.get('/account/password');
    expect([looked.status, looked.headers.get('Allow')]).toEqual([405, 'POST']);
    expect(looked.html).toContain('<a href="/account">');
  });

  test('redirects back to the page with its query, and to no other site', async () => {
    const { visitor, page } = await lose('lost@example.com');
    const fields = { ...readForm(page.html, '/inventory/collections'), ...typed };
    const from = async (Referer: string) =>
      (await visitor.post('/inventory/collections', fields, { Referer })).goTo;
    expect(await from(`${site.url}/inventory/collections?sort=name`)).toBe(
      '/sign-in?next=%2Finventory%2Fcollections%3Fsort%3Dname',
    );
    expect(await from('https://evil.example/account')).toBe(
      '/sign-in?next=%2Finventory%2Fcollections',
    );
    visitor.cookies.delete('brickmark_draft');
    const evil = { Origin: 'https://evil.example' };
    expect((await visitor.post('/inventory/collections', fields, evil)).status).toBe(303);
    expect(visitor.cookies.has('brickmark_draft')).toBe(false);
  });

  test('requires signing in also when a large file is sent', async () => {
    const { visitor, page } = await lose('lost@example.com');
    const { token = '' } = readForm(page.html, '/inventory/collections');
    const file = new File(['x'.repeat(300_000)], 'a.csv');
    const action = '/inventory/import';
    const sent = await sendFile(site, { visitor, action, fields: { token }, file });
    expect([sent.status, sent.goTo]).toEqual([303, '/sign-in?next=%2Finventory%2Fimport']);
  });

  test('a form of an earlier session is shown again with the input, and not accepted', async () => {
    const email = 'lost@example.com';
    const visitor = await site.signedIn(email);
    const page = await visitor.get('/inventory/collections');
    // Signed in again in another tab, so forms of the old session are invalid.
    visitor.cookies.clear();
    await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
    const name = 'Not taken';
    const shown = await visitor.submit(page, '/inventory/collections', { ...typed, name });
    expect(shown.status).toBe(403);
    expect(textOf(shown.html)).toContain('this page was out of date');
    expect(readForm(shown.html, '/inventory/collections')).toMatchObject({ ...typed, name });
    expect((await visitor.submit(shown, '/inventory/collections')).status).toBe(303);
  });
});

describe('after signing in', () => {
  /** The final path after requesting a page and signing in. */
  async function endOf(path: string): Promise<string | null> {
    const visitor = site.visitor();
    const { goTo } = await visitor.get(path);
    const form = await visitor.get(goTo ?? path);
    return (await visitor.submit(form, '/sign-in', { email: 'eve@example.com', password })).goTo;
  }

  test('signing in leads to the requested page, with its query', async () => {
    await site.addAccount('eve@example.com');
    for (const path of ['/portfolio?range=1y', '/inventory/add?set=a%26b+c', '/sales']) {
      expect(await endOf(path)).toBe(path);
    }
    for (const next of ['//evil.example/?a', '/\\evil.example', 'https://evil.example/?a=b']) {
      expect(await endOf(`/sign-in?next=${encodeURIComponent(next)}`)).toBe('/today');
    }
  });

  test('a rejected form focuses its first error, which is announced', async () => {
    const eve = await site.signedIn('eve@example.com');
    const typed = { name: '', description: 'x'.repeat(5000) };
    const { html } = await eve.submit(
      await eve.get('/inventory/collections'),
      '/inventory/collections',
      typed,
    );
    expect(html.match(/ autofocus/g)).toHaveLength(1);
    expect(html).toMatch(/<input id="field-name"[^>]* autofocus/);
    expect(html).toMatch(/id="field-name-fault" role="alert"/);
  });

  test('sessions have recognizable names', async () => {
    const eve = await site.signedIn('eve@example.com');
    const text = textOf((await eve.get('/account')).html);
    expect(text).toMatch(/Where you are signed in.* Bun .* This device/);
  });
});

describe('deleting the account', () => {
  test('needs its email and its password, and reports which was wrong', async () => {
    const bob = await site.signedIn('bob@example.com');
    const page = await bob.get('/account/delete');
    const typo = await bob.submit(page, '/account/delete', { email: 'bib@example.com', password });
    expect(typo.status).toBe(400);
    expect(readForm(typo.html, '/account/delete').email).toBe('bib@example.com');
    expect(typo.html).not.toContain(password);
    expect(textOf(typo.html)).toContain('This is not the email of your account.');
    const email = 'bob@example.com';
    const wrong = await bob.submit(page, '/account/delete', { email, password: 'guess' });
    expect([wrong.status, readForm(wrong.html, '/account/delete').email]).toEqual([400, email]);
    expect(textOf(wrong.html)).toContain('Incorrect password.');
    expect((await bob.get('/account')).status).toBe(200);
  });

  test('deletes its keys and ends all sessions', async () => {
    const { world } = site;
    const email = 'Cat@Example.com';
    const cat = await site.signedIn(email, { plan: 'reseller' });
    const elsewhere = await site.signedIn(email);
    const key = await world.addKey(email);
    const page = await cat.get('/account/delete');
    const typed = { email: 'cat@example.com', password };
    const fields = { ...readForm(page.html, '/account/delete'), ...typed };
    const evil = { Origin: 'https://evil.example' };
    expect((await cat.post('/account/delete', fields, evil)).status).toBe(403);
    expect((await cat.post('/account/delete', { ...fields, token: 'x' })).status).toBe(403);
    const done = await cat.post('/account/delete', fields);
    expect([done.status, done.goTo]).toEqual([303, '/?gone=1']);
    expect(textOf((await cat.get('/?gone=1')).html)).toContain('has been deleted');
    expect(cat.cookies.has('brickmark')).toBe(false);
    expect((await elsewhere.get('/account')).status).toBe(303);
    expect((await world.call('/catalog/themes', key)).status).toBe(401);
    expect(await world.store.accounts.findAccount(email, world.now)).toBeNull();
  });

  test('limits attempts of the password', async () => {
    const dan = await site.signedIn('dan@example.com');
    const page = await dan.get('/account/delete');
    const typed = { email: 'dan@example.com', password: 'guess' };
    for (let tries = 0; tries < 10; tries++) await dan.submit(page, '/account/delete', typed);
    const right = await dan.submit(page, '/account/delete', { ...typed, password });
    expect(right.status).toBe(429);
    expect((await dan.get('/account')).status).toBe(200);
  });
});

describe('a link that sets a password', () => {
  test('lists the passkeys of a confirmed address, and removes those that are not kept', async () => {
    const { store, now } = site.world;
    const { accounts } = store;
    const email = 'keeper@example.com';
    const id = await site.addAccount(email);
    const channel = { kind: 'email', name: 'Email', address: null, secret: null } as const;
    await accounts.addDeliveryChannel(id, {
      ...channel,
      subscription: null,
      position: null,
      at: now,
    });
    for (const name of ['My phone', 'Strange laptop']) {
      const key = { publicKey: new Uint8Array(3), counter: 0, createdAt: now };
      await accounts.addPasskey(id, { name, credentialId: name, ...key });
    }
    const [phone, laptop] = await accounts.listPasskeys(id);
    const token = 'b'.repeat(43);
    await accounts.addResetLink({ email, tokenHash: hashToken(token), expiresAt: now + 1 });
    const path = `/password/${token}`;
    const visitor = site.visitor();
    const page = await visitor.get(path);
    expect(textOf(page.html)).toMatch(
      /Passkeys to keep .* My phone, added .* Strange laptop, added/,
    );
    const fields = { ...readForm(page.html, path) } as Record<string, string>;
    delete fields[`passkey-${laptop?.id}`];
    const weak = await visitor.post(path, { ...fields, password: 'short' });
    expect(weak.status).toBe(400);
    const again = readForm(weak.html, path) as Record<string, string>;
    expect([again[`passkey-${phone?.id}`], again[`passkey-${laptop?.id}`]]).toEqual([
      'yes',
      undefined as never,
    ]);
    const done = await visitor.post(path, { ...again, password: 'a quite new secret' });
    expect(done.goTo).toBe('/sign-in?changed=1');
    expect(await accounts.listPasskeys(id)).toMatchObject([{ name: 'My phone' }]);
  });

  test('works over http, where browsers hide the origin of pages without a referrer', async () => {
    const { store, now } = site.world;
    await site.signedIn('olaf@example.com');
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    const parts = { accounts: store.accounts, randomBytes };
    const path = `/password/${await makeResetLink(parts, 'olaf@example.com', now)}`;
    const visitor = site.visitor();
    const { token = '' } = readForm((await visitor.get(path)).html, path);
    const typed = { token, password: 'another long password' };
    const hidden = { Origin: 'null' };
    const foreign = { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' };
    expect((await visitor.post(path, typed, foreign)).status).toBe(403);
    expect((await visitor.post(path, { ...typed, token: 'no' }, hidden)).status).toBe(403);
    expect((await visitor.post('/sign-in', { token }, hidden)).status).toBe(403);
    expect((await visitor.post(path, typed, hidden)).goTo).toBe('/sign-in?changed=1');
  });

  test('works once, ends all sessions and revokes all keys, with a notice', async () => {
    const { store, now } = site.world;
    const eve = await site.signedIn('eve@example.com');
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    const parts = { accounts: store.accounts, randomBytes };
    const key = { email: 'eve@example.com', name: 'k', allowance: 9, expiresAt: null, at: now };
    await createKey(store.accounts, key, randomBytes);
    const path = `/password/${await makeResetLink(parts, 'eve@example.com', now)}`;
    const visitor = site.visitor();
    const page = await visitor.get(path);
    const short = await visitor.submit(page, path, { password: 'short' });
    expect([short.status, textOf(short.html).includes('at least 10')]).toEqual([400, true]);
    const own = await visitor.submit(page, path, { password: 'Eve@example.com' });
    expect([own.status, textOf(own.html).includes('your email')]).toEqual([400, true]);
    const done = await visitor.submit(page, path, { password: 'another long password' });
    expect(textOf(page.html)).toContain('revokes your API keys');
    expect(done.goTo).toBe('/sign-in?changed=1');
    expect(textOf((await visitor.get('/sign-in?changed=1')).html)).toContain(
      'API keys were revoked',
    );
    expect((await store.accounts.findAccount('eve@example.com', now))?.activeKeys).toBe(0);
    const dead = await visitor.get(path);
    expect(dead.status).toBe(404);
    const policies = [page, short, done, dead].map(({ headers }) => headers.get('Referrer-Policy'));
    expect(new Set(policies)).toEqual(new Set(['no-referrer']));
    expect((await eve.get('/account')).status).toBe(303);
    expect(site.world.failures).toEqual([]);
  });
});

describe('buying settings', () => {
  const path = '/account/buying';
  const good = {
    share: '85',
    margin: '40',
    tax: '8.25 %',
    cashback: '5',
    inbound: '2.5',
    money: '12',
    bricklink_percent: '5.5',
    bricklink_order: '0.49',
    mercari_order: '1',
  };

  test('start with defaults, are saved, and preset the fees of sales', async () => {
    const fay = await site.signedIn('fay@example.com');
    const form = await fay.get(path);
    expect(readForm(form.html, path)).toMatchObject({ share: '80', margin: '25', tax: '0' });
    expect(textOf(form.html)).toContain('Mercari 10% of items and shipping');
    expect((await fay.submit(form, path, good)).goTo).toBe(`${path}?did=saved`);
    expect(readForm((await fay.get(path)).html, path)).toMatchObject({
      ...good,
      tax: '8.25',
      inbound: '2.50',
      mercari_percent: '0',
      mercari_order: '1.00',
      ebay_percent: '',
    });
    const typed = 'platform=bricklink&gross=100&quantity=1&sale_date=2026-11-14';
    const { html } = await fay.get(`/sales/preview?${typed}`);
    expect(JSON.parse(html)).toMatchObject({
      presets: { platform_fees: '5.99', payment_fees: '0.00' },
    });
  });

  test('show errors at their fields, and keep the input', async () => {
    const gus = await site.signedIn('gus@example.com');
    const wrong = {
      share: ['96', 'Enter 50 to 95.'],
      margin: ['-1', 'Enter a percentage, such as 8.25.'],
      tax: ['8.255', 'Use at most two decimals.'],
      cashback: ['', 'Enter a percentage, such as 8.25.'],
      inbound: ['x', "'x' is not an amount. Enter one like 119.99."],
      ebay_percent: ['101', 'Enter 0 to 100.'],
    };
    const typed = Object.fromEntries(
      Object.entries(wrong).map(([name, [text]]) => [name, text ?? '']),
    );
    const seen = await gus.submit(await gus.get(path), path, typed);
    expect(seen.status).toBe(400);
    expect(readForm(seen.html, path)).toMatchObject(typed);
    for (const [name, [, fault]] of Object.entries(wrong)) {
      const message = new RegExp(`id="field-${name}-fault" role="alert">([^<]*)<`).exec(seen.html);
      expect([name, textOf(message?.[1] ?? '')]).toEqual([name, fault ?? '']);
    }
  });
});
