/** The chart of an item: what its lines, rows and marks are. */
import { expect, test } from 'bun:test';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { dayMs, formatDay, monthOf } from '../../kernel/time.ts';
import type { MonthPoint, Series } from '../../market/history/history.ts';
import type { PageRequest } from '../page.ts';
import type { History } from './item-chart.tsx';
import { ItemChartCard, type ItemPast, itemChart } from './item-chart.tsx';
import type { Worth } from './item-worth.ts';

const at = Date.UTC(2026, 10, 16);
const first = monthOf(at) - 5;

const point = (cents: number | null, event: MonthPoint['event'] = null): MonthPoint => ({
  valueCents: cents,
  lowCents: cents && cents - 100,
  highCents: cents && cents + 100,
  salesCount: 0,
  event,
});

const seriesOf = (points: readonly MonthPoint[], revision = 0): Series => {
  return { firstMonth: first, points, revision, provenance: [] };
};

const now = (valueCents: number | null): Worth => ({
  kind: 'set',
  condition: 'sealed',
  valueCents,
  range: valueCents === null ? null : { lowCents: valueCents - 100, highCents: valueCents + 100 },
  tier: 'high',
});

const sealed = [
  point(null, 'released'),
  point(null),
  point(10_00, 'retired'),
  point(11_00, 'price_jump_up'),
  point(12_00),
];
const history: History = {
  series: {
    sealed: seriesOf(sealed, 1),
    used: seriesOf([...Array(4).fill(point(null)), point(5_00)]),
  },
  early: { sealed: [], used: [] },
  restatements: [
    { id: 1, fromMonth: first, reason: 'A source was wrong.', at: Date.UTC(2026, 9, 12) },
    { id: 2, fromMonth: first, reason: 'Not applied yet.', at: Date.UTC(2026, 8, 12) },
  ],
  now: { sealed: now(13_00), used: now(6_00) },
};

const past: ItemPast = {
  history,
  condition: 'sealed',
  retail: [],
  listCents: null,
  maxBuyCents: null,
  trades: [],
};
const none: History = { ...history, series: { sealed: null, used: seriesOf([point(null)]) } };

const chartOf = (changes: Partial<ItemPast> = {}) => itemChart({ ...past, ...changes }, at);
const rowsOf = (changes: Partial<ItemPast> = {}) =>
  chartOf(changes).rows.map((row) =>
    `${row.at} ${row.values.map((value) => value ?? '-').join(' ')} ${row.note ?? ''}`.trim(),
  );

test('a chart starts at the first value, ends today, and has events', () => {
  expect(chartOf().columns.map(({ name }) => name)).toEqual(['Sealed', 'Used', 'High', 'Low']);
  expect(rowsOf()).toEqual([
    '2026-08-31 10 - 11 9 Retired',
    '2026-09-30 11 - 12 10',
    '2026-10-31 12 5 13 11 Restated',
    '2026-11-16 13 6 14 12',
  ]);
});

test('a chart has the range of the condition', () => {
  expect(rowsOf({ condition: 'used' }).slice(-2)).toEqual([
    '2026-10-31 12 5 6 4 Restated',
    '2026-11-16 13 6 7 5',
  ]);
});

test('without a final month, a chart has the published values since the first one', () => {
  expect(rowsOf({ history: none })).toEqual(['2026-11-16 13 6 14 12']);
  const published = (date: number) => ({ day: Date.UTC(2026, 10, date) / dayMs, cents: 9_00 });
  const early = { sealed: [published(3)], used: [published(16)] };
  expect(rowsOf({ history: { ...none, early } })).toEqual([
    '2026-11-03 9 - - -',
    '2026-11-16 13 6 14 12',
  ]);
});

test('rows have the price of a month at its end, every later change, and values in force', () => {
  const step = (text: string, cents: number | null) => ({ at: Date.parse(text), cents });
  const steps = [
    step('2026-08-01', 20_00),
    step('2026-09-01', 19_00),
    step('2026-10-01', null),
    step('2026-11-01', 18_00),
    step('2026-11-05T10:00:00Z', 17_00),
    step('2026-11-16', 17_00),
  ];
  const retail = [
    { retailer: 'retailer_a', name: 'A', steps },
    { retailer: 'retailer_b', name: 'B', steps: [step('2026-09-01', null)] },
  ] as const;
  const { columns } = chartOf({ retail });
  expect(columns.at(-1)).toMatchObject({ key: 'retailer_a', look: 'step' });
  expect(columns.at(-1)?.points).toHaveLength(6);
  expect(rowsOf({ retail })).toEqual([
    '2026-08-01 - - - - 20',
    '2026-08-31 10 - 11 9 20 Retired',
    '2026-09-30 11 - 12 10 19',
    '2026-10-31 12 5 13 11 - Restated',
    '2026-11-01 12 5 13 11 18',
    '2026-11-05T10:00:00.000Z 12 5 13 11 17',
    '2026-11-16 13 6 14 12 17',
  ]);
});

test('purchases and sales are marks at what was paid, with a row of their own', () => {
  const trade = { condition: 'used', units: 2, cents: 7_00 } as const;
  const trades = [
    { ...trade, type: 'purchase', date: '2020-02-02' },
    { ...trade, type: 'sale', date: '2026-10-05', units: 1 },
    { ...trade, type: 'sale', date: '2026-11-17' },
  ] as const;
  const chart = chartOf({ trades });
  expect(chart.marks).toEqual([
    {
      at: '2020-02-02',
      kind: 'purchase',
      text: 'Bought 2 used units at $3.50 each',
      value: 3.5,
    },
    { at: '2026-10-05', kind: 'sale', text: 'Sold 1 used unit at $7.00', value: 7 },
  ]);
  expect(rowsOf({ trades })[0]).toBe('2020-02-02 - - - -');
  expect(rowsOf({ trades })).toContain('2026-10-05 11 - 12 10');
});

test('more than forty days of trades are one mark a month', () => {
  const trade = { condition: 'used', units: 1, type: 'purchase' } as const;
  const days = Array.from({ length: 41 }, (_, index) => formatDay(at - (100 - index) * dayMs));
  const trades = days.map((date, index) => ({ ...trade, date, cents: 100 * (index + 1) }));
  expect(chartOf({ trades: trades.slice(1) }).marks).toHaveLength(40);
  // From August 8 to September 17.
  expect(chartOf({ trades }).marks?.map(({ at, text }) => [at, text])).toEqual([
    ['2026-08-31', 'Bought 24 used units at $12.50 each'],
    ['2026-09-17', 'Bought 17 used units at $33.00 each'],
  ]);
});

test.each([
  ['90d', '2026-08-18'],
  ['1y', '2025-11-16'],
  ['5y', '2021-11-16'],
])('the range %s starts on %s', (range, day) => {
  const request = { path: '/sets/1', query: new URLSearchParams({ range }), at } as PageRequest;
  const typed = { values: {}, faults: {} };
  const comparison = { theme: null, typed, choices: [], other: null };
  const html = renderToString(h(ItemChartCard, { request, past, comparison }));
  expect(html).toContain(`aria-current="true" data-from="${Date.parse(day) / 1000}"`);
});

test('list price and max buy price are levels', () => {
  const { levels } = chartOf({ listCents: 149_99, maxBuyCents: 98_00 });
  expect(levels?.map(({ key, value, text }) => [key, value, text])).toEqual([
    ['list', 149.99, '$149.99'],
    ['max_buy', 98, '$98.00'],
  ]);
  expect(chartOf().levels).toEqual([]);
});
