/** Minifigs are held like sets, and version 1 never notices them. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { plusPrefix } from '../../src/contract/limits.ts';
import type {
  HoldingsSummary,
  OwnHoldingPage,
  RecordedSalePage,
} from '../../src/contract/plus/holdings.ts';
import { dayMs } from '../../src/kernel/time.ts';
import {
  centsOf,
  collectionNames,
  inOrder,
  lotLines,
  madeUpCollection,
  saleLines,
  setCount,
} from '../support/collection.ts';
import { addPerson, ledgerSale, lot, type Person, setWorth, shelf } from '../support/person.ts';
import { runsOnEngine } from '../support/random-runs.ts';
import { skipIds } from '../support/tables.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let runs = 0;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

/** A minifig with a sale at each of these prices. */
function minifigWorth(
  minifig_number: string,
  prices: { readonly sealed?: number; readonly used?: number },
  facts: FeedLine = {},
): FeedLine[] {
  const sales = Object.entries(prices).map(([condition, price]) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${minifig_number} ${condition}`,
    item_type: 'minifig',
    item: minifig_number,
    condition,
    price,
    sold_at: '2026-10-01T10:00:00Z',
  }));
  const minifig = { kind: 'minifig', minifig_number, name: `Fig ${minifig_number}` };
  return [{ ...minifig, category: 'Castle', ...facts }, ...sales];
}

/** The same line for a minifig. */
function ofMinifig(line: FeedLine, number: string): FeedLine {
  const { set_number: _, source_id, lot: from, ...rest } = line;
  const named = from === undefined ? {} : { lot: `fig ${from}` };
  return { ...rest, ...named, source_id: `fig ${source_id}`, minifig_number: number };
}

const version1 = [
  '/brickfolio',
  ...['30d', '90d', '1y'].map((period) => `/brickfolio/analytics?period=${period}`),
  ...['', '?limit=1', '?limit=250', '?limit=2&offset=1'].flatMap((page) => [
    `/brickfolio/entries${page}`,
    `/salesledger${page}`,
  ]),
  '/brickfolio/retail-watch',
];

async function answersOf(who: Person): Promise<string[]> {
  const { brickfolios } = await who.brickfolios();
  const ofEach = brickfolios.map(({ id }) => `/brickfolio/entries?brickfolio_id=${id}`);
  return Promise.all([...version1, ...ofEach].map((path) => who.data(path)));
}

test('version 1 gives the same bytes with and without minifigs, for any collection', async () => {
  await fc.assert(
    fc.asyncProperty(madeUpCollection, madeUpCollection, async (ofSets, ofMinifigs) => {
      const run = ++runs;
      const sets = Array.from({ length: setCount }, (_, index) => `${3000 + run}0${index}`);
      // Some minifigs have the number of a set.
      const figs = sets.map((number, index) => (index === 0 ? number : `fig${run}${index}`));
      const offer = { kind: 'offer', retailer: 'retailer_a', price: 25 };
      await world.load([
        ...sets.flatMap((number, index) => [
          ...setWorth(number, { sealed: 10 + index, used: 5 + index }),
          { ...offer, set_number: number, observed_at: '2026-11-01T00:00:00Z' },
        ]),
        ...figs.flatMap((number, index) => minifigWorth(number, { used: 3 + index, sealed: 9 })),
      ]);
      const who = await addPerson(world, `minifigs-${run}@example.com`);
      const shelves = collectionNames.map((name) => ({ kind: 'brickfolio', name }));
      const own = [...lotLines(ofSets, sets), ...saleLines(ofSets, sets)];
      await who.load(...shelves, ...inOrder(own, ofSets.orders));
      const before = await answersOf(who);
      const more = [...lotLines(ofMinifigs, sets), ...saleLines(ofMinifigs, sets)].map((line) =>
        ofMinifig(line, figs[sets.indexOf(String(line.set_number))] ?? ''),
      );
      await who.load(...inOrder(more, ofMinifigs.orders));
      expect(await answersOf(who)).toEqual(before);
      const summary = await plus<HoldingsSummary>(who, '/holdings/summary');
      const { holdings } = await plus<OwnHoldingPage>(who, '/holdings?limit=250');
      const kinds = Map.groupBy(holdings, (each) => each.item_type);
      const units = (kind: 'set' | 'minifig') =>
        (kinds.get(kind) ?? []).reduce((sum, each) => sum + each.quantity, 0);
      expect([summary.sets.item_count, summary.minifigs.item_count]).toEqual([
        units('set'),
        units('minifig'),
      ]);
      const {
        total_sets,
        total_items,
        top_gainer: _,
        top_loser: __,
        ...sums
      } = (await who.analytics()).summary;
      expect(summary.sets).toEqual({
        distinct_count: total_sets,
        item_count: total_items,
        ...sums,
      });
      expect(centsOf(summary.all.total_current_value_usd)).toBe(
        centsOf(summary.sets.total_current_value_usd) +
          centsOf(summary.minifigs.total_current_value_usd),
      );
    }),
    { seed: 37, numRuns: runsOnEngine(15) },
  );
});

const plus = <T>(who: Person, path: string) => who.get<T>(`${plusPrefix}${path}`);

describe('the Plus API', () => {
  const market = [
    ...setWorth('100', { sealed: 100 }),
    ...minifigWorth('cas001', { used: 4 }, { aliases: ['fig-000777'] }),
    ...minifigWorth('cas002', {}),
  ];
  const fig = (source_id: string, quantity: number, facts: FeedLine = {}) => {
    const { set_number: _, ...line } = lot(source_id, quantity, { condition: 'used', ...facts });
    return line;
  };
  const figSale = (source_id: string, quantity: number, facts: FeedLine = {}) => {
    const { set_number: _, ...line } = ledgerSale(source_id, quantity, facts);
    return line;
  };
  const listed = {
    status: 'listed',
    grade: 'complete_boxed',
    notes: 'Two lines,\nno cape',
    tags: ['gift', 'rare'],
    place: 'Shelf A > Bin 3',
    bought_at: 'Flea market',
    asking_price_usd: 7.5,
    listing_url: 'https://www.example.com/listing/4711',
    listed_at: '2026-11-01',
    own_fields: { Seal: 'none', Buyer: 'Cy' },
  };
  const lines = [
    shelf,
    { kind: 'brickfolio', name: 'Attic' },
    lot('set', 2),
    fig('one', 3, { minifig_number: 'cas001', purchase_price_usd: 1.5 }),
    fig('two', 1, { minifig_number: 'fig-000777', brickfolio: 'Attic', ...listed }),
    fig('three', 1, { minifig_number: 'cas002', purchase_date: '2025-01-01' }),
    ledgerSale('sold set', 1),
    figSale('sold fig', 1, { minifig_number: 'cas001', sale_date: '2026-07-01' }),
  ];
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    await world.load(market);
    ann = await addPerson(world, 'ann@example.com', lines);
    for (const table of ['brickfolio', 'lot', 'ledger_sale']) {
      await skipIds(world.folder, table, 7770000);
    }
    bob = await addPerson(world, 'bob@example.com', [
      shelf,
      fig('b', 31337, {
        minifig_number: 'cas001',
        purchase_price_usd: 271.82,
        notes: 'hush note',
        tags: ['hush tag'],
        place: 'hush place',
        bought_at: 'hush shop',
        asking_price_usd: 577.21,
        listing_url: 'https://www.example.com/hush',
        own_fields: { 'hush name': 'hush value' },
      }),
      figSale('s', 161, { minifig_number: 'cas001', gross_proceeds_usd: 31415.92 }),
    ]);
  });

  const numbers = async (query: string) =>
    (await plus<OwnHoldingPage>(ann, `/holdings${query}`)).holdings.map(
      ({ number, quantity }) => `${number} ${quantity}`,
    );

  test('lists sets and minifigs under the numbers they were entered, and shares their evidence', async () => {
    const { holdings } = await plus<OwnHoldingPage>(ann, '/holdings');
    const told = holdings.map((each) => [
      each.item_type,
      each.number,
      each.title,
      each.quantity,
      each.current_value_usd,
    ]);
    expect(told).toEqual([
      ['set', '100', 'Set 100', 1, 100],
      ['minifig', 'cas001', 'Fig cas001', 2, 4],
      ['minifig', 'fig-000777', 'Fig cas001', 1, 4],
      ['minifig', 'cas002', 'Fig cas002', 1, null],
    ]);
  });

  test('has the details of units, null where they are not known', async () => {
    const [set, , fig] = (await plus<OwnHoldingPage>(ann, '/holdings')).holdings;
    const { status: _, ...details } = listed;
    expect(fig).toMatchObject({
      ...details,
      place: 'Shelf A › Bin 3',
      days_listed: 14,
      own_fields: [
        { name: 'Buyer', value: 'Cy' },
        { name: 'Seal', value: 'none' },
      ],
    });
    expect(set).toMatchObject({
      grade: null,
      notes: null,
      tags: [],
      place: null,
      bought_at: null,
      asking_price_usd: null,
      listing_url: null,
      listed_at: null,
      days_listed: null,
      own_fields: [],
    });
  });

  test('days since a listing are those of today, also in a cached response', async () => {
    const daysListed = async () =>
      (await plus<OwnHoldingPage>(ann, '/holdings')).holdings[2]?.days_listed;
    const before = world.now;
    const days = await daysListed();
    world.now += dayMs;
    expect(await daysListed()).toBe((days ?? 0) + 1);
    world.now = before;
  });

  test('filters holdings', async () => {
    const { brickfolios } = await ann.brickfolios();
    const attic = brickfolios.find(({ name }) => name === 'Attic')?.id;
    expect(await numbers('?item_type=set')).toEqual(['100 1']);
    expect(await numbers(`?brickfolio_id=${attic}`)).toEqual(['fig-000777 1']);
    expect(await numbers('?status=listed')).toEqual(['fig-000777 1']);
    expect(await numbers('?condition=sealed')).toEqual(['100 1']);
    // A minifig is found by any of its numbers.
    expect(await numbers('?number=FIG-000777')).toEqual(['cas001 2', 'fig-000777 1']);
    expect(await numbers('?number=100-1')).toEqual(['100 1']);
    expect(await numbers('?purchased_to=2025-12-31')).toEqual(['cas002 1']);
    expect(await numbers('?purchased_from=2026-01-01&item_type=minifig')).toEqual([
      'cas001 2',
      'fig-000777 1',
    ]);
    const elsewhere = await ann.ask(`${plusPrefix}/holdings?brickfolio_id=999999`);
    expect(elsewhere.status).toBe(404);
    expect((await ann.ask(`${plusPrefix}/holdings?purchased_to=2025-13-01`)).status).toBe(400);
  });

  test('pages after a position, to the end', async () => {
    const found: string[] = [];
    for (let after = 0, more = true; more; ) {
      const page = await plus<OwnHoldingPage>(ann, `/holdings?limit=1&after=${after}`);
      found.push(...page.holdings.map(({ number }) => number));
      [after, more] = [page.next, page.has_more];
    }
    expect(found).toEqual(['100', 'cas001', 'fig-000777', 'cas002']);
  });

  test('lists sales of both kinds', async () => {
    const list = async (query: string) =>
      (await plus<RecordedSalePage>(ann, `/sales${query}`)).sales.map(
        ({ number, cost_basis_usd: cost }) => `${number} ${cost}`,
      );
    expect(await list('')).toEqual(['100 60', 'cas001 1.5']);
    expect(await list('?item_type=minifig')).toEqual(['cas001 1.5']);
    expect(await list('?number=fig-000777')).toEqual(['cas001 1.5']);
    expect(await list('?sold_to=2026-06-30')).toEqual(['100 60']);
    expect(await list('?condition=used')).toEqual(['cas001 1.5']);
    expect(await list('?platform=amazon')).toEqual([]);
  });

  test('answers nothing of another account', async () => {
    const theirs = (await bob.brickfolios()).brickfolios.map(({ id }) => id);
    const paths = [
      ...['', '?limit=250', '?number=cas001', '?item_type=minifig', '?after=0'].flatMap((query) => [
        `/holdings${query}`,
        `/sales${query}`,
      ]),
      '/holdings/summary',
      ...theirs.flatMap((id) => [
        `/holdings?brickfolio_id=${id}`,
        `/holdings/summary?brickfolio_id=${id}`,
      ]),
    ];
    const secrets = ['31176', '31337', '271.82', '31415.92', '777000', '577.21', 'hush'];
    expect(await (await bob.ask(`${plusPrefix}/holdings`)).text()).toContain('hush value');
    for (const path of paths) {
      const body = await (await ann.ask(`${plusPrefix}${path}`)).text();
      const leaked = secrets.filter((secret) => body.includes(secret));
      expect({ path, leaked }).toEqual({ path, leaked: [] });
    }
    // Somebody else's collection looks like one that does not exist.
    for (const path of ['/holdings', '/holdings/summary']) {
      const [other, none] = await Promise.all(
        [theirs[0], 123456789].map(async (id) =>
          (await ann.ask(`${plusPrefix}${path}?brickfolio_id=${id}`)).json(),
        ),
      );
      expect((other as { error: unknown }).error).toEqual((none as { error: unknown }).error);
    }
  });
});
