/** The value history of a set, as its chart has it. */
import { expect, test } from 'bun:test';
import { monthOf } from '../../domain/kernel/time.ts';
import type { MonthPoint, Series } from '../../domain/market/history.ts';
import { type History, historyRows } from './item-history.tsx';
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
  restatements: [
    { id: 1, fromMonth: first, reason: 'A source was wrong.', at: Date.UTC(2026, 9, 12) },
    { id: 2, fromMonth: first, reason: 'Not applied yet.', at: Date.UTC(2026, 8, 12) },
  ],
  now: { sealed: now(13_00), used: now(6_00) },
};

const rows = (asked: { condition?: 'sealed' | 'used'; months?: number } = {}, of = history) =>
  historyRows(of, { condition: 'sealed', months: null, at, ...asked }).map((row) =>
    `${row.at} ${row.values.join(' ')} ${row.note ?? ''}`.trim(),
  );

test('a history starts at the first value, ends today, and has events', () => {
  expect(rows()).toEqual([
    '2026-08-31 10  11 9 Retired',
    '2026-09-30 11  12 10',
    '2026-10-31 12 5 13 11 Restated',
    '2026-11-16 13 6 14 12',
  ]);
});

test('a history has the value range of the condition, for the chosen months', () => {
  expect(rows({ condition: 'used', months: 1 })).toEqual([
    '2026-10-31 12 5 6 4 Restated',
    '2026-11-16 13 6 7 5',
  ]);
});

test('without a final month with a value, a history has only today', () => {
  const none = { ...history, series: { sealed: null, used: seriesOf([point(null)]) } };
  expect(rows({}, none)).toEqual(['2026-11-16 13 6 14 12']);
});
