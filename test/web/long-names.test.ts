/** In a real browser: names without spaces make no page wider than its window. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { AlertOwner } from '../support/alerts.ts';
import { describeInBrowser, enterAs, launchBrowser, openContext } from '../support/browser.ts';
import { startOwnerSite } from '../support/owner-pages.ts';
import { lot } from '../support/person.ts';
import type { Site } from '../support/site.ts';

describeInBrowser('names without spaces', (chromium) => {
  let site: Site;
  let browser: Browser;
  const name = 'W'.repeat(100);
  const email = `${'w'.repeat(60)}@${'w'.repeat(60)}.example`;

  beforeAll(async () => {
    const owner = await startOwnerSite();
    ({ site } = owner);
    await site.world.load([{ kind: 'set', set_number: '300', title: name, theme: name }]);
    await owner.person.load({ kind: 'brickfolio', name, description: name });
    await owner.person.load(lot('long', 2, { set_number: '300', brickfolio: name }));
    await owner.ann.submit(await owner.ann.get('/keys'), '/keys', { name });
    const links = await owner.ann.get('/keys/spreadsheets');
    await owner.ann.submit(links, '/keys/spreadsheets', { name });
    const { accounts } = site.world.store;
    const alerts = new AlertOwner(accounts, await site.addAccount('ann@example.com'));
    const listId = await alerts.list(name);
    await alerts.rule({ name: `${name.slice(1)}!`, scope: { kind: 'list', listId } });
    const typed = { name: name.slice(0, 60), address: `https://${'w'.repeat(60)}.example/hooks` };
    await owner.ann.submit(await owner.ann.get('/webhooks'), '/webhooks', typed);
    const ntfy = { ...typed, kind: 'ntfy' };
    await owner.ann.submit(await owner.ann.get('/alerts/settings'), '/alerts/channels', ntfy);
    await site.addAccount(email);
    await site.addAccount('op@example.com', { isOperator: true });
    browser = await launchBrowser(chromium, { isDrawing: false });
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test.each([
    [
      'ann@example.com',
      [
        '/keys',
        '/keys/spreadsheets',
        '/keys/spreadsheets/1',
        '/inventory',
        '/inventory/collections',
        '/collections/2/edit',
        '/lots/3',
        '/sets/300',
        '/today',
        '/portfolio',
        '/alerts',
        '/alerts/1',
        '/alerts/settings',
        '/webhooks',
        '/webhooks/1',
      ],
    ],
    ['op@example.com', ['/operator/accounts', '/operator/accounts/1']],
  ])('the pages of %s', async (who, paths) => {
    const context = await openContext(browser);
    await enterAs(context, await site.signedIn(who), site.url);
    const page = await context.newPage();
    for (const path of paths) {
      await page.setViewportSize({ width: 390, height: 844 });
      const answer = await page.goto(site.url + path);
      expect([path, answer?.status(), await page.evaluate(pageWidth)]).toEqual([path, 200, 390]);
      await page.setViewportSize({ width: 1200, height: 844 });
      expect([path, await page.evaluate(pageWidth)]).toEqual([path, 1200]);
    }
  });
});

/** Includes the part outside the window. */
const pageWidth = 'document.documentElement.scrollWidth';
