/** A history in short. */
import { expect, test } from 'bun:test';
import type { HistoryPoint } from '../../../clients/typescript/src/index.ts';
import { summaryOf } from './value-history.ts';

function point(value_usd: number | null, at: number): HistoryPoint {
  const month = `${2026 - Math.floor(at / 12)}-${String(12 - (at % 12)).padStart(2, '0')}`;
  return { month, value_usd, range_low: null, range_high: null, sales_count: 1, event: null };
}

test('changes are from the latest month with a value, and null without an earlier one', () => {
  const months = [null, 150, ...Array<number>(11).fill(120), 100, 90].map(point);
  expect(summaryOf(months)).toEqual({
    latest: point(150, 1),
    highest: point(150, 1),
    lowest: point(90, 14),
    change_1y_pct: 50,
    change_5y_pct: null,
  });
});

test('a history without values has no summary', () => {
  const nothing = { latest: null, highest: null, lowest: null };
  expect(summaryOf([point(null, 0)])).toMatchObject({ ...nothing, change_1y_pct: null });
  expect(summaryOf([])).toMatchObject(nothing);
});
