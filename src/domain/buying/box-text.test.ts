/** Parsing box contents as people type them. */
import { describe, expect, test } from 'bun:test';
import { boxLine, readBoxText } from './box-text.ts';

describe('an item is parsed', () => {
  test.each([
    ['75192', '75192', 1, null],
    ['75192-1 x2', '75192-1', 2, null],
    ['2x 75192 used', '75192', 2, 'used'],
    ['2 x 75192', '75192', 2, null],
    ['2 x used 75192', '75192', 2, 'used'],
    ['used 2 x 75192', '75192', 2, 'used'],
    ['75192 × 12 new', '75192', 12, 'sealed'],
    ['75192 x 12', '75192', 12, null],
    ['75192 *3', '75192', 3, null],
    ['375 x1000', '375', 1000, null],
    // Of two that are equally long, the second is the quantity.
    ['375 x 100', '375', 100, null],
    ['75192 x100000', '75192', 100_000, null],
    ['2x75192', '75192', 2, null],
    ['75192x2', '75192', 2, null],
    ['75192-1 x 2', '75192-1', 2, null],
    ['3 x sw0001a', 'sw0001a', 3, null],
    ['Used 75192', '75192', 1, 'used'],
    ['75192 NISB', '75192', 1, 'sealed'],
    ['75192 (used)', '75192', 1, 'used'],
    ['sw0001a', 'sw0001a', 1, null],
    ['fig-000123 x4', 'fig-000123', 4, null],
    ['5702015869935 sealed', '5702015869935', 1, 'sealed'],
    // Titles are ignored.
    ['75192 Millennium Falcon x2', '75192', 2, null],
    ['75192\tMillennium Falcon with R2-D2\tused', '75192', 1, 'used'],
    ['2x Millennium Falcon 75192', '75192', 2, null],
    ['75301 X Wing Fighter', '75301', 1, null],
    ['75301 X-Wing Fighter', '75301', 1, null],
    ['Millennium Falcon 75192', '75192', 1, null],
  ] as const)('%s', (text, number, quantity, condition) => {
    const items = [{ line: 1, number, quantity, condition }];
    expect(readBoxText(text)).toEqual({ items, problems: [] });
  });
});

test('items are separated by lines or commas, and empty lines are ignored', () => {
  const { items, problems } = readBoxText('75192 x2, 10179 used;\r\n\n 6080 ,\n');
  expect(items.map(({ line, number }) => [line, number])).toEqual([
    [1, '75192'],
    [1, '10179'],
    [3, '6080'],
  ]);
  expect(problems).toEqual([]);
  expect(readBoxText(' \n')).toEqual({ items: [], problems: [] });
});

test('problems name the line and what to enter instead', () => {
  const wrong = ['75192', '75192 2', 'Falcon', '75192 new used', '75192 x0', '2x 75192 x3'];
  expect(readBoxText(wrong.join('\n')).problems).toEqual([
    {
      line: 2,
      text: '75192 2',
      problem: 'Is 2 a quantity? Enter 75192 x2, or put each set on its own line.',
    },
    {
      line: 3,
      text: 'Falcon',
      problem: 'No set or minifig number found. Enter one like 75192 used x2.',
    },
    {
      line: 4,
      text: '75192 new used',
      problem: 'Is it new or used? Enter 75192 used or 75192 sealed.',
    },
    {
      line: 5,
      text: '75192 x0',
      problem: 'Enter one quantity from 1 to 100,000, such as 75192 x2.',
    },
    {
      line: 6,
      text: '2x 75192 x3',
      problem: 'Enter one quantity from 1 to 100,000, such as 75192 x2.',
    },
  ]);
  expect(readBoxText('75192 x100001').problems).toHaveLength(1);
});

test('a formatted item is parsed unchanged', () => {
  for (const text of ['75192', '75192-2 x7 used', 'sw0001a sealed']) {
    const { items } = readBoxText(text);
    expect(items.map(boxLine)).toEqual([text]);
  }
});
