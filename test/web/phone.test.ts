/** In a real browser with touch: targets are large enough for thumbs. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, enterAs, launchBrowser, openContext } from '../support/browser.ts';
import { startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale } from '../support/person.ts';
import type { Site, Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

describeInBrowser('on a phone', (chromium) => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  /** The same without scripts. */
  let plain: Page;

  beforeAll(async () => {
    const owner = await startOwnerSite();
    ({ site } = owner);
    const { ann } = owner;
    await owner.person.load(ledgerSale('sold', 1));
    await ann.submit(await ann.get('/watchlist'), '/watchlist/items', { item: '100' });
    browser = await launchBrowser(chromium);
    page = await open({ isMobile: true, hasTouch: true }, ann);
    plain = await open({ javaScriptEnabled: false }, ann);
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(options: BrowserContextOptions, visitor: Visitor): Promise<Page> {
    const viewport = { width: 390, height: 844 };
    const context = await openContext(browser, { viewport, ...options });
    await enterAs(context, visitor, site.url);
    return context.newPage();
  }

  test.each([
    '/today',
    '/portfolio',
    '/inventory',
    '/lots/1',
    '/sales',
    '/sales/new',
    '/sales/profit',
    '/purchases',
    '/market',
    '/themes',
    '/sets/100',
    '/watchlist',
    '/alerts/new',
    '/inventory/collections',
    '/inventory/insurance',
    '/account',
    '/scan',
  ])('what stands alone on %s is hit within 40 px', async (path) => {
    await page.goto(site.url + path);
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });

  test.each(['/inventory', '/sales', '/market', '/themes', '/watchlist'])(
    '%s is sorted with a menu, in the address, without script',
    async (path) => {
      await plain.goto(site.url + path);
      await plain.locator('.sort > summary').click();
      const last = plain.locator('.sort a').last();
      const text = await last.innerText();
      await last.click();
      expect(new URL(plain.url()).searchParams.get('sort')).not.toBeNull();
      expect(await plain.locator('.sort > summary').innerText()).toBe(`Sort: ${text}`);
    },
  );

  test.each(['/sales', '/sales/profit', '/purchases', '/watchlist'])(
    'a row of %s takes two lines, and unfolds without script',
    async (path) => {
      await plain.goto(site.url + path);
      const row = plain.locator('.folded tbody tr').first();
      const height = async () => (await row.boundingBox())?.height;
      const cell = row.locator('td:not(.main, [class*="at-"], .minor, :empty)').first();
      expect(await height()).toBeLessThanOrEqual(56);
      expect(await cell.isVisible()).toBe(false);
      await row.locator('summary').click();
      expect(await height()).toBeGreaterThan(90);
      expect(await cell.isVisible()).toBe(true);
    },
  );

  test('the Tab key skips headings that cards hide', async () => {
    await page.goto(`${site.url}/inventory`);
    const links = page.locator('thead a');
    expect(await links.count()).toBeGreaterThan(0);
    const tryToFocus = (link: HTMLElement | SVGElement) => {
      link.focus();
      return document.activeElement === link;
    };
    expect(await links.first().evaluate(tryToFocus)).toBe(false);
  });

  test('a tap on a chart shows the numbers there until another tap', async () => {
    await page.goto(`${site.url}/portfolio`);
    const tip = page.locator('.tooltip');
    await page.locator('.chart .plot').first().tap();
    expect(await tip.innerText()).toContain('Market value');
    await page.locator('h1').tap();
    expect(await tip.isVisible()).toBe(false);
  });

  test('a finger that is drawn over a chart zooms it, and one click shows all again', async () => {
    await page.goto(`${site.url}/portfolio`);
    const plot = page.locator('.chart .plot').first();
    const view = () => page.locator('.chart .lines').first().getAttribute('viewBox');
    const whole = await view();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart is not shown.');
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number | null) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          share === null ? [] : [{ x: box.x + box.width * share, y: box.y + box.height / 2 }],
      });
    await send('touchStart', 0.2);
    for (const share of [0.35, 0.5, 0.65, 0.8]) await send('touchMove', share);
    await send('touchEnd', null);
    await until(async () => (await view()) !== whole);
    // Not a tap, which the end of the drawn touch may still swallow.
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await until(async () => (await view()) === whole);
  });

  test('a short insurance sheet is printed on one page', async () => {
    await plain.goto(`${site.url}/inventory/insurance`);
    const pdf = (await plain.pdf({ format: 'Letter' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

/** Links and controls that are too small, with their height. */
const findSmallTargets = `(() => {
  const small = [];
  const targets = 'a, button, input:not([type="hidden"]), select, summary, textarea';
  for (const target of document.querySelectorAll(targets)) {
    // Links in sentences and facts are as high as their line; heads of tables and minor cells are
    // for screen readers.
    const isElsewhere = target.closest('p, dd, thead, .minor, .skip, .treemap');
    if (isElsewhere || !target.checkVisibility()) continue;
    target.scrollIntoView({ block: 'center' });
    const { left, width, top, height } = target.getBoundingClientRect();
    const isHit = (y) => {
      const hit = document.elementFromPoint(left + width / 2, y);
      return target.contains(hit) || hit?.closest('label')?.control === target;
    };
    let [from, to] = [top + height / 2, top + height / 2];
    while (to - from < 40 && isHit(from - 1)) from--;
    while (to - from < 40 && isHit(to + 1)) to++;
    if (to - from < 38) small.push(target.outerHTML.slice(0, 80) + ' ' + (to - from));
  }
  return small;
})()`;
