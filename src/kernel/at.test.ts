/** Checked access to lists. */
import { expect, test } from 'bun:test';
import { at } from './at.ts';

test('returns elements of lists and typed arrays, also if they are falsy', () => {
  expect(at(['', 'b'], 0)).toBe('');
  expect(at(new Float64Array([0, 2.5]), 1)).toBe(2.5);
});

test.each([-1, 2, 0.5, Number.NaN])('an index that does not exist throws: %p', (index) => {
  expect(() => at(['a', 'b'], index)).toThrow(`Index ${index} is outside of a list of 2 elements.`);
});
