/** An end-to-end run in a real browser: import, add a lot, see its value, sell it, call the API. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, openContext } from '../support/browser.ts';
import { lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { lot } from '../support/person.ts';
import { password } from '../support/site.ts';

describeInBrowser('selling in Chromium', (chromium) => {
  let owner: OwnerSite;
  let browser: Browser;
  let page: Page;
  const refused: string[] = [];

  beforeAll(async () => {
    owner = await startOwnerSite({ sendMail: async () => {} });
    browser = await launchBrowser(chromium);
    page = await (await openContext(browser)).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(String(error)));
    await page.goto(`${owner.site.url}/sign-in`);
    await page.fill('#field-email', 'ann@example.com');
    await page.fill('#field-password', password);
    await page.press('#field-password', 'Enter');
    await page.waitForURL('**/today');
  });

  afterAll(async () => {
    await browser.close();
    await owner.site.close();
  });

  const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

  /** Compares cost and value at the top of a page with the API. */
  async function expectTotals(): Promise<void> {
    const [shelf] = (await owner.person.brickfolios()).brickfolios;
    const figures = await page.locator('.figure').allTextContents();
    expect(figures.slice(1, 3)).toEqual([
      usd.format(shelf?.total_cost_basis_usd ?? -1),
      usd.format(shelf?.total_current_value_usd ?? -1),
    ]);
  }

  test('a file is previewed, then imported, and the totals match the API', async () => {
    const { person, site } = owner;
    const line = { ...lot('from a file', 3, { set_number: '101' }), account: person.email };
    const buffer = Buffer.from(JSON.stringify(line));
    await page.goto(`${site.url}/inventory/import`);
    await page.setInputFiles('#field-file', {
      name: 'mine.ndjson',
      mimeType: 'application/json',
      buffer,
    });
    await page.click('text=Continue');
    await page.waitForURL('**/inventory/import/*');
    await page.reload();
    expect((await person.entries()).pagination.total).toBe(2);
    await page.click('text=Import 1 lot');
    await page.waitForSelector('text=Import complete');
    expect((await person.entries()).pagination.total).toBe(3);
    // Back, Forward and Reload do not resubmit a form.
    for (const step of [() => page.reload(), () => page.goBack(), () => page.goForward()]) {
      expect((await step())?.status()).toBe(200);
      expect(await page.locator('main').innerText()).toMatch(/Import (complete|a file)/);
    }
    expect((await person.entries()).pagination.total).toBe(3);
    await page.goto(`${site.url}/inventory?collection=1`);
    await expectTotals();
  });

  test('a lot is added with a suggestion, its totals match the API, and its sale is in the ledger', async () => {
    const { person, site } = owner;
    await page.goto(`${site.url}/inventory/add`);
    await page.locator('#field-set').pressSequentially('night fer');
    await page.waitForSelector('[role="option"]');
    await page.press('#field-set', 'ArrowDown');
    await page.press('#field-set', 'Enter');
    expect(await page.inputValue('#field-set')).toBe('200');
    await page.fill('#field-price', '50.25');
    await page.fill('#field-quantity', '2');
    await page.click('main button:text-is("Add item")');
    await page.waitForSelector('text=Added Night Ferry (200).');
    await expectTotals();
    const held = async () =>
      (await person.entries()).entries.filter((entry) => entry.set_number === '200');
    expect(await held()).toMatchObject([{ quantity: 2, purchase_price_usd: 50.25 }]);
    // The content security policy blocked nothing, and no script failed.
    expect(refused.filter((text) => !text.includes('404'))).toEqual([]);
    // From the row of a lot, a sale is two clicks and the amounts, and can be undone.
    const row = page.locator('tr', { hasText: 'Night Ferry' });
    const sell = row.getByRole('link', { name: 'Sell', exact: true });
    expect((await sell.boundingBox())?.height).toBeLessThan(30);
    await sell.click();
    await page.waitForSelector('[data-live="set"]:text-is("Night Ferry")');
    await page.keyboard.type('80');
    await page.waitForSelector('[data-live="profit"].gain');
    await page.click('text=Save sale');
    await page.waitForSelector('text=Sale of 1 × Night Ferry (200) saved');
    expect(await held()).toMatchObject([{ quantity: 1 }]);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.toast:has-text("deleted")');
    expect(await held()).toMatchObject([{ quantity: 2 }]);
  });

  test('lots are selected with Shift, changed at once and undone, also without script', async () => {
    const { site } = owner;
    const boxes = page.locator('.selectable tbody input');
    const statuses = () => page.locator('tbody td:nth-child(11)').allInnerTexts();
    await page.goto(`${site.url}/inventory?view=all`);
    const before = await statuses();
    expect(before.length).toBeGreaterThan(1);
    expect(await page.locator('.bulk').isVisible()).toBe(false);
    await boxes.first().click();
    await boxes.last().click({ modifiers: ['Shift'] });
    expect(await page.locator('[data-count]').innerText()).toBe(`${before.length} selected`);
    await page.click('.bulk summary:text-is("Status")');
    await page.click('text=Mark as listed');
    await page.waitForSelector(`text=Status of ${before.length} lots changed:`);
    expect(new Set(await statuses())).toEqual(new Set(['Listed']));
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('text=Undone:');
    expect(await statuses()).toEqual(before);
    const plain = await openContext(browser, {
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const simple = await plain.newPage();
    await simple.goto(`${site.url}/inventory?view=all`);
    await simple.locator('.selectable tbody input').first().check();
    await simple.click('.bulk summary >> text=Prices');
    await simple.click('.bulk >> text=Purchase prices');
    await simple.locator('td .field input').first().fill('1.23');
    await simple.click('text=Save prices');
    await simple.waitForSelector('text=1 price changed:');
    await simple.click('text=Undo');
    await simple.waitForSelector('text=Undone: 1 lot restored.');
    await plain.close();
  });

  test('a sale takes two clicks and the amounts, with a live preview', async () => {
    const { person, site, ann } = owner;
    await person.load(lot('ferry', 2, { set_number: '200', purchase_price_usd: 50.25 }));
    const lots = lotIds((await ann.get('/inventory')).html);
    const pages = await Promise.all(lots.map((id) => ann.get(`/lots/${id}`)));
    const ferry = lots[pages.findIndex(({ html }) => html.includes('$50.25'))];
    await page.goto(`${site.url}/lots/${ferry}`);
    await page.getByRole('link', { name: 'Record sale' }).click();
    await page.waitForSelector('#field-gross:focus');
    await page.keyboard.type('180');
    await page.fill('#field-quantity', '2');
    await page.waitForSelector('#field-platform_fees[placeholder="26.72"]');
    await page.waitForSelector('[data-live="profit"]:text("+$52.78")');
    await page.getByRole('button', { name: 'Save sale' }).click();
    await page.waitForSelector('.toast:has-text("net $153.28, profit +$52.78.")');
    expect((await person.sales()).sales).toMatchObject([
      { set_number: '200', quantity: 2, gross_proceeds_usd: 180, platform_fees_usd: 26.72 },
    ]);
    expect(refused.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('several sales are recorded by keyboard, and the last one is undone', async () => {
    const { person, site } = owner;
    const total = async () => (await person.sales()).pagination.total;
    const before = await total();
    await page.goto(`${site.url}/sales`);
    await page.locator('main').getByRole('link', { name: 'Record sale' }).click();
    for (const gross of ['70', '71']) {
      await page.waitForSelector('#field-set:focus');
      await page.keyboard.type('set 100');
      await page.waitForSelector('[role="option"]');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#field-from:has-text("First in, first out: ")');
      await page.fill('#field-gross', gross);
      await page.getByRole('button', { name: 'Save and add another' }).click();
      await page.waitForSelector('.toast');
    }
    expect(await total()).toBe(before + 2);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.toast:has-text("Sale deleted")');
    expect(await total()).toBe(before + 1);
  });

  test('an alert takes two clicks, and a reload does not create another webhook secret', async () => {
    const { site } = owner;
    await page.goto(`${site.url}/alerts`);
    await page.click('text=Holdings up 20%');
    await page.click('text=Create alert');
    await page.waitForSelector('text=about new matches');
    expect(await page.locator('td').first().innerText()).toContain(
      'Tell me when anything I own has gained 20% or more on what I paid, by email',
    );
    await page.goto(`${site.url}/webhooks`);
    await page.fill('#field-address', 'https://example.com/hooks/brickmark');
    await page.locator('main').getByRole('button', { name: 'Add webhook' }).click();
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect(secret).toStartWith('whsec_');
    await page.reload();
    expect(await page.locator('main').innerText()).toContain('was already submitted');
    expect(await page.content()).not.toContain(secret);
    await page.click('text=Webhook 1');
    await page.waitForURL('**/webhooks/*');
    await page.click('text=Send test');
    await page.waitForSelector('text=is on its way');
  });
});
