/** Passkeys in a real browser with a virtual authenticator. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { challengeMs, signInWithPasskey } from '../../src/accounts/sign-in/passkeys.work.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import { describeInBrowser, launchBrowser, openContext, PageLog } from '../support/browser.ts';
import { password, type Site, startSite } from '../support/site.ts';
import { onTables } from '../support/tables.ts';

describeInBrowser('passkeys', (chromium) => {
  let browser: Browser;
  let site: Site;
  let url: string;
  let context: BrowserContext;
  let page: Page;
  let device: CDPSession;
  let authenticatorId: string;
  const log = new PageLog();

  beforeAll(async () => {
    browser = await launchBrowser(chromium);
    site = await startSite();
    // Browsers have no passkeys for IP addresses.
    url = site.url.replace('127.0.0.1', 'localhost');
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  beforeEach(async () => {
    context = await openContext(browser);
    page = await context.newPage();
    log.follow(page);
    device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    const added = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = added.authenticatorId;
  });

  const enterPassword = async (email: string) => {
    await page.goto(`${url}/sign-in`);
    await page.fill('#field-email', email);
    await page.fill('#field-password', password);
    await page.click('form[action="/sign-in"] button[type=submit]');
    await page.waitForURL(`${url}/today`);
  };

  const addPasskey = async (typed = password) => {
    await page.goto(`${url}/account/passkeys`);
    await page.fill('#field-name', 'My phone');
    await page.fill('#field-password', typed);
    await page.click('text="Add passkey"');
  };

  const credentials = async () =>
    (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

  test('a passkey is added with the password, signs in, and is gone when it is removed', async () => {
    await site.addAccount('ann@example.com');
    await enterPassword('ann@example.com');
    await addPasskey('wrong password');
    await page.waitForSelector('text="Incorrect password."');
    expect(await credentials()).toHaveLength(0);
    await addPasskey();
    await page.waitForSelector('text="Passkey added."');
    expect(await credentials()).toHaveLength(1);
    expect(await page.textContent('table')).toContain('My phone');

    await context.clearCookies();
    await page.goto(`${url}/sign-in?next=/sales`);
    await page.click('text="Sign in with a passkey"');
    await page.waitForURL(`${url}/sales`);
    const { accounts } = site.world.store;
    const [session] = await accounts.listSessions(1, site.world.now);
    expect(session?.id).toBeGreaterThan(1);
    const [passkey] = await accounts.listPasskeys(1);
    expect(passkey).toMatchObject({ name: 'My phone', lastUsedAt: site.world.now });

    await page.goto(`${url}/account/passkeys`);
    await page.click('text="Remove"');
    await page.click('text="Remove passkey"');
    await page.waitForSelector('text="Passkey removed."');
    await context.clearCookies();
    await page.goto(`${url}/sign-in`);
    await page.click('text="Sign in with a passkey"');
    await page.waitForSelector('text=This passkey is not known here');
    expect(log.complaints.filter((text) => !/40[019]/.test(text))).toEqual([]);
  });

  test('what a browser signed works once, in time, and on this site', async () => {
    await site.addAccount('bob@example.com');
    await enterPassword('bob@example.com');
    await addPasskey();
    await page.waitForSelector('text="Passkey added."');
    await context.clearCookies();
    const { accounts } = site.world.store;
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    const deps = { accounts, randomBytes };
    const visitor = { network: '192.0.2.1', agent: 'Browser', at: site.world.now };
    // Signs a challenge without sending it.
    const sign = async () => {
      await page.goto(`${url}/sign-in`);
      await page.evaluate(() => {
        HTMLFormElement.prototype.submit = () => {};
      });
      await page.click('text="Sign in with a passkey"');
      const field = page.locator('form[action="/sign-in/passkey"] input[name=credential]');
      await page.waitForFunction(
        () =>
          document.querySelector<HTMLInputElement>(
            'form[action="/sign-in/passkey"] input[name=credential]',
          )?.value,
      );
      return field.inputValue();
    };
    const use = (credential: string, origin = url, at = visitor.at) =>
      signInWithPasskey(deps, { credential, site: { origin } }, { ...visitor, at });
    const first = await sign();
    expect(await use(first, 'http://evil.localhost')).toBe('wrong');
    expect(await use(first)).toBe('wrong');
    const second = await sign();
    expect(await use(second, url, visitor.at + challengeMs)).toBe('wrong');
    const third = await sign();
    const forged = JSON.parse(third);
    forged.response.signature = forged.response.signature.replace(/^.{12}/, 'MEUCIQDAAAAA');
    expect(await use(JSON.stringify(forged))).toBe('wrong');
    const fourth = await sign();
    expect(await use(fourth)).toMatchObject({ accountId: 2 });
    expect(await use(fourth)).toBe('wrong');
    for (const junk of ['', '{}', '[]', 'null', '"x"', '{"id":"x"}']) {
      expect(await use(junk)).toBe('wrong');
    }
  });

  test('another port of localhost, which passes everything on, signs nobody in', async () => {
    await site.addAccount('dan@example.com');
    await enterPassword('dan@example.com');
    await addPasskey();
    await page.waitForSelector('text="Passkey added."');
    await context.clearCookies();
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        const body = method === 'POST' ? await request.text() : null;
        const init = { method, headers, body, redirect: 'manual' } as const;
        const response = await fetch(`${site.url}${pathname}${search}`, init);
        const passed = new Headers(response.headers);
        passed.delete('Content-Encoding');
        const { status } = response;
        return new Response(await response.arrayBuffer(), { status, headers: passed });
      },
    });
    try {
      const evil = `http://localhost:${proxy.port}`;
      await page.goto(`${evil}/sign-in`);
      expect(await page.locator('[data-passkey]').count()).toBe(0);
      const status = await page.evaluate(async () => {
        const token = document.querySelector<HTMLInputElement>('form [name=token]')?.value ?? '';
        const post = (path: string, fields: Record<string, string>) =>
          fetch(path, {
            method: 'POST',
            body: new URLSearchParams({ token, next: '', ...fields }),
          });
        const options = await (await post('/sign-in/passkey/options', {})).json();
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
        const signed = await navigator.credentials.get({ publicKey });
        const sent = await post('/sign-in/passkey', { credential: JSON.stringify(signed) });
        return sent.status;
      });
      expect(status).toBe(401);
      await page.goto(`${url}/account`);
      expect(page.url()).toContain('/sign-in');
    } finally {
      await proxy.stop(true);
    }
  });

  test('an owner without a password signs in again before a passkey is added or the account deleted', async () => {
    const email = 'eve@example.com';
    const id = await site.addAccount(email);
    await enterPassword(email);
    await addPasskey();
    await page.waitForSelector('text="Passkey added."');
    const sql = 'UPDATE private.account SET password_hash = NULL WHERE id = ?';
    await onTables(site.world.folder, sql, [id]);
    for (const path of ['/account/passkeys', '/account/delete']) {
      site.world.now += 10 * minuteMs;
      await page.goto(url + path);
      expect(await page.textContent('main')).toContain('To confirm that it is you, sign in again.');
      expect(await page.locator(`main form[action="${path}"]`).count()).toBe(0);
      // The form of a page that was opened in time is refused, too.
      const status = await page.evaluate(
        async (to) => {
          const token = document.querySelector<HTMLInputElement>('form [name=token]')?.value ?? '';
          const body = new URLSearchParams({ token, email: 'eve@example.com', password: '' });
          return (await fetch(to, { method: 'POST', body })).status;
        },
        `${path}${path === '/account/passkeys' ? '/options' : ''}`,
      );
      expect(status).toBe(403);
      await page.click('text="Sign in with a passkey"');
      await page.waitForSelector(`main form[action="${path}"]`);
      expect(page.url()).toBe(url + path);
    }
    await page.fill('#field-email', email);
    await page.click('main button.danger');
    await page.waitForURL(`${url}/?gone=1`);
    expect(await site.world.store.accounts.findAccount(email, site.world.now)).toBeNull();
  });

  test('resetting the factors of an account removes its passkeys', async () => {
    await site.addAccount('cat@example.com');
    await enterPassword('cat@example.com');
    await addPasskey();
    await page.waitForSelector('text="Passkey added."');
    expect(await site.world.store.accounts.resetFactors('cat@example.com')).toBe(true);
    expect(await site.world.store.accounts.listPasskeys(5)).toEqual([]);
  });

  test('without scripts, sign-in has no passkey button and the page says why', async () => {
    const plain = await openContext(browser, { javaScriptEnabled: false });
    const bare = await plain.newPage();
    await bare.goto(`${url}/sign-in`);
    expect(await bare.isVisible('text="Sign in with a passkey"')).toBe(false);
    await plain.close();
  });
});
