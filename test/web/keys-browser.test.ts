/** In a real browser: from signing up to creating, using and revoking a key. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clientProgram } from '../../scripts/build-client.ts';
import { describeInBrowser, enterAs, launchBrowser, openContext } from '../support/browser.ts';
import { password, type Site, startSite } from '../support/site.ts';

describeInBrowser('keys in a browser', (chromium) => {
  let site: Site;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    site = await startSite();
    await site.addAccount('op@example.com', { isOperator: true });
    browser = await launchBrowser(chromium);
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== site.url) complaints.push(request.url());
    });
    return page;
  }

  /** Fills in fields by their labels, and submits with a button. */
  async function send(page: Page, fields: Record<string, string>, button: string): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    await page.locator('main').getByRole('button', { name: button, exact: true }).click();
    await page.waitForLoadState();
  }

  async function signIn(email: string): Promise<Page> {
    const page = await newPage(await openContext(browser));
    await page.goto(`${site.url}/sign-in`);
    await send(page, { Email: email, Password: password }, 'Sign in');
    await page.waitForURL('**/today');
    return page;
  }

  /** A page of a signed-in user. */
  async function enter(email: string): Promise<Page> {
    const context = await openContext(browser);
    await enterAs(context, await site.signedIn(email), site.url);
    return newPage(context);
  }

  const call = (key: string) =>
    fetch(`${site.url}/api/v1/catalog/themes`, { headers: { Authorization: `Bearer ${key}` } });

  /** Creates a key on the page; returns the key shown. */
  async function makeKey(page: Page, name: string): Promise<string> {
    await page.goto(`${site.url}/keys`);
    await send(page, { 'Name (optional)': name }, 'Create key');
    return (await page.locator('#key').textContent()) ?? '';
  }

  async function setPlan(email: string): Promise<void> {
    const operator = await signIn('op@example.com');
    await operator.goto(`${site.url}/operator/accounts`);
    await operator.getByRole('link', { name: email }).click();
    await operator.getByLabel('Plan').selectOption('reseller');
    await send(operator, {}, 'Change plan');
    expect(await operator.getByRole('status').textContent()).toContain('Plan changed.');
    await operator.context().close();
  }

  const textOf = (page: Page) => page.locator('main').innerText();

  test('sign up, get the plan, create a key, make a call, see the usage, revoke it', async () => {
    const email = 'new@example.com';
    const page = await newPage(await openContext(browser));
    await page.goto(`${site.url}/sign-up`);
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await send(page, { Email: email, Password: password }, 'Create account');
    await page.waitForURL('**/welcome');

    const key = await makeKey(page, 'Price sheet');
    expect((await call(key)).status).toBe(403);
    await setPlan(email);
    expect((await call(key)).status).toBe(200);

    // Reloading the page with the key does not create another.
    await page.reload();
    expect(await textOf(page)).toContain('was already submitted');
    expect(await page.content()).not.toContain(key);

    await page.goto(`${site.url}/usage`);
    expect(await textOf(page)).toMatch(/Calls today\s+1\s/);
    expect(await page.locator('.chart svg.plot').count()).toBe(1);

    await page.goto(`${site.url}/keys`);
    await page.getByRole('link', { name: 'Revoke Price sheet' }).click();
    await send(page, {}, 'Revoke key');
    // The script removes the notice from the address, so that a reload does not repeat it.
    await page.waitForSelector('.toast:has-text("revoked")');
    expect((await call(key)).status).toBe(401);
  });

  test('a key is copied by its button; the sixth is rejected', async () => {
    const page = await enter('six@example.com');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const key = await makeKey(page, 'First');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const late = await newPage(page.context());
    await late.goto(`${site.url}/keys`);
    for (let count = 1; count < 5; count++) await site.world.addKey('six@example.com');
    await send(late, { 'Name (optional)': 'Sixth' }, 'Create key');
    expect(await textOf(late)).toContain('already has 5 active keys');
    await page.goto(`${site.url}/keys`);
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  });

  test('a double click submits a form once', async () => {
    const page = await enter('two@example.com');
    await page.goto(`${site.url}/keys`);
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.locator('#key').waitFor();
    const keys = await site.world.store.accounts.listKeys('two@example.com', site.world.now);
    expect(keys).toHaveLength(1);
  });

  test("the client works on another site's page, and can read budgets and errors", async () => {
    await site.world.addAccount('page@example.com');
    const options = { url: site.url, key: await site.world.addKey('page@example.com') };
    const program = await clientProgram('esm');
    const other = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith('.js')
          ? new Response(program, { headers: { 'Content-Type': 'text/javascript' } })
          : new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }),
    });
    const page = await (await openContext(browser)).newPage();
    try {
      await page.goto(String(other.url));
      const result = await page.evaluate(`(async () => {
        const { Brickmark } = await import('/client.js');
        const brickmark = new Brickmark(${JSON.stringify(options)});
        const { summary } = await brickmark.getBatch({ sets: ['404404'] });
        const { code, requestId } = await brickmark.getSet('404404').catch((error) => error);
        const stop = new AbortController();
        const stream = brickmark.plus.streamEvents({ after: 0 }, { signal: stop.signal });
        const ended = stream[Symbol.asyncIterator]().next().catch(({ name }) => name);
        while (stream.position === null) await new Promise((resolve) => setTimeout(resolve, 5));
        stop.abort();
        const { remaining } = brickmark.budget;
        return { summary, code, hasId: requestId !== null, ended: await ended, remaining };
      })()`);
      expect(result).toEqual({
        summary: { requested: 1, found: 0 },
        code: 'NotFound',
        hasId: true,
        ended: 'AbortError',
        remaining: 997,
      });
    } finally {
      await page.context().close();
      await other.stop(true);
    }
  });

  test("a market key on another site's page reads a set, and cannot read a sale", async () => {
    const page = await enter('widget@example.com');
    await site.world.store.accounts.setPlan('widget@example.com', 'reseller');
    await page.goto(`${site.url}/keys`);
    await page.getByLabel('Access').selectOption('Market data only – safe for a browser app');
    await send(page, { 'Name (optional)': 'Widget' }, 'Create key');
    const key = (await page.locator('#key').textContent()) ?? '';
    await site.world.load([{ kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' }]);
    const other = Bun.serve({
      port: 0,
      fetch: () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }),
    });
    const outside = await (await openContext(browser)).newPage();
    try {
      await outside.goto(String(other.url));
      const seen = await outside.evaluate(
        async ({ url, key }) => {
          const headers = { Authorization: `Bearer ${key}` };
          const read = async (path: string) => {
            const response = await fetch(`${url}${path}`, { headers });
            const { data, error } = await response.json();
            return {
              status: response.status,
              found: data?.title ?? error.code,
              message: error?.message ?? '',
              left: response.headers.get('X-RateLimit-Remaining'),
            };
          };
          return [
            await read('/api/v1/set/1000'),
            await read('/api/v1/salesledger'),
            await read('/api/plus/v1/sales'),
            await read('/api/v1/brickfolio'),
          ];
        },
        { url: site.url, key },
      );
      const refused = { status: 403, found: 'ScopeRequired', left: '999' };
      expect(seen).toEqual([
        { status: 200, found: 'Hut', message: '', left: '999' },
        { ...refused, message: expect.stringContaining("'sales'") },
        { ...refused, message: expect.stringContaining("'sales'") },
        { ...refused, message: expect.stringContaining("'portfolio'") },
      ]);
    } finally {
      await outside.context().close();
      await other.stop(true);
    }
  });

  test('a key is rolled on its page', async () => {
    const page = await enter('roller@example.com');
    await site.world.store.accounts.setPlan('roller@example.com', 'reseller');
    const old = await makeKey(page, 'Roller');
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Roller', exact: true }).click();
    await page.getByRole('link', { name: 'Roll', exact: true }).click();
    await send(page, {}, 'Roll key');
    const fresh = (await page.locator('#key').textContent()) ?? '';
    expect([(await call(old)).status, (await call(fresh)).status]).toEqual([200, 200]);
    await page.goto(`${site.url}/keys`);
    await page.getByRole('link', { name: 'Roller', exact: true }).click();
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.waitForSelector('.toast:has-text("no longer works")');
    expect([(await call(old)).status, (await call(fresh)).status]).toEqual([401, 200]);
  });

  test('nothing was loaded from another host, and no page had errors', () => {
    expect(complaints).toEqual([]);
    expect(site.world.failures).toEqual([]);
  });
});
