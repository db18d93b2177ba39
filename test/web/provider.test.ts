/** Signing in with a real identity provider, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  invitationPath,
  inviteFirstOperator,
  makeInvitation,
} from '../../src/accounts/people/invitations.work.ts';
import { isInDomain } from '../../src/accounts/sign-in/identity.ts';
import { Provider, providerVisitMs } from '../../src/accounts/sign-in/provider.work.ts';
import { describeInBrowser, launchBrowser, openContext } from '../support/browser.ts';
import { anAccount } from '../support/builders.ts';
import {
  client,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { freePort } from '../support/ports.ts';
import { password, type Site, startSite, textOf } from '../support/site.ts';

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

const countProviders = async ({ world: { store, now } }: Site) => {
  const counts = await store.accounts.countFailedSignIns(now);
  return counts.find(({ method }) => method === 'provider')?.count ?? 0;
};

describeInBrowser('an identity provider', (chromium) => {
  let browser: Browser;
  let site: Site;
  let invited: Site;
  let required: Site;
  let host: IdentityProvider;
  let issuer: string;

  const providerOf = (domains: readonly string[] = []) => {
    const known = { clientId: client.id, clientSecret: client.secret, name: 'Example ID' };
    return new Provider({ issuer, ...known, domains });
  };

  beforeAll(async () => {
    browser = await launchBrowser(chromium);
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    site = await startSite({ site: { provider: providerOf() } });
    invited = await startSite({
      site: {
        provider: providerOf(),
        access: { signUp: 'invite', hasPublicPages: false, requires: 'none' },
      },
    });
    required = await startSite({
      site: {
        provider: providerOf(['example.com']),
        access: { signUp: 'closed', hasPublicPages: false, requires: 'oidc' },
      },
    });
    const returns = [site, invited, required].map(({ url }) => `${url}/sign-in/provider/return`);
    host = await startIdentityProvider(port, returns, { forgets: true });
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
    await site.close();
    await invited.close();
    await required.close();
  });

  const inBrowser = async (visit: (page: Page, context: BrowserContext) => Promise<void>) => {
    // Pages of the provider in this test need no script, and neither do ours.
    const context = await openContext(browser, { javaScriptEnabled: false });
    await visit(await context.newPage(), context);
    await context.close();
  };

  /** The forms of the provider: who, then consent. */
  const enterThere = async (page: Page, name: string) => {
    await page.fill('input[name=login]', name);
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
  };

  const enterPassword = async (page: Page, email: string) => {
    await page.goto(`${site.url}/sign-in`);
    await page.fill('#field-email', email);
    await page.fill('#field-password', password);
    await page.click('form[action="/sign-in"] button[type=submit]');
  };

  const find = (email: string) => site.world.store.accounts.findAccount(email, site.world.now);

  test('creates an account, and signs in to the same one again', () =>
    inBrowser(async (page, context) => {
      await page.goto(`${site.url}/sign-in?next=/sales`);
      await page.click('text="Sign in with Example ID"');
      await enterThere(page, 'new');
      expect(page.url()).toBe(`${site.url}/sales`);
      expect(await find('new@example.com')).toMatchObject({ plan: 'free', role: null });
      await context.clearCookies();
      await page.goto(`${site.url}/sign-in/provider`);
      await enterThere(page, 'new');
      expect(page.url()).toBe(`${site.url}/today`);
      const { accounts } = site.world.store;
      const id = (await find('new@example.com'))?.id ?? 0;
      expect(await accounts.listSessions(id, site.world.now)).toHaveLength(2);
      // Without a password and a passkey, the link stays.
      await page.goto(`${site.url}/account/provider`);
      await page.click('text="Remove the link"');
      expect(await page.textContent('body')).toContain('Set a password or add a passkey first');
    }));

  test('does not sign in to an account with the same email, until its owner links it', () =>
    inBrowser(async (page, context) => {
      const id = await site.addAccount('ann@example.com');
      await page.goto(`${site.url}/sign-in/provider`);
      await enterThere(page, 'ann');
      expect(await page.textContent('main')).toContain('not linked to Example ID');
      const { accounts } = site.world.store;
      expect(await accounts.listSessions(id, site.world.now)).toEqual([]);

      await context.clearCookies();
      await enterPassword(page, 'ann@example.com');
      await page.goto(`${site.url}/account/provider`);
      await page.fill('#field-password', 'wrong');
      await page.click('text="Link"');
      expect(await page.textContent('.fault')).toBe('Incorrect password.');
      await page.fill('#field-password', password);
      await page.click('text="Link"');
      await page.click('text="Continue"');
      await enterThere(page, 'ann-at-work');
      expect(page.url()).toBe(`${site.url}/account/provider?did=linked`);

      await context.clearCookies();
      await page.goto(`${site.url}/sign-in/provider`);
      await enterThere(page, 'ann-at-work');
      await page.goto(`${site.url}/account`);
      expect(await page.textContent('main')).toContain('ann@example.com');
    }));

  test('an identity that signs in to one account cannot be linked to another', () =>
    inBrowser(async (page) => {
      await site.addAccount('bob@example.com');
      await enterPassword(page, 'bob@example.com');
      await page.goto(`${site.url}/account/provider`);
      await page.fill('#field-password', password);
      await page.click('text="Link"');
      await page.click('text="Continue"');
      await enterThere(page, 'ann-at-work');
      expect(page.url()).toBe(`${site.url}/account/provider?did=taken`);
    }));

  test('an email that the provider has not verified creates no account', () =>
    inBrowser(async (page) => {
      await page.goto(`${site.url}/sign-in/provider`);
      await enterThere(page, 'unverified-eve');
      expect(await page.textContent('main')).toContain('did not send a verified email');
      expect(await find('eve@example.com')).toBeNull();
    }));

  /** Signs in at the provider without a browser, up to the address it sends the browser back to. */
  const leave = async (name: string, from: Site = site, start = '/sign-in/provider') => {
    const visitor = from.visitor();
    let next = (await visitor.get(start)).goTo ?? '';
    const jar = new Map<string, string>();
    const send = async (body: URLSearchParams | null) => {
      const Cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const init = { headers: { Cookie }, redirect: 'manual', method: body ? 'POST' : 'GET', body };
      const response = await fetch(next, init as RequestInit);
      for (const cookie of response.headers.getSetCookie()) {
        const [key = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        if (value === '') jar.delete(key);
        else jar.set(key, value);
      }
      const to = response.headers.get('Location');
      if (to !== null) next = new URL(to, next).href;
      return to === null ? await response.text() : null;
    };
    while (!next.startsWith(from.url)) {
      const html = await send(null);
      if (html === null) continue;
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? '';
      await send(new URLSearchParams({ prompt, login: name, password: 'anything' }));
    }
    const visit = visitor.cookies.get('brickmark_visit') ?? '';
    return { path: next.slice(from.url.length), visit };
  };

  test('a return of another browser, of another visit, or a second time is refused', async () => {
    const open = async (path: string, visit: string | null) => {
      const visitor = site.visitor();
      if (visit !== null) visitor.cookies.set('brickmark_visit', visit);
      const seen = await visitor.get(path);
      expect(visitor.cookies.has('brickmark')).toBe(seen.status === 303);
      return seen.status;
    };
    const mine = await leave('new');
    const other = await leave('new');
    expect(await open(mine.path, null)).toBe(400);
    expect(await open(mine.path, other.visit)).toBe(400);
    const { path } = mine;
    expect(await open(path.replace('state=', 'state=x'), mine.visit)).toBe(400);
    expect(await open(path, mine.visit)).toBe(303);
    expect(await open(path, mine.visit)).toBe(400);
    expect(await open('/sign-in/provider/return?error=access_denied', other.visit)).toBe(400);
    const evil = other.path.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example');
    expect(await open(evil, other.visit)).toBe(400);
  });

  test('an owner without a password signs in there again before the account is deleted', () =>
    inBrowser(async (page) => {
      await page.goto(`${site.url}/sign-in/provider`);
      await enterThere(page, 'gus');
      const path = `${site.url}/account/delete`;
      await page.goto(path);
      expect(await page.locator('#field-email').count()).toBe(1);
      site.world.now += providerVisitMs;
      await page.goto(path);
      expect(await page.textContent('main')).toContain('To confirm that it is you, sign in again.');
      expect(await page.locator('#field-email').count()).toBe(0);
      await page.click('text="Sign in with Example ID"');
      // The browser is signed in there, and is asked again; consent was given before.
      await page.fill('input[name=login]', 'gus');
      await page.fill('input[name=password]', 'anything');
      await page.click('button[type=submit]');
      expect(page.url()).toBe(path);
      await page.fill('#field-email', 'gus@example.com');
      await page.click('main button.danger');
      expect(await find('gus@example.com')).toBeNull();
    }));

  test('of two returns at the same time, one opens a session', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, visit } = await leave('new');
      const visitors = Array.from({ length: 4 }, () => site.visitor());
      for (const { cookies } of visitors) cookies.set('brickmark_visit', visit);
      const seen = await Promise.all(visitors.map((visitor) => visitor.get(path)));
      expect(seen.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
    }
  });

  test('a return is refused after ten minutes, even if the browser kept its cookie', async () => {
    const { path, visit } = await leave('new');
    const visitor = site.visitor();
    visitor.cookies.set('brickmark_visit', visit);
    site.world.now += providerVisitMs;
    expect((await visitor.get(path)).status).toBe(400);
  });

  test('on a site with invitations, no account is created', async () => {
    const seen = await invited.visitor().get('/sign-in/provider');
    expect([seen.status, seen.goTo?.startsWith(`${issuer}/auth?`)]).toEqual([303, true]);
    const url = new URL(seen.goTo ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email',
    });
    const { path, visit } = await leave('fay', invited);
    const visitor = invited.visitor();
    visitor.cookies.set('brickmark_visit', visit);
    const back = await visitor.get(path);
    expect([back.status, visitor.cookies.has('brickmark')]).toEqual([403, false]);
    const { accounts } = invited.world.store;
    expect(await accounts.findAccount('fay@example.com', 0)).toBeNull();
  });

  /** Signs in at the provider and comes back; returns the browser and the answer. */
  const arrive = async (name: string, from: Site, start?: string) => {
    const { path, visit } = await leave(name, from, start);
    const visitor = from.visitor();
    visitor.cookies.set('brickmark_visit', visit);
    return { visitor, back: await visitor.get(path) };
  };

  const invite = async ({ world: { store, now } }: Site) => {
    const deps = { accounts: store.accounts, randomBytes };
    return invitationPath(await makeInvitation(deps, { plan: 'reseller', at: now }));
  };

  test('an invitation is accepted with the provider, once, and decides the plan', async () => {
    const path = await invite(invited);
    expect((await invited.visitor().get(path)).html).toContain(`href="${path}/provider"`);
    const { accounts } = invited.world.store;
    // An address that is not verified uses nothing up.
    expect((await arrive('unverified-hal', invited, `${path}/provider`)).back.status).toBe(403);
    const { visitor, back } = await arrive('hal', invited, `${path}/provider`);
    expect([back.goTo, visitor.cookies.has('brickmark')]).toEqual(['/welcome', true]);
    const made = await accounts.findAccount('hal@example.com', invited.world.now);
    expect(made).toMatchObject({ plan: 'reseller', role: null });
    // An existing account is signed in; no other account is created.
    expect((await arrive('hal', invited, `${path}/provider`)).back.goTo).toBe('/today');
    const late = await arrive('ida', invited, `${path}/provider`);
    expect([late.back.status, textOf(late.back.html)]).toEqual([
      404,
      expect.stringContaining('no longer valid'),
    ]);
    expect(await accounts.findAccount('ida@example.com', invited.world.now)).toBeNull();
  });

  test('of two who accept an invitation at the same time, one gets an account', async () => {
    const start = `${await invite(invited)}/provider`;
    const visits = [await leave('jan', invited, start), await leave('jo', invited, start)];
    const seen = await Promise.all(
      visits.map(({ path, visit }) => {
        const visitor = invited.visitor();
        visitor.cookies.set('brickmark_visit', visit);
        return visitor.get(path);
      }),
    );
    expect(seen.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  test('a closed site admits the domains that it names', async () => {
    const { visitor, back } = await arrive('kim', required);
    expect(back.goTo).toBe('/welcome');
    expect((await visitor.get('/portfolio')).status).toBe(200);
    expect((await arrive('unverified-kit', required)).back.status).toBe(403);
    expect(isInDomain('kim@EXAMPLE.com', ['example.com'])).toBe(true);
    for (const email of [
      'a@sub.example.com',
      'a@example.com.evil.org',
      '"@example.com"@evil.org',
    ]) {
      expect(isInDomain(email, ['example.com'])).toBe(false);
    }
  });

  test('where the provider is required, it opens accounts that operators added', async () => {
    const { accounts } = required.world.store;
    const add = (name: string, facts: object) =>
      accounts.addAccount(
        anAccount({ email: `${name}@example.com`, at: required.world.now, ...facts }),
      );
    const lea = await add('lea', { passwordHash: null, plan: 'reseller' });
    const { visitor, back } = await arrive('lea', required);
    expect([back.goTo, (await visitor.get('/portfolio')).status]).toEqual(['/today', 200]);
    expect(await accounts.findIdentity({ issuer, subject: 'lea' })).toBe(lea?.id ?? 0);
    // Not one that its owner can sign in to, or that has a role.
    await add('max', { passwordHash: 'hash' });
    await add('ned', { passwordHash: null, isOperator: true });
    for (const name of ['max', 'ned']) {
      expect((await arrive(name, required)).back.status).toBe(409);
      expect(await accounts.findIdentity({ issuer, subject: name })).toBeNull();
    }
    // Elsewhere, an email is never enough.
    const { world } = site;
    const nora = anAccount({ email: 'nora@example.com', passwordHash: null, at: world.now });
    await world.store.accounts.addAccount(nora);
    expect((await arrive('nora', site)).back.status).toBe(409);
  });

  test('where the provider is required, nobody is asked for a password to get an account', async () => {
    const first = await startSite({
      site: {
        provider: providerOf(),
        access: { signUp: 'open', hasPublicPages: true, requires: 'oidc' },
      },
    });
    try {
      const { accounts } = first.world.store;
      const token = await inviteFirstOperator({ accounts, randomBytes }, first.world.now);
      const path = invitationPath(token ?? '');
      for (const [page, link] of [
        ['/sign-up', '/sign-in/provider'],
        [path, `${path}/provider`],
      ] as const) {
        const { html } = await first.visitor().get(page);
        expect(html).toContain(`href="${link}"`);
        expect(html).not.toContain('type="password"');
      }
    } finally {
      await first.close();
    }
  });

  test('failures are counted for operators', async () => {
    const before = await countProviders(invited);
    await arrive('nobody-knows', invited);
    expect(await countProviders(invited)).toBe(before + 1);
  });

  test('without a provider, its pages do not exist', async () => {
    const plain = await startSite();
    try {
      for (const path of ['/sign-in/provider', '/sign-in/provider/return']) {
        expect((await plain.visitor().get(path)).status).toBe(404);
      }
      expect((await plain.visitor().get('/sign-in')).html).not.toContain('/sign-in/provider');
    } finally {
      await plain.close();
    }
  });
});
