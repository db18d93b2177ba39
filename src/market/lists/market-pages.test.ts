/** Pages after a cursor: every item once, in a total order, also while items change. */
import { expect, test } from 'bun:test';
import { noFilters } from './market-filters.ts';
import { type MarketItem, toMarketItem } from './market-item.ts';
import { type CursorQuestion, findAfter } from './market-pages.ts';

const bare = toMarketItem({
  kind: 'set',
  key: '',
  number: '',
  name: '',
  theme: null,
  subtheme: null,
  year: null,
  pieces: null,
  statusId: 4,
  itemClass: null,
  interest: 0,
  tier: 'high',
  valueCents: null,
  months: null,
  day: null,
  msrpCents: null,
  priceCents: null,
  sellThrough: null,
  soldPerMonth: null,
  sellers: null,
});

/** Values repeat, some are unknown, and keys are in no order. */
function itemsOf(count: number): MarketItem[] {
  return Array.from({ length: count }, (_, index) => {
    const number = (index * 7919) % count;
    const valueCents = number % 5 === 0 ? null : (number * 31) % 17;
    return { ...bare, key: `k${number}`, valueCents };
  });
}

const question: CursorQuestion = {
  kind: 'set',
  filters: noFilters,
  sort: 'value',
  isDescending: false,
  after: null,
  limit: 7,
};

/** The keys of all pages. */
function allKeys(items: readonly MarketItem[], asked: Partial<CursorQuestion>): string[] {
  const keys: string[] = [];
  let after: CursorQuestion['after'] = null;
  for (;;) {
    const page = findAfter(items, { ...question, ...asked, after });
    keys.push(...page.rows.map(({ key }) => key));
    expect(page.total).toBe(items.length);
    // Otherwise a page that repeats items would never end.
    expect(keys.length).toBeLessThanOrEqual(items.length);
    if (page.next === null) return keys;
    after = page.next;
  }
}

const items = itemsOf(1_009);

test.each([1, 7, 250, 1_009, 5_000])('pages of %i have every item once, in order', (limit) => {
  const known = items.filter(({ valueCents }) => valueCents !== null);
  const byKey = (a: MarketItem, b: MarketItem) => (a.key < b.key ? -1 : 1);
  const value = ({ valueCents }: MarketItem) => valueCents ?? 0;
  const unknown = items.filter(({ valueCents }) => valueCents === null).sort(byKey);
  const keysOf = (all: readonly MarketItem[]) => all.map(({ key }) => key);
  const rising = known.toSorted((a, b) => value(a) - value(b) || byKey(a, b));
  expect(allKeys(items, { limit })).toEqual(keysOf([...rising, ...unknown]));
  const falling = known.toSorted((a, b) => value(b) - value(a) || byKey(a, b));
  expect(allKeys(items, { limit, isDescending: true })).toEqual(keysOf([...falling, ...unknown]));
  expect(allKeys(items, { limit, sort: null })).toEqual(keysOf(items.toSorted(byKey)));
  const backward = items.toSorted((a, b) => byKey(b, a));
  expect(allKeys(items, { limit, sort: null, isDescending: true })).toEqual(keysOf(backward));
});

test('items that do not change between pages are on exactly one of them', () => {
  const first = findAfter(items, { ...question, limit: 500 });
  // The last item of the page is gone, another one is new, and some have moved to the other side.
  const later = items.slice(0, -1).map((item, index) => {
    return index % 10 === 0 ? { ...item, valueCents: (item.valueCents ?? 0) + 8 } : item;
  });
  const gone = first.rows.at(-1)?.key;
  const left = [...later.filter(({ key }) => key !== gone), { ...bare, key: 'new', valueCents: 0 }];
  const rest = findAfter(left, { ...question, limit: 5_000, after: first.next });
  const seen = [...first.rows, ...rest.rows].map(({ key }) => key);
  const unchanged = left.filter((item) => items.includes(item));
  for (const { key } of unchanged) {
    expect([key, seen.filter((each) => each === key).length]).toEqual([key, 1]);
  }
});

test('the last page is full or not, and has no next; nothing is on a page past the end', () => {
  const few = itemsOf(14);
  const first = findAfter(few, question);
  const second = findAfter(few, { ...question, after: first.next });
  expect([first.rows.length, second.rows.length, second.next]).toEqual([7, 7, null]);
  const end = { by: null, key: 'z' };
  expect(findAfter(few, { ...question, after: end })).toEqual({ total: 14, rows: [], next: null });
  expect(findAfter([], question)).toEqual({ total: 0, rows: [], next: null });
});

test('other kinds and items that do not pass the filters do not count', () => {
  const minifig: MarketItem = { ...bare, kind: 'minifig', key: 'a', valueCents: 5 };
  const filters = { ...noFilters, ranges: { value: { from: 5, to: 6 } } };
  const { total, rows } = findAfter([minifig, ...items], { ...question, filters, limit: 1 });
  expect(total).toBe(items.filter(({ valueCents }) => valueCents === 5 || valueCents === 6).length);
  expect(rows[0]).toMatchObject({ kind: 'set', valueCents: 5 });
});
