/** Words for tiers: a modeled value may have sales, so nothing says that it has none. */
import { expect, test } from 'bun:test';
import { tierWords } from './tier-words.ts';

test('no tier is said to have no sales', () => {
  expect(Object.values(tierWords).join(' ')).not.toMatch(/\bno sales?\b/);
  expect(tierWords.modeled).toContain('estimate');
});
