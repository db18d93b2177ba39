/** When the owner and the callers of a key are warned that it expires. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import { isEndingSoon, warningsDue } from './key-expiry.ts';

const at = Date.parse('2026-11-15T12:00:00Z');

test.each([
  [15 * dayMs, 0],
  [14 * dayMs + 1, 0],
  [14 * dayMs, 1],
  [dayMs + 1, 1],
  [dayMs, 2],
  [1, 2],
])('%d ms before the end, %d warnings are due', (left, due) => {
  expect(warningsDue(at + left, at)).toBe(due);
  expect(isEndingSoon(at + left, at)).toBe(due > 0);
});

test('a key that does not expire has no warnings', () => {
  expect([warningsDue(null, at), isEndingSoon(null, at)]).toEqual([0, false]);
});
