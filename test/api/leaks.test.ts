/** No response contains data of another account. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { endpoints } from '../../src/contract/endpoints.ts';
import { addPerson, ledgerSale, lot, type Person, setWorth } from '../support/person.ts';
import { skipIds } from '../support/tables.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

const upcs = ['673419000017', '673419000024', '673419000031', '673419000048'];

/** Both hold set 100, Ann 200, Bob 300, nobody 400; all are offered by a retailer. */
const market: readonly FeedLine[] = ['100', '200', '300', '400'].flatMap((number, index) => {
  const [set, ...sales] = setWorth(number, { sealed: 100 + index });
  const offer = { kind: 'offer', retailer: 'retailer_a', set_number: number, asin: `A${number}` };
  return [
    { ...set, upc: upcs[index] },
    ...sales,
    { ...offer, observed_at: '2026-11-01T00:00:00Z', price: 90 },
    { ...offer, observed_at: '2026-11-15T11:45:00Z', price: 80 + index },
  ];
});

/** Both use the same source IDs and the same dates. */
const annLines: readonly FeedLine[] = [
  { kind: 'brickfolio', name: 'ANNS-SECRET shelf', description: 'ANNS-SECRET words' },
  { kind: 'brickfolio', name: 'ANNS-SECRET attic' },
  ...lotsIn('ANNS-SECRET shelf', [
    lot('lot-1', 2, { purchase_price_usd: 42424.42, purchase_date: '2026-09-20' }),
    lot('lot-2', 54321, { set_number: '200', purchase_price_usd: 13579.13, status: 'listed' }),
  ]),
  ...lotsIn('ANNS-SECRET attic', [
    lot('lot-3', 1, { condition: 'used', purchase_price_usd: 1.5, purchase_date: '2026-11-01' }),
  ]),
  ledgerSale('sale-1', 1, { gross_proceeds_usd: 86420.24, platform_fees_usd: 12340.99 }),
];

const bobLines: readonly FeedLine[] = [
  { kind: 'brickfolio', name: 'BOBS-SECRET shelf', description: 'BOBS-SECRET words' },
  ...lotsIn('BOBS-SECRET shelf', [
    lot('lot-1', 3, { purchase_price_usd: 31337.77, purchase_date: '2026-09-20' }),
    lot('lot-2', 81919, { set_number: '300', purchase_price_usd: 27182.81 }),
  ]),
  ledgerSale('sale-1', 2, { gross_proceeds_usd: 16180.33, lot: 'lot-1' }),
  ledgerSale('sale-2', 65537, { set_number: '300', gross_proceeds_usd: 14142.13 }),
];

function lotsIn(brickfolio: string, lots: readonly FeedLine[]): FeedLine[] {
  return lots.map((line) => ({ ...line, brickfolio }));
}

/** Values that must not appear in responses to others, or only if they were in the request. */
const secrets = {
  ann: ['ANNS-SECRET', '42424.42', '13579.13', '54321', '86420.24', '12340.99', '21212.96'],
  bob: ['BOBS-SECRET', '31337.77', '27182.81', '16382', '16180.33', '65537', '14142.13'],
};
const heldAlone = { ann: ['"200"', 'Set 200'], bob: ['"300"', 'Set 300'] };

const pages = ['', '?limit=1', '?limit=250', '?offset=1', '?limit=1&offset=1', '?offset=5000'];
const windows = ['30m', '3h', '24h', '7d', '999999d', '0m'];
const privatePaths = [
  '/brickfolio',
  ...['', '?period=30d', '?period=90d', '?period=1y'].map((q) => `/brickfolio/analytics${q}`),
  ...pages.flatMap((page) => [`/brickfolio/entries${page}`, `/salesledger${page}`]),
  '/brickfolio/retail-watch',
  ...windows.map((window) => `/brickfolio/retail-watch?changed_within=${window}`),
  '/brickfolio/retail-watch?since=2026-11-15T00:00:00Z&changed_within=7d',
  '/brickfolio/retail-watch?asin=A100,A200,A300,A400',
  `/brickfolio/retail-watch?upc=${upcs.join(',')}`,
  `/brickfolio/retail-watch?asin=A100&upc=${upcs[0]}&since=1990-01-01T00:00:00Z`,
];
const lookUps = ['100', '200', '300', '400'].flatMap((number, index) => [
  `/set/${number}/retail-prices`,
  `/retail-prices?set=${number}`,
  `/retail-prices?asin=A${number}`,
  `/retail-prices?upc=${upcs[index]}`,
]);

/** All paths about one collection. */
const pathsOf = (ids: readonly number[]) =>
  ids.flatMap((id) => pages.map((page) => entriesOf(id, page)));
const entriesOf = (id: number, page = '') =>
  `/brickfolio/entries?brickfolio_id=${id}${page.replace('?', '&')}`;
const idsOf = async (who: Person) => (await who.brickfolios()).brickfolios.map((b) => b.id);

let world: World;
let annAlone: World;
let bobAlone: World;
let ann: Person;
let bob: Person;
let nil: Person;
let lonelyAnn: Person;
let lonelyBob: Person;

beforeAll(async () => {
  [world, annAlone, bobAlone] = await Promise.all([startWorld(), startWorld(), startWorld()]);
  for (const each of [world, annAlone, bobAlone]) await each.load(market);
  // Bob's lines are imported between Ann's, and his IDs are distinctive.
  ann = await addPerson(world, 'ann@example.com', annLines.slice(0, 3));
  for (const table of ['brickfolio', 'lot', 'ledger_sale']) {
    await skipIds(world.folder, table, 8880000);
  }
  bob = await addPerson(world, 'bob@example.com', bobLines);
  await ann.load(...annLines);
  nil = await addPerson(world, 'nil@example.com');
  lonelyAnn = await addPerson(annAlone, 'ann@example.com', annLines);
  lonelyBob = await addPerson(bobAlone, 'bob@example.com', bobLines);
});

afterAll(() => Promise.all([world, annAlone, bobAlone].map((each) => each.close())));

/** The whole response except the random request ID. */
async function wire(who: Person, path: string): Promise<string> {
  const response = await who.ask(path);
  const head = `${response.status} ${JSON.stringify([...response.headers])}`;
  const requestId = response.headers.get('x-request-id') ?? '';
  return `${head} ${await response.text()}`.replaceAll(requestId, '');
}

test('the paths below use every parameter of every endpoint that depends on the caller', () => {
  const tested = [...privatePaths, ...pathsOf([1]), ...lookUps];
  for (const { path, scope, query } of Object.values(endpoints)) {
    if (scope !== 'caller' && !path.endsWith('retail-prices')) continue;
    const start = path.replace('{number}', '100');
    const own = tested.filter((one) => one.split('?', 1)[0] === start);
    for (const name of ['', ...Object.keys(query.properties).map((key) => `${key}=`)]) {
      const uses = own.filter((one) => one.includes(name));
      expect({ path, name, isAsked: uses.length > 0 }).toEqual({ path, name, isAsked: true });
    }
  }
});

describe('no response contains data of other accounts', () => {
  test.each([
    ['Ann', () => ann, () => [bob], [...secrets.bob], heldAlone.bob],
    ['Bob', () => bob, () => [ann], [...secrets.ann], heldAlone.ann],
    [
      'an account without data',
      () => nil,
      () => [ann, bob],
      [...secrets.ann, ...secrets.bob],
      [...heldAlone.ann, ...heldAlone.bob, '"100"'],
    ],
  ] as const)('to %s', async (_, who, others, hidden, notHeld) => {
    const foreignIds = (await Promise.all(others().map(idsOf))).flat();
    const find = async (path: string, texts: readonly string[]) => {
      const bytes = await wire(who(), path);
      return texts.filter((text) => bytes.includes(text)).map((text) => `${path}: ${text}`);
    };
    const ids = foreignIds.filter((id) => id > 8_880_000).map(String);
    const own = pathsOf(await idsOf(who()));
    const found: string[] = [];
    for (const path of [...privatePaths, ...own, ...pathsOf(foreignIds)]) {
      found.push(...(await find(path, [...hidden, ...notHeld, ...ids])));
    }
    for (const path of lookUps) found.push(...(await find(path, [...hidden, ...ids])));
    expect(found).toEqual([]);
  });

  test('and each account finds its own secrets, which shows that the search works', async () => {
    for (const [who, name] of [
      [ann, 'ann'],
      [bob, 'bob'],
    ] as const) {
      const all = await Promise.all([...privatePaths, ...lookUps].map((path) => who.data(path)));
      const texts = [...secrets[name], ...heldAlone[name]];
      expect(texts.filter((text) => !all.some((data) => data.includes(text)))).toEqual([]);
    }
  });
});

/** Replaces each ID by its index in the response. */
function withoutIds(data: string): unknown {
  const ids = (key: string) => {
    const found = [...data.matchAll(new RegExp(`"${key}":(\\d+)`, 'g'))];
    return [...new Set(found.map((match) => Number(match[1])))].sort((a, b) => a - b);
  };
  const known: Record<string, number[]> = { id: ids('id'), brickfolio_id: ids('brickfolio_id') };
  return JSON.parse(data, (key, value) => known[key]?.indexOf(value) ?? value);
}

test.each([
  ['Ann', () => ann, () => lonelyAnn],
  ['Bob', () => bob, () => lonelyBob],
])(
  'the responses of %s are those of a world without the others, except for IDs',
  async (_, who, lonely) => {
    for (const path of [...privatePaths, ...lookUps]) {
      const [here, there] = [await who().data(path), await lonely().data(path)];
      expect({ path, data: withoutIds(here) }).toEqual({ path, data: withoutIds(there) });
    }
    const [here, there] = [pathsOf(await idsOf(who())), pathsOf(await idsOf(lonely()))];
    expect(here).toHaveLength(there.length);
    for (const [index, path] of here.entries()) {
      const other = await lonely().data(there[index] ?? '');
      expect(withoutIds(await who().data(path))).toEqual(withoutIds(other));
    }
  },
);

test('an account without holdings gets empty lists, and no paid', async () => {
  const empty = (total: string) => `"pagination":{"total":0,${total},"offset":0,"has_more":false}`;
  expect(await nil.data('/brickfolio')).toBe('{"brickfolios":[],"monthly_periods":[]}');
  expect(await nil.data('/brickfolio/entries')).toBe(`{"entries":[],${empty('"limit":50')}}`);
  expect(await nil.data('/salesledger?limit=7')).toBe(`{"sales":[],${empty('"limit":7')}}`);
  for (const path of privatePaths.filter((one) => one.includes('retail-watch'))) {
    expect(await nil.data(path)).toBe('[]');
  }
  const { summary, value_history } = await nil.analytics();
  expect(new Set(Object.values(summary))).toEqual(new Set([0, null]));
  expect(new Set(value_history.map((point) => point.total_value_usd))).toEqual(new Set([0]));
  for (const path of lookUps) expect(await nil.data(path)).not.toContain('paid');
});

test('paid is the average cost of the caller, and only for sets that they hold', async () => {
  const paid = async (who: Person, path: string) => (await who.get<{ paid?: number }>(path)).paid;
  for (const [index, path] of lookUps.entries()) {
    const place = Math.floor(index / 4);
    // Ann holds one unit at 42424.42 and one at 1.50 of set 100.
    expect(await paid(ann, path)).toBe([21212.96, 13579.13][place]);
    expect(await paid(bob, path)).toBe([31337.77, undefined, 27182.81][place]);
  }
});

test("another account's collection looks exactly like one that does not exist, including headers", async () => {
  const seen = async (who: Person, id: number, page: string) => {
    const before = await who.used();
    const response = await who.ask(entriesOf(id, page));
    const headers = new Headers(response.headers);
    const left = headers.get('x-ratelimit-remaining');
    for (const name of ['x-request-id', 'date', 'x-ratelimit-remaining']) headers.delete(name);
    const cost = (await who.used()) - before;
    expect(left).toBe(String(100_000 - before - cost));
    return { status: response.status, body: await response.text(), headers: [...headers], cost };
  };
  const [annIds, bobIds] = [await idsOf(ann), await idsOf(bob)];
  for (const [who, ids] of [
    [ann, bobIds],
    [bob, annIds],
    [nil, [...annIds, ...bobIds]],
  ] as const) {
    for (const page of pages) {
      const unknown = await seen(who, 999_999, page);
      expect(unknown).toMatchObject({ status: 404, cost: 1 });
      for (const id of ids) expect(await seen(who, id, page)).toEqual(unknown);
    }
  }
});

test('in alternating and concurrent requests, all get their own data, cached or not', async () => {
  const everybody = [ann, bob, nil];
  for (const path of [...privatePaths, ...lookUps]) {
    const own = await Promise.all(everybody.map((who) => who.data(path)));
    const again = await Promise.all([...everybody, ...everybody].map((who) => who.data(path)));
    expect(again).toEqual([...own, ...own]);
    for (const [index, who] of everybody.toReversed().entries()) {
      expect(await who.data(path)).toBe(own[2 - index] ?? '');
    }
  }
});
