/** Known browsers, and the email about a sign-in from a new one. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Mail } from '../../src/accounts/people/mail.ts';
import { hashToken, makeResetLink } from '../../src/accounts/sign-in/sign-in.work.ts';
import { momentText } from '../../src/kernel/format.ts';
import { password, readForm, type Site, startSite, type Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

let site: Site;
const mails: Mail[] = [];

beforeAll(async () => {
  const sendMail = async (mail: Mail) => void mails.push(mail);
  site = await startSite({ sendMail });
});

afterAll(() => site.close());

const signIn = async (visitor: Visitor, email: string, typed = password) =>
  visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password: typed });

async function confirm(accountId: number): Promise<void> {
  const { accounts } = site.world.store;
  const confirmHash = hashToken('link');
  const channel = { kind: 'email', name: 'Email', address: null, secret: null } as const;
  const facts = { confirmHash, subscription: null, position: null, at: site.world.now };
  await accounts.addDeliveryChannel(accountId, { ...channel, ...facts });
  const [made] = await accounts.listDeliveryChannels(accountId);
  expect(await accounts.useConfirmLink(made?.id ?? 0, confirmHash, site.world.now)).toBe(true);
}

test('a sign-in on a new device is emailed to a confirmed address; on a known one, it is not', async () => {
  const id = await site.addAccount('ann@example.com');
  await site.addAccount('carl@example.com');
  await signIn(site.visitor(), 'carl@example.com');
  await confirm(id);
  const ann = site.visitor();
  await signIn(ann, 'ann@example.com');
  await until(() => mails.length >= 1);
  await ann.submit(await ann.get('/account'), '/sign-out');
  expect((await signIn(ann, 'ann@example.com')).status).toBe(303);
  await signIn(site.visitor(), 'ann@example.com');
  await until(() => mails.length >= 2);
  expect(mails.map(({ to }) => to)).toEqual(['ann@example.com', 'ann@example.com']);
  expect(mails[0]?.subject).toBe('New sign-in to your Brickmark account');
  expect(mails[0]?.text).toContain(`${site.url}/account`);
});

test('a browser that sets a password with a link is emailed, too, as its sign-in is not', async () => {
  const email = 'erin@example.com';
  await confirm(await site.addAccount(email));
  const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const parts = { accounts: site.world.store.accounts, randomBytes };
  const path = `/password/${await makeResetLink(parts, email, site.world.now)}`;
  const thief = site.visitor();
  const typed = 'another long password';
  await thief.submit(await thief.get(path), path, { password: typed });
  expect((await signIn(thief, email, typed)).status).toBe(303);
  await until(() => mails.some(({ to }) => to === email));
  expect(mails.filter(({ to }) => to === email)).toHaveLength(1);
});

test('the email has the same formats for every browser', async () => {
  await confirm(await site.addAccount('dora@example.com'));
  const dora = site.visitor();
  const page = await dora.get('/sign-in');
  const fields = { ...readForm(page.html, '/sign-in'), email: 'dora@example.com', password };
  await dora.post('/sign-in', fields, { 'Accept-Language': 'de-DE' });
  const sent = () => mails.find(({ to }) => to === 'dora@example.com');
  await until(() => sent() !== undefined);
  expect(sent()?.text).toContain(momentText(site.world.now));
});

test('a known browser signs in while strangers lock the account', async () => {
  await site.addAccount('bob@example.com');
  const bob = site.visitor();
  await signIn(bob, 'bob@example.com');
  await bob.submit(await bob.get('/account'), '/sign-out');
  const stranger = site.visitor();
  const page = await stranger.get('/sign-in');
  for (let n = 0; n < 11; n++) {
    await stranger.submit(page, '/sign-in', { email: 'bob@example.com', password: 'guess' });
  }
  expect((await signIn(site.visitor(), 'bob@example.com')).status).toBe(429);
  expect((await signIn(bob, 'bob@example.com')).status).toBe(303);
});
