/** Password links by email: the response never reveals whether an account exists. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { WebDeps } from '../../src/web/page.ts';
import { forgottenRoutes } from '../../src/web/session/forgotten.tsx';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { type MailHost, startMailHost } from '../support/mail-host.ts';
import { password, readForm, type Site, startSite, textOf, Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

const email = 'Ann@Example.com';
let place: Workplace;
let host: MailHost;
let server: Served;
let site: Site;

beforeAll(async () => {
  host = startMailHost();
  place = makeWorkplace();
  site = await startSite();
  await place.json(['account', 'add', email, '--password-stdin'], { stdin: password });
  const env = {
    BRICKMARK_SMTP_URL: `smtp://127.0.0.1:${host.port}`,
    BRICKMARK_MAIL_FROM: 'bricks@example.com',
    BRICKMARK_BASE_URL: 'http://bricks.example.com',
  };
  server = await place.serve({ env });
});

afterAll(async () => {
  host.stop();
  await place.close();
  await site.close();
});

/** Requests a link like a browser at the public address. */
async function ask(typed: string) {
  const visitor = new Visitor(server.url);
  const fields = { ...readForm((await visitor.get('/password')).html, '/password'), email: typed };
  return visitor.post('/password', fields, { Origin: 'http://bricks.example.com' });
}

test('a link is sent to the account and works once; unknown emails get the same response', async () => {
  const answers = [await ask('nobody@example.com'), await ask('ann@example.com')];
  expect(answers.map(({ status, goTo }) => [status, goTo])).toEqual([
    [303, '/password?sent=1'],
    [303, '/password?sent=1'],
  ]);
  await until(() => host.taken.length > 0);
  const [mail] = host.taken;
  // The domain is case-insensitive, the local part may not be.
  expect(mail).toMatchObject({ from: 'bricks@example.com', to: 'Ann@example.com' });
  const [, path = ''] =
    /http:\/\/bricks\.example\.com(\/password\/[\w-]{43})\r/.exec(mail?.text ?? '') ?? [];
  const visitor = new Visitor(server.url);
  const page = await visitor.get(path);
  expect(page.status).toBe(200);
  expect((await visitor.get('/password?sent=1')).html).toContain('we sent it a link');
  expect(host.taken).toHaveLength(1);
});

test('more than three per hour are not sent, with the same response', async () => {
  for (let count = 0; count < 4; count++) expect((await ask(email)).status).toBe(303);
  await until(() => host.taken.length >= 3);
  await Bun.sleep(200);
  expect(host.taken).toHaveLength(3);
});

test('a password set by the operator ends all sessions, and invalidates links', async () => {
  const dan = 'dan@example.com';
  await place.json(['account', 'add', dan, '--password-stdin'], { stdin: password });
  const visitor = new Visitor(server.url);
  const form = readForm((await visitor.get('/sign-in')).html, '/sign-in');
  const origin = { Origin: 'http://bricks.example.com' };
  await visitor.post('/sign-in', { ...form, email: dan, password }, origin);
  expect((await visitor.get('/account')).status).toBe(200);
  const { link } = await place.json<{ link: string }>(['account', 'password', dan, '--link']);
  const { pathname } = new URL(link, 'http://bricks.example.com');
  expect((await visitor.get(pathname)).status).toBe(200);
  await place.json(['account', 'password', dan], { stdin: 'another long password' });
  expect((await visitor.get('/account')).status).toBe(303);
  expect((await visitor.get(pathname)).status).toBe(404);
});

test('nothing is done for the account before the response', async () => {
  let tokens = 0;
  const { accounts } = site.world.store;
  const randomBytes = (count: number) => {
    tokens++;
    return new Uint8Array(count);
  };
  const parts = { accounts, randomBytes, sendMail: async () => {} } as unknown as WebDeps;
  const [route] = forgottenRoutes;
  const form = { text: () => email, typed: {} };
  const sent = { form, at: site.world.now, network: '192.0.2.1', agent: '' };
  expect(await route?.post?.(parts, sent as never)).toEqual({ goTo: '/password?sent=1' });
  expect(tokens).toBe(0);
  await until(() => tokens === 1);
});

test('an invalid email has an error at its field', async () => {
  const wrong = await ask('ann at example');
  expect([wrong.status, readForm(wrong.html, '/password').email]).toEqual([400, 'ann at example']);
  expect(textOf(wrong.html)).toContain("'ann at example' is not an email address.");
});

test("a mail server's rejection is only logged", async () => {
  await place.json(['account', 'add', 'bob@example.com']);
  host.refuse('RCPT', '550 no');
  expect((await ask('bob@example.com')).goTo).toBe('/password?sent=1');
  await until(() => server.errors().includes('550 no'));
  expect(server.errors()).not.toContain('/password/');
  expect(server.errors()).not.toContain('bob@');
});

test('without a mail server the page says whom to ask, and accepts no form', async () => {
  const visitor = site.visitor();
  const page = await visitor.get('/password');
  expect(textOf(page.html)).toContain('Ask its operator for a link');
  const { token = '' } = readForm((await visitor.get('/sign-in')).html, '/sign-in');
  expect((await visitor.post('/password', { token, email })).status).toBe(404);
});
