/** The catalog as a list: filters, orders, fields, pages and what they cost. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { smallMarket } from '../support/market.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('ann@example.com');
  key = await world.addKey('ann@example.com', { allowance: 100_000 });
});

afterAll(() => world.close());

type Listed = Readonly<Record<string, unknown>> & {
  readonly set_number: string;
  readonly minifig_number: string;
};

interface Answer {
  readonly data: {
    readonly sets: readonly Listed[];
    readonly minifigs: readonly Listed[];
    readonly total: number;
    readonly next: string | null;
  };
  readonly error: { readonly code: string; readonly message: string };
  readonly meta: { readonly rate_limit: { readonly remaining: number } };
}

async function read(path: string, as = key): Promise<Answer> {
  return (await (await world.call(`/api/plus/v1${path}`, as)).json()) as Answer;
}

const numbers = async (query: string) => {
  const { data } = await read(`/sets?${query}`);
  return data.sets.map(({ set_number }) => set_number).join(' ');
};

/** The record of a set, to compare with. */
async function setOf(number: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = (await (await world.call(`/set/${number}`, key)).json()) as Pick<Answer, 'data'>;
  return answer.data as unknown as Listed;
}

describe('filters and orders', () => {
  const all = ['5001', '6001', '6002', '6003', '7001', '75192', '75192-2'];

  test('without any, all sets are listed by number as search lists them', async () => {
    const { data } = await read('/sets');
    expect(data.sets.map(({ set_number }) => set_number)).toEqual(all);
    expect([data.total, data.next]).toEqual([7, null]);
    const found = await world.call('/catalog/sets/search?q=75192', key);
    const { results } = ((await found.json()) as { data: { results: Listed[] } }).data;
    expect(data.sets[5]).toEqual(results[0] as Listed);
  });

  test.each([
    ['theme=Castle', '75192 75192-2'],
    ['theme=castle', ''],
    ['subtheme=Crown', '75192'],
    ['status_id=1', '6001'],
    ['status_id=4&theme=Castle', '75192'],
    ['min_year=2025', '6001 6002'],
    ['min_year=2020&max_year=2024', '6003 75192'],
    ['max_pieces=200', '5001 6003'],
    ['min_pieces=1', '6003 75192'],
    ['min_pieces=0&max_pieces=0', '5001'],
    ['min_tier=modeled&min_pieces=1500', '75192'],
    // As it is shown: 149.99 / 1500 is 0.09999333.
    ['min_price_per_piece_usd=0.1&max_price_per_piece_usd=0.1', '75192'],
    ['max_price_per_piece_usd=0.0999', ''],
    ['sort=-number&limit=2', '75192-2 75192'],
    ['sort=pieces', '5001 6003 75192 6001 6002 7001 75192-2'],
    ['sort=-pieces', '75192 6003 5001 6001 6002 7001 75192-2'],
    ['sort=-year', '6001 6002 6003 75192 5001 7001 75192-2'],
  ])("apply to '%s'", async (query, expected) => {
    expect(await numbers(query)).toBe(expected);
  });

  test('values, changes and prices are those of the sets', async () => {
    const fields =
      'new_value_usd,data_tier,change_30d_pct,change_90d_pct,change_365d_pct,' +
      'price_per_piece_usd,retail_price_usd,below_value_pct,msrp_usd,pieces,retailers';
    const { data } = await read(`/sets?fields=${fields}`);
    for (const listed of data.sets) {
      const { set_number, change_30d_pct, change_90d_pct, change_365d_pct, ...rest } = listed;
      const set = await setOf(set_number);
      const { retail_price_usd, below_value_pct, price_per_piece_usd, ...same } = rest;
      expect(set).toMatchObject(same);
      const [value, msrp, pieces] = [set.new_value_usd, set.msrp_usd, set.pieces] as number[];
      const perPiece = msrp && pieces ? Math.round((msrp / pieces) * 10_000) / 10_000 : null;
      expect(price_per_piece_usd).toBe(perPiece);
      const inStock = (set.retailers as { in_stock: boolean; current_price: number }[])
        .filter(({ in_stock }) => in_stock)
        .map(({ current_price }) => current_price);
      const price = inStock.length === 0 ? null : Math.min(...inStock);
      expect(retail_price_usd).toBe(price);
      const below = price && value ? Math.round((10_000 * (value - price)) / value) / 100 : null;
      expect(below_value_pct).toBe(below);
      for (const change of [change_30d_pct, change_90d_pct, change_365d_pct]) {
        expect(change === null || typeof change === 'number').toBe(true);
      }
    }
    const castle: Partial<Listed> = data.sets.find((set) => set.set_number === '75192') ?? {};
    const { new_value_usd: value, change_30d_pct: change, below_value_pct: below } = castle;
    expect([value, change, below].map((each) => typeof each)).toEqual(Array(3).fill('number'));
    // A limit is inclusive.
    const above = (number: unknown) => (Number(number) + 0.01).toFixed(2);
    const within = async (query: string) => (await numbers(query)).split(' ').includes('75192');
    expect(await within(`min_value_usd=${value}&max_value_usd=${value}`)).toBe(true);
    expect(await within(`min_value_usd=${above(value)}`)).toBe(false);
    expect(await within(`min_change_30d_pct=${change}&max_change_30d_pct=${change}`)).toBe(true);
    expect(await within(`min_change_30d_pct=${above(change)}`)).toBe(false);
    expect(await within(`min_below_value_pct=${below}`)).toBe(true);
    expect(await within(`min_below_value_pct=${above(below)}`)).toBe(false);
  });

  test('minifigs have filters, orders and fields of their own', async () => {
    const list = async (query: string) => (await read(`/minifigs?${query}`)).data.minifigs;
    expect((await list('')).map((each) => each.minifig_number)).toEqual(['cas001', 'cas002']);
    expect(await list('theme=Castle&min_year=2019&fields=name,data_tier,sets')).toEqual([
      { minifig_number: 'cas001', name: 'Knight of the Café', data_tier: 'low', sets: ['75192'] },
    ] as never);
    const { error } = await read('/minifigs?min_pieces=5');
    expect(error.message).toContain("Unknown query parameter 'min_pieces'");
  });
});

describe('pages', () => {
  test('pages have every set once, and survive a publication in between', async () => {
    const first = (await read('/sets?sort=-year&limit=3')).data;
    await world.load([{ kind: 'set', set_number: '9001', title: 'New', theme: 'X', year: 2030 }]);
    const rest = (await read(`/sets?sort=-year&limit=3&after=${first.next}`)).data;
    const last = (await read(`/sets?sort=-year&limit=3&after=${rest.next}`)).data;
    expect([first.total, rest.total, last.next]).toEqual([7, 8, null]);
    const listed = [first, rest, last].flatMap(({ sets }) => sets.map((set) => set.set_number));
    expect(listed).toEqual(['6001', '6002', '6003', '75192', '5001', '7001', '75192-2']);
  });

  test('a page that did not change is a 304', async () => {
    const path = '/api/plus/v1/sets?theme=Castle';
    const tag = (await world.call(path, key)).headers.get('etag') ?? '';
    const again = await world.call(path, key, { headers: { 'If-None-Match': tag } });
    expect([tag === '', again.status]).toEqual([false, 304]);
  });

  test('a 304 costs one call, also if no more are left; a page that changed is not cheaper', async () => {
    const scarce = await world.addKey('ann@example.com', { allowance: 6 });
    const get = async (tag: string) => {
      const path = '/api/plus/v1/sets?fields=new_value_usd&limit=3';
      const { status, headers } = await world.call(path, scarce, {
        headers: { 'If-None-Match': tag },
      });
      return [status, headers.get('X-RateLimit-Cost'), headers.get('ETag')];
    };
    const [, , tag] = await get('"none"');
    const same = String(tag);
    expect(await get(same)).toEqual([304, '1', same]);
    expect(await get('"none"')).toEqual([429, '0', null]);
    expect(await get(same)).toEqual([304, '1', same]);
    expect(await get(same)).toEqual([304, '1', same]);
    expect(await get(same)).toEqual([429, '0', null]);
  });
});

describe('costs', () => {
  const costOf = async (path: string) => {
    const before = await read('/sets?limit=1');
    const after = await read(path);
    return before.meta.rate_limit.remaining - after.meta.rate_limit.remaining;
  };

  test.each([
    ['/sets', 1],
    ['/sets?fields=title,year&theme=Castle&sort=-pieces', 1],
    ['/sets?theme=Castle&sort=price_per_piece', 2],
    ['/sets?theme=Castle&fields=new_value_usd', 2],
    ['/sets?theme=Castle&fields=title,data_tier', 2],
    ['/sets?theme=Castle&sort=value', 2],
    ['/sets?theme=Castle&sort=-change_30d', 2],
    ['/sets?max_value_usd=100000&limit=2', 2],
    ['/sets?theme=nothing&fields=new_value_usd', 1],
    ['/minifigs?fields=name', 1],
    ['/minifigs?fields=current_value_usd', 2],
    ['/minifigs?fields=current_value_usd&limit=1', 1],
  ])('%s costs %i', async (path, cost) => {
    expect(await costOf(path)).toBe(cost);
  });

  test('a page has no more items than calls are left, and the next one continues', async () => {
    const scarce = await world.addKey('ann@example.com', { allowance: 3 });
    const { data, meta } = await read('/sets?fields=new_value_usd', scarce);
    expect([data.sets.length, data.total, meta.rate_limit.remaining]).toEqual([3, 8, 0]);
    const rest = await read(`/sets?fields=new_value_usd&after=${data.next}`);
    const listed = [...data.sets, ...rest.data.sets].map((set) => set.set_number);
    expect(listed).toEqual((await read('/sets')).data.sets.map((set) => set.set_number));
    for (const path of ['/sets', '/sets?fields=new_value_usd']) {
      const { error } = await read(path, scarce);
      expect(error.message).toContain('needs 1 of the daily allowance of 3 calls and 0 are left');
    }
  });
});

test.each([
  ['/sets?min_year=2025&max_year=2020', "'min_year' must be at most 'max_year', which is 2020"],
  ['/sets?min_value_usd=2&max_value_usd=1.99', "'min_value_usd' must be at most 'max_value_usd'"],
  ['/sets?fields=new_value', "Unknown field 'new_value' in the query parameter 'fields'; did you"],
  ['/sets?fields=title,', "Unknown field '' in the query parameter 'fields'; use one of set_numb"],
  ['/minifigs?fields=title', "Unknown field 'title'"],
  ['/sets?sort=price', "'sort' must be one of number, -number, year"],
  ['/sets?min_change_30d_pct=--5', "'min_change_30d_pct' must be a number from -1000000"],
  ['/sets?after=x', "'after' must be the 'next' of the page before"],
  ['/sets?after=%20', "'after' must be the `next` of the page before"],
  ['/sets?offset=5', "Unknown query parameter 'offset'; use one of theme, subtheme, status_id"],
  ['/sets?limit=251', "'limit' must be"],
])('%s is refused', async (path, message) => {
  const { error } = await read(path);
  expect([error.code, error.message]).toEqual(['BadRequest', expect.stringContaining(message)]);
});

test('a cursor of another list is refused, and names what to send', async () => {
  const { next } = (await read('/sets?limit=1')).data;
  const { error } = await read(`/sets?limit=1&theme=Castle&after=${next}`);
  expect(error.message).toContain('belongs to a list with other filters or another sort; send');
});
