/** A phone without a signal, in a real browser: nothing is lost, sent twice or left behind. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { checkDigit } from '../../src/catalog/barcodes/barcode.ts';
import { dayMs, minuteMs } from '../../src/kernel/time.ts';
import { findFaultsInLooks } from '../support/axe.ts';
import { barcodeVideo } from '../support/barcode-video.ts';
import {
  describeInBrowser,
  enterAs,
  launchBrowser,
  openContext,
  PageLog,
} from '../support/browser.ts';
import { smallMarket } from '../support/market.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { type Site, startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const withDigit = (body: string) => body + checkDigit(body);

/** The barcodes of three sets, and two that no set has. */
const known = [0, 1, 2].map((index) => withDigit(`57020150010${index}`));
const unknown = [withDigit('400638133393'), withDigit('400638133394')];

describeInBrowser('a device without a signal', (chromium) => {
  let site: Site;
  let browser: Browser;
  let owners = 0;
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-device-'));

  beforeAll(async () => {
    site = await startSite({}, sellingEngine);
    const gates = known.map((ean, index) => {
      return {
        kind: 'set',
        set_number: `40${index}`,
        title: `Gate ${index}`,
        theme: 'Castle',
        ean,
      };
    });
    // With the number of a set.
    const doorman = { kind: 'minifig', minifig_number: '402', name: 'Doorman' };
    await site.world.load([...smallMarket, ...gates, doorman]);
    const video = join(folder, 'codes.y4m');
    writeFileSync(video, barcodeVideo([...known, ...unknown]));
    browser = await launchBrowser(chromium, {
      moreFlags: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${video}`,
      ],
    });
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true });
  });

  interface Owner {
    readonly id: number;
    readonly email: string;
  }

  /** A window of a new account, with the clock of the server. */
  async function openPhone() {
    const owner = await addOwner();
    const context = await openContext(browser, { viewport: { width: 390, height: 800 } });
    await context.clock.setFixedTime(site.world.now);
    await signIn(context, owner);
    const page = await context.newPage();
    return { owner, context, page };
  }

  async function addOwner(): Promise<Owner> {
    const email = `owner${++owners}@example.com`;
    return { email, id: await site.addAccount(email, { plan: 'reseller' }) };
  }

  async function signIn(context: BrowserContext, { email }: Owner): Promise<void> {
    await context.clearCookies({ name: 'brickmark' });
    await enterAs(context, await site.signedIn(email), site.url);
  }

  async function keep(page: Page, url = site.url): Promise<void> {
    await page.goto(`${url}/device`);
    await page.getByRole('button', { name: 'Keep on this device' }).click();
    await page.getByText('This device now works without a signal.').waitFor();
  }

  /**
   * Ends the network. It takes effect later for a service worker that was just started, so the page
   * is opened until it is the one of the device.
   */
  async function goOffline(page: Page, url = site.url): Promise<void> {
    await page.context().setOffline(true);
    await until(async () => {
      await page.goto(`${url}/today`);
      return page.evaluate(() => document.documentElement.hasAttribute('data-offline'));
    }, 'the page of the device');
  }

  /** Records a purchase on the page without a network. */
  async function buy(page: Page, typed: string): Promise<void> {
    await page.goto(`${site.url}/offline`);
    await page.getByLabel('Set number, name or barcode').fill(typed);
    await page.getByRole('button', { name: 'Add a purchase' }).first().click();
    await page.getByLabel('Price per unit ($)').fill('99.5');
    await page.getByRole('button', { name: 'Add purchase' }).click();
    await page.getByRole('link', { name: /^Unsent \(/ }).waitFor();
  }

  const lotsOf = async ({ id }: Owner) =>
    site.world.store.accounts.listInventory(id, { after: 0, limit: 100 });

  /** Waits until the device has sent everything; the number of lots on the server. */
  async function lotsWhenSent(page: Page, owner: Owner): Promise<number> {
    await page.goto(`${site.url}/device`);
    await page.getByText('Everything is sent.').waitFor();
    return (await lotsOf(owner)).length;
  }

  /** The rows of each store of the browser, and its caches. */
  const keptBy = (page: Page) =>
    page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('brickmark', 1);
        opening.onsuccess = () => done(opening.result);
      });
      const rows = (name: string) =>
        new Promise<{ account: number; data?: unknown }[]>((done) => {
          const all = db.transaction(name).objectStore(name).getAll();
          all.onsuccess = () => done(all.result);
        });
      const accounts = async (name: string) => (await rows(name)).map(({ account }) => account);
      const data = (await rows('kept')).filter(({ data }) => data);
      return {
        data: data.map(({ account }) => account),
        catalog: await accounts('catalog'),
        entries: await accounts('entries'),
        caches: await caches.keys(),
      };
    });

  test('items are found and a purchase is recorded, and sent once there is a signal', async () => {
    const { owner, context, page } = await openPhone();
    const log = new PageLog();
    log.follow(page);
    await keep(page);
    expect(log.complaints).toEqual([]);
    await goOffline(page);
    await page.goto(`${site.url}/portfolio`);
    await page.getByText('as of Nov 15, 2026').waitFor();
    for (const typed of ['75192', 'grand cas', '673419000017', '5702000000015']) {
      await page.getByLabel('Set number, name or barcode').fill(typed);
      await page.getByText('75192 · Castle · 2020').waitFor();
    }
    await buy(page, '673419000017');
    await page.getByRole('link', { name: 'Unsent (1)' }).click();
    await page.getByText('Bought 1 × 75192, sealed, for $99.50 each').waitFor();
    // It may have been sent already, if its answer was lost.
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    expect(await lotsOf(owner)).toEqual([]);
    await context.setOffline(false);
    expect(await lotsWhenSent(page, owner)).toBe(1);
    expect((await lotsOf(owner))[0]).toMatchObject({ number: '75192', priceCents: 99_50 });
    await context.close();
  });

  /** Makes the service worker less patient. */
  async function hurry(context: BrowserContext): Promise<void> {
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(() => {
      const wait = globalThis.setTimeout;
      Object.assign(globalThis, {
        setTimeout: (...[work, ms, ...more]: Parameters<typeof wait>) =>
          wait(work, Number(ms) / 20, ...more),
      });
    });
  }

  test('a page that does not arrive in time is replaced by the one without a signal', async () => {
    const { context, page } = await openPhone();
    await keep(page);
    await hurry(context);
    const { accounts } = site.world.store;
    const waiting = Promise.withResolvers<[]>();
    const read = spyOn(accounts, 'listWatchLists').mockReturnValue(waiting.promise);
    await page.goto(`${site.url}/watchlist`);
    await page.getByText('There is little or no signal.').waitFor();
    waiting.resolve([]);
    read.mockRestore();
    await context.close();
  });

  /** A server in front of the site, which can answer some paths itself. */
  function startProxy() {
    type OwnAnswer = (path: string) => Response | Promise<Response> | null;
    const state: { answer: OwnAnswer } = { answer: () => null };
    const proxy = Bun.serve({
      port: 0,
      idleTimeout: 0,
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        const { headers } = request;
        const ask = () => fetch(site.url + pathname + search, { headers, decompress: false });
        return state.answer(pathname) ?? ask();
      },
    });
    const url = `http://127.0.0.1:${proxy.port}`;
    return Object.assign(state, { url, stop: () => proxy.stop(true) });
  }

  test('the page without a signal needs nothing of the server, and no cache of the browser', async () => {
    const { context, page } = await openPhone();
    const proxy = startProxy();
    const { url } = proxy;
    await keep(page, url);
    await hurry(context);
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
    proxy.answer = () => new Promise(() => {});
    await page.goto(`${url}/today`);
    await page.getByText('There is little or no signal.').waitFor();
    await context.close();
    await proxy.stop();
  });

  test('a device that did not get the whole page without a signal says so', async () => {
    const { context, page } = await openPhone();
    const proxy = startProxy();
    proxy.answer = (path) => (path.endsWith('.wasm') ? new Response(null, { status: 503 }) : null);
    await page.goto(`${proxy.url}/device`);
    await page.getByRole('button', { name: 'Keep on this device' }).click();
    await page.getByText('Not everything arrived. Try again.').waitFor();
    proxy.answer = () => null;
    await page.getByRole('button', { name: 'Keep on this device' }).click();
    await page.getByText('This device now works without a signal.').waitFor();
    await goOffline(page, proxy.url);
    await page.getByText('There is little or no signal.').waitFor();
    await context.close();
    await proxy.stop();
  });

  test('with a weak signal, a recording is confirmed before it is sent, and sending ends', async () => {
    const { owner, context, page } = await openPhone();
    // The test ends the wait, so that it does not depend on the speed of the machine.
    await page.addInitScript(() => {
      const waits = new Set<AbortController>();
      AbortSignal.timeout = () => {
        const wait = new AbortController();
        waits.add(wait);
        return wait.signal;
      };
      const endWaits = () => {
        for (const wait of waits) wait.abort(new DOMException('', 'TimeoutError'));
        waits.clear();
      };
      Object.assign(globalThis, { endWaits });
    });
    await page.goto(`${site.url}/scan`);
    await page.getByLabel('Barcode or set number').fill('75192');
    await page.keyboard.press('Enter');
    const row = page.locator('.scans .scanned');
    await row.getByText('Grand Castle').waitFor();
    // Nothing is answered.
    await context.route('**/device/*', () => {});
    await row.getByText('Add', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add purchase' }).click();
    await row.getByText('Saved on this device. Sending…').waitFor();
    // The request may start later than its message is shown.
    await until(async () => {
      await page.evaluate('endWaits()');
      return row.getByText('Saved on this device, and sent later.').isVisible();
    });
    await context.unroute('**/device/*');
    expect(await lotsWhenSent(page, owner)).toBe(1);
    await context.close();
  });

  test('scanned barcodes and a purchase are sent once there is a signal', async () => {
    const { owner, context, page } = await openPhone();
    await context.grantPermissions(['camera']);
    await keep(page);
    await goOffline(page);
    await page.goto(`${site.url}/scan`);
    const rows = page.locator('.scans .scanned');
    await until(async () => (await rows.count()) === 5, 'a row for each');
    await rows.filter({ hasText: 'As of Nov 15, 2026' }).first().waitFor();
    const gate = rows.filter({ hasText: 'Gate 1' });
    await gate.getByText('Add', { exact: true }).click();
    await page.getByLabel('Price per unit ($)').fill('19.90');
    await page.getByRole('dialog').getByRole('button', { name: 'Add purchase' }).click();
    await gate.getByText('Saved on this device').waitFor();
    expect(await lotsOf(owner)).toEqual([]);
    await page.close();
    await context.setOffline(false);
    const next = await context.newPage();
    expect(await lotsWhenSent(next, owner)).toBe(1);
    expect((await lotsOf(owner))[0]).toMatchObject({ number: '401', priceCents: 19_90 });
    const barcodes = await site.world.store.accounts.listOwnBarcodes(owner.id);
    expect(barcodes.map(({ code }) => code).sort()).toEqual(unknown);
    await context.close();
  });

  test('a set and a minifig with the same number are two items', async () => {
    const { owner, context, page } = await openPhone();
    const { accounts } = site.world.store;
    const [code = ''] = unknown;
    await accounts.attachBarcode(owner.id, code, { setKey: '402', at: site.world.now });
    await keep(page);
    await goOffline(page);
    await page.getByLabel('Set number, name or barcode').fill('402');
    for (const name of ['Gate 2', 'Doorman']) await page.getByText(name).waitFor();
    await page.getByRole('link', { name: 'Scan', exact: true }).click();
    await page.getByLabel('Barcode or set number').fill(code);
    await page.keyboard.press('Enter');
    await page.locator('.scanned').getByText('Gate 2').waitFor();
    await context.close();
  });

  test('the page of the device and the one without a signal are accessible', async () => {
    const { context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    expect(await findFaultsInLooks(page, async () => {})).toEqual([]);
    await page.getByRole('link', { name: 'Unsent (1)' }).click();
    expect(await findFaultsInLooks(page, async () => {})).toEqual([]);
    await context.route('**/device/entries', (route) => route.abort());
    await context.setOffline(false);
    const show = async () => {
      await page.goto(`${site.url}/device`);
      await page.getByText('Bought 1 × 75192').waitFor();
    };
    expect(await findFaultsInLooks(page, show)).toEqual([]);
    await context.close();
  });

  test('an entry whose answer was lost is applied once, also if the page is closed', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    // The server applies the entry, and its answer never arrives.
    await context.route('**/device/entries', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await context.setOffline(false);
    await page.goto(`${site.url}/today`);
    await until(async () => (await lotsOf(owner)).length === 1);
    await page.close();
    await context.unroute('**/device/entries');
    const next = await context.newPage();
    expect(await lotsWhenSent(next, owner)).toBe(1);
    await context.close();
  });

  test('two tabs that send at once apply an entry once', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    // Each sends as soon as there is a signal.
    for (const tab of [await context.newPage(), await context.newPage()]) {
      await tab.goto(`${site.url}/today`);
      await tab.getByRole('link', { name: 'Unsent (1)' }).waitFor();
    }
    await context.setOffline(false);
    expect(await lotsWhenSent(page, owner)).toBe(1);
    await context.close();
  });

  test('a refused purchase is edited, with its values, and sent again', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await page.goto(`${site.url}/offline`);
    await page.getByLabel('Set number, name or barcode').fill('75192');
    await page.getByRole('button', { name: 'Add a purchase' }).first().click();
    const entered = page.getByRole('dialog');
    await entered.getByLabel('Quantity').fill('3');
    await entered.getByLabel('Price per unit ($)').fill('99');
    await entered.getByLabel('Condition').selectOption('used');
    await entered.getByLabel('Purchase date').fill('2026-12-24');
    await page.getByRole('button', { name: 'Add purchase' }).click();
    await page.getByRole('link', { name: 'Unsent (1)' }).waitFor();
    await context.setOffline(false);
    await page.goto(`${site.url}/device`);
    await page.getByText('Not accepted: The date is in the future.').waitFor();
    const edit = page.getByRole('button', { name: /^Edit: Bought 3 × 75192/ });
    await edit.click();
    const dialog = page.getByRole('dialog', { name: 'Edit purchase' });
    const typed = await dialog
      .locator('input, select')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    expect(typed).toEqual(['3', '99.00', 'used', '2026-12-24']);
    const fault = dialog.getByText('The date is in the future.');
    await fault.waitFor();
    // Still wrong: it stays, and says why.
    const date = dialog.getByLabel('Purchase date');
    await date.fill('2026-12-25');
    expect(await fault.isVisible()).toBe(false);
    await dialog.getByRole('button', { name: 'Save and send' }).click();
    await fault.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await edit.click();
    expect(await date.inputValue()).toBe('2026-12-25');
    await date.fill('2026-11-14');
    await dialog.getByLabel('Price per unit ($)').fill('98,50');
    await dialog.getByRole('button', { name: 'Save and send' }).click();
    await page.getByText('Everything is sent.').waitFor();
    expect(await lotsOf(owner)).toMatchObject([
      { number: '75192', condition: 'used', priceCents: 98_50, purchaseDate: '2026-11-14' },
    ]);
    await context.close();
  });

  test('a server that refuses or fails is told from one without a signal', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    let status = 429;
    await context.route('**/device/entries', (route) => route.fulfill({ status }));
    await context.setOffline(false);
    await page.goto(`${site.url}/device`);
    const send = page.getByRole('button', { name: 'Send now' });
    await send.click();
    await page.getByText('The server is busy. Try again in a minute.').waitFor();
    status = 500;
    await send.click();
    await page.getByText('The server failed with error 500. Try again later.').waitFor();
    await context.unroute('**/device/entries');
    expect(await lotsWhenSent(page, owner)).toBe(1);
    await context.close();
  });

  test('a full device says so, and keeps what was typed', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    await page.evaluate(async (account) => {
      const opening = indexedDB.open('brickmark', 1);
      await new Promise((done) => opening.addEventListener('success', done));
      const transaction = opening.result.transaction('entries', 'readwrite');
      for (let id = 1; id < 1_000; id++) {
        const entry = { id: String(id), account, kind: 'watch', fields: {}, madeAt: id };
        transaction.objectStore('entries').add({ ...entry, reason: null });
      }
      await new Promise((done) => transaction.addEventListener('complete', done));
    }, owner.id);
    const watch = page.getByRole('button', { name: 'Watch', exact: true }).first();
    await watch.click();
    await page.getByText('This device has 1000 unsent entries.').waitFor();
    await until(() => watch.isEnabled());
    await page.getByRole('button', { name: 'Add a purchase' }).first().click();
    await page.getByLabel('Price per unit ($)').fill('12');
    await page.getByRole('button', { name: 'Add purchase' }).click();
    await page.getByRole('dialog').getByText('This device has 1000 unsent entries.').waitFor();
    expect(await page.getByLabel('Price per unit ($)').inputValue()).toBe('12');
    await context.close();
  });

  test('of two accounts on a device, neither sees or sends what is of the other', async () => {
    const { owner: ann, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    const bob = await addOwner();
    await signIn(context, bob);
    await context.setOffline(false);
    await page.goto(`${site.url}/device`);
    await page.getByText('Everything is sent.').waitFor();
    expect(await page.getByRole('button', { name: 'Keep on this device' }).isVisible()).toBe(true);
    expect(await keptBy(page)).toMatchObject({ data: [], catalog: [], entries: [ann.id] });
    await keep(page);
    await goOffline(page);
    await page.getByText('as of Nov 15, 2026').waitFor();
    expect(await page.getByRole('link', { name: /^Unsent/ }).textContent()).toBe('Unsent');
    await context.setOffline(false);
    expect(await lotsWhenSent(page, bob)).toBe(0);
    await signIn(context, ann);
    expect(await lotsWhenSent(page, ann)).toBe(1);
    expect(await lotsOf(bob)).toEqual([]);
    await context.close();
  });

  test('signing out asks if something is unsent, and then removes everything', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    await context.route('**/device/entries', (route) => route.abort());
    await context.setOffline(false);
    await page.goto(`${site.url}/today`);
    const signOut = async (answer: string) => {
      await page.locator('summary[aria-label="Account"]').click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByText('One entry was not sent yet').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: answer }).click();
    };
    await signOut('Cancel');
    expect(await keptBy(page)).toMatchObject({ data: [owner.id], entries: [owner.id] });
    await page.goto(`${site.url}/today`);
    await signOut('Sign out and delete');
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await until(async () => (await keptBy(page)).caches.length === 0);
    expect(await keptBy(page)).toEqual({ data: [], catalog: [], entries: [], caches: [] });
    // The cookie goes last.
    const cookies = async () => (await context.cookies()).map(({ name }) => name);
    await until(async () => !(await cookies()).includes('brickmark_keeps'));
    expect(await lotsOf(owner)).toEqual([]);
    await context.close();
  });

  test('a refresh in another tab brings nothing back after signing out', async () => {
    const { context, page } = await openPhone();
    await keep(page);
    const other = await context.newPage();
    await other.goto(`${site.url}/device`);
    const waiting = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await context.route('**/device/catalog?*', async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await waiting.promise;
      await route.fulfill({ response });
    });
    await other.getByRole('button', { name: 'Refresh' }).click();
    await answered.promise;
    await page.locator('summary[aria-label="Account"]').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await until(async () => (await keptBy(page)).caches.length === 0);
    waiting.resolve();
    await other.getByText('Up to date.').waitFor();
    expect(await keptBy(page)).toEqual({ data: [], catalog: [], entries: [], caches: [] });
    await context.close();
  });

  test('a device whose clock is behind that of the server refreshes its data', async () => {
    const { context, page } = await openPhone();
    const behind = site.world.now - dayMs;
    await context.clock.setFixedTime(behind);
    await keep(page);
    await context.clock.setFixedTime(behind + 16 * minuteMs);
    const refreshed = page.waitForRequest('**/device/data', { timeout: 20_000 });
    await page.goto(`${site.url}/today`);
    await refreshed;
    await context.close();
  });

  test('a session that ended elsewhere leaves no data, and what is unsent waits', async () => {
    const { owner, context, page } = await openPhone();
    await keep(page);
    await goOffline(page);
    await buy(page, '75192');
    // Before there is a signal, with which the page sends at once.
    await site.world.store.accounts.endOtherSessions(owner.id, null);
    await context.setOffline(false);
    await page.goto(`${site.url}/market`);
    await until(async () => (await keptBy(page)).data.length === 0);
    expect(await keptBy(page)).toMatchObject({ catalog: [], entries: [owner.id] });
    await signIn(context, owner);
    expect(await lotsWhenSent(page, owner)).toBe(1);
    await context.close();
  });

  test('Remove from this device removes everything of the account', async () => {
    const { context, page } = await openPhone();
    await keep(page);
    await page.getByRole('button', { name: 'Remove from this device' }).click();
    await page.getByText('Everything was removed from this device.').waitFor();
    expect(await keptBy(page)).toEqual({ data: [], catalog: [], entries: [], caches: [] });
    await context.setOffline(true);
    expect(page.goto(`${site.url}/today`)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await context.close();
  });

  test('a browser that did not choose it keeps nothing', async () => {
    const { context, page } = await openPhone();
    for (const path of ['/today', '/device']) await page.goto(site.url + path);
    const workers = await page.evaluate(async () => {
      return (await navigator.serviceWorker.getRegistrations()).length;
    });
    expect(workers).toBe(0);
    await page.goto(`${site.url}/today`);
    expect(await page.locator('script[src*="device"]').count()).toBe(0);
    // An entry is kept until it is sent, and no longer.
    await page.goto(`${site.url}/scan`);
    await page.getByLabel('Barcode or set number').fill(unknown[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Kept.').waitFor();
    await page.goto(`${site.url}/today`);
    const cookies = async () => (await context.cookies()).map(({ name }) => name);
    await until(async () => !(await cookies()).includes('brickmark_keeps'));
    await context.close();
  });
});
