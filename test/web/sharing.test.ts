/** Sharing collections and boxes: links, members, what they see, and how it ends. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Mail } from '../../src/accounts/people/mail.ts';
import { hashToken } from '../../src/accounts/sign-in/sign-in.work.ts';
import { ledgerSale, lot, setWorth, shelf } from '../support/person.ts';
import { addLink, addMember, invite, revokeAll } from '../support/sharing.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

const account = 'ann@example.com';
const mails: Mail[] = [];

let site: Site;
let ann: Visitor;
let bob: Visitor;

beforeAll(async () => {
  site = await startSite({
    sendMail: async (mail) => {
      mails.push(mail);
    },
  });
  ann = await site.signedIn(account, { plan: 'reseller' });
  bob = await site.signedIn('bob@example.com');
  const attic = { kind: 'brickfolio', name: 'Attic' };
  const lines = [
    shelf,
    attic,
    lot('a', 3, { purchase_price_usd: 60 }),
    lot('b', 1, { set_number: '200', purchase_price_usd: 70 }),
    lot('c', 2, { brickfolio: 'Attic', purchase_price_usd: 50, purchase_date: '2026-02-02' }),
    // It takes all three units of the shelf, and one of the attic.
    ledgerSale('sale', 4, { gross_proceeds_usd: 400, platform_fees_usd: 40 }),
    ledgerSale('stated', 1, { gross_proceeds_usd: 555, cost_basis_usd: 5 }),
    lot('d', 2, { purchase_price_usd: 80, purchase_date: '2026-03-03' }),
  ];
  const report = await site.world.load([
    ...setWorth('100', { sealed: 100 }),
    { kind: 'set', set_number: '200', title: 'No value', theme: 'Castle' },
    ...lines.map((line) => ({ account, ...line })),
  ]);
  expect(report.rejects).toEqual([]);
});

afterAll(() => site.close());

const shelfPath = '/collections/1';

const activityOf = async (visitor: Visitor) =>
  textOf((await visitor.get('/account/activity')).html);

test('a link is shown once, opened without an account, and ends when it is revoked', async () => {
  const link = await addLink(ann, shelfPath);
  const page = await ann.get(`${shelfPath}/share`);
  expect(textOf(page.html)).toContain('Link Link Hidden Never Never Revoke');
  expect(page.html).not.toContain(link);
  const reader = site.visitor();
  const seen = await reader.get(link);
  expect(seen.status).toBe(200);
  expect(textOf(seen.html)).toContain('Market value $200.00 1 lot without a value, not counted');
  expect(seen.html).not.toContain(account);
  const nothing = ['/sales/x/y', '/', 'x', '%00', '/%zz', `/${'x'.repeat(600)}`];
  for (const end of ['', '/items.csv', '/sales', ...nothing]) {
    const path = `${link}${end}`;
    const { headers } = await reader.get(path);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-Robots-Tag')).toBe('noindex');
  }
  expect((await reader.get(`${link}/items.csv`)).html).toBe(
    'set_number,minifig_number,title,theme,quantity,condition,grade,unit_value_usd,' +
      'market_value_usd,value_confidence\r\n' +
      '100,,Set 100,Castle,2,sealed,,100.00,200.00,low\r\n' +
      '200,,No value,Castle,1,sealed,,,,\r\n',
  );
  expect(textOf((await ann.get(`${shelfPath}/share`)).html)).toContain('Nov 15, 2026');
  const asking = await ann.get('/account/sharing');
  const path = /\/account\/sharing\/\d+\/revoke/.exec(asking.html)?.[0] ?? '';
  const done = await ann.submit(await ann.get(path), path);
  expect(textOf((await ann.get(done.goTo ?? '')).html)).toContain('Share revoked.');
  const gone = await reader.get(link);
  expect(gone.status).toBe(404);
  expect(gone.html).toBe((await reader.get(`/s/${'x'.repeat(43)}`)).html);
  expect((await reader.get(`${link}/items.csv`)).status).toBe(404);
  const log = await activityOf(ann);
  expect(log).toMatch(/Share revoked .* You share 1 Share created .* share 1, link, without costs/);
});

test('an invitation is mailed without typed text, and accepted once by who signs in', async () => {
  mails.length = 0;
  const invitation = await invite(ann, shelfPath);
  await until(() => mails.length > 0);
  const [mail] = mails;
  expect(mail?.to).toBe('bob@example.com');
  expect(mail?.text).toContain(`${site.url}${invitation}\n`);
  expect(mail?.text).not.toMatch(/Shelf|ann@/);
  // The secret is in no other address.
  const newcomer = site.visitor();
  expect((await newcomer.get(invitation)).goTo).toBe('/sign-in');
  const signUp = await newcomer.get('/sign-up');
  expect(signUp.html).not.toContain(invitation);
  const typed = { email: 'newcomer@example.com', password: 'correct horse battery' };
  expect((await newcomer.submit(signUp, '/sign-up', typed)).goTo).toBe(invitation);
  await newcomer.submit(await newcomer.get('/account'), '/sign-out');
  expect((await newcomer.submit(await newcomer.get('/sign-in'), '/sign-in', typed)).goTo).toBe(
    '/today',
  );
  const own = await ann.submit(await ann.get(invitation), invitation);
  expect([own.status, textOf(own.html).includes('This is your own.')]).toEqual([409, true]);
  const asking = await bob.get(invitation);
  expect(asking.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(textOf(asking.html)).toContain('Collection Shelf Shared by ann@example.com Costs Hidden');
  const accepted = await bob.submit(asking, invitation);
  expect(accepted.goTo).toBe('/account/sharing?did=accepted');
  expect(textOf((await bob.get('/account/sharing')).html)).toContain(
    'Shelf ann@example.com Hidden Never Leave',
  );
  const eve = await site.signedIn('eve@example.com');
  expect((await eve.get(invitation)).status).toBe(404);
  const path = /\/shared\/\d+/.exec((await bob.get('/account/sharing')).html)?.[0] ?? '';
  expect((await bob.get(path)).status).toBe(200);
  expect((await eve.get(path)).status).toBe(404);
  expect((await ann.get(path)).status).toBe(404);
  expect(textOf((await ann.get('/account/sharing')).html)).toContain('bob@example.com Shelf');
  await bob.submit(await bob.get(`${path}/leave`), `${path}/leave`);
  expect((await bob.get(path)).status).toBe(404);
  const left = /Share left .* The person it is shared with share \d+ Share accepted/;
  expect(await activityOf(ann)).toMatch(left);
  expect(await activityOf(bob)).toMatch(/Share left .* You share \d+ Share accepted/);
});

test('nobody learns whether an address has an account', async () => {
  const answers: string[] = [];
  for (const email of ['bob@example.com', 'nobody@example.com']) {
    const form = await ann.get(`${shelfPath}/share`);
    const typed = { with: 'member', name: email };
    const { status, html } = await ann.submit(form, `${shelfPath}/share`, typed);
    const plain = html.replaceAll(email, 'EMAIL').replace(/invitations\/[\w-]+/, '');
    answers.push(`${status} ${plain.replace(/name="(token|once)" value="[^"]*"/g, '')}`);
  }
  expect(answers[0]).toBe(answers[1] ?? '');
  await revokeAll(ann);
});

test('with costs, a collection has its costs, and the sales of its own units', async () => {
  const link = await addLink(ann, shelfPath, { costs: true });
  const reader = site.visitor();
  const text = textOf((await reader.get(link)).html);
  expect(text).toContain('1 lot without a value, counted at cost');
  expect(text).toContain('Cost basis $230.00 Unrealized gain +$40.00');
  const sales = textOf((await reader.get(`${link}/sales`)).html);
  expect(sales).toContain('Set 100 100 eBay 3 $300.00 $30.00 $0.00 $270.00 $180.00 +$90.00');
  expect(sales).not.toContain('555');
  const tax = (await reader.get(`${link}/sales/2026.csv`)).html.split('\r\n');
  expect(tax).toHaveLength(3);
  expect(tax[1]).toContain('3,300.00,30.00,0.00,0.00,270.00,180.00,90.00,2026-01-01');
  expect((await reader.get(`${link}/sales/2025.csv`)).html.split('\r\n')).toHaveLength(2);
  expect((await reader.get(`${link}/sales/all.csv`)).status).toBe(404);
  const plain = await addLink(ann, shelfPath);
  for (const end of ['/sales', '/sales/2026.csv']) {
    expect((await reader.get(`${plain}${end}`)).status).toBe(404);
  }
});

test('orders by cost or date exist only with costs', async () => {
  const orders = async (costs: boolean) => {
    const { html } = await site.visitor().get(await addLink(ann, shelfPath, { costs }));
    return [...new Set([...html.matchAll(/sort=-?(\w+)/g)].map(([, key]) => key))].sort();
  };
  const plain = ['condition', 'grade', 'name', 'number', 'quantity', 'theme', 'value'];
  expect(await orders(false)).toEqual(plain);
  expect(await orders(true)).toEqual([...plain, 'cost', 'date', 'gain', 'gain_pct'].sort());
});

test('a search does not tell which sets were sold', async () => {
  const carl = await site.signedIn('carl@example.com');
  const lines = [
    shelf,
    lot('gone', 1, { set_number: '20' }),
    lot('left', 1, { set_number: '200' }),
    ledgerSale('sale', 1, { set_number: '20' }),
  ];
  const report = await site.world.load([
    { kind: 'set', set_number: '20', title: 'Sold out', theme: 'Castle' },
    ...lines.map((line) => ({ account: 'carl@example.com', ...line })),
  ]);
  expect(report.rejects).toEqual([]);
  const [, collection = ''] =
    /(\/collections\/\d+)\/share/.exec((await carl.get('/inventory/collections')).html) ?? [];
  const link = await addLink(carl, collection);
  expect((await site.visitor().get(`${link}/items.csv?q=20`)).html).toContain('\r\n200,');
});

test('a box is shared with its items and values, and with costs its prices and bid', async () => {
  const box = { items: '100 sealed x2 $33.33\nWhat $44.44', cost: '99.99' };
  const made = await ann.submit(await ann.get('/evaluate'), '/evaluate', box);
  const path = made.goTo ?? '';
  const plain = await site.visitor().get(await addLink(ann, path));
  expect(textOf(plain.html)).toContain('Market value $200.00 2 of 2 units valued');
  expect(textOf(plain.html)).toContain('1 row not in the catalog.');
  const link = await addLink(ann, path, { costs: true });
  const costed = textOf((await site.visitor().get(link)).html);
  for (const words of ['Bid up to', '$33.33', '$99.99', 'What $44.44']) {
    expect(costed).toContain(words);
  }
  expect((await site.visitor().get(`${link}/items.csv`)).html).toContain('33.33');
  await site.world.store.accounts.setPlan(account, 'free');
  expect((await site.visitor().get(link)).status).toBe(404);
  expect((await ann.get(`${path}/share`)).html).toContain('Reseller plan');
  await site.world.store.accounts.setPlan(account, 'reseller');
  expect((await site.visitor().get(link)).status).toBe(200);
});

test('a link ends after its last day', async () => {
  const link = await addLink(ann, shelfPath, { expires: '2026-11-16' });
  const path = `${shelfPath}/share`;
  const form = await ann.get(path);
  const early = await ann.submit(form, path, { with: 'link', expires: '2026-11-14' });
  expect(early.html).toContain('has passed');
  const { world } = site;
  const before = world.now;
  world.now = Date.UTC(2026, 10, 16, 23, 59);
  expect((await site.visitor().get(link)).status).toBe(200);
  world.now = Date.UTC(2026, 10, 17);
  expect((await site.visitor().get(link)).status).toBe(404);
  world.now = before;
});

test('the export of an account has its shares, without the secrets of links', async () => {
  await revokeAll(ann);
  const link = await addLink(ann, shelfPath);
  await addMember(ann, bob, '/collections/2', { costs: true });
  const { html } = await ann.get('/account/export');
  expect(html).not.toContain(link.slice('/s/'.length));
  const { shares } = JSON.parse(html);
  expect(shares).toMatchObject([
    { shows: 'collection', title: 'Attic', with_costs: true, member: 'bob@example.com' },
    { shows: 'collection', title: 'Shelf', with_costs: false, name: 'Link', member: null },
  ]);
  const received = JSON.parse((await bob.get('/account/export')).html).shared_with_me;
  expect(received).toMatchObject([{ title: 'Attic', owner: account }]);
});

test('an account invites an address five times a day, and strangers take none of them', async () => {
  const email = 'often@example.com';
  mails.length = 0;
  const inviteOften = async (visitor: Visitor) => {
    const { html } = await visitor.get('/inventory/collections');
    const path = `${/\/collections\/\d+/.exec(html)?.[0]}/share`;
    const typed = { with: 'member', name: email };
    const seen = [];
    for (let count = 0; count < 6; count++) {
      seen.push(await visitor.submit(await visitor.get(path), path, typed));
    }
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    return textOf(seen[0]?.html ?? '');
  };
  for (const name of ['s1', 's2', 's3', 's4']) {
    const stranger = await site.signedIn(`${name}@example.com`);
    await site.world.load([{ ...shelf, account: `${name}@example.com` }]);
    expect(await inviteOften(stranger)).toContain('We sent this link');
  }
  // The address has got 20 emails, and gets no more.
  expect(await inviteOften(ann)).toContain(`${email} gets no more email from us today`);
  await until(() => mails.length >= 20);
  expect(mails).toHaveLength(20);
});

test('links are limited by network', async () => {
  const reader = site.visitor();
  let opened = 0;
  while (opened <= 300 && (await reader.get('/s/guess')).status === 404) opened += 1;
  expect(opened).toBeGreaterThan(100);
  expect(opened).toBeLessThanOrEqual(300);
});

test.each([
  { signUp: 'invite', hasPublicPages: false, requires: 'none' },
  { signUp: 'open', hasPublicPages: true, requires: 'second-factor' },
] as const)('a site with %o has members and no links', async (access) => {
  const closed = await startSite({ site: { access } });
  const { accounts } = closed.world.store;
  const accountId = await closed.addAccount(account);
  await closed.world.load([{ account, ...shelf }]);
  const at = closed.world.now;
  const terms = { brickfolioId: 1, boxId: null, withCosts: false, expiresAt: null, name: '', at };
  const tokenHash = hashToken('token');
  await accounts.addShare(accountId, { ...terms, tokenHash, acceptUntil: null });
  expect((await closed.visitor().get('/s/token')).status).toBe(404);
  if (access.requires === 'none') {
    const owner = await closed.signedIn(account);
    const page = await owner.get(`${shelfPath}/share`);
    expect(page.html).not.toContain('Anyone with a link');
    const link = await owner.submit(page, `${shelfPath}/share`, { with: 'link', name: 'Link' });
    expect(link.status).toBe(400);
    const member = await closed.signedIn('bob@example.com');
    expect((await member.get(await addMember(owner, member, shelfPath))).status).toBe(200);
  }
  await closed.close();
});
