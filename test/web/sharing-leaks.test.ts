/**
 * Readers of shares get nothing else: every page and endpoint is requested as a link reader, a
 * member and a stranger, and without costs, no byte depends on a cost.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { attemptKey } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { inventorySorts } from '../../src/portfolio/lots/inventory.ts';
import type { OwnersText } from '../support/builders.ts';
import { everyRequest, readKnown } from '../support/every-request.ts';
import { addPerson, ledgerSale, lot, setWorth } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { addLink, addMember, revokeAll } from '../support/sharing.ts';
import { readForm, type Seen, type Site, startSite, type Visitor } from '../support/site.ts';
import type { FeedLine } from '../support/world.ts';

const email = 'owner-of-it@example.com';

/** Amounts of one state of the owner's books; nothing else differs between two states. */
interface Costs {
  readonly held: number;
  readonly valueless: number;
  readonly other: number;
  readonly gross: number;
  readonly fees: number;
  readonly asking: number;
  readonly boxAsk: number;
  readonly boxRow: number;
  readonly boxMax: number;
}

const costs: Costs = {
  held: 4242.42,
  valueless: 5353.53,
  other: 6464.64,
  gross: 8642.02,
  fees: 1234.09,
  asking: 7373.73,
  boxAsk: 7171.71,
  boxRow: 6161.61,
  boxMax: 2929.29,
};
/** Costs are higher where they were lower, so that an order by cost or gain changes too. */
const others: Costs = {
  held: 14.11,
  valueless: 9393.93,
  other: 15.12,
  gross: 16.13,
  fees: 1.14,
  asking: 18.15,
  boxAsk: 19.16,
  boxRow: 11.17,
  boxMax: 12.18,
};

const description = 'DESCRIPTION-WORDS';
const details: Readonly<Record<OwnersText, unknown>> = {
  notes: 'NOTES-WORDS',
  tags: ['TAGS-WORDS'],
  place: 'PLACE-WORDS',
  bought_at: 'STORE-WORDS',
  listing_url: 'https://example.com/LISTING-WORDS',
  own_fields: { 'OWN-NAME': 'OWN-WORDS' },
};

/** Never shared: texts, other collections and boxes, and what is not part of any. */
const neverShared = [
  description,
  ...(JSON.stringify(details).match(/[A-Z]+-(WORDS|NAME)/g) ?? []),
  'OTHER-COLLECTION',
  'OTHER-BOX',
  'OWNERS-KEY',
  '54321',
  '54,321',
  ...[costs.other, costs.asking].flatMap(amounts),
];

/** Figures that depend on costs. */
const costFigures = [
  costs.held,
  2 * costs.held,
  costs.valueless,
  costs.gross,
  costs.gross / 2,
  costs.fees,
  costs.boxAsk,
  costs.boxRow,
  costs.boxMax,
].flatMap(amounts);

/** Lines of the box that were not understood. */
const boxWords = ['GARBLED-LINE', 'UNUSED-WORDS'];

/** As in files, and as on pages. */
function amounts(usd: number): string[] {
  const plain = usd.toFixed(2);
  return [plain, plain.replace(/^(\d)(\d{3}\.)/, '$1,$2')];
}

function linesOf(given: Costs): FeedLine[] {
  const lots = [
    lot('held', 3, { purchase_price_usd: given.held, asking_price_usd: given.asking, ...details }),
    lot('none', 1, { set_number: '400', purchase_price_usd: given.valueless, ...details }),
    lot('used', 1, { condition: 'used', purchase_price_usd: 20 }),
    lot('away', 54_321, {
      brickfolio: 'OTHER-COLLECTION',
      set_number: '200',
      purchase_price_usd: given.other,
    }),
  ];
  const sale = { gross_proceeds_usd: given.gross, platform_fees_usd: given.fees, lot: 'held' };
  return [
    { kind: 'brickfolio', name: 'Shelf', description },
    { kind: 'brickfolio', name: 'OTHER-COLLECTION' },
    ...lots,
    ledgerSale('sold', 1, sale),
    ledgerSale('away', 1, { set_number: '200', gross_proceeds_usd: given.other }),
  ].map((line) => ({ account: email, ...line }));
}

/** Of everything in this test there is something with one of these numbers. */
const ids = ['1', '2', '3', '4'];

let site: Site;
let owner: Visitor;
let member: Visitor;
let stranger: Visitor;
/** The paths of what is shared, by reader. */
let shared: { readonly plain: Reader[]; readonly costed: Reader[] };

interface Reader {
  readonly visitor: Visitor;
  readonly path: string;
  readonly isBox: boolean;
}

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  const market = ['100', '200', '300'].flatMap((n) => setWorth(n, { sealed: 110, used: 55 }));
  const valueless = { kind: 'set', set_number: '400', title: 'Set 400', theme: 'Castle' };
  await site.world.load([...market, valueless]);
  owner = await site.signedIn(email, { plan: 'reseller' });
  expect((await site.world.load(linesOf(costs))).rejects).toEqual([]);
  const items = `100 sealed $${costs.boxRow} UNUSED-WORDS\n300 used\nGARBLED-LINE $1`;
  for (const typed of [{ items, cost: String(costs.boxAsk) }, { items: '200 used' }]) {
    await owner.submit(await owner.get('/evaluate'), '/evaluate', typed);
  }
  await changeBox(costs);
  await owner.submit(await owner.get('/evaluate/2'), '/evaluate/2', { name: 'OTHER-BOX' });
  await owner.submit(await owner.get('/keys'), '/keys', { name: 'OWNERS-KEY' });
  member = await site.signedIn('member@example.com', { plan: 'reseller' });
  stranger = await site.signedIn('stranger@example.com', { plan: 'reseller' });
  shared = { plain: await shareAll(false), costed: await shareAll(true) };
});

afterAll(() => site.close());

async function changeBox(given: Costs): Promise<void> {
  const typed = { cost: String(given.boxAsk), 'price-0': String(given.boxRow), name: 'Box' };
  const max = { 'max-1': String(given.boxMax) };
  await owner.submit(await owner.get('/evaluate/1'), '/evaluate/1', { ...typed, ...max });
}

/** Shares the first collection and the first box with a link and with the member. */
async function shareAll(withCosts: boolean): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const thing of ['/collections/1', '/evaluate/1']) {
    const isBox = thing !== '/collections/1';
    const link = await addLink(owner, thing, { costs: withCosts });
    readers.push({ visitor: site.visitor(), path: link, isBox });
    const path = await addMember(owner, member, thing, { costs: withCosts });
    readers.push({ visitor: member, path, isBox });
  }
  return readers;
}

const inText = (text: string, words: readonly string[]) => words.filter((w) => text.includes(w));

/** Words in the bytes and headers of an answer, with the path that answered. */
function leaksIn(path: string, { html, headers }: Seen, words: readonly string[]): string[] {
  return inText(`${JSON.stringify([...headers])}${html}`, words).map((w) => `${path}: ${w}`);
}

const ends = ['', '/items.csv', '/sales', '/sales/2026.csv'];

/** Parameters that mean something on the owner's pages, or could open more. */
const queries = [
  '',
  ...inventorySorts.map((sort) => `sort=-${sort}`),
  'sort=gain',
  'sort=own1',
  'columns=cost,gain,date,notes,tags,place,bought_at,asking_price,listing_link,collection,own1',
  'show=sold',
  'collection=2',
  'brickfolio=2&brickfolio_id=2&box=2&id=2&lot=4&account=1&account_id=1',
  'cost=paid',
  'cost=estimated',
  'date=known',
  'status=listed',
  'tag=TAGS',
  'place=PLACE',
  'about=NOTES',
  'costs=yes&with_costs=1&withCosts=true',
  'page=2',
  'rows=200',
  'range=all&year=2026&platform=ebay',
  'q=200',
  'q=100',
].map((query) => (query === '' ? '' : `?${query}`));

interface Read {
  readonly address: string;
  readonly seen: Seen;
  readonly reader: Reader;
}

/** Every page of readers, with every parameter. */
async function readAll(readers: readonly Reader[]): Promise<Read[]> {
  const read: Read[] = [];
  for (const reader of readers) {
    // Links are limited by network.
    await site.world.store.accounts.forgetTries(attemptKey('mailed link', '127.0.0.1'));
    for (const end of ends) {
      for (const query of end.startsWith('/sales') ? [''] : queries) {
        const address = `${reader.path}${end}${query}`;
        const seen = await reader.visitor.get(address);
        expect([200, 303, 404]).toContain(seen.status);
        read.push({ address, seen, reader });
      }
    }
  }
  return read;
}

describe('a share without costs', () => {
  let read: readonly Read[];

  beforeAll(async () => {
    read = await readAll(shared.plain);
  });

  test('shows its items and values', async () => {
    for (const { visitor, path, isBox } of shared.plain) {
      const { status, html } = await visitor.get(path);
      expect([status, inText(html, ['Set 100', '110.00'])]).toEqual([200, ['Set 100', '110.00']]);
      expect(html).toContain(isBox ? 'Set 300' : 'Set 400');
    }
  });

  test('shows no cost, nothing private and no other item, with any parameter', () => {
    const hidden = [...neverShared, ...costFigures, ...boxWords, email, 'Set 200'];
    expect(read.flatMap(({ address, seen }) => leaksIn(address, seen, hidden))).toEqual([]);
  });

  test('has the same bytes whatever the costs are', async () => {
    const wire = (pages: readonly Read[]) => {
      const bytes = pages.map(({ address, seen }) => {
        const kept = [...seen.headers].filter(([name]) => !isVarying.test(name));
        const head = `${seen.status} ${JSON.stringify(kept)}`;
        return [address, `${head} ${withoutTokens(seen.html)}`] as const;
      });
      return Object.fromEntries(bytes);
    };
    const before = wire(read);
    const books = (await owner.get('/inventory?view=all')).html;
    expect((await site.world.load(linesOf(others))).rejects).toEqual([]);
    await changeBox(others);
    expect((await owner.get('/inventory?view=all')).html).not.toBe(books);
    const after = wire(await readAll(shared.plain));
    expect((await site.world.load(linesOf(costs))).rejects).toEqual([]);
    await changeBox(costs);
    expect(Object.keys(before).filter((path) => before[path] !== after[path])).toEqual([]);
  });
});

/** Files are sent in pieces or at once. */
const isVarying = /^(date|set-cookie|content-length|transfer-encoding)$/;

/** Forms have random values. */
function withoutTokens(html: string): string {
  return html.replace(/name="(token|once)" value="[^"]*"/g, '');
}

describe('a share with costs', () => {
  test('shows its costs, which shows that the search above works', async () => {
    for (const { visitor, path, isBox } of shared.costed) {
      const { html } = await visitor.get(path);
      const expected = isBox ? [costs.boxAsk, costs.boxRow, costs.boxMax] : [costs.held];
      for (const usd of expected) expect(inText(html, amounts(usd))).not.toEqual([]);
    }
  });

  test('shows nothing else of the account, with any parameter', async () => {
    const found = (await readAll(shared.costed)).flatMap(({ address, seen, reader }) =>
      leaksIn(address, seen, [...neverShared, email, 'Set 200', ...(reader.isBox ? [] : boxWords)]),
    );
    expect(found).toEqual([]);
  });
});

/** Addresses of a route, with the numbers of everything in this test. */
function addressesOf(path: string, token: string): string[] {
  const named = path
    .replace('{token}', token)
    .replace('{link}', token)
    .replace('{number}', '100')
    .replace('{name}', 'Castle')
    .replace('{file}', '2026.csv');
  const parts = named.split(/\{\w+\}/);
  return parts.length === 1 ? [named] : ids.map((id) => parts.join(id));
}

/** Where a member may see who shares with them. */
const namesOwner = (path: string) =>
  /^\/(account\/(sharing|export)|shared\/invitations)/.test(path);

/** Forms about things with numbers; others end the session, or ask for a password. */
const isAboutOwn = /^\/(collections|lots|evaluate|sales|purchases|inventory|account\/sharing)/;

describe('every page', () => {
  test.each(['link', 'member', 'stranger'] as const)('has no data for a %s', async (who) => {
    const visitor = { link: site.visitor(), member, stranger }[who];
    const token = shared.plain[0]?.path.slice('/s/'.length) ?? '';
    const isReaders = (address: string) =>
      who === 'member' &&
      shared.costed.some(({ path }) => address === path || address.startsWith(`${path}/`));
    const found: string[] = [];
    let pages = 0;
    for (const { path, get } of site.routes) {
      if (!get || path.startsWith('/docs')) continue;
      for (const address of addressesOf(path, token)) {
        const costWords = isReaders(address) ? [] : [...costFigures, ...boxWords];
        const owners = who === 'member' && namesOwner(path) ? [] : [email];
        const seen = await visitor.get(address);
        pages += 1;
        found.push(...leaksIn(address, seen, [...neverShared, ...costWords, ...owners]));
      }
    }
    expect(found).toEqual([]);
    expect(pages).toBeGreaterThan(site.routes.length / 2);
  });

  test('opens no share of others by its number', async () => {
    for (const { path } of [...shared.plain, ...shared.costed]) {
      if (path.startsWith('/s/')) continue;
      for (const end of ends) {
        expect((await stranger.get(`${path}${end}`)).status).toBe(404);
        expect((await owner.get(`${path}${end}`)).status).toBe(404);
        expect((await site.visitor().get(`${path}${end}`)).status).toBe(303);
      }
    }
  });

  test('changes nothing of the owner for a member, whatever is sent', async () => {
    const books = async () => withoutTokens((await owner.get('/inventory?view=all')).html);
    const boxes = async () => withoutTokens((await owner.get('/evaluate')).html);
    const before = [await books(), await boxes()];
    const { token = '' } = readForm((await member.get('/account')).html, '/theme');
    const fields = { token, costs: 'yes', name: 'Mine', sure: 'yes', do: 'save' };
    const found: string[] = [];
    for (const { path, post } of site.routes) {
      if (!post || !isAboutOwn.test(path)) continue;
      for (const address of addressesOf(path, 'x')) {
        const seen = await member.post(address, fields);
        found.push(...leaksIn(address, seen, [...neverShared, ...costFigures]));
      }
    }
    expect(found).toEqual([]);
    expect([await books(), await boxes()]).toEqual(before);
    for (const { visitor, path } of shared.plain) {
      for (const end of ends) {
        expect((await visitor.post(`${path}${end}`, fields)).status).toBe(405);
      }
    }
  });
});

const rows: readonly Endpoint[] = Object.values(allEndpoints);
const changedPaths = rows
  .filter(({ method }) => method === 'DELETE')
  .map(({ path }) => path.split('/{')[0] ?? '');

/** Whether an endpoint is about what accounts create by API, which has numbers of its own. */
function isAboutChanged(name: EndpointName): boolean {
  return changedPaths.some((path) => allEndpoints[name].path.startsWith(path));
}

describe('every API endpoint', () => {
  test('answers a member as if nothing were shared', async () => {
    const { world } = site;
    const owners = await world.addKey(email, { allowance: 100_000 });
    const person = await addPerson(world, 'member@example.com');
    const nobody = await addPerson(world, 'nobody@example.com');
    const found: string[] = [];
    for (const [name, calls] of everyRequest(await readKnown(world, owners))) {
      for (const { path, init } of calls) {
        const answers: string[] = [];
        for (const { key } of [person, nobody]) {
          const response = await world.call(path, key, init);
          answers.push(`${response.status} ${await response.text()}`);
        }
        const [answer = '', expected = ''] = answers.map(withoutMeta);
        const words = [...neverShared, ...costFigures, email];
        found.push(...inText(answer, words).map((word) => `${name} ${path}: ${word}`));
        const isDifferent = answer !== expected && !isAboutChanged(name);
        if (isDifferent) found.push(`${name} ${path}: differs`);
      }
    }
    expect(found).toEqual([]);
  });

  test('does not take the token of a link for a key', async () => {
    const token = shared.costed[0]?.path.slice('/s/'.length) ?? '';
    for (const path of ['/brickfolio', '/brickfolio/entries', '/salesledger']) {
      expect((await site.world.call(path, token)).status).toBe(401);
    }
    expect((await fetch(`${site.url}/csv/${token}/holdings.csv`)).status).toBe(404);
  });
});

/** Without the random ID of the request, and the calls that are left. */
function withoutMeta(answer: string): string {
  return answer.replace(/"meta":\{.*$/s, '').replace(/"request_?id":"[^"]*"/gi, '');
}

test('after everything is revoked, nothing opens, and nothing is told apart', async () => {
  await revokeAll(owner);
  const unknown = (await site.visitor().get(`/s/${'x'.repeat(43)}`)).html;
  for (const { visitor, path } of [...shared.plain, ...shared.costed]) {
    for (const end of ends) {
      const seen = await visitor.get(`${path}${end}`);
      expect([path, end, seen.status]).toEqual([path, end, 404]);
      if (path.startsWith('/s/')) expect(seen.html).toBe(unknown);
      const words = [...neverShared, ...costFigures, ...boxWords, email, 'Set 100', 'Shelf'];
      expect(leaksIn(path, seen, words)).toEqual([]);
    }
  }
  const list = await member.get('/account/sharing');
  expect(leaksIn('', list, [email, 'Shelf'])).toEqual([]);
});
