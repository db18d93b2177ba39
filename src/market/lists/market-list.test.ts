/** The market list: filters, orders, theme statistics and movers. */
import { expect, test } from 'bun:test';
import { refText } from '../../catalog/items/numbers.ts';
import { lastDayOf } from '../../kernel/time.ts';
import { type MarketFilters, noFilters } from './market-filters.ts';
import { type MarketItem, type MarketRecord, toMarketItem } from './market-item.ts';
import { MarketList, type MarketQuestion } from './market-list.ts';

const bareRecord: MarketRecord = {
  kind: 'set',
  key: '1',
  number: '1',
  name: 'Castle',
  theme: 'Castle',
  subtheme: null,
  year: 2020,
  pieces: null,
  statusId: 4,
  itemClass: null,
  interest: 0,
  tier: 'high',
  valueCents: 100_00,
  months: null,
  day: 0,
  msrpCents: null,
  priceCents: null,
  sellThrough: null,
  soldPerMonth: null,
  sellers: null,
};

const bare = toMarketItem(bareRecord);

/** Items with distinct keys. */
function listOf(...items: readonly Partial<MarketItem>[]): MarketList {
  const all = items.map((item, index) => ({ ...bare, key: String(index + 1), ...item }));
  return new MarketList(new Map(all.map((item) => [refText(item), item])));
}

const everything: MarketQuestion = {
  kind: 'set',
  matches: null,
  filters: noFilters,
  sort: 'relevance',
  isDescending: false,
  limit: 50,
  offset: 0,
};

function keysOf(list: MarketList, question: Partial<MarketQuestion>): string {
  const { rows } = list.find({ ...everything, ...question });
  return rows.map(({ key }) => key).join(' ');
}

const varied = listOf(
  {
    theme: 'Castle',
    year: 1990,
    statusId: 4,
    tier: 'high',
    valueCents: 300_00,
    pieces: 1000,
    msrpCents: 100_00,
    change30: -5,
    // A fraction of a percent too dear.
    priceCents: 240_02,
  },
  {
    theme: 'Space',
    year: 2000,
    statusId: 4,
    tier: 'low',
    valueCents: 50_00,
    pieces: 0,
    msrpCents: 1,
    priceCents: 40_00,
  },
  {
    theme: 'Space',
    subtheme: 'Moon',
    year: 2024,
    statusId: 2,
    tier: 'modeled',
    valueCents: 20_00,
    pieces: 100,
    msrpCents: 10_01,
  },
  { theme: null, year: null, statusId: 3, tier: null, valueCents: null },
  { kind: 'minifig', key: '1', theme: 'Space', year: 2000, statusId: null },
);

test.each<[Partial<MarketFilters>, string]>([
  [{}, '1 2 3 4'],
  [{ theme: 'Space' }, '2 3'],
  [{ theme: 'space' }, ''],
  [{ ranges: { year: { from: 2000, to: null } } }, '2 3'],
  [{ ranges: { year: { from: null, to: 2000 } } }, '1 2'],
  [{ ranges: { year: { from: 2000, to: 2000 } } }, '2'],
  [{ ranges: { year: { from: null, to: null } } }, '1 2 3 4'],
  [{ statusId: 4 }, '1 2'],
  [{ statusId: 3 }, '4'],
  [{ tier: 'modeled' }, '3'],
  [{ minTier: 'low' }, '1 2'],
  [{ minTier: 'modeled' }, '1 2 3'],
  [{ subtheme: 'Moon' }, '3'],
  [{ ranges: { value: { from: 50_00, to: null } } }, '1 2'],
  [{ ranges: { value: { from: null, to: 50_00 } } }, '2 3'],
  [{ ranges: { value: { from: 0, to: null } } }, '1 2 3'],
  [{ ranges: { pieces: { from: 100, to: null }, year: { from: null, to: 2000 } } }, '1'],
  [{ ranges: { pricePerPiece: { from: null, to: 10 } } }, '1'],
  [{ ranges: { belowValue: { from: 20, to: null } } }, '2'],
  [{ ranges: { change30: { from: -5, to: -5 } } }, '1'],
  [{ theme: 'Space', statusId: 4, ranges: { value: { from: null, to: 60_00 } } }, '2'],
  [{ theme: 'Space', tier: 'high' }, ''],
])('filters are combined with and: %p', (filters, keys) => {
  expect(keysOf(varied, { filters: { ...noFilters, ...filters } })).toBe(keys);
});

test('kinds are listed separately, and a page has the total of all matches', () => {
  expect(varied.find({ ...everything, kind: 'minifig' })).toMatchObject({
    total: 1,
    rows: [{ kind: 'minifig', key: '1' }],
  });
  const page = varied.find({ ...everything, limit: 2, offset: 2 });
  expect([page.total, page.rows.map(({ key }) => key)]).toEqual([4, ['3', '4']]);
  expect(keysOf(varied, { limit: 2 })).toBe('1 2');
  expect(varied.find({ ...everything, offset: 9 })).toEqual({ total: 4, rows: [] });
});

test('unknown values come last in every order, and ties are ordered by key', () => {
  const list = listOf(
    { name: 'b', theme: null, year: 2001, valueCents: null, change90: 5, interest: 5 },
    { name: 'Á', year: null, valueCents: 10, change90: null, interest: 9, ranksLast: true },
    { name: 'a', theme: 'b', year: 2000, valueCents: 20, change90: -5, interest: 7 },
    { name: 'c', theme: null, year: 2000, valueCents: 10, change90: 0, interest: 5 },
  );
  const both = (sort: MarketQuestion['sort']) =>
    [false, true].map((isDescending) => keysOf(list, { sort, isDescending }));
  expect(both('relevance')[0]).toBe('3 1 4 2');
  expect(both('name')).toEqual(['2 3 1 4', '4 1 2 3']);
  expect(both('theme')).toEqual(['3 2 1 4', '2 3 1 4']);
  expect(both('year')).toEqual(['3 4 1 2', '1 3 4 2']);
  expect(both('value')).toEqual(['2 4 3 1', '3 2 4 1']);
  expect(both('change')).toEqual(['3 4 1 2', '1 4 3 2']);
});

test('search results are filtered in their own order, or sorted', () => {
  const matches = ['3', '404', '2', '1'];
  expect(keysOf(varied, { matches })).toBe('3 2 1');
  expect(keysOf(varied, { matches, sort: 'value', isDescending: true })).toBe('1 2 3');
  expect(keysOf(varied, { matches, filters: { ...noFilters, theme: 'Space' } })).toBe('3 2');
  expect(keysOf(varied, { matches: [] })).toBe('');
});

test('changes are measured from month ends to today, and need sales at both ends', () => {
  const firstMonth = 24_290;
  const day = lastDayOf(firstMonth) + 365;
  // It halves in the 335 days after the second month: 90 days ago it was 2^(90 / 335) times as
  // much.
  const months = { firstMonth, valueCents: [80_00, 200_00] };
  const change = (record: Partial<MarketRecord>) => {
    const item = toMarketItem({ ...bareRecord, months, day, ...record });
    return [item.change365, item.change90?.toFixed(1) ?? null];
  };
  expect(change({ valueCents: 100_00 })).toEqual([25, '-17.0']);
  expect(change({ months: { firstMonth, valueCents: [1, 200_00] } })[0]).toBe(999_900);
  expect(change({ months: { firstMonth, valueCents: [0, 200_00] } })[0]).toBeNull();
  expect(change({ tier: 'modeled' })).toEqual([null, null]);
  expect(change({ valueCents: null })).toEqual([null, null]);
  expect(change({ months: null })).toEqual([null, null]);
  expect(change({ months: { firstMonth, valueCents: [null, 200_00] } })[0]).toBeNull();
});

test('an item without a value has no tier, and a minifig is in its top-level theme', () => {
  expect(toMarketItem({ ...bareRecord, valueCents: null, tier: 'modeled' }).tier).toBeNull();
  const themeOf = (theme: string | null) =>
    toMarketItem({ ...bareRecord, kind: 'minifig', theme }).theme;
  expect(themeOf('Town / City / Police')).toBe('Town');
  expect(themeOf('NEXO KNIGHTS')).toBe('Nexo Knights');
  expect(themeOf(null)).toBeNull();
});

test('books, gear and promotional items rank last, others and unknown ones do not', () => {
  const classes = ['book', 'gear', 'promotional', 'polybag', null] as const;
  const last = classes.map((itemClass) => toMarketItem({ ...bareRecord, itemClass }).ranksLast);
  expect(last).toEqual([true, true, true, false, false]);
});

test("a theme's index is its median change over a year, and needs several sets", () => {
  const of = (theme: string, ...changes: (number | null)[]) =>
    changes.map((change365) => ({ theme, change365 }));
  const list = listOf(
    ...of('Space', 10, 30, -50, 20, null),
    ...of('éclair', 5, 6),
    ...of('Castle', null),
    ...of('Train', 3, 1, 2),
    { kind: 'minifig', theme: 'Boats' },
    { theme: null },
  );
  expect(list.themes).toMatchObject([
    { theme: 'Castle', setCount: 1, valuedCount: 0, change365: null },
    { theme: 'éclair', setCount: 2, valuedCount: 2, change365: null },
    { theme: 'Space', setCount: 5, valuedCount: 4, change365: 15 },
    { theme: 'Train', setCount: 3, valuedCount: 3, change365: 2 },
  ]);
  // Computed once.
  expect(list.themes).toBe(list.themes);
});

test('movers are sets supported by recent sales, in all themes or one', () => {
  const list = listOf(
    { change90: 5, valueCents: 10_00 },
    { change90: 9, tier: 'medium', theme: 'Space' },
    { change90: 900, tier: 'modeled' },
    { change90: 800, tier: 'low' },
    { change90: 700, valueCents: 9_99 },
    { change90: -3 },
    { change90: -8, theme: 'Space' },
    { change90: 0 },
    { change90: null },
  );
  const keys = (theme: string | null) => {
    const { gainers, losers } = list.movers(theme);
    return [gainers, losers].map((items) => items.map(({ key }) => key).join(' '));
  };
  expect(keys(null)).toEqual(['2 1', '7 6']);
  expect(keys('Space')).toEqual(['2', '7']);
  expect(list.themes.map(({ topMover }) => topMover?.key)).toEqual(['1', '2']);
});

test('the five largest gains and losses are movers, however small', () => {
  const changes = [0.5, 1, 2, 3, 4, 5, -0.5, -1, -2, -3, -4, -5];
  const changesIn = (list: MarketList) => {
    const { gainers, losers } = list.movers(null);
    return [gainers, losers].map((items) => items.map(({ change90 }) => change90));
  };
  expect(changesIn(listOf(...changes.map((change90) => ({ change90 }))))).toEqual([
    [5, 4, 3, 2, 1],
    [-5, -4, -3, -2, -1],
  ]);
  expect(changesIn(listOf({ change90: 0.5 }, { change90: -0.5 }))).toEqual([[0.5], [-0.5]]);
});

test('the example is a retired, well-supported set of medium value', () => {
  const good = { statusId: 4, tier: 'high', valueCents: 200_00, interest: 5 } as const;
  const list = listOf(
    { ...good, valueCents: 149_99, interest: 9 },
    { ...good, valueCents: 400_01, interest: 9 },
    { ...good, statusId: 2, interest: 9 },
    { ...good, tier: 'medium', interest: 9 },
    { ...good, kind: 'minifig', interest: 9 },
    good,
    { ...good, interest: 4 },
  );
  expect([list.example?.key, list.counts]).toEqual(['6', { set: 6, minifig: 1 }]);
  expect(varied.example?.key).toBe('1');
  for (const valueCents of [150_00, 400_00]) {
    expect(listOf({ ...good, valueCents }).example?.valueCents).toBe(valueCents);
  }
  expect(listOf().example).toBeNull();
});

test('without such a set, the example has a value from sales, or is the most interesting', () => {
  const modeled = { tier: 'modeled', valueCents: 200_00, interest: 9 } as const;
  const low = { tier: 'low', valueCents: 20_00, interest: 5 } as const;
  expect(listOf(modeled, low).example?.key).toBe('2');
  const none = { tier: null, valueCents: null } as const;
  expect(listOf({ ...none, interest: 1 }, modeled).example?.key).toBe('2');
});
