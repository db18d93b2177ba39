/** In a real browser: own fields, details, grades and minifig lots, on a desktop and a phone. */
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
import { type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';

describeInBrowser('details of lots in a browser', (chromium) => {
  let owner: OwnerSite;
  let browser: Browser;
  let page: Page;
  const log = new PageLog();

  beforeAll(async () => {
    owner = await startOwnerSite();
    await owner.site.world.load([
      { kind: 'minifig', minifig_number: 'kni001', name: 'Red Knight' },
    ]);
    browser = await launchBrowser(chromium);
    const context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    await enterAs(context, owner.ann, owner.site.url);
    page = await context.newPage();
    log.follow(page);
  });

  afterAll(async () => {
    await browser.close();
    await owner.site.close();
  });

  const open = (path: string) => page.goto(owner.site.url + path);
  const main = () => page.locator('main');
  const press = (name: string) => main().getByRole('button', { name, exact: true }).click();

  test('an own field is added, and filled in with a grade and a place', async () => {
    await open('/inventory/fields');
    await page.getByLabel('Name').fill('Buyer');
    await press('Add field');
    await page.getByText('Field added.').waitFor();
    await open('/inventory');
    await main().locator('a[href^="/lots/"]').first().click();
    await page.getByRole('link', { name: 'Edit', exact: false }).first().click();
    await page.getByText('Grade, notes, place and listing').click();
    await page.getByLabel('Grade', { exact: true }).selectOption('damaged_box');
    await page.getByLabel('Place').fill('Shelf A › Bin 3');
    await page.getByLabel('Buyer').fill('Zoë');
    await press('Save changes');
    await main().getByText('Shelf A › Bin 3').first().waitFor();
    expect(await main().innerText()).toContain('Zoë');
    expect(await main().innerText()).toContain('Damaged box');
  });

  test('details of the selected lots are changed and undone', async () => {
    await open('/inventory');
    const boxes = main().locator('input[type=checkbox][name=lot]');
    for (const box of await boxes.all()) await box.check();
    await main().getByRole('button', { name: 'Edit details' }).click();
    await page.getByRole('textbox', { name: 'Tags' }).fill('holiday');
    await press('Change 2 lots');
    await page.getByText('Details of 2 lots changed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForLoadState();
    await open('/inventory?tag=holiday');
    expect(await main().locator('a[href^="/lots/"]').count()).toBe(0);
  });

  test('a minifig is added from its page, and its lot has a grade of minifigs', async () => {
    await open('/minifigs/kni001');
    await main().locator('a[href="/inventory/add?minifig=kni001"]').first().click();
    await page.getByLabel('Price per unit ($)').fill('4.50');
    await main().locator('form[action="/inventory/add"] button[type=submit]').first().click();
    await page.getByText('Added Red Knight').waitFor();
    await open('/inventory?kind=minifig');
    expect(await main().innerText()).toContain('Red Knight');
  });

  test('the forms fit a phone, and have no accessibility errors in both themes', async () => {
    await open('/inventory');
    const href = await main().locator('a[href^="/lots/"]').first().getAttribute('href');
    const id = href?.replace(/\D/g, '');
    const paths = [
      '/inventory/fields',
      `/inventory/details?lots=${id}`,
      `/lots/${id}`,
      `/lots/${id}/edit`,
      '/inventory?kind=minifig',
      '/account',
    ];
    const found: string[] = [];
    for (const path of paths) {
      const faults = await findFaultsInLooks(page, () => open(path));
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
    expect(log.complaints).toEqual([]);
  });
});
