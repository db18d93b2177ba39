/** Whether a page has a next one. */
import { expect, test } from 'bun:test';
import { paginationOf } from './pagination.ts';

test('the last page is the one that reaches the end', () => {
  const page = { limit: 10, offset: 20 };
  expect(paginationOf(31, page)).toEqual({ total: 31, limit: 10, offset: 20, has_more: true });
  expect(paginationOf(30, page).has_more).toBe(false);
  expect(paginationOf(0, { limit: 10, offset: 0 }).has_more).toBe(false);
});

test('an offset beyond the safe range is returned as sent', () => {
  const offset = '9'.repeat(400);
  expect(JSON.stringify(paginationOf(31, { limit: 10, offset }))).toBe(
    `{"total":31,"limit":10,"offset":${offset},"has_more":false}`,
  );
});
