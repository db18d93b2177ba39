/** Values created on first use. */
import { expect, test } from 'bun:test';
import { lazy } from './lazy.ts';

test('a value is created on first use and kept, even if it is null', () => {
  let made = 0;
  const find = lazy(() => {
    made++;
    return null;
  });
  expect(made).toBe(0);
  expect([find(), find()]).toEqual([null, null]);
  expect(made).toBe(1);
});

test('a failed creation is retried', () => {
  let tries = 0;
  const find = lazy(() => {
    if (++tries === 1) throw new Error('not yet');
    return tries;
  });
  expect(find).toThrow('not yet');
  expect([find(), find()]).toEqual([2, 2]);
});
