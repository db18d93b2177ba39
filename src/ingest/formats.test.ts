/** Properties of all formats. */
import { expect, test } from 'bun:test';
import type { Format } from './format.ts';
import { formats, isFormatName } from './formats.ts';

test('files are read to their end before anything is written', () => {
  const all = Object.entries<Format>(formats);
  const others = all.filter(([, { isReadFirst }]) => !isReadFirst).map(([name]) => name);
  // Lines of the feed are independent, and Rebrickable's tables are read completely anyway.
  expect(others).toEqual(['feed', 'rebrickable']);
});

test('only names of formats are formats', () => {
  expect([isFormatName('feed'), isFormatName('toString')]).toEqual([true, false]);
});
