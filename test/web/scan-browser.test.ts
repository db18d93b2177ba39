/** In a real browser with a made-up camera: scanning barcodes. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { checkDigit } from '../../src/catalog/barcodes/barcode.ts';
import { dayMs } from '../../src/kernel/time.ts';
import { barcodeVideo } from '../support/barcode-video.ts';
import {
  describeInBrowser,
  enterAs,
  launchBrowser,
  openContext,
  PageLog,
} from '../support/browser.ts';
import { startOwnerSite } from '../support/owner-pages.ts';
import type { Site, Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

const withDigit = (body: string) => body + checkDigit(body);

/** Four UPCs and four EANs of sets, and two codes that no set has. */
const upcs = [0, 1, 2, 3].map((index) => withDigit(`6734190001${index}`));
const eans = [0, 1, 2, 3].map((index) => withDigit(`57020150010${index}`));
const unknown = [withDigit('400638133393'), withDigit('03600029145')];

/** What the camera shows: each takes half a second. */
const shown = [...upcs.slice(0, 2), ...eans.slice(0, 2), ...unknown];

describeInBrowser('scanning', (chromium) => {
  let site: Site;
  let ann: Visitor;
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-scan-'));
  const log = new PageLog();

  beforeAll(async () => {
    ({ site, ann } = await startOwnerSite());
    const facts = { kind: 'set', theme: 'Castle' };
    await site.world.load([
      ...upcs.map((upc, index) => ({ ...facts, set_number: `40${index}`, title: `Gate`, upc })),
      ...eans.map((ean, index) => ({ ...facts, set_number: `50${index}`, title: `Wall`, ean })),
    ]);
    const video = join(folder, 'codes.y4m');
    writeFileSync(video, barcodeVideo(shown));
    const moreFlags = [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
      '--autoplay-policy=no-user-gesture-required',
      '--host-resolver-rules=MAP plain.example 127.0.0.1',
    ];
    browser = await launchBrowser(chromium, { moreFlags });
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true });
  });

  async function openScan(options: BrowserContextOptions = {}, script = ''): Promise<Page> {
    const context = await openContext(browser, options);
    await enterAs(context, ann, site.url);
    const page = await context.newPage();
    log.follow(page);
    await page.addInitScript(script);
    await page.goto(`${site.url}/scan`);
    return page;
  }

  const camera = { permissions: ['camera'] };
  const listed = (page: Page) => page.locator('.scans .scanned').allInnerTexts();

  /** The file names of what a page loaded. */
  const loaded = (page: Page) =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

  test('the barcodes of a video are listed, with the reader that this site serves', async () => {
    const page = await openScan(camera);
    await until(async () => (await listed(page)).length === shown.length, 'a row for each');
    const text = (await listed(page)).join('\n');
    for (const row of ['400', '401', '500', '501', ...unknown]) expect(text).toContain(row);
    const files = await loaded(page);
    expect(files.some((name) => name.endsWith('.wasm'))).toBe(true);
    expect([...log.origins]).toEqual([site.url]);
    await page.getByRole('button', { name: 'Stop camera' }).click();
    await page.context().close();
  });

  /** Shows the same text in every picture. */
  const detectorOf = (text: string, more = '') => `
    globalThis.BarcodeDetector = class {
      static getSupportedFormats = async () => ['ean_13', 'upc_a'];
      detect = async () => { ${more} return [{ rawValue: ${text} }]; };
    };`;

  test('the browser’s own detector is used if there is one, and nothing is loaded', async () => {
    const page = await openScan(camera, detectorOf(`'${upcs[0]}'`));
    await page.locator('.scans .scanned').first().waitFor();
    expect((await listed(page)).join()).toContain('400');
    expect((await loaded(page)).filter((name) => /zxing|wasm/.test(name))).toEqual([]);
    await page.context().close();
  });

  test('a code sounds high, an unknown one also low, and nothing with the sound off', async () => {
    const counting = `
      globalThis.tones = [];
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function () {
        tones.push(this.frequency.value);
        start.call(this);
      };`;
    const page = await openScan(camera, counting + detectorOf(`globalThis.shown ?? ''`));
    const tones = () => page.evaluate(() => (globalThis as { tones?: number[] }).tones);
    const show = async (code = '') => {
      await page.evaluate((text) => Object.assign(globalThis, { shown: text }), code);
      const row = code === upcs[0] ? 'Gate' : code;
      await page.locator('.scanned').getByText(row, { exact: true }).waitFor();
    };
    await show(upcs[0]);
    expect(await tones()).toEqual([1_200]);
    await show(unknown[0]);
    expect(await tones()).toEqual([1_200, 1_200, 300]);
    await page.getByRole('button', { name: 'Sound' }).click();
    await show(unknown[1]);
    expect(await tones()).toHaveLength(3);
    await page.context().close();
  });

  test('the light is offered if the camera has one', async () => {
    const lit = `
      MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
      MediaStreamTrack.prototype.applyConstraints = async (asked) => {
        globalThis.asked = JSON.stringify(asked);
      };`;
    const page = await openScan(camera, lit + detectorOf("''"));
    const light = page.getByRole('button', { name: 'Light' });
    await light.click();
    await until(async () => (await light.getAttribute('aria-pressed')) === 'true');
    const asked = await page.evaluate(() => (globalThis as { asked?: string }).asked);
    expect(asked).toBe('{"advanced":[{"torch":true}]}');
    await page.context().close();
  });

  test('ours is used if the detector of the browser fails', async () => {
    const page = await openScan(camera, detectorOf("''", 'throw new Error("No service.");'));
    await page.locator('.scans .scanned').first().waitFor();
    expect((await loaded(page)).some((name) => name.endsWith('.wasm'))).toBe(true);
    await page.context().close();
  });

  test('a code in view counts once, again after three seconds, and bad codes never', async () => {
    const [good = ''] = upcs;
    const wrong = good.slice(0, -1) + ((Number(good.slice(-1)) + 1) % 10);
    const counting = 'globalThis.looks = (globalThis.looks ?? 0) + 1;';
    const page = await openScan(camera, detectorOf(`globalThis.shown ?? '${wrong}'`, counting));
    const looks = () => page.evaluate(() => (globalThis as { looks?: number }).looks ?? 0);
    const show = (code: string) =>
      page.evaluate((text) => Object.assign(globalThis, { shown: text }), code);
    await until(async () => (await looks()) > 3);
    await show('https://example.com');
    await until(async () => (await looks()) > 6);
    expect((await loaded(page)).filter((name) => name.includes('find.json'))).toEqual([]);
    await show(good);
    await page.locator('.scans .scanned').first().waitFor();
    const before = await looks();
    await until(async () => (await looks()) > before + 5);
    expect(await listed(page)).toHaveLength(1);
    expect(await page.locator('.scanned [data-part="count"]').isVisible()).toBe(false);
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 3_100;
    });
    await until(async () => (await listed(page)).join().includes('× 2'), 'counted twice');
    await page.context().close();
  });

  test('the camera stops while the page is hidden, and starts again', async () => {
    const page = await openScan(camera, detectorOf(`'${upcs[0]}'`));
    const video = page.locator('video');
    const isOn = () => video.evaluate((each) => (each as HTMLVideoElement).srcObject !== null);
    await until(isOn);
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    expect(await isOn()).toBe(false);
    await hide(false);
    await until(isOn);
    await page.context().close();
  });

  const refusing = (name: string) => `navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException('', '${name}');
  };`;

  test('a blocked camera leaves the keypad, whose codes are listed, too', async () => {
    const page = await openScan({}, refusing('NotAllowedError'));
    await page.getByRole('button', { name: 'Start camera' }).click();
    await page.getByText('The camera is blocked.').waitFor();
    const field = page.getByLabel('Barcode or set number');
    await field.fill(eans[2] ?? '');
    await page.keyboard.press('Enter');
    await page.locator('.scanned').first().waitFor();
    await field.fill('502');
    await page.keyboard.press('Enter');
    await until(async () => (await listed(page)).join().includes('× 2'), 'the same set twice');
    await field.fill('673419000018');
    await page.keyboard.press('Enter');
    await until(() => field.evaluate((each) => !(each as HTMLInputElement).checkValidity()));
    expect(await field.inputValue()).toBe('673419000018');
    // The list is still there after a look at the set.
    await page.getByRole('link', { name: 'Look up' }).click();
    await page.waitForURL('**/sets/502');
    await page.goto(`${site.url}/scan`);
    await until(async () => (await listed(page)).join().includes('× 2'), 'restored');
    await page.context().close();
  });

  test('without a camera, a sentence says so', async () => {
    const page = await openScan({}, refusing('NotFoundError'));
    await page.getByRole('button', { name: 'Start camera' }).click();
    await page.getByText('There is no camera. Type the code.').waitFor();
    await page.context().close();
  });

  test('scanned sets are evaluated as a box', async () => {
    const page = await openScan();
    const field = page.getByLabel('Barcode or set number');
    for (const code of [upcs[0], upcs[1], upcs[1]]) {
      await field.fill(code ?? '');
      await page.keyboard.press('Enter');
      await until(async () => (await field.inputValue()) === '');
    }
    await page.getByRole('button', { name: 'Evaluate as a box' }).click();
    await page.waitForURL('**/evaluate/*');
    const text = await page.locator('main').innerText();
    expect(text).toContain('400');
    expect(text).toContain('401');
    await page.context().close();
  });

  /** Looks up a code with the keypad, and returns its row. */
  async function type(page: Page, code = '') {
    await page.getByLabel('Barcode or set number').fill(code);
    await page.keyboard.press('Enter');
    const row = page.locator('.scanned').first();
    await row.waitFor();
    return row;
  }

  const [first = '', second = '', third = ''] = ['4', '5', '6'].map((digit) =>
    withDigit(`40063813339${digit}`),
  );

  test('sets are watched and added, and unknown codes kept', async () => {
    const page = await openScan();
    // The day when a set is added counts, not the one when the page was opened.
    await page.clock.setFixedTime(site.world.now - dayMs);
    const row = await type(page, upcs[2]);
    await row.getByText('Watch', { exact: true }).click();
    await row.getByText('On your watchlist.').waitFor();
    expect((await ann.get('/watchlist')).html).toContain('href="/sets/402"');
    await row.getByText('Add', { exact: true }).click();
    const price = page.getByLabel('Price per unit ($)');
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add purchase' });
    await price.fill('lots');
    await add.click();
    await page.getByRole('dialog').getByText('Enter an amount, like 49.99.').waitFor();
    await price.fill('19,90');
    await add.click();
    await row.getByText('Added to your inventory.').waitFor();
    expect((await ann.get('/inventory?q=402')).html).toContain('$19.90');
    const { account } = JSON.parse((await ann.get('/device/session')).html);
    const lots = await site.world.store.accounts.listInventory(account, { after: 0, limit: 100 });
    expect(lots.find(({ number }) => number === '402')?.purchaseDate).toBe('2026-11-14');
    const other = await type(page, first);
    await other.getByText('Kept. Attach it now or later.').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: first, exact: true }).waitFor();
    await page.locator('.scanned').getByText('Attach to a set').click();
    await page.getByLabel('Set', { exact: true }).fill('403');
    // By keyboard, since the list of suggestions may be above it.
    await page.getByRole('button', { name: 'Attach' }).press('Enter');
    await page.getByText('Barcode attached.').waitFor();
    await page.context().close();
  });

  /** Enters a purchase that the server refuses, and sends it. */
  async function addRefused(page: Page) {
    const row = await type(page, upcs[3]);
    await row.getByText('Add', { exact: true }).click();
    await page.getByLabel('Quantity').fill('3');
    await page.getByLabel('Price per unit ($)').fill('12.50');
    await page.getByLabel('Purchase date').fill('2026-12-24');
    await page.getByRole('dialog').getByRole('button', { name: 'Add purchase' }).click();
    return row;
  }

  const unsent = async (page: Page) => {
    await page.goto(`${site.url}/device`);
    await page.locator('[data-entries] li').first().waitFor();
    return page.locator('[data-entries]').innerText();
  };

  test('a purchase that is refused stays in its dialog, with the reason at the field', async () => {
    const page = await openScan();
    const row = await addRefused(page);
    const date = page.getByLabel('Purchase date');
    await until(async () => (await date.getAttribute('aria-invalid')) === 'true');
    const dialog = page.getByRole('dialog');
    const text = await dialog.getByRole('alert').allInnerTexts();
    expect(text.filter(Boolean)).toEqual(['The date is in the future. Today is Nov 15, 2026.']);
    expect(await date.evaluate((each) => each === document.activeElement)).toBe(true);
    const typed = await dialog
      .locator('input, select')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    expect(typed).toEqual(['3', '12.50', 'sealed', '2026-12-24']);
    await date.fill('2026-11-02');
    expect(await date.getAttribute('aria-invalid')).toBe(null);
    await dialog.getByRole('button', { name: 'Add purchase' }).click();
    await row.getByText('Added to your inventory.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect((await ann.get('/inventory?q=403')).html).toContain('$12.50');
    expect(await unsent(page)).toBe('Everything is sent.');
    await page.context().close();
  });

  test('a refused purchase outlives the page, and is gone once it is canceled', async () => {
    const page = await openScan();
    const dialog = page.getByRole('dialog');
    await addRefused(page);
    await dialog.getByText('The date is in the future.').waitFor();
    expect(await unsent(page)).toContain('Bought 3 × 403');
    await page.getByRole('button', { name: /^Discard/ }).click();
    await page.getByText('Everything is sent.').waitFor();
    await page.goto(`${site.url}/scan`);
    await addRefused(page);
    await dialog.getByText('The date is in the future.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await unsent(page)).toBe('Everything is sent.');
    await page.context().close();
  });

  test('a purchase that is refused after its dialog was closed can be edited', async () => {
    const page = await openScan();
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/device/entries', async (route) => {
      await answered;
      await route.continue();
    });
    const row = await addRefused(page);
    await row.getByText('Saved on this device. Sending…').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    answer();
    await row.getByRole('link', { name: 'Edit it on this device.' }).click();
    await page.getByRole('button', { name: /^Edit: Bought 3 × 403/ }).click();
    await page.getByRole('dialog').getByText('The date is in the future.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Discard/ }).click();
    await page.getByText('Everything is sent.').waitFor();
    await page.context().close();
  });

  test('at an address without https, typed codes are looked up, watched and kept', async () => {
    const url = site.url.replace(/localhost|127\.0\.0\.1/, 'plain.example');
    const context = await openContext(browser);
    await enterAs(context, ann, url);
    const page = await context.newPage();
    await page.goto(`${url}/scan`);
    const row = await type(page, upcs[3]);
    await row.getByText('Watch', { exact: true }).click();
    await row.getByText('On your watchlist.').waitFor();
    await page.goto(`${url}/device`);
    await page.getByText('This browser cannot keep them.').waitFor();
    await page.getByText('Everything is sent.').waitFor();
    expect(await page.getByText('Keep on this device').isVisible()).toBe(false);
    await context.close();
  });

  test('without a signal, a code is kept on the device and sent later', async () => {
    const page = await openScan();
    await page.context().setOffline(true);
    const row = await type(page, second);
    await row.getByText('Not on this device.').waitFor();
    await row.getByText('Saved on this device, and sent later.').waitFor();
    await page.context().setOffline(false);
    await (await type(page, eans[0])).getByText('500').waitFor();
    await page.locator('.scanned').first().getByText('Watch', { exact: true }).click();
    await page.getByText('On your watchlist.').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: second, exact: true }).waitFor();
    await page.context().close();
  });

  test('a code that the server fails to look up is not kept as an unknown one', async () => {
    const page = await openScan(camera, detectorOf(`globalThis.shown ?? ''`));
    await page.route('**/scan/find.json*', (route) => route.fulfill({ status: 429 }));
    await page.evaluate((text) => Object.assign(globalThis, { shown: text }), upcs[0]);
    await page.getByText('The server could not look it up. Try again.').waitFor();
    const field = page.getByLabel('Barcode or set number');
    await field.fill(upcs[1] ?? '');
    await page.keyboard.press('Enter');
    await until(() => field.evaluate((each) => !(each as HTMLInputElement).checkValidity()));
    expect(await listed(page)).toEqual([]);
    await page.unroute('**/scan/find.json*');
    await (await type(page, upcs[1])).getByText('401').waitFor();
    await page.context().close();
  });

  test('signing out asks before it deletes what is unsent, also in a tab from before', async () => {
    const page = await openScan();
    const older = await page.context().newPage();
    await older.goto(`${site.url}/today`);
    await page.context().setOffline(true);
    const row = await type(page, third);
    await row.getByText('Saved on this device, and sent later.').waitFor();
    await page.context().route('**/device/entries', (route) => route.abort('internetdisconnected'));
    await page.context().setOffline(false);
    const signOut = async (tab: Page) => {
      await tab.locator('summary[aria-label="Account"]').click();
      await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
    };
    await signOut(older);
    await older.getByText('Signing out deletes them.').waitFor();
    await older.getByRole('link', { name: 'Show what is kept' }).click();
    await older.getByText(`Barcode ${third}`).waitFor();
    await signOut(page);
    await page.getByText('One entry was not sent yet').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out and delete' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.context().close();
  });

  test('Chromium can install the app', async () => {
    const page = await openScan();
    const devtools = await page.context().newCDPSession(page);
    const { errors, manifest } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(manifest).toMatchObject({ name: 'Brickmark', display: 'kStandalone' });
    // Headless shell never has any; full Chromium does.
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    await page.context().close();
  });

  test('nothing went wrong on the way', () => {
    expect(log.complaints.filter((said) => !/DISCONNECTED|status of 429/.test(said))).toEqual([]);
  });
});
