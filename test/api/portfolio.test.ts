/**
 * Every number in the private responses about one portfolio, calculated by hand. The tables in
 * `support/portfolio.ts` list its purchases, sales and values.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  portfolioCostSince,
  portfolioEntries,
  portfolioMarket,
  portfolioOf,
  portfolioOnDays,
  portfolioSales,
  salesPerPrice,
} from '../support/portfolio.ts';
import { startWorld, type World } from '../support/world.ts';

const email = 'collector@example.com';
let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(portfolioMarket);
  await world.addAccount(email);
  const { rejected } = await world.load(portfolioOf(email));
  expect(rejected).toBe(0);
  key = await world.addKey(email, { allowance: 10_000 });
});

afterAll(() => world.close());

async function get<T>(path: string): Promise<T> {
  const response = await world.call(path, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

describe('the values used for the portfolio', () => {
  const noValue = { new_value_usd: null, used_value_usd: null, value_range: null };

  test.each([
    ['1001', { new_value_usd: 172.8, value_range: range(172.8) }],
    ['1002', { used_value_usd: 64 }],
    ['1003', noValue],
    ['1004', { new_value_usd: 86.4, value_range: range(86.4) }],
  ])('set %s has the live value of the table', async (number, values) => {
    expect(await get<object>(`/set/${number}`)).toMatchObject(values);
  });

  function range(usd: number) {
    const [low, high] = aTenthAround(usd);
    return { low, high, calculated_at: '2026-11-15T12:00:00.000Z' };
  }

  function aTenthAround(usd: number): [low: number, high: number] {
    return [Math.round(usd * 90) / 100, Math.round(usd * 110) / 100];
  }

  type Month = readonly [month: string, usd: number | null, isSold: boolean, event: string | null];

  /** 80 → 100 is 22% in logarithms; from 20% on it is a jump. */
  const lighthouse: readonly Month[] = [
    ['2025-10', 80, true, null],
    ...['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'].map(quiet(80)),
    ['2026-05', 100, true, 'price_jump_up'],
    ...['2026-06', '2026-07', '2026-08'].map(quiet(100)),
    ['2026-09', 133.1, true, 'price_jump_up'],
    ['2026-10', 133.1, false, null],
  ];
  const windmill: readonly Month[] = [
    ['2026-08', 80, true, null],
    ['2026-09', 125, true, 'price_jump_up'],
    ['2026-10', 125, false, null],
  ];
  const caboose: readonly Month[] = [
    ['2026-07', null, false, 'released'],
    ['2026-08', null, false, null],
    ['2026-09', null, false, null],
    ['2026-10', 50, true, null],
  ];

  function quiet(usd: number) {
    return (month: string): Month => [month, usd, false, null];
  }

  test.each([
    ['1001', 'sealed', lighthouse],
    ['1002', 'used', windmill],
    ['1003', 'sealed', []],
    ['1004', 'sealed', caboose],
  ])('set %s (%s) has the month ends of the table', async (number, condition, months) => {
    expect(await get<object>(`/set/${number}/history?condition=${condition}`)).toEqual({
      set_number: number,
      condition,
      history: months.map(([month, usd, isSold, event]) => ({
        month,
        value_usd: usd,
        range_low: usd && aTenthAround(usd)[0],
        range_high: usd && aTenthAround(usd)[1],
        sales_count: isSold ? salesPerPrice : 0,
        event,
      })),
    });
  });
});

test('collections add up what is left in their lots, and months what was bought in them', async () => {
  const created = { created_at: '2026-11-15T12:00:00.000Z' };
  const months = [
    // lot-1 of June 2025 is sold out; lot-4: 2 × 33.33; lot-2: 2 × 90
    ['2026-02', 1, 2, 66.66],
    ['2026-07', 1, 2, 180],
    // lot-3 and lot-6: 3 × 95 + 1 × 0; lot-5: 2 × 40
    ['2026-09', 2, 4, 285],
    ['2026-10', 1, 2, 80],
  ] as const;
  expect(await get<object>('/brickfolio')).toEqual({
    brickfolios: [
      {
        id: 1,
        name: 'Shelf',
        description: 'Boxes on display.',
        is_default: true,
        owned_set_count: 2, // 1002, 1003
        owned_item_count: 5, // 3 + 2
        total_cost_basis_usd: 351.66, // 3 × 95 + 2 × 33.33
        total_current_value_usd: 258.66, // 3 × 64 + 2 × 33.33, the cost where no value is known
        unrealized_gain_loss_usd: -93,
        ...created,
      },
      {
        id: 2,
        name: 'Attic',
        description: null,
        is_default: false,
        owned_set_count: 3, // 1001, 1002, 1004
        owned_item_count: 5, // 2 + 1 + 2
        total_cost_basis_usd: 260, // 2 × 90 + 1 × 0 + 2 × 40
        total_current_value_usd: 582.4, // 2 × 172.80 + 1 × 64 + 2 × 86.40
        unrealized_gain_loss_usd: 322.4,
        ...created,
      },
    ],
    monthly_periods: months.map(([month, entry_count, items, cost_basis_usd]) => ({
      month,
      entry_count,
      items,
      cost_basis_usd,
    })),
  });
});

const page = (total: number, limit: number, offset: number, has_more: boolean) => ({
  pagination: { total, limit, offset, has_more },
});

test.each([
  ['', [0, 1, 2, 3, 4], page(5, 50, 0, false)],
  ['?limit=2', [0, 1], page(5, 2, 0, true)],
  ['?limit=2&offset=2', [2, 3], page(5, 2, 2, true)],
  ['?limit=2&offset=4', [4], page(5, 2, 4, false)],
  ['?offset=5', [], page(5, 50, 5, false)],
  ['?brickfolio_id=1', [1, 4], page(2, 50, 0, false)],
  ['?brickfolio_id=2', [0, 2, 3], page(3, 50, 0, false)],
  ['?brickfolio_id=2&limit=1&offset=1', [2], page(3, 1, 1, true)],
])(
  "the entries '%s' are lots with units left, newest purchase first",
  async (query, places, rest) => {
    expect(await get<object>(`/brickfolio/entries${query}`)).toEqual({
      entries: places.map((place) => portfolioEntries[place]),
      ...rest,
    });
  },
);

test.each([
  ['', 0, 5, page(5, 50, 0, false)],
  ['?limit=3', 0, 3, page(5, 3, 0, true)],
  ['?limit=3&offset=3', 3, 5, page(5, 3, 3, false)],
  ['?offset=6', 5, 5, page(5, 50, 6, false)],
])("the sales '%s' are newest first, with their profit", async (query, from, to, rest) => {
  expect(await get<object>(`/salesledger${query}`)).toEqual({
    sales: portfolioSales.slice(from, to),
    ...rest,
  });
});

test('the retail watch has the average cost of the units left', async () => {
  const none = {
    price: null,
    sellerType: null,
    changedAt: null,
    lastChange: null,
    flip1pTo3p: false,
    atLowest: false,
    lowest: null,
    inStock: null,
  };
  const asked = (usd: number) => ({
    ...none,
    price: usd,
    lowest: usd,
    sellerType: 'retailer',
    inStock: true,
  });
  const noExit = { lowestFba: null, fbaSellers: null, buyBox: null, netFba: null };
  const unknown = { asin: null, upc: null, ean: null };
  const change = { changedAt: '2026-11-12T08:00:00.000Z', lastChange: -10 };
  expect(await get<object>('/brickfolio/retail-watch')).toEqual([
    {
      setNumber: '1001',
      name: 'Lighthouse',
      ...unknown,
      paid: 90, // lot-2 alone; lot-1 is sold out
      retailer_a: { ...asked(140), ...change, atLowest: true },
      retailer_b: none,
      retailer_aExit: noExit,
    },
    {
      setNumber: '1002',
      name: 'Windmill',
      ...unknown,
      paid: 71.25, // (3 × 95 + 1 × 0) ÷ 4, over both collections
      retailer_a: none,
      retailer_b: { ...asked(110), sellerType: 'third_party' },
      retailer_aExit: noExit,
    },
    {
      setNumber: '1004',
      name: 'Caboose',
      ...unknown,
      paid: 40,
      retailer_a: asked(44.99),
      retailer_b: none,
      // 99.99 less 15% (15.00), less 7.55 + 7 × 0.38 for 8 pounds with a 3.5% surcharge (10.57)
      retailer_aExit: { lowestFba: 99.99, fbaSellers: 3, buyBox: 105, netFba: 74.42 },
    },
  ]);
});

interface Point {
  readonly date: string;
  readonly cost_basis_usd: number;
}

describe.each([
  ['?period=30d', '30d', { from: '2026-10-16', step: 1, points: 31, checked: 12 }],
  ['?period=90d', '90d', { from: '2026-08-17', step: 1, points: 91, checked: 24 }],
  ['?period=1y', '1y', { from: '2025-11-16', step: 7, points: 53, checked: 16 }],
  ['', '1y', { from: '2025-11-16', step: 7, points: 53, checked: 16 }],
])("the analytics '%s'", (query, period, shape) => {
  const read = () =>
    get<{ period: string; summary: object; value_history: Point[] }>(
      `/brickfolio/analytics${query}`,
    );

  test('sum up the current holdings', async () => {
    const { value_history, ...rest } = await read();
    expect(rest).toEqual({
      period,
      summary: {
        total_sets: 4,
        total_items: 10, // 2 + 3 + 1 + 2 + 2
        total_cost_basis_usd: 611.66, // 351.66 + 260
        total_current_value_usd: 841.06, // 258.66 + 582.40
        unrealized_gain_loss_usd: 229.4,
        unrealized_gain_loss_pct: 37.5, // 229.40 ÷ 611.66 = 0.375045…
        // 1001 made 92 %; 1002 is worth 4 × 64 at a cost of 285: −29 ÷ 285 = −0.101754…
        top_gainer: { set_number: '1004', title: 'Caboose', gain_pct: 116 },
        top_loser: { set_number: '1002', title: 'Windmill', loss_pct: -10.18 },
      },
    });
  });

  test('have points on the right days, each with the cost of the units held then', async () => {
    const { value_history } = await read();
    const start = Date.parse(shape.from);
    expect(value_history.map((point) => [point.date, point.cost_basis_usd])).toEqual(
      Array.from({ length: shape.points }, (_, index) => {
        const date = new Date(start + index * shape.step * 86_400_000).toISOString().slice(0, 10);
        return [date, portfolioCostSince.findLast(([since]) => since <= date)?.[1] ?? 0];
      }),
    );
  });

  test('have the values calculated by hand', async () => {
    const { value_history } = await read();
    const checked = value_history.filter((point) => point.date in portfolioOnDays);
    expect(checked.length).toBe(shape.checked);
    expect(checked).toEqual(
      checked.map(({ date }) => {
        const [value, cost, gain, pct] = portfolioOnDays[date] ?? [0, 0, 0, 0];
        return {
          date,
          total_value_usd: value,
          cost_basis_usd: cost,
          gain_loss_usd: gain,
          gain_loss_pct: pct,
        };
      }),
    );
  });
});
