/** JSON values of unknown shape: which are objects, and which have a text. */
import { expect, test } from 'bun:test';
import { asObject, textOf } from './json.ts';

test('arrays, null and plain values are not objects', () => {
  const object = { a: 1 };
  expect(asObject(object)).toBe(object);
  const others = [[], null, undefined, 'a', 1, true];
  expect(others.map(asObject)).toEqual(others.map(() => null));
});

test.each([
  [' 75192 ', '75192'],
  [75192, '75192'],
  [0, '0'],
  ['', null],
  ['  ', null],
  [null, null],
  [true, null],
  [['a'], null],
])('the text of %j is %j', (value, text) => {
  expect(textOf(value)).toBe(text);
});
