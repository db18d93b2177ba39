/** Requested pages. */
import { expect, test } from 'bun:test';
import { rangeOf } from './page.ts';

test('an offset that a number cannot represent is beyond any list', () => {
  expect(rangeOf({ limit: 5, offset: 10 })).toEqual({ limit: 5, offset: 10 });
  const { MAX_SAFE_INTEGER } = Number;
  expect(rangeOf({ limit: 5, offset: '9'.repeat(30) }).offset).toBe(MAX_SAFE_INTEGER);
});
