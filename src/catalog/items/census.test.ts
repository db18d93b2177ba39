/** Which lists of a source are rejected: incomplete and older ones. */
import { expect, test } from 'bun:test';
import { censusProblem } from './census.ts';

test.each([
  ['the first list ever', { known: 0, gone: 0, added: 21_957 }, null],
  ['the same list again', { known: 25_490, gone: 0, added: 0 }, null],
  ['two years of growth', { known: 21_957, gone: 145, added: 3_678 }, null],
  ['the list of two years ago', { known: 25_490, gone: 3_678, added: 145 }, 'older'],
  ['as many gone as new', { known: 25_490, gone: 20, added: 20 }, null],
  ['one more gone than new', { known: 25_490, gone: 21, added: 20 }, 'older'],
  ['just enough gone, and nothing new', { known: 25_490, gone: 20, added: 19 }, 'older'],
  ['few gone and nothing new', { known: 25_490, gone: 19, added: 0 }, null],
  ['5 % gone', { known: 1_000, gone: 50, added: 60 }, null],
  ['more than 5 % gone', { known: 1_000, gone: 51, added: 60 }, 'cut'],
  ['a small catalog that changes', { known: 30, gone: 15, added: 2 }, null],
  ['a small catalog that is cut', { known: 30, gone: 16, added: 40 }, 'cut'],
])('rejects only lists that are older or shorter: %s', (_, comparison, problem) => {
  expect(censusProblem(comparison)).toBe(problem as never);
});
