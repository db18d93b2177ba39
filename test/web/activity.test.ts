/** Everybody sees what was done to their own account, and nothing about others. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { manyFailedSignIns } from '../../src/accounts/sign-in/failed-sign-ins.ts';
import { testEncrypter } from '../support/server-settings.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;

beforeAll(async () => {
  site = await startSite({ secrets: { encrypter: testEncrypter } });
  ann = await site.signedIn('ann@example.com');
  const operator = await site.signedIn('op@example.com', { isOperator: true });
  const page = `/operator/accounts/${await site.addAccount('ann@example.com')}`;
  await operator.submit(await operator.get(page), `${page}/plan`, { plan: 'reseller' });
  await ann.submit(await ann.get('/keys'), '/keys', { name: 'Secret <b>name</b>' });
  await ann.submit(await ann.get('/account/buying'), '/account/buying', {});
  await ann.get('/account/export');
  await ann.get('/export/collection/csv');
});

afterAll(() => site.close());

test('the page and the file have the entries of the account, newest first', async () => {
  const { html } = await ann.get('/account/activity');
  const text = textOf(html);
  const when = 'Nov 15, 2026, 12:00 UTC';
  expect(text).toContain(
    [
      `Data exported ${when} You collection, csv`,
      `Account data exported ${when} You —`,
      `Settings changed ${when} You buying`,
      `API key created ${when} You key 1`,
      `Plan changed ${when} An operator of this site reseller`,
      `Signed in ${when} You 127.0.0.1`,
    ].join(' '),
  );
  expect(text).not.toContain('op@example.com');
  expect(html).not.toContain('Secret');
  const file = await ann.get('/account/activity.csv');
  const lines = file.html.trim().split('\r\n');
  expect(lines.length).toBe(7);
  expect(lines[5]).toMatch(/,account,,,plan.changed,\d+,ann@example.com,reseller,$/);
  expect(file.html).not.toContain('op@example.com');
});

test('the page of another account has nothing of it', async () => {
  const bob = await site.signedIn('bob@example.com');
  const text = textOf((await bob.get('/account/activity')).html);
  expect(text).toContain('Signed in');
  expect(text).not.toContain('Plan changed');
  expect((await site.visitor().get('/account/activity')).status).toBe(303);
});

test('the audit log of operators has all accounts, or one by its email or ID', async () => {
  const operator = await site.signedIn('op@example.com', { isOperator: true });
  const all = textOf((await operator.get('/operator/audit')).html);
  expect(all).toContain('Plan changed Nov 15, 2026, 12:00 UTC op@example.com ann@example.com');
  const id = (await site.world.store.accounts.findAccount('ann@example.com', 0))?.id;
  const page = await operator.get('/operator/audit');
  for (const account of ['ann@example.com', String(id)]) {
    const { goTo } = await operator.submit(page, '/operator/audit', { account });
    expect(goTo).toBe(`/operator/audit?account=${id}`);
    const some = textOf((await operator.get(goTo ?? '')).html);
    expect(some).toContain('API key created');
    expect(some).not.toContain('Signed in Nov 15, 2026, 12:00 UTC op@example.com');
  }
  const none = await operator.get('/operator/audit?account=%3Cb%3E');
  expect(textOf(none.html)).toContain('No entries');
  const file = await operator.get(`/operator/audit.csv?account=${id}`);
  expect(file.html).toContain(',plan.changed,');
  expect(textOf((await operator.get('/operator/audit')).html)).toContain('Audit log exported');
});

test('webhooks, alert channels and spreadsheet links are listed, without what was typed', async () => {
  const eve = await site.signedIn('eve@example.com', { plan: 'reseller' });
  const submit = async (page: string, action: string, fields: Record<string, string>) => {
    const { status } = await eve.submit(await eve.get(page), action, fields);
    expect(status).toBeLessThan(400);
  };
  const name = 'Secret name';
  await submit('/keys', '/keys', { name });
  await submit('/keys/spreadsheets', '/keys/spreadsheets', { name });
  await submit('/webhooks', '/webhooks', { name, address: 'https://example.com/secret' });
  const ntfy = { kind: 'ntfy', address: 'https://ntfy.sh/secret', name };
  await submit('/alerts/settings', '/alerts/channels', ntfy);
  await submit('/webhooks/1', '/webhooks/1/rotate', {});
  await submit('/webhooks/1/delete', '/webhooks/1/delete', {});
  await submit('/keys/spreadsheets/1/revoke', '/keys/spreadsheets/1/revoke', {});
  const { html } = await eve.get('/account/activity');
  const when = 'Nov 15, 2026, 12:00 UTC';
  expect(textOf(html)).toContain(
    [
      `Spreadsheet link revoked ${when} You link 1`,
      `Webhook deleted ${when} You webhook 1`,
      `Webhook changed ${when} You webhook 1, secret`,
      `Alert channel created ${when} You ntfy 2`,
      `Webhook created ${when} You webhook 1`,
      `Spreadsheet link created ${when} You link 1, key 2`,
    ].join(' '),
  );
  expect(html).not.toMatch(/secret name|example.com.secret/i);
  const operator = await site.signedIn('op@example.com', { isOperator: true });
  const all = textOf((await operator.get('/operator/audit')).html);
  expect(all).toContain(`Webhook deleted ${when} eve@example.com eve@example.com webhook 1`);
});

test('an account exports at most 200 times a day, because entries are kept', async () => {
  const dan = await site.signedIn('dan@example.com');
  const statuses = new Set<number>();
  for (let n = 0; n < 200; n++) statuses.add((await dan.get('/export/sales/csv')).status);
  expect([...statuses]).toEqual([200]);
  expect((await dan.get('/account/export')).status).toBe(429);
});

test('operators see how many sign-ins failed of an account, or of a network without one', async () => {
  const operator = await site.signedIn('op@example.com', { isOperator: true });
  const page = async (path: string) => textOf((await operator.get(path)).html);
  expect(await page('/operator/audit')).not.toContain('Failed sign-ins');
  const guess = async (email: string) => {
    const stranger = site.visitor();
    const form = await stranger.get('/sign-in');
    return stranger.submit(form, '/sign-in', { email, password: 'a wrong guess' });
  };
  const shown: string[] = [];
  for (const email of ['ann@example.com', 'nobody@example.com', 'ann@example.com']) {
    const { status, html } = await guess(email);
    expect(status).toBe(401);
    shown.push(textOf(html));
  }
  // Visitors learn nothing of accounts.
  expect(shown[1]).toBe(shown[0] ?? '');
  const hour = 'Nov 15, 2026, 12:00 UTC Password';
  const all = await page('/operator/audit');
  expect(all).toContain(`127.0.0.1 ${hour} 1`);
  expect(all).toContain(`ann@example.com ${hour} 2`);
  const id = (await site.world.store.accounts.findAccount('ann@example.com', 0))?.id;
  const own = await page(`/operator/audit?account=${id}`);
  expect(own).toContain(`ann@example.com ${hour} 2`);
  expect(own).not.toContain(`127.0.0.1 ${hour}`);
  expect(await page('/operator')).not.toContain('failed in the last two hours');
  for (let count = 0; count < manyFailedSignIns; count++) {
    await site.world.store.accounts.noteFailedSignIn({
      method: 'code',
      network: '192.0.2.1',
      at: site.world.now,
    });
  }
  expect(await page('/operator')).toContain('103 sign-ins failed in the last two hours');
});
