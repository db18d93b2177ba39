/** The catalog's pages in a real browser: search by keyboard, charts, and what axe finds. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findFaultsInLooks } from '../support/axe.ts';
import { describeInBrowser, enterAs, launchBrowser, openContext } from '../support/browser.ts';
import { bargains, smallCollection, smallMarket } from '../support/market.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { type Site, startSite } from '../support/site.ts';

const email = 'ann@example.com';

describeInBrowser('the catalog in Chromium', (chromium) => {
  let site: Site;
  let browser: Browser;
  /** What went wrong in any page: errors of scripts, and what the policy of contents refused. */
  const complaints: string[] = [];
  const hosts = new Set<string>();

  beforeAll(async () => {
    site = await startSite({}, sellingEngine);
    await site.addAccount(email, { plan: 'reseller', isOperator: true });
    await site.world.load([...smallMarket, ...bargains, ...smallCollection(email)]);
    site.world.now += 1000;
    await site.world.load([-1, 0].map(soldInWeek));
    await watchSome();
    browser = await launchBrowser(chromium);
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** Two lists, the first with sets and a minifig. */
  async function watchSome(): Promise<void> {
    const { accounts } = site.world.store;
    const at = site.world.now;
    for (const name of ['Retiring soon', 'Gifts']) await accounts.addWatchList(1, { name, at });
    const item = (kind: 'set' | 'minifig', key: string, targetCents: number | null) => {
      return { kind, key, number: key, targetCents, note: 'Only a clean box' };
    };
    const items = [item('set', '8101', 50_00), item('set', '75192', 150_00)];
    const minifig = item('minifig', 'cas001', null);
    await accounts.saveWatchedItems(1, 1, { items: [...items, minifig], at });
  }

  /** A sale that is scored, so many weeks ago. */
  const soldInWeek = (week: number) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `week${week}`,
    item_type: 'set',
    item: '75192',
    condition: 'sealed',
    price: 205,
    sold_at: `2026-11-${15 + 7 * week}T11:00:00Z`,
  });

  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
    inBrowser = browser,
  ): Promise<Page> {
    const context = await openContext(inBrowser, options);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (said) => {
      if (said.type() === 'error' && !/status of 40[04]/.test(said.text())) {
        complaints.push(said.text());
      }
    });
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    return page;
  }

  const signIn = async (context: BrowserContext) =>
    enterAs(context, await site.signedIn(email), site.url);

  test('search suggests while one types, and keys choose, go and close', async () => {
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
  }, 180_000);

  test('search works without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${site.url}/sets/7001`);
    await page.getByRole('searchbox').fill('cafe');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: /Knight of the Café/ }).click();
    await page.waitForURL('**/minifigs/cas001');
    await page.context().close();
  }, 180_000);

  test('a set shows its charts without scripts, and its used value with one click', async () => {
    const page = await open({ javaScriptEnabled: false });
    await signIn(page.context());
    await page.goto(`${site.url}/sets/75192`);
    const chart = page.locator('[data-chart=history]');
    expect(await chart.locator('.legend li').allInnerTexts()).toEqual(['Sealed', 'Used']);
    expect((await chart.locator('.lines').boundingBox())?.width).toBeGreaterThan(300);
    await chart.locator('summary').click();
    expect(await page.locator('#history tbody tr').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Used', exact: true }).click();
    await page.waitForURL('**/sets/75192?condition=used');
    await page.getByText('1 sale in 180 days').click();
    expect(await page.getByText('The value is accurate to about').isVisible()).toBe(true);
    await page.context().close();
  }, 180_000);

  test('tables fit a tablet, and screen readers get all their columns', async () => {
    const page = await open();
    await signIn(page.context());
    const lists = ['/inventory', '/watchlist', '/deals', '/retail', '/sales', '/market', '/themes'];
    for (const path of [...lists, '/sets/75192', '/minifigs/cas001']) {
      await page.goto(site.url + path);
      for (const width of [768, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, width, await page.evaluate(findWide)]).toEqual([path, width, []]);
      }
    }
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto(`${site.url}/inventory`);
    const names = await page.getByRole('columnheader').allTextContents();
    expect(names.slice(1)).toEqual([
      'Set',
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
    await page.context().close();
  }, 30_000);

  test('what stands in one line is of one height', async () => {
    const page = await open();
    await signIn(page.context());
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of ['/inventory', '/sales', '/market', '/deals', '/retail', '/watchlist']) {
      await page.goto(site.url + path);
      expect([path, await page.evaluate(findHeights)]).toEqual([path, [36]]);
    }
    await page.context().close();
  }, 30_000);

  test('the palette leads to a page, a held set and a set of the catalog', async () => {
    const page = await open();
    await signIn(page.context());
    await page.goto(`${site.url}/portfolio`);
    const options = page.getByRole('option');
    const find = async (keys: string, typed: string, found: RegExp, to: string) => {
      await page.keyboard.press(keys);
      await page.keyboard.type(typed);
      await options.filter({ hasText: found }).first().waitFor();
      const texts = await options.allInnerTexts();
      for (let at = texts.findIndex((text) => found.test(text)); at >= 0; at--) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.waitForURL(to);
    };
    await find('/', 'webh', /Webhooks/, '**/webhooks');
    await find('Control+K', 'castle', /in your inventory/, '**/inventory?q=*');
    await find('Control+K', 'grand', /second edition/, '**/sets/75192-2');
    await page.context().close();
  }, 180_000);

  test('the five pages are walked through with the keyboard alone', async () => {
    const page = await open();
    await signIn(page.context());
    await page.goto(`${site.url}/portfolio`);
    const focused = () =>
      page.evaluate(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
        return [document.activeElement.textContent.trim(), isSeen];
      })()`);
    const tabTo = async (name: string) => {
      for (let tabs = 0; tabs < 12; tabs++) {
        await page.keyboard.press('Tab');
        const [text, isSeen] = (await focused()) as [string, boolean];
        expect({ text, isSeen }).toEqual({ text, isSeen: true });
        if (text === name) return;
      }
      throw new Error(`${name} is not reached`);
    };
    for (const name of ['Inventory', 'Sales', 'Market', 'Watchlist']) {
      await tabTo(name);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/${name.toLowerCase()}*`);
    }
    await tabTo('+Add');
    await page.keyboard.press('Enter');
    await tabTo('Record a sale');
    await page.keyboard.press('Escape');
    expect(await page.getByText('Record a sale').isVisible()).toBe(false);
    expect(await focused()).toEqual(['+Add', true]);
    await page.context().close();
  }, 180_000);

  const openPages = [
    '/docs',
    '/docs/sets',
    '/docs?q=value',
    '/',
    '/sets/75192',
    '/minifigs/cas001',
    '/market?q=castle',
    '/themes',
  ];
  const ownPages = [
    '/sets/75192',
    '/sets/7001',
    '/minifigs/cas001?share=x',
    '/market?q=nothing+at+all',
    '/themes/Castle',
    '/sets/8101?margin=40',
    '/deals',
    '/deals?share=x',
    '/retail',
    '/retail?since=nonsense',
    '/watchlist/1',
    '/watchlist/1/edit',
    '/watchlist/1/import',
    '/scorecard',
    '/sets/none',
  ];

  test('axe finds nothing serious, neither dark nor light, and no page is wider than it', async () => {
    const still = await launchBrowser(chromium, { isDrawing: false });
    const [page, used] = [await open({}, still), await open()];
    const found: string[] = [];
    const note = async (place: string, seen: Page, show: () => Promise<unknown>) => {
      for (const fault of await findFaultsInLooks(seen, show)) found.push(`${place}, ${fault}`);
    };
    const examine = (path: string) => note(path, page, () => page.goto(`${site.url}${path}`));
    for (const path of openPages) await examine(path);
    await used.goto(`${site.url}/`);
    await note('suggestions', used, async () => {
      await used.locator('input[name=q]').pressSequentially('castle');
      await used.getByRole('option').first().waitFor();
    });
    for (const each of [page, used]) await signIn(each.context());
    for (const path of ownPages) await examine(path);
    await note('a watched set', used, async () => {
      await used.goto(`${site.url}/sets/8101`);
      await used.getByText('Watching, target $50.00').click();
    });
    const links = await used.locator('.top nav a').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    for (const path of new Set(paths).difference(new Set(ownPages))) await examine(path ?? '');
    expect(found).toEqual([]);
    await still.close();
    await used.context().close();
  }, 180_000);

  test('nothing was loaded from another host, and no page complained', () => {
    expect([...hosts]).toEqual([site.url]);
    expect(complaints).toEqual([]);
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

/** What would have to be scrolled sideways: the page, or tables by their names. */
const findWide = `[document.documentElement, ...document.querySelectorAll('.table')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((wide) => wide.querySelector('table')?.getAttribute('aria-label') ?? 'page')`;
