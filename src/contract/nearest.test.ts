/** Which name was probably meant, and when none is suggested. */
import { expect, test } from 'bun:test';
import { nameHint, nameHintEnd, nearest } from './nearest.ts';

const page = ['q', 'limit', 'offset'];
const set = ['set_number', 'title', 'year', 'minifigs', 'minifigs_count', 'msrp_usd'];
const dates = ['release_date', 'retire_date'];
const deals = ['scope', 'min_tier', 'min_profit_usd', 'min_roi_pct', 'max_price_usd', 'limit'];

test.each([
  // Case and separators.
  ['LIMIT', page, 'limit'],
  ['Q', page, 'q'],
  ['off_set', page, 'offset'],
  ['changedWithin', ['changed_within', 'since'], 'changed_within'],
  ['set-number', set, 'set_number'],
  // Typos: a letter more, less, other or swapped.
  ['limt', page, 'limit'],
  ['limits', page, 'limit'],
  ['ofset', page, 'offset'],
  ['offste', page, 'offset'],
  ['conditon', ['condition'], 'condition'],
  ['set_numbr', set, 'set_number'],
  ['minifig', set, 'minifigs'],
  ['relaese_dat', dates, 'release_date'],
  ['75129', ['10179', '75192'], '75192'],
  // Whole words, or the beginning.
  ['msrp', set, 'msrp_usd'],
  ['number', set, 'set_number'],
  ['min_roi', deals, 'min_roi_pct'],
  ['roi', deals, 'min_roi_pct'],
  ['default', ['name', 'is_default'], 'is_default'],
  ['con', ['condition', 'period'], 'condition'],
  ['set_number', ['set', 'asin', 'upc'], 'set'],
  ['75192-2', ['10179', '75192'], '75192'],
] as const)('%s suggests one of %j: %s', (typed, names, meant) => {
  expect(nearest(typed, names)).toBe(meant);
});

test.each([
  ['msrp', ['set_number', 'title', 'year']],
  ['min_roi', ['min_tier', 'limit']],
  ['min_price', deals],
  ['query', page],
  ['page', page],
  ['toString', page],
  ['offers', page],
  ['of', page],
  ['p', page],
  ['ac', ['ab']],
  ['', page],
  ['__', page],
  ['note', ['source', 'source_id']],
  // Several fit, and none of them better than the others.
  ['date', dates],
  ['min', deals],
  ['limit', []],
] as const)('%j suggests none of %j', (typed, names) => {
  expect(nearest(typed, names)).toBeNull();
});

test('an exact name is suggested, whatever else is near', () => {
  for (const name of [...set, ...deals]) expect(nearest(name, [...set, ...deals])).toBe(name);
});

test('on a tie of typos, the first is suggested', () => {
  expect(nearest('abx', ['abc', 'abd'])).toBe('abc');
  expect(nearest('abx', ['abd', 'abc'])).toBe('abd');
});

test('only the beginning of a very long name is compared', () => {
  expect(nearest(`limit${'_'.repeat(59)}x`, page)).toBe('limit');
});

test('a message has a suggestion, or lists the names if there are few', () => {
  expect(nameHint('limt', page)).toBe("did you mean 'limit'?");
  expect(nameHint('page', page)).toBe('use one of q, limit, offset');
  expect(nameHint('page', ['q'])).toBe('use q');
  expect(nameHint('page', [])).toBe('');
  const many = Array.from({ length: 31 }, (_, index) => `name${index}`);
  expect(nameHint('page', many)).toBe('');
  expect(nameHintEnd('limt', page)).toBe("; did you mean 'limit'?");
  expect(nameHintEnd('page', page)).toBe('; use one of q, limit, offset.');
  expect(nameHintEnd('page', many)).toBe('.');
  expect(nameHint('page', many.slice(1))).toStartWith('use one of name1, name2');
});
