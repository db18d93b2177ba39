/** Explanations of tiers: modeled values may have sales, so none may claim otherwise. */
import { expect, test } from 'bun:test';
import { tierWords } from './tier-words.ts';

test('no explanation claims that there are no sales', () => {
  expect(Object.values(tierWords).join(' ')).not.toMatch(/\bno sales?\b/);
  expect(tierWords.modeled).toContain('estimate');
});
