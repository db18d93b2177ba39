/** Two-step sign-in in a real browser, with and without scripts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { totpCode, totpStep } from '../../src/accounts/sign-in/totp.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import { fromBase32 } from '../support/base32.ts';
import { describeInBrowser, launchBrowser, openContext, PageLog } from '../support/browser.ts';
import { password, type Site, startSite, textOf } from '../support/site.ts';

describeInBrowser('two-step sign-in', (chromium) => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await launchBrowser(chromium);
    site = await startSite();
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const enterPassword = async (page: Page, email: string) => {
    await page.goto(`${site.url}/sign-in?next=/sales`);
    await page.fill('#field-email', email);
    await page.fill('#field-password', password);
    await page.click('main button[type=submit]');
  };

  const enterCode = async (page: Page, code: string) => {
    await page.fill('#field-code', code);
    await page.click('main form[action="/sign-in/code"] button[type=submit]');
  };

  test.each([true, false])(
    'is set up and asked for, with scripts: %p',
    async (javaScriptEnabled) => {
      const email = `ann${javaScriptEnabled}@example.com`;
      await site.addAccount(email);
      const context = await openContext(browser, { javaScriptEnabled });
      const page = await context.newPage();
      const log = new PageLog();
      log.follow(page);
      await enterPassword(page, email);
      await page.goto(`${site.url}/account/authenticator`);
      await page.fill('#field-password', password);
      await page.click('text=Set up');
      await page.waitForSelector('svg.qr-code');
      const secret = fromBase32((await page.textContent('#key')) ?? '');
      const code = () => totpCode(secret, totpStep(site.world.now));
      await page.fill('#field-code', code());
      await page.click('text=Turn on');
      const codes = await page.locator('.codes li').allTextContents();
      expect(codes).toHaveLength(10);
      await context.clearCookies();

      await enterPassword(page, email);
      expect(new URL(page.url()).pathname).toBe('/sign-in/code');
      // Nothing is open yet.
      const names = (await context.cookies()).map(({ name }) => name);
      expect(names).not.toContain('brickmark');
      await enterCode(page, '000000');
      expect(await page.textContent('.fault')).toContain('wrong or was used before');
      site.world.now += minuteMs;
      await enterCode(page, code());
      expect(new URL(page.url()).pathname).toBe('/sales');

      await context.clearCookies();
      await enterPassword(page, email);
      await page.click('text=Use a recovery code');
      await enterCode(page, codes[0] ?? '');
      expect(new URL(page.url()).pathname).toBe('/sales');
      await page.goto(`${site.url}/account/authenticator`);
      expect(await page.textContent('main')).toContain('9 recovery codes left');
      expect(log.complaints).toEqual([]);
      await context.close();
    },
  );

  test('a step belongs to the browser that typed the password', async () => {
    const stranger = site.visitor();
    const page = await stranger.get('/sign-in/code');
    expect([page.status, page.goTo]).toEqual([303, '/sign-in']);
    const { token } = { token: 'x'.repeat(43) };
    stranger.cookies.set('brickmark_step', token);
    expect((await stranger.get('/sign-in/code')).goTo).toBe('/sign-in');
  });

  test('without the secret file, setting up says so', async () => {
    const bare = await startSite({ secrets: { factorEncrypter: null } });
    try {
      const ann = await bare.signedIn('ann@example.com');
      const page = await ann.get('/account/authenticator');
      expect(textOf(page.html)).toContain('BRICKMARK_SECRET_FILE');
      expect(page.html).not.toContain('Set up');
    } finally {
      await bare.close();
    }
  });
});
