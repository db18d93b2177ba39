/** In a real browser: axe finds no serious violations, and no page is wider than the window. */
// @runs SQLite (rest): slow in a browser
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { findFaultsInLooks } from '../support/axe.ts';
import {
  describeInBrowser,
  enterAs,
  launchBrowser,
  openContext,
  PageLog,
} from '../support/browser.ts';
import { catalogOwner, startCatalogSite } from '../support/catalog-site.ts';
import { lotIds } from '../support/owner-pages.ts';
import { addLink } from '../support/sharing.ts';
import type { Fields, Site, Visitor } from '../support/site.ts';

const publicPaths = [
  '/docs',
  '/docs/sets',
  '/docs?q=value',
  '/',
  '/sets/75192',
  '/minifigs/cas001',
  '/market?q=castle',
  '/themes',
];

const catalogPaths = [
  '/sets/75192',
  '/sets/75192?hide=used,range&range=1y',
  '/sets/75192?compare=75192',
  '/sets/75192?compare=nothing',
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

const ownerPaths = [
  '/inventory/add?set=75192',
  '/inventory/collections',
  '/inventory/insurance',
  '/collections/1/edit',
  '/inventory/import',
  '/account/buying',
  '/alerts',
  '/alerts/new?template=target',
  '/alerts/fired',
  '/today',
  '/deals?skipped=yes',
  '/alerts/settings',
  '/evaluate',
  '/scan?code=75192',
  '/scan/barcodes/5702000000015',
  '/sales/fees-paid',
  '/sales/profit',
  '/collections/1/share',
  '/account/sharing',
];

const lotPaths = (id: number) => [
  `/inventory/prices?lots=${id}`,
  `/inventory/asking?lots=${id}&base=value&percent=110&plus=&rounding=to_99&margin=yes`,
  `/inventory/delete?lots=${id}`,
  `/lots/${id}`,
  `/lots/${id}/edit`,
  `/sales/new?lot=${id}`,
  `/sales/new?lots=${id}`,
  `/lots/${id}/sell?price=x`,
];

describeInBrowser('axe in Chromium', (chromium) => {
  let site: Site;
  let ann: Visitor;
  let browser: Browser;
  let page: Page;
  const log = new PageLog();

  beforeAll(async () => {
    site = await startCatalogSite({ sendMail: async () => {} });
    ann = await site.signedIn(catalogOwner);
    browser = await launchBrowser(chromium, { isDrawing: false });
    page = await (await openContext(browser)).newPage();
    log.follow(page);
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** The violations on a page, with their places. */
  async function findFaults(place: string, show: () => Promise<unknown>): Promise<string[]> {
    const faults = await findFaultsInLooks(page, show);
    return faults.map((fault) => `${place}, ${fault}`);
  }

  async function examine(paths: Iterable<string>): Promise<void> {
    const found: string[] = [];
    for (const path of paths) {
      found.push(...(await findFaults(path, () => page.goto(site.url + path))));
    }
    expect(found).toEqual([]);
  }

  /** Submits a form of Ann's. */
  const send = async (from: string, action: string, typed: Fields = {}) =>
    ann.submit(await ann.get(from), action, typed);

  test('pages for everyone', async () => {
    await examine(publicPaths);
    const faults = await findFaults('suggestions', async () => {
      await page.goto(`${site.url}/`);
      await page.locator('input[name=q]').pressSequentially('castle');
      await page.getByRole('option').first().waitFor();
    });
    expect(faults).toEqual([]);
  });

  test('the catalog for users', async () => {
    await enterAs(page.context(), ann, site.url);
    await examine(catalogPaths);
    const faults = await findFaults('a watched set', async () => {
      await page.goto(`${site.url}/sets/8101`);
      await page.getByText('Watching, target $50.00').dispatchEvent('click');
      await page.getByLabel('Target price ($)').waitFor();
    });
    expect(faults).toEqual([]);
  });

  test('the pages of an owner', async () => {
    await send('/alerts/new?template=gain', '/alerts/new');
    await send('/webhooks', '/webhooks', { address: 'https://example.com/hooks/brickmark' });
    const annId = await site.addAccount(catalogOwner);
    const channels = await site.world.store.accounts.listDeliveryChannels(annId);
    const webhook = `/webhooks/${channels.find(({ kind }) => kind === 'webhook')?.id}`;
    await send(webhook, `${webhook}/test`);
    const [lotId = 0] = lotIds((await ann.get('/inventory')).html);
    const [sale = ''] = /\/sales\/\d+/.exec((await ann.get('/sales')).html) ?? [];
    await page.goto(`${site.url}/portfolio`);
    const links = await page.locator('.top nav a').all();
    const linked = await Promise.all(links.map((link) => link.getAttribute('href')));
    const shared = await addLink(ann, '/collections/1', { costs: true });
    const sharedPaths = [shared, `${shared}/sales`];
    const paths = [...ownerPaths, ...lotPaths(lotId), sale, webhook, ...linked, ...sharedPaths];
    const all = new Set(paths.map((path) => path ?? ''));
    await examine(all.difference(new Set(catalogPaths)));
  });

  test('nothing was loaded from another host, and no page had errors', () => {
    expect([...log.origins]).toEqual([site.url]);
    expect(log.complaints).toEqual([]);
  });
});
