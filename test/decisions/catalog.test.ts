/** Decisions about the catalog, one test for each. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { SetSearchResult } from '../../src/contract/catalog.ts';
import type { MinifigRecord } from '../../src/contract/minifig.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { aSet } from '../support/builders.ts';
import { smallMarket } from '../support/market.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
});

afterAll(() => world.close());

async function get<T>(path: string): Promise<T> {
  const response = await world.call(path, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

const getSet = (number: string) => get<SetRecord>(`/set/${number}`);
const searchSets = async (query: string) =>
  get<{ results: SetSearchResult[]; pagination: object }>(`/catalog/sets/search?${query}`);
const foundSets = async (q: string) =>
  (await searchSets(`q=${encodeURIComponent(q)}`)).results.map((set) => set.set_number);

/** Adds another source's title of set 2002. */
async function describe2002(title: string): Promise<void> {
  const facts = aSet({ number: '2002', title, theme: 'Space' });
  await world.store.market.applyRows([{ kind: 'set', source: 'bricklink', facts }], world.now);
  await world.publisher.publishStale();
}

describe('set number forms', () => {
  test('75192 and 75192-1 are one set, shown as 75192; other variants keep their number', async () => {
    expect((await getSet('75192-1')).set_number).toBe('75192');
    expect((await getSet('75192')).title).toBe('Grand Castle');
    expect((await getSet('75192-2')).set_number).toBe('75192-2');
  });

  test("case is ignored, and the catalog's spelling is shown", async () => {
    await world.load([{ kind: 'set', set_number: 'Kit42-1', title: 'Kit', theme: 'Gear' }]);
    expect((await getSet('kIT42')).set_number).toBe('Kit42');
    const minifig = await get<MinifigRecord>('/minifig/CAS001');
    expect(minifig.minifig_number).toBe('cas001');
  });
});

test('a set is never returned as a minifig, whatever is cached', async () => {
  await get('/minifig/cas001');
  expect((await world.call('/set/minifig%20cas001', key)).status).toBe(404);
  expect((await world.call('/set/cas001', key)).status).toBe(404);
  expect((await world.call('/minifig/75192', key)).status).toBe(404);
});

describe('found: false', () => {
  test('echoes the number as sent, merges two forms of one number, keeps the order', async () => {
    const body = { sets: ['nope-1', '75192-1', '75192', 'NOPE'], minifigs: ['CAS001', 'None'] };
    const response = await world.call('/catalog/batch', key, batch(body));
    const { data } = (await response.json()) as {
      data: {
        sets: Record<string, unknown>[];
        minifigs: Record<string, unknown>[];
        summary: object;
      };
    };
    expect(data.sets.map((set) => [set.set_number, set.found])).toEqual([
      ['nope-1', false],
      ['75192', true],
    ]);
    expect(data.sets[0]).toEqual({ set_number: 'nope-1', found: false });
    expect(data.minifigs[1]).toEqual({ minifig_number: 'None', found: false });
    expect(data.summary).toEqual({ requested: 4, found: 2 });
    const minifig = await get<MinifigRecord>('/minifig/cas001');
    expect(data.minifigs[0]).toEqual({ ...minifig, found: true });
    expect(data.sets[1]).toEqual({ ...(await getSet('75192')), found: true });
  });
});

describe('nulls in a Set', () => {
  test('unknown fields are null, never 0, and there is no current_value_usd', async () => {
    expect(await getSet('7001')).toEqual({
      set_number: '7001',
      title: 'Mystery Box',
      theme: 'Gear',
      subtheme: null,
      pieces: null,
      minifigs_count: 0,
      minifigs: [],
      barcodes: { upc: null, ean: null },
      msrp_usd: null,
      release_date: null,
      retire_date: null,
      status_id: 2,
      data_tier: 'modeled',
      image_url: null,
      new_value_usd: null,
      used_value_usd: null,
      value_range: null,
      retailers: [],
      box: { width_in: null, height_in: null, depth_in: null, weight_lbs: null },
    });
  });

  test('pieces are 0 if the source says so; minifigs_count falls back to the list', async () => {
    expect(await getSet('5001')).toMatchObject({ pieces: 0, minifigs_count: 3, minifigs: [] });
    expect(await getSet('75192')).toMatchObject({
      minifigs_count: 2,
      minifigs: ['cas001', 'cas002'],
    });
  });
});

describe('nulls in a Minifig', () => {
  test('value and range are null without a sale; color is present only if known', async () => {
    const squire = await get<MinifigRecord>('/minifig/cas002');
    expect(squire).toEqual({
      minifig_number: 'cas002',
      name: 'Squire',
      category: null,
      year_released: null,
      image_url: null,
      current_value_usd: null,
      value_range: null,
      set_count: 1,
      sets: ['75192'],
    });
    const knight = await get<MinifigRecord>('/minifig/fig-000001');
    expect(knight).toMatchObject({ minifig_number: 'cas001', color: 'Red', current_value_usd: 8 });
  });
});

describe('status_id and retire_date', () => {
  test('1 announced, 2 available, 3 retiring soon, 4 retired; the date appears once it has passed', async () => {
    expect(await getSet('6001')).toMatchObject({ status_id: 1, retire_date: null });
    expect(await getSet('6002')).toMatchObject({ status_id: 2, retire_date: null });
    expect(await getSet('6003')).toMatchObject({ status_id: 3, retire_date: null });
    expect(await getSet('75192')).toMatchObject({ status_id: 4, retire_date: '2022-12-31' });
  });

  test('without a retirement date age decides, after a current offer of a retailer itself', async () => {
    const offered = (number: string, day: string, seller: string) => ({
      kind: 'offer',
      retailer: 'retailer_a',
      set_number: number,
      observed_at: `${day}T12:00:00Z`,
      price: 50,
      seller_type: seller,
      in_stock: true,
    });
    const hut = (number: string, facts: object) => ({
      kind: 'set',
      set_number: number,
      title: 'Hut',
      theme: 'Huts',
      ...facts,
    });
    await world.load([
      hut('6101', { year: 1984 }),
      hut('6102', { year: 2025 }),
      hut('6103', { release_date: '2020-01-01' }),
      offered('6103', '2026-05-20', 'retailer'),
      hut('6104', { release_date: '2020-01-01' }),
      offered('6104', '2026-05-18', 'retailer'),
      offered('6104', '2026-11-14', 'third_party'),
      hut('6105', { release_date: '2025-01-01', retire_date: '2026-01-31' }),
      offered('6105', '2026-03-04', 'retailer'),
    ]);
    const expected = [
      ['6101', 4, null],
      ['6102', 2, null],
      ['6103', 2, null],
      ['6104', 4, null],
      // In stock at a retailer after its retirement date.
      ['6105', 4, '2026-03-04'],
    ] as const;
    for (const [number, status_id, retire_date] of expected) {
      expect(await getSet(number)).toMatchObject({ set_number: number, status_id, retire_date });
      const [found] = (await searchSets(`q=${number}`)).results;
      expect(found).toMatchObject({ set_number: number, retired: status_id === 4 });
    }
    const { history } = await get<{ history: { event: string | null }[] }>('/set/6104/history');
    expect(history.some(({ event }) => event === 'retired')).toBe(false);
  });
});

describe('value_range and data_tier', () => {
  test('low ≤ new value ≤ high, calculated in the past, with the tier of its sales', async () => {
    const set = await getSet('75192');
    const { low, high, calculated_at } = set.value_range ?? { low: 0, high: 0, calculated_at: '' };
    expect(low).toBeLessThanOrEqual(set.new_value_usd ?? 0);
    expect(high).toBeGreaterThanOrEqual(set.new_value_usd ?? 0);
    expect(Date.parse(calculated_at)).toBeLessThanOrEqual(world.now);
    expect(set.new_value_usd).toBe(196);
    expect(set.used_value_usd).toBe(110);
    expect(set.data_tier).toBe('high');
    expect((await getSet('6002')).data_tier).toBe('modeled');
  });
});

describe('retailers of a Set', () => {
  test('one entry per retailer that ever had a price, retailer_a first, with the last price', async () => {
    expect((await getSet('75192')).retailers).toEqual([
      {
        retailer: 'retailer_a',
        retailer_name: 'Retailer A',
        current_price: 119.99,
        list_price: 149.99,
        discount_percent: 20,
        in_stock: false,
        is_first_party: true,
        product_url: 'https://retailer-a.example.com/75192',
        last_checked_at: '2026-11-12T00:00:00.000Z',
      },
      {
        retailer: 'retailer_b',
        retailer_name: 'Retailer B',
        current_price: 180,
        list_price: 149.99,
        discount_percent: 0,
        in_stock: true,
        is_first_party: false,
        product_url: null,
        last_checked_at: '2026-11-10T00:00:00.000Z',
      },
    ]);
  });
});

describe('q', () => {
  test('ignores case and accents', async () => {
    const { results } = await get<{ results: { minifig_number: string }[] }>(
      '/catalog/minifigs/search?q=CAFE',
    );
    expect(results.map((minifig) => minifig.minifig_number)).toEqual(['cas001']);
  });

  test('items with every word in the number or the name come first', async () => {
    expect((await foundSets('castle 75192')).slice(0, 2)).toEqual(['75192', '75192-2']);
  });

  test('the release year is a word next to others', async () => {
    const ferry = (set_number: string, release_date: string) => ({
      kind: 'set',
      set_number,
      title: 'Car Ferry',
      theme: 'Rank',
      release_date,
    });
    await world.load([ferry('5001', '2021-03-01'), ferry('5002', '2023-03-01')]);
    expect(await foundSets('car ferry 2023')).toEqual(['5002']);
    expect(await foundSets('2021 ferry')).toEqual(['5001']);
    expect(await foundSets('2023')).toEqual([]);
  });

  test('regular sets come before promotional items and days of calendars', async () => {
    const named = (set_number: string, title: string, theme = 'Rank') => ({
      kind: 'set',
      set_number,
      title,
      theme,
    });
    await world.load([
      named('5011', 'Comet', 'Promotional'),
      named('5012', 'Advent Calendar (Day 4) - Comet'),
      named('5013', 'The Great Comet'),
      named('5014', 'Cometary Probe'),
    ]);
    expect(await foundSets('comet')).toEqual(['5013', '5014', '5011', '5012']);
  });

  test('75192-1 finds 75192', async () => {
    expect((await foundSets('75192-1'))[0]).toBe('75192');
  });

  test('ranks exact number, number prefix, name prefix, word prefix, substring', async () => {
    await world.load([
      { kind: 'set', set_number: '88', title: 'Exact', theme: 'Rank' },
      { kind: 'set', set_number: '8801', title: 'Prefix', theme: 'Rank' },
      { kind: 'set', set_number: '1003', title: '88 Keys Piano', theme: 'Rank' },
      { kind: 'set', set_number: '1002', title: 'Piano 88 Keys', theme: 'Rank' },
      { kind: 'set', set_number: '1001', title: 'Piano1988', theme: 'Rank' },
      { kind: 'set', set_number: '1000', title: 'Other Piano1988', theme: 'Rank' },
    ]);
    expect(await foundSets('88')).toEqual(['88', '8801', '1003', '1002', '1000', '1001']);
  });

  test('an exact name ranks after an exact number and before number prefixes', async () => {
    await world.load([
      { kind: 'set', set_number: '99', title: 'Gate', theme: 'Rank' },
      { kind: 'set', set_number: '9901', title: 'Gate', theme: 'Rank' },
      { kind: 'set', set_number: '1099', title: '99', theme: 'Rank' },
    ]);
    expect(await foundSets('99')).toEqual(['99', '1099', '9901']);
  });

  test('hyphens, apostrophes and spaces inside names do not matter', async () => {
    await world.load([
      { kind: 'set', set_number: '2001', title: 'Y-wing of the King’s Guard', theme: 'Rank' },
    ]);
    for (const q of ['y-wing', 'ywing', 'y wing', 'Kings Guard', "king's guard", 'kingsguard']) {
      expect(await foundSets(q)).toEqual(['2001']);
    }
  });

  test('names of other sources count', async () => {
    await world.load([{ kind: 'set', set_number: '2002', title: 'Moon Base', theme: 'Rank' }]);
    await describe2002('Lunar Outpost');
    expect(await foundSets('lunar outpost')).toEqual(['2002']);
    expect(await foundSets('lunar base')).toEqual(['2002']);
  });

  test('within a rank gear is last; then by number of sales, value and number', async () => {
    const pier = (set_number: string, more: object = {}) => ({
      kind: 'set',
      set_number,
      title: 'Old Pier',
      theme: 'Rank',
      ...more,
    });
    await world.load([
      pier('3001', { theme: 'Gear', msrp_usd: 900 }),
      pier('3002'),
      pier('3003'),
      pier('3004', { msrp_usd: 300 }),
      pier('3005'),
      {
        kind: 'sale',
        source: 'shop',
        source_id: 'pier',
        item_type: 'set',
        item: '3005',
        condition: 'sealed',
        price: 20,
        sold_at: '2026-10-01T10:00:00Z',
      },
    ]);
    expect(await foundSets('old pier')).toEqual(['3005', '3004', '3002', '3003', '3001']);
  });

  test('with fewer than five matches similar items follow, and are included in the total', async () => {
    await world.load([
      { kind: 'set', set_number: '4001', title: 'Zeppelin', theme: 'Voyages' },
      { kind: 'set', set_number: '4002', title: 'Voyages of Old', theme: 'Rank' },
    ]);
    expect(await foundSets('zepelin')).toEqual(['4001']);
    expect(await foundSets('voyages')).toEqual(['4002', '4001']);
    expect(await foundSets('voyages zeppelin')).toEqual(['4001']);
    const { pagination } = await searchSets('q=voyages%20zepelin');
    expect(pagination).toMatchObject({ total: 1 });
    expect(await foundSets('big zeppelin qwertz')).toEqual(['4001']);
    expect(await foundSets('zpln')).toEqual([]);
  });

  test('with five matches, none follows', async () => {
    const boats = ['4011', '4012', '4013', '4014', '4015'];
    await world.load([
      ...boats.map((set_number) => ({
        kind: 'set',
        set_number,
        title: 'Rowing Boat',
        theme: 'Rank',
      })),
      { kind: 'set', set_number: '4016', title: 'Zebra', theme: 'Rowing' },
    ]);
    expect(await foundSets('rowing')).toEqual(boats);
  });

  test('shows all eight fields, and the retired flag', async () => {
    const [set] = (await searchSets('q=grand')).results;
    expect(set).toEqual({
      set_number: '75192',
      title: 'Grand Castle',
      theme: 'Castle',
      subtheme: 'Crown',
      pieces: 1500,
      year: 2020,
      retired: true,
      image_url: 'https://images.example.com/75192.png',
    });
  });

  test.each(['   ', '  a ', 'a\u0301'])('%j is too short, and the message shows it', async (q) => {
    const search = `/catalog/sets/search?q=${encodeURIComponent(q)}`;
    const response = await world.call(search, key);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe(
      "The query parameter 'q' must be 2 to 500 characters besides spaces, " +
        `without control characters; got '${q}'.`,
    );
  });

  test('punctuation alone finds nothing', async () => {
    expect(await searchSets('q=--')).toMatchObject({ results: [], pagination: { total: 0 } });
  });
});

describe('ordering and pages', () => {
  test('themes by name, ignoring case and accents', async () => {
    const { themes } = await get<{ themes: { theme: string; set_count: number }[] }>(
      '/catalog/themes',
    );
    expect(themes.map((t) => t.theme).slice(0, 5)).toEqual([
      'Castle',
      'Dinghies',
      'eclair',
      'Éclair',
      'Gear',
    ]);
    expect(themes[0]?.set_count).toBe(2);
  });

  test('pages have no gaps; past the last page the list is empty and the total correct', async () => {
    const all = await foundSets('tower');
    expect(all).toEqual(['6003', '6002', '6001']);
    const page = await searchSets('q=tower&limit=2&offset=1');
    expect(page.results.map((set) => set.set_number)).toEqual(['6002', '6001']);
    expect(page.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false });
    expect((await searchSets('q=tower&limit=2')).pagination).toMatchObject({ has_more: true });
    const past = await searchSets('q=tower&offset=100');
    expect(past).toEqual({
      results: [],
      pagination: { total: 3, limit: 50, offset: 100, has_more: false },
    });
  });
});
