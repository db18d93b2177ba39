/** Detecting the order of dates from rows. */
import { expect, test } from 'bun:test';
import type { TableRow } from '../readers/table.work.ts';
import type { DayOrder } from '../runner/loose.ts';
import { isAmbiguous, withDayOrder } from './day-order.work.ts';

async function read(groups: readonly (readonly string[])[], named: DayOrder | null = null) {
  async function* rows() {
    for (const group of groups) yield group.map((day) => ({ line: day }) as TableRow);
  }
  const found = [];
  const column = { textOf: (row: TableRow) => row.line, order: named };
  for await (const { rows: ordered, order, unclearDay } of withDayOrder(rows(), column)) {
    const isUnclear = ordered.some((row) => unclearDay(row).unclearDay !== undefined);
    found.push([ordered.map(({ line }) => line).join(' '), order, isUnclear]);
  }
  return found;
}

test('unambiguous rows are not held', async () => {
  expect(await read([['2026-01-02'], ['', '5/5/2026']])).toEqual([
    ['2026-01-02', 'day first', false],
    [' 5/5/2026', 'day first', false],
  ]);
});

test('rows are held until a date implies the order, which counts for all', async () => {
  const groups = [['1/2/2026'], ['2026-01-02'], ['1/13/2026'], ['3/4/2026'], ['13/1/2026']];
  expect(await read(groups)).toEqual([
    ['1/2/2026 2026-01-02 1/13/2026', 'month first', false],
    ['3/4/2026', 'month first', false],
    ['13/1/2026', 'month first', false],
  ]);
});

test('the first unambiguous date decides', async () => {
  expect(await read([['1/2/2026', '13/1/2026', '1/13/2026']])).toEqual([
    ['1/2/2026 13/1/2026 1/13/2026', 'day first', false],
  ]);
});

test('without unambiguous dates, the given order counts, or else day first', async () => {
  expect(await read([['1/2/2026']])).toEqual([['1/2/2026', 'day first', true]]);
  expect(await read([['1/2/2026']], 'month first')).toEqual([['1/2/2026', 'month first', true]]);
  expect(await read([['1/13/2026']], 'day first')).toEqual([['1/13/2026', 'month first', false]]);
});

test('at most 50,000 rows are held', async () => {
  const first = ['1/2/2026', ...Array.from({ length: 49_998 }, () => '')];
  const [waited, ...others] = await read([first, [''], ['1/13/2026']]);
  expect([waited?.[1], waited?.[2]]).toEqual(['day first', true]);
  expect(others).toEqual([['1/13/2026', 'day first', false]]);
  const [clear] = await read([first, ['1/13/2026']]);
  expect(clear?.[1]).toBe('month first');
});

test.each([
  ['1/2/2026', true],
  ['2/2/2026', false],
  ['13/2/2026', false],
  ['2026-01-02', false],
  ['soon', false],
])('%s is ambiguous: %p', (text, expected) => {
  expect(isAmbiguous(text)).toBe(expected);
});
