/** The catalog's pages in a real browser: search by keyboard, charts, tables and the palette. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  describeInBrowser,
  enterAs,
  launchBrowser,
  openContext,
  PageLog,
} from '../support/browser.ts';
import { catalogOwner, startCatalogSite } from '../support/catalog-site.ts';
import type { Site } from '../support/site.ts';

describeInBrowser('the catalog in Chromium', (chromium) => {
  let site: Site;
  let browser: Browser;
  /** A page of a signed-in user. */
  let own: Page;
  const log = new PageLog();

  beforeAll(async () => {
    site = await startCatalogSite();
    browser = await launchBrowser(chromium);
    own = await open();
    await signIn(own.context());
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await openContext(browser, options);
    const page = await context.newPage();
    log.follow(page);
    return page;
  }

  const signIn = async (context: BrowserContext) =>
    enterAs(context, await site.signedIn(catalogOwner), site.url);

  test('search suggests while typing, and is operated by keys', async () => {
    const page = await open();
    await page.goto(`${site.url}/`);
    const field = page.getByRole('combobox', { name: 'Search sets, minifigs and pages' });
    await field.pressSequentially('grand');
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await options.allInnerTexts()).toHaveLength(2);
    expect(await page.locator('[aria-live]').textContent()).toContain('2 suggestions');
    await field.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await field.press('ArrowDown');
    await options.first().waitFor();
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    const active = await field.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).innerText()).toContain('second edition');
    await field.press('Enter');
    await page.waitForURL('**/sets/75192-2');
    // A number typed in full leads to its set at once.
    await field.fill('75192');
    await options.first().waitFor();
    await field.press('Enter');
    await page.waitForURL('**/sets/75192');
    await page.context().close();
  });

  test('search works without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${site.url}/sets/7001`);
    await page.getByRole('searchbox').fill('cafe');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: /Knight of the Café/ }).click();
    await page.waitForURL('**/minifigs/cas001');
    await page.context().close();
  });

  test('a set shows its charts without scripts, and its used value with one click', async () => {
    const page = await open({ javaScriptEnabled: false });
    await signIn(page.context());
    await page.goto(`${site.url}/sets/75192`);
    const chart = page.locator('[data-chart=history]');
    const lines = (await chart.locator('.legend li').allInnerTexts()).map((text) => text.trim());
    expect(lines.slice(0, 3)).toEqual(['Sealed', 'Used', 'Range']);
    expect((await chart.locator('.lines').boundingBox())?.width).toBeGreaterThan(300);
    await chart.locator('summary').click();
    expect(await page.locator('#history tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Used', exact: true }).click();
    await page.waitForURL('**/sets/75192?condition=used');
    await page.getByText('1 sale in 180 days').click();
    expect(await page.getByText('The value is accurate to about').isVisible()).toBe(true);
    await page.context().close();
  });

  test('a chart has a crosshair with all values of a day, by pointer and by keys', async () => {
    await own.setViewportSize({ width: 1280, height: 900 });
    await own.goto(`${site.url}/sets/75192`);
    const plot = own.locator('[data-chart=history] .plot');
    const tip = own.locator('[data-chart=history] .tooltip');
    await plot.hover();
    expect(await tip.innerText()).toMatch(/^\w+ \d+, 2026\s+Sealed\s+\$\d/);
    expect(await tip.innerText()).toMatch(/List price\s+\$149\.99/);
    const [above, lines] = await Promise.all([
      tip.boundingBox(),
      own.locator('[data-chart=history] .lines').boundingBox(),
    ]);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(lines?.y ?? 0);
    await own.mouse.move(0, 0);
    expect(await tip.isVisible()).toBe(false);
    const slider = own.getByRole('slider');
    await slider.press('End');
    expect(await tip.innerText()).toMatch(/Nov 15, 2026.*\s+Sealed\s+\$.*\s+Used\s+\$/);
    const last = await slider.getAttribute('aria-valuetext');
    await slider.press('ArrowLeft');
    const text = await slider.getAttribute('aria-valuetext');
    expect(text).toStartWith((await tip.innerText()).split('\n')[0] ?? '-');
    expect(text).not.toBe(last);
  });

  test('a chart zooms by dragging, by keys and by range, and its axis follows', async () => {
    await own.goto(`${site.url}/sets/75192`);
    const plot = own.locator('[data-chart=history] .plot');
    const view = () => own.locator('[data-chart=history] .lines').getAttribute('viewBox');
    const amounts = () => own.locator('[data-chart=history] .amounts').innerHTML();
    const texts = async () => (await amounts()).match(/(?<=>)[^<]+(?=<)/g);
    const [whole, axis] = [await view(), await texts()];
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart is not shown.');
    const y = box.y + box.height / 2;
    await own.mouse.move(box.x + box.width * 0.3, y);
    await own.mouse.down();
    await own.mouse.move(box.x + box.width * 0.95, y, { steps: 4 });
    await own.mouse.up();
    const zoomed = await view();
    expect(zoomed).not.toBe(whole);
    await own.getByRole('button', { name: 'Reset zoom' }).click();
    // The script has the same axis as the server.
    expect(await texts()).toEqual(axis);
    const start = async () => Number((await view())?.split(' ')[0]);
    expect(await start()).toBe(0);
    await own.getByRole('slider').press('End');
    await own.getByRole('slider').press('+');
    expect(await start()).toBeGreaterThan(300);
    await own.getByRole('slider').press('Escape');
    expect(await start()).toBe(0);
    await own.getByRole('link', { name: '90D' }).click();
    expect(own.url()).toEndWith('/sets/75192?range=90d');
    await own.getByRole('link', { name: 'All', exact: true }).click();
    expect(own.url()).toEndWith('/sets/75192');
  });

  test('a chart reads and writes numbers in the format of the page', async () => {
    const page = await open({ locale: 'de-DE' });
    await signIn(page.context());
    await page.goto(`${site.url}/sets/75192`);
    const amounts = page.locator('[data-chart=history] .amounts text');
    const axis = await amounts.allTextContents();
    expect(axis[0]).toMatch(/\d\s\$$/);
    // Off and on again, so that the script writes the axis of the server.
    const list = page.getByRole('checkbox', { name: /List price/ });
    await list.click();
    await list.click();
    expect(await amounts.allTextContents()).toEqual(axis);
    await page.context().close();
  });

  test('lines are turned off by keyboard, and stay off in the address', async () => {
    await own.goto(`${site.url}/sets/75192`);
    const used = own.getByRole('checkbox', { name: 'Used', exact: true });
    const display = () =>
      own.evaluate('getComputedStyle(document.querySelector(".lines .k2")).display');
    expect(await display()).not.toBe('none');
    await used.focus();
    await own.keyboard.press('Space');
    expect(await display()).toBe('none');
    expect(own.url()).toEndWith('?hide=used');
    await own.getByRole('slider').press('End');
    expect(await own.locator('.tooltip').innerText()).not.toMatch(/^Used/m);
    await own.reload();
    expect([await used.isChecked(), await display()]).toEqual([false, 'none']);
    await own.getByRole('link', { name: 'Used', exact: true }).click();
    await own.waitForURL('**/sets/75192?*condition=used*');
    expect(await used.isChecked()).toBe(false);
  });

  test('tables fit a small phone and a tablet, and controls in a line have the same height', async () => {
    const lists = ['/inventory', '/watchlist', '/deals', '/retail', '/sales', '/market'];
    for (const path of [...lists, '/themes', '/sets/75192', '/minifigs/cas001']) {
      await own.goto(site.url + path);
      for (const width of [320, 768, 1024]) {
        await own.setViewportSize({ width, height: 900 });
        expect([path, width, await own.evaluate(findWide)]).toEqual([path, width, []]);
      }
      if (!lists.includes(path)) continue;
      await own.setViewportSize({ width: 1280, height: 900 });
      expect([path, await own.evaluate(findHeights)]).toEqual([path, [36]]);
    }
  });

  test('screen readers get all columns of a table on a tablet', async () => {
    await own.setViewportSize({ width: 768, height: 900 });
    await own.goto(`${site.url}/inventory`);
    const names = await own.getByRole('columnheader').allTextContents();
    expect(names.slice(1)).toEqual([
      'Item',
      'Qty',
      'Condition',
      'Cost basis',
      'Market value',
      'Gain',
      '90 days',
      'Collection',
      'Purchased ↓',
      'Status',
      'Sell',
    ]);
    await own.setViewportSize({ width: 1280, height: 900 });
  });

  test('the palette finds a page, a set in the inventory and a set of the catalog', async () => {
    await own.goto(`${site.url}/portfolio`);
    const options = own.getByRole('option');
    const find = async (keys: string, typed: string, found: RegExp, to: string) => {
      await own.keyboard.press(keys);
      await own.keyboard.type(typed);
      await options.filter({ hasText: found }).first().waitFor();
      const texts = await options.allInnerTexts();
      for (let at = texts.findIndex((text) => found.test(text)); at >= 0; at--) {
        await own.keyboard.press('ArrowDown');
      }
      await own.keyboard.press('Enter');
      await own.waitForURL(to);
    };
    await find('/', 'webh', /Webhooks/, '**/webhooks');
    await find('Control+K', 'castle', /in your inventory/, '**/sets/*');
    await find('Control+K', 'grand', /second edition/, '**/sets/75192-2');
  });

  test('the five main pages can be used by keyboard alone', async () => {
    await own.goto(`${site.url}/portfolio`);
    const focused = () =>
      own.evaluate(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
        return [document.activeElement.textContent.trim(), isSeen];
      })()`);
    const tabTo = async (name: string) => {
      for (let tabs = 0; tabs < 12; tabs++) {
        await own.keyboard.press('Tab');
        const [text, isSeen] = (await focused()) as [string, boolean];
        expect({ text, isSeen }).toEqual({ text, isSeen: true });
        if (text === name) return;
      }
      throw new Error(`${name} is not reached`);
    };
    for (const name of ['Inventory', 'Sales', 'Market', 'Watchlist']) {
      await tabTo(name);
      await own.keyboard.press('Enter');
      await own.waitForURL(`**/${name.toLowerCase()}*`);
    }
    await tabTo('+Add');
    await own.keyboard.press('Enter');
    await tabTo('Record a sale');
    await own.keyboard.press('Escape');
    expect(await own.getByText('Record a sale').isVisible()).toBe(false);
    expect(await focused()).toEqual(['+Add', true]);
  });

  test('nothing was loaded from another host, and no page had errors', () => {
    expect([...log.origins]).toEqual([site.url]);
    expect(log.complaints).toEqual([]);
  });
});

/** The heights of the title of a list, and of the buttons and fields around it. */
const findHeights = `(() => {
  const controls =
    '.title, .title :is(.button, button), .filters :is(button, .button, input, select)';
  const shown = [...document.querySelectorAll(controls)].filter(
    (one) => one.checkVisibility() && !one.closest('.menu-items, [popover]'),
  );
  return [...new Set(shown.map((one) => one.getBoundingClientRect().height))];
})()`;

/** The elements that scroll horizontally: the page, or tables by name. */
const findWide = `[document.documentElement, ...document.querySelectorAll('.table')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((wide) => wide.querySelector('table')?.getAttribute('aria-label') ?? 'page')`;
