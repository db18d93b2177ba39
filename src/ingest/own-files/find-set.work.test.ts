/** Finding set numbers in texts. */
import { expect, test } from 'bun:test';
import { findSets, numbersIn } from './find-set.work.ts';

const known = ['10482', '10483-2', '2024'];
const market = {
  findKnownSets: async (keys: readonly string[]) =>
    new Map(
      keys
        .filter((key) => known.includes(key))
        .map((key) => [
          key,
          { number: key, title: key, msrpCents: null, releaseDate: null, year: null },
        ]),
    ),
};

test.each([
  ['LEGO 10482-1 (2024), 123 pieces', ['10482-1', '2024']],
  ['A10482B', ['10482']],
  ['12345678 and 10482-2023', ['10482', '2023']],
  ['123', []],
])('finds what may be numbers of sets in %j', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

test.each([
  [['10482'], '10482'],
  [['LEGO 10482 from 2024'], '10482'],
  [['LEGO 2024'], '2024'],
  [['box 7', 'variant 10483-2'], '10483-2'],
  [['10482 and 10483-2'], "'10482 and 10483-2' names several sets: 10482, 10483-2"],
  [['bricks', '99999'], "no set number found in 'bricks' or '99999'"],
])('the set of %j', async (texts, found) => {
  const [set] = await findSets(market, [{ texts }]);
  expect(set instanceof Error ? set.message : set).toBe(found);
});
