/** Limits of watch lists. */
import { expect, test } from 'bun:test';
import { watchLimits } from './watch-list.ts';

test('an account may have 20 lists and 5,000 items, with names of 100 and notes of 200', () => {
  expect(watchLimits).toEqual({ lists: 20, items: 5_000, nameLength: 100, noteLength: 200 });
});
