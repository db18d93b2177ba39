/** The pages of spreadsheet links: created, shown, used, revoked, and only the user's own. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { keysById } from '../support/keys-by-id.ts';
import { setWorth } from '../support/person.ts';
import {
  readForm,
  type Seen,
  type Site,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
  await site.world.load(setWorth('100', { sealed: 100 }));
});

afterAll(() => site.close());

const path = '/keys/spreadsheets';

/** The path of the link shown on a page. */
const linkIn = ({ html }: Seen) =>
  /\/csv\/[\w-]{22}\.[\w-]{22}\/[a-z-]+\.csv/.exec(html)?.[0] ?? '';

async function make(visitor: Visitor, typed: Record<string, string> = {}): Promise<Seen> {
  return visitor.submit(await visitor.get(path), path, typed);
}

async function withKey(email: string): Promise<Visitor> {
  const visitor = await site.signedIn(email, { plan: 'reseller' });
  await site.world.addKey(email);
  return visitor;
}

test('a link is created, shown with its formula any number of times, used, and revoked', async () => {
  const ann = await withKey('ann@example.com');
  const made = await make(ann, { name: 'Price sheet', content: 'values' });
  expect([made.status, made.goTo]).toEqual([303, `${path}/1`]);
  const page = await ann.get(`${path}/1`);
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  const link = linkIn(page);
  expect(textOf(page.html)).toContain(
    `=IMPORTDATA("${site.url}${link}?columns=title,new_value_usd,used_value_usd&sets="` +
      '&TEXTJOIN(",",FALSE,A2:A41))',
  );
  // The text of the copy button is a working link.
  const copied = /id="link"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '';
  expect(copied).toBe(`${site.url}${link}?sets=75192`);
  const use = () => fetch(`${site.url}${link}?sets=100,999&columns=new_value_usd`);
  expect(await (await use()).text()).toBe('new_value_usd\r\n100\r\n""\r\n');
  expect(linkIn(await ann.get(`${path}/1`))).toBe(link);
  const list = await ann.get(path);
  expect(textOf(list.html)).toMatch(
    /Price sheet Values of sets and minifigs Test Nov 15, 2026, 12:00 UTC 2 Revoke/,
  );
  expect(linkIn(list)).toBe('');
  const asking = await ann.get(`${path}/1/revoke`);
  expect((await use()).status).toBe(200);
  const done = await ann.submit(asking, `${path}/1/revoke`);
  expect([done.status, done.goTo]).toEqual([303, `${path}?did=revoked`]);
  expect((await use()).status).toBe(404);
  expect((await ann.get(`${path}/1`)).status).toBe(404);
});

test("another account's link looks like one that does not exist, and none is created for its key", async () => {
  const bob = await withKey('bob@example.com');
  const made = await make(bob, { content: 'sales' });
  const id = made.goTo?.split('/').at(-1);
  const cat = await withKey('cat@example.com');
  for (const page of ['', '/revoke']) {
    const theirs = await cat.get(`${path}/${id}${page}`);
    const nobodys = await cat.get(`${path}/999999${page}`);
    expect([theirs.status, textOf(theirs.html)]).toEqual([404, textOf(nobodys.html)]);
  }
  const { token = '' } = readForm((await cat.get(path)).html, path);
  expect((await cat.post(`${path}/${id}/revoke`, { token })).status).toBe(404);
  expect((await bob.get(`${path}/${id}`)).status).toBe(200);
  const { key = '' } = readForm((await bob.get(path)).html, path);
  const stolen = await make(cat, { key });
  expect(stolen.status).toBe(400);
  expect(textOf(stolen.html)).toContain('Choose one of your active keys.');
});

test('a form sent twice creates one link, and invalid input is rejected', async () => {
  const dan = await withKey('dan@example.com');
  const fields = readForm((await dan.get(path)).html, path);
  const both = await Promise.all([dan.post(path, fields), dan.post(path, fields)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect((await make(dan, { content: 'everything' })).status).toBe(400);
  expect(textOf((await make(dan, { name: 'x\u001b' })).html)).toContain('invisible characters');
  expect((await dan.get(path)).html.match(/\/revoke"/g)).toHaveLength(1);
});

test('a link ends with its key, and the pages say so', async () => {
  const eve = await withKey('eve@example.com');
  const { goTo } = await make(eve);
  const link = linkIn(await eve.get(goTo ?? ''));
  const { accounts } = site.world.store;
  const [key] = (await accounts.listKeys('eve@example.com', site.world.now)) ?? [];
  await keysById(accounts).revokeKey(key?.id ?? 0, site.world.now);
  expect((await fetch(`${site.url}${link}?sets=100`)).status).toBe(404);
  const page = await eve.get(goTo ?? '');
  expect(textOf(page.html)).toContain('The API key of this link is no longer active');
  expect(linkIn(page)).toBe('');
  const list = textOf((await eve.get(path)).html);
  expect(list).toContain('Inactive');
  expect(list).toContain('Create a key first.');
});

test('without the plan, the page explains it', async () => {
  const fay = await site.signedIn('fay@example.com');
  const refused = await fay.get(path);
  expect(refused.status).toBe(403);
  expect(textOf(refused.html)).toContain('part of the Reseller plan');
  expect(site.world.failures).toEqual([]);
});

test('an account creates at most 50 links a day, because entries of the audit log are kept', async () => {
  const kim = await withKey('kim@example.com');
  const { accounts } = site.world.store;
  const accountId = await site.addAccount('kim@example.com');
  for (let n = 0; n < 50; n++) {
    const made = await make(kim);
    expect(made.status).toBe(303);
    const id = Number(made.goTo?.split('/').at(-1));
    await accounts.removeSheetLink(accountId, id, site.world.now);
  }
  const refused = await make(kim);
  expect([refused.status, textOf(refused.html)]).toEqual([
    429,
    expect.stringContaining('too many spreadsheet links today. Try again tomorrow.'),
  ]);
});
