/** Numbers that a mistyped one may mean. */
import { expect, test } from 'bun:test';
import { nearNumbers } from './near-numbers.ts';

test('swapped, wrong, missing and extra digits are near, in this order', () => {
  const near = nearNumbers('75129');
  expect(near[0]).toBe('57129');
  for (const meant of ['75192', '75128', '7529', '751299']) expect(near).toContain(meant);
  expect(near.indexOf('75192')).toBeLessThan(near.indexOf('75128'));
  expect(near.indexOf('75128')).toBeLessThan(near.indexOf('7529'));
  expect(near).not.toContain('75129');
  expect(near.length).toBe(new Set(near).size);
});

test('a variant stays, and numbers do not start with 0', () => {
  expect(nearNumbers('1000-2')).toContain('1001-2');
  expect(nearNumbers('1000').filter((each) => each.startsWith('0'))).toEqual([]);
});

test.each(['sw0001a', 'Falcon', '', '5702015869935'])('nothing is near %s', (text) => {
  expect(nearNumbers(text)).toEqual([]);
});
