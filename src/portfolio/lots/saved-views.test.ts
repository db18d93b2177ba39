/** Limits of saved views. */
import { expect, test } from 'bun:test';
import { viewLimits } from './saved-views.ts';

test('an account may have 20 views, with names of 40 and queries of 1,000 characters', () => {
  expect(viewLimits).toEqual({ views: 20, name: 40, query: 1_000 });
});
