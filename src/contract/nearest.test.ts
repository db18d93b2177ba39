/** The nearest name: what somebody probably meant to type. */
import { expect, test } from 'bun:test';
import { nearest } from './nearest.ts';

const names = ['limit', 'offset', 'q'];

test.each([
  ['limt', 'limit'],
  ['limits', 'limit'],
  ['LIMIT', 'limit'],
  ['ofset', 'offset'],
  ['off_set', 'offset'],
  ['p', 'q'],
  ['query', 'q'],
])('%s is nearest to %s', (typed, name) => {
  expect(nearest(typed, names)).toBe(name);
});

test('a name is nearest to itself', () => {
  for (const name of names) expect(nearest(name, names)).toBe(name);
});

test('of equally near names the first is taken', () => {
  expect(nearest('abx', ['abc', 'abd'])).toBe('abc');
  expect(nearest('abx', ['abd', 'abc'])).toBe('abd');
});

test('where there are no names there is none to suggest', () => {
  expect(nearest('limit', [])).toBeNull();
});

test('only the beginning of a very long name is looked at', () => {
  const long = `${'x'.repeat(64)}offset`;
  expect(nearest(long, ['limit', 'offset'])).toBe('limit');
  expect(nearest(long.slice(30), ['limit', 'offset'])).toBe('offset');
});
