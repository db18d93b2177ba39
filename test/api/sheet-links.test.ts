/** Spreadsheet links: contents, cost, revocation and confidentiality. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  makeSheetHandle,
  makeSheetSigner,
  type SheetContent,
  sheetHandleBytes,
} from '../../src/accounts/sheet-links/sheet-link.ts';
import { HoldingPage } from '../../src/contract/brickfolio.ts';
import { urlLengthMax } from '../../src/contract/limits.ts';
import { sheetFiles } from '../../src/contract/sheet-files.ts';
import { keysById } from '../support/keys-by-id.ts';
import { addPerson, ledgerSale, lot, type Person, setWorth, shelf } from '../support/person.ts';
import { testSigner } from '../support/server-settings.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let ann: Person;

beforeAll(async () => {
  world = await startWorld();
  await world.load([
    ...setWorth('100', { sealed: 100, used: 60 }),
    ...setWorth('200-2', { sealed: 12.5 }),
    { kind: 'set', set_number: '300', title: '=HYPERLINK("x","y"), "Z"', theme: 'Castle' },
    { kind: 'minifig', minifig_number: 'cas001', name: 'Knight' },
    {
      kind: 'offer',
      retailer: 'retailer_a',
      set_number: '100',
      observed_at: '2026-11-01T00:00:00Z',
      price: 90,
    },
  ]);
  ann = await addPerson(world, 'ann@example.com', [
    shelf,
    lot('a', 2, { purchase_date: '2026-01-02' }),
    lot('b', 2, { purchase_price_usd: 160 }),
    ledgerSale('s', 1),
  ]);
});

afterAll(() => world.close());

let keys = 0;

/** Creates a link for the newest key of an account. */
async function linkOf(email: string, content: SheetContent) {
  const { accounts } = world.store;
  const account = await accounts.findAccount(email, world.now);
  const key = (await accounts.listKeys(email, world.now))?.at(-1);
  const handle = makeSheetHandle(new Uint8Array(sheetHandleBytes).fill(++keys));
  const accountId = account?.id ?? 0;
  const link = { accountId, keyId: key?.id ?? 0, name: 'Sheet', content, handle, at: world.now };
  const added = await accounts.addSheetLink(link);
  if (typeof added !== 'object' || 'lacks' in added) throw new Error('There is no link.');
  const path = testSigner.pathOf({ handle, content });
  return { id: added.id, accountId, keyId: link.keyId, path };
}

const get = (path: string, init?: RequestInit) => fetch(`${world.url}${path}`, init);

/** A new account with an allowance and data, and a link to one of its files. */
async function newcomer(
  content: SheetContent,
  { allowance = 1000, lines = [] as readonly FeedLine[] } = {},
) {
  const email = `new-${++keys}@example.com`;
  await world.addAccount(email);
  await world.addKey(email, { allowance });
  if (lines.length > 0) await world.load(lines.map((line) => ({ account: email, ...line })));
  const used = async () => (await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday;
  return { email, used, ...(await linkOf(email, content)) };
}

/** The rows of a file by column name; the cells in these tests contain no separators. */
async function rowsOf(response: Response) {
  const [head = '', ...lines] = (await response.text()).split('\r\n').slice(0, -1);
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
}

const hundredAndOne = Array.from({ length: 101 }, (_, index) => 100 + index).join();

describe('values', () => {
  test('have a row for each number as it was sent, and cost one call per item', async () => {
    const { path, used } = await newcomer('values');
    const columns = 'requested,found,set_number,new_value_usd,used_value_usd,value_range.low,name';
    const query = `sets=100,,999,100-1,200-2&minifigs=cas001&columns=${columns}`;
    const response = await get(`${path}?${query}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toBe(
      [
        columns,
        '100,true,100,100,60,90,',
        ',,,,,,',
        '999,false,999,,,,',
        '100-1,true,100,100,60,90,',
        '200-2,true,200-2,12.5,,11.25,',
        'cas001,true,,,,,Knight',
        '',
      ].join('\r\n'),
    );
    expect(await used()).toBe(4);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('996');
  });

  test('have the same data of a set as the API', async () => {
    const { path } = await newcomer('values');
    const [row] = await rowsOf(await get(`${path}?sets=100`));
    const set = await ann.get<Record<string, unknown>>('/set/100');
    expect(Object.keys(row ?? {})).toEqual([...sheetFiles.values.columns]);
    for (const [name, value] of Object.entries(set)) {
      if (typeof value === 'object' && value !== null) continue;
      expect([name, row?.[name]]).toEqual([name, String(value ?? '')]);
    }
    expect(row?.['barcodes.upc']).toBe('');
  });

  test('have no title that is a formula or breaks its line', async () => {
    const { path } = await newcomer('values');
    const response = await get(`${path}?sets=300,%3D1%2B1&columns=requested,title`);
    expect(await response.text()).toBe(
      `requested,title\r\n300,"'=HYPERLINK(""x"",""y""), ""Z""'"\r\n'=1+1',\r\n`,
    );
  });

  test.each([
    ['no query', '', 'names no set and no minifig'],
    ['empty cells', '?sets=,,', 'names no set and no minifig'],
    ['101 sets', `?sets=${hundredAndOne}`, '101 unique items; at most 100'],
    ['1,001 cells', `?sets=${'1,'.repeat(1000)}`, 'at most 1000 are allowed'],
    ['a long number', `?sets=${'9'.repeat(65)}`, 'longer than 64 characters'],
    ['a long URL', `?sets=${'9'.repeat(9000)}`, 'URL is longer than'],
    ['an unknown parameter', '?set=100', "did you mean 'sets'"],
    ['an unknown column', '?sets=100&columns=new_value', "did you mean 'new_value_usd'"],
    ['a column without a similar one', '?sets=100&columns=x', "There is no column 'x'."],
    ['a column twice', '?sets=100&columns=found,found', 'twice'],
    ['a parameter twice', '?sets=100&sets=200', 'must be given once'],
    ['a control character', '?sets=%00', 'must be a list with commas'],
  ])('%s is rejected in one line, at no cost', async (_, query, message) => {
    const { path, used } = await newcomer('values');
    const response = await get(`${path}${query}`);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toContain(message);
    expect(text.trimEnd()).not.toContain('\n');
    expect(await used()).toBe(0);
  });
});

describe('data of an account', () => {
  test('holdings and sales are the records of the API, with losses as numbers', async () => {
    const holdings = await linkOf(ann.email, 'holdings');
    const rows = await rowsOf(await get(holdings.path));
    const { entries } = await ann.entries();
    expect(rows).toEqual(
      entries.map((entry) =>
        Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value)])),
      ),
    );
    expect(rows.map((row) => row.unrealized_gain_loss_usd)).toEqual(['80', '-60']);
    const sales = await linkOf(ann.email, 'sales');
    const [sale] = await rowsOf(await get(sales.path));
    expect(sale).toMatchObject({
      set_number: '100',
      profit_loss_usd: '-70',
      sale_date: '2026-06-01',
    });
    const watch = await linkOf(ann.email, 'retail-watch');
    const [watched] = await rowsOf(await get(watch.path));
    expect(watched).toMatchObject({ setNumber: '100', 'retailer_a.price': '90' });
    expect(watched?.['retailer_aExit.netFba']).toBe('');
  });

  test('a list costs one call per 250 rows, and is refused if they are not left', async () => {
    const lots = Array.from({ length: 501 }, (_, index) => lot(`lot ${index}`, 1));
    const lines = [shelf, ...lots];
    const { path, used } = await newcomer('holdings', { allowance: 6, lines });
    const all = await rowsOf(await get(`${path}?columns=set_number`));
    expect([all.length, await used()]).toEqual([501, 3]);
    expect((await rowsOf(await get(`${path}?limit=250&offset=400`))).length).toBe(101);
    expect(await used()).toBe(4);
    const refused = await get(path);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('needs 3 of the daily allowance of 6 calls and 2 are');
    expect(Number(refused.headers.get('retry-after'))).toBe(12 * 3600);
    expect(await used()).toBe(4);
    // Past the end there is only the header, at the cost of an empty page.
    expect(await rowsOf(await get(`${path}?offset=${'9'.repeat(20)}`))).toEqual([]);
    expect((await get(`${path}?limit=1`)).status).toBe(200);
    const spent = await get(`${path}?limit=1`);
    expect([spent.status, await used()]).toEqual([429, 6]);
  });

  test('a collection of another account is not found, and costs a call as in the API', async () => {
    const { path, used } = await newcomer('holdings');
    const { brickfolios } = await ann.brickfolios();
    const theirs = await get(`${path}?brickfolio_id=${brickfolios[0]?.id}`);
    const nobodys = await get(`${path}?brickfolio_id=${'9'.repeat(30)}`);
    expect([theirs.status, nobodys.status, await used()]).toEqual([404, 404, 2]);
    expect(await theirs.text()).toBe(await nobodys.text());
  });

  test('columns are those of the contract, in its order', () => {
    const { properties } = HoldingPage.properties.entries.items;
    expect(sheetFiles.holdings.columns).toEqual(Object.keys(properties));
    expect(sheetFiles['retail-watch'].columns).toContain('retailer_b.flip1pTo3p');
  });
});

describe('a link', () => {
  test('that is invalid in any way gets the same response, including headers', async () => {
    const { accounts } = world.store;
    const revoked = await newcomer('values');
    await accounts.removeSheetLink(revoked.accountId, revoked.id, world.now);
    const ended = await newcomer('values');
    await keysById(accounts).revokeKey(ended.keyId, world.now);
    const good = await newcomer('values');
    const stranger = makeSheetSigner(new Uint8Array(32).fill(9));
    const handle = makeSheetHandle(new Uint8Array(sheetHandleBytes).fill(255));
    const paths = [
      revoked.path,
      ended.path,
      good.path.replace('values', 'holdings'),
      testSigner.pathOf({ handle, content: 'values' }),
      stranger.pathOf({ handle, content: 'values' }),
      '/csv/',
      '/csv/x.y/values.csv',
    ].map((path) => `${path}?sets=100`);
    const answers = await Promise.all(paths.map(async (path) => shown(await get(path))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 404,
      body: 'This link does not work: it was revoked, or it was not copied in full.\n',
    });
    expect((await get(`${good.path}?sets=100`)).status).toBe(200);
  });

  /** A response without what differs each time. */
  async function shown(response: Response) {
    const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
    return { status: response.status, headers, body: await response.text() };
  }

  test('is not disclosed: no referrer, no indexing, no caching, no other origin', async () => {
    const { path } = await newcomer('values');
    for (const query of ['?sets=100', '?sets=']) {
      const { headers } = await get(`${path}${query}`);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('is refused from the first request after it was revoked elsewhere', async () => {
    const { path, accountId, id } = await newcomer('values');
    expect((await get(`${path}?sets=100`)).status).toBe(200);
    await world.store.accounts.removeSheetLink(accountId, id, world.now);
    expect((await get(`${path}?sets=100`)).status).toBe(404);
  });

  test('requires the plan, like calls', async () => {
    const { path, email, used } = await newcomer('values');
    await world.store.accounts.setPlan(email, 'free');
    const response = await get(`${path}?sets=100`);
    expect([response.status, await used()]).toEqual([403, 0]);
    expect(await response.text()).toContain('part of the Reseller plan');
  });

  test('accepts URLs as long as those of the API, and no longer', async () => {
    const { path } = await newcomer('values');
    const messageOf = async (length: number) =>
      (await get(`${path}?sets=`.padEnd(length, '1'))).text();
    const tooLong = `The URL is longer than ${urlLengthMax} characters.`;
    expect(await messageOf(urlLengthMax)).not.toContain(tooLong);
    expect(await messageOf(urlLengthMax + 1)).toContain(tooLong);
  });

  test('is read-only; HEAD costs the same as GET', async () => {
    const { path, used } = await newcomer('values');
    const posted = await get(`${path}?sets=100`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await get(`${path}?sets=100`, { method: 'HEAD' });
    expect([head.status, await head.text(), await used()]).toEqual([200, '', 1]);
    const lengthOf = async (query: string) => {
      const { headers } = await get(`${path}${query}`, { method: 'HEAD' });
      return Number(headers.get('content-length'));
    };
    expect(await lengthOf('?sets=100')).toBe((await (await get(`${path}?sets=100`)).text()).length);
    expect(await lengthOf('?set=100')).toBe((await (await get(`${path}?set=100`)).text()).length);
  });

  test('never exceeds the allowance in concurrent calls, together with those by key', async () => {
    const email = `crowd-${++keys}@example.com`;
    await world.addAccount(email);
    const key = await world.addKey(email, { allowance: 10 });
    const { path, accountId } = await linkOf(email, 'values');
    const pendingCalls = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? get(`${path}?sets=100,200-2`) : world.call('/set/100', key),
    );
    const statuses = (await Promise.all(pendingCalls)).map(({ status }) => status);
    const granted = statuses.map((status, index) => (status === 200 ? 2 - (index % 2) : 0));
    const sum = granted.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThanOrEqual(9);
    expect(sum).toBeLessThanOrEqual(10);
    expect((await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday).toBe(sum);
    // The owner sees the usage of the link, without other calls with the key.
    const [link] = await world.store.accounts.listSheetLinks(accountId);
    const byLink = granted.filter((_, index) => index % 2 === 0).reduce((a, b) => a + b, 0);
    expect([link?.used, link?.lastUsedAt]).toEqual([byLink, world.now]);
  });
});

test('there were no failures', () => {
  expect(world.failures).toEqual([]);
});
