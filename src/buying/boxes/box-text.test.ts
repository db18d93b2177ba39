/** Parsing box contents as people type them. */
import { describe, expect, test } from 'bun:test';
import { boxLine, readBoxText, readUnread } from './box-text.ts';

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
  ] as const)(
    "reads number, quantity and condition from '%s'",
    (text, number, quantity, condition) => {
      const { items, problems } = readBoxText(text);
      expect(items).toMatchObject([
        { line: 1, text, number, quantity, condition, priceCents: null },
      ]);
      expect(problems).toEqual([]);
    },
  );
});

test.each([
  ['75192 (no box)', 'used', 'complete'],
  ['75192 Falcon, no box, x2', 'used', 'complete'],
  ['Set #19882 open', 'used', null],
  ['LEGO 75192 opened', 'used', null],
  ['75192 incomplete', 'used', 'incomplete'],
  ['75192 no minifigs', 'used', 'incomplete'],
  ['75192 w/o figs', 'used', 'incomplete'],
  ['75192 missing 3 pieces', 'used', 'incomplete'],
  ['75192 nothing missing', 'used', 'complete'],
  ['75192 95% complete', 'used', 'incomplete_95'],
  ['75192 100% complete', 'used', 'complete'],
  ['75192 50 % complete', 'used', 'incomplete_50'],
  ['75192 complete 50 %', 'used', 'incomplete_50'],
  ['75192 50%', 'used', 'incomplete_50'],
  ['75192, 50 %, x2', 'used', 'incomplete_50'],
  ['75192 used (50%) $20', 'used', 'incomplete_50'],
  ['75192 100%', 'used', 'complete'],
  ['75192 sealed 100%', 'sealed', null],
  ['75192 used with box', 'used', 'complete_boxed'],
  ['75192 used with box, no manual', 'used', 'complete'],
  ['75192 CIB', 'used', 'complete_boxed'],
  ['75192 complete, no instructions', 'used', 'complete'],
  ['75192 complete, no box, missing minifigs', 'used', 'incomplete'],
  ['75192 like new', 'used', null],
  ['75192 for parts', 'used', 'parts'],
  ['75192 sealed', 'sealed', null],
  ['75192 brand new!', 'sealed', null],
  ['75192 NISB - shelf wear', 'sealed', 'light_wear'],
  ['75192 sealed, box dented', 'sealed', 'damaged_box'],
  // Without its box, or with it open, it does not have the value of a sealed set.
  ['75192 new no box', 'used', 'complete'],
  ['75192 open box, sealed bags', 'used', null],
  ['75192 unopened', 'sealed', null],
  // A sealed set lacks nothing.
  ['75192 NISB 100% complete', 'sealed', null],
  ['75192 sealed complete', 'sealed', null],
  ['75192 new, nothing missing', 'sealed', null],
  ['75192 sealed, complete in box, box dented', 'sealed', 'damaged_box'],
  ['75192 sealed no box damage', 'sealed', null],
  ['75192 sealed, no shelf wear', 'sealed', null],
  ['75192 sealed, never built', 'sealed', null],
  ['75192 sealed complete, no box', 'used', 'complete'],
  ['75192 new 95% complete', 'used', 'incomplete_95'],
  ['75192 not used', 'sealed', null],
  ['75192 never used', 'sealed', null],
  ['75192 unused', 'sealed', null],
  ['75192 used, no damage', 'used', null],
  ['75192 used with box, no damage, nothing missing', 'used', 'complete_boxed'],
  ['75192 not missing anything', 'used', 'complete'],
  ['75192 never built', null, null],
  ['75192 no damage', null, null],
  // Not said.
  ['75192', null, null],
  ['75192 new used', null, null],
  ['75192 with box', null, null],
  ['75192 box dented', null, null],
  ['50% 75192', null, null],
  ['75192 50% off', null, null],
  ['75192 complete 50% off', 'used', 'complete'],
  ['75192 0%', null, null],
  ['21028 New York City', null, null],
] as const)("reads '%s' as %p, %p", (text, condition, grade) => {
  const { items, problems } = readBoxText(text);
  expect(problems).toEqual([]);
  expect(items).toMatchObject([{ condition, grade }]);
});

test.each([
  ['75192 Millennium Falcon x2 used', 'Millennium Falcon'],
  ['Set #75192 (no box)', ''],
  ['LEGO Set No. 75192: Falcon, 7541 pcs, qty 2', 'Falcon'],
  ['75192 box dented', 'box dented'],
  ['75192 50 % complete', ''],
  ['75192 with R2-D2 – used', 'R2-D2'],
])('of %s, the words "%s" are ignored', (text, ignored) => {
  expect(readBoxText(text).items).toMatchObject([{ number: '75192', ignored }]);
});

test('an amount with a dollar sign is the price of one unit', () => {
  const { items } = readBoxText('75192 used $450, 10179 $1,200.50 each\n6080 x2 US$20 obo');
  expect(items.map(({ number, priceCents }) => [number, priceCents])).toEqual([
    ['75192', 450_00],
    ['10179', 1200_50],
    ['6080', 20_00],
  ]);
  expect(readBoxText('75192 $4 $5').problems).toMatchObject([
    { problem: 'Enter one price for each, such as 75192 $50.' },
  ]);
});

test.each([
  '75192 sealed box only',
  '75192 empty box',
  'Empty Box 75192 x2',
  '75192 (instructions only)',
  '75192 box & manual only',
  '75192 only the box',
  '75192 minifigs only',
])('%s is not the set', (text) => {
  const { items, problems } = readBoxText(text);
  expect(items).toEqual([]);
  expect(problems).toMatchObject([{ text, problem: expect.stringContaining('enter 75192 used') }]);
});

test('a set with a flaw of its box is the set', () => {
  const { items } = readBoxText('75192 sealed, only box dented\n10179 only box damage');
  expect(items.map(({ number }) => number)).toEqual(['75192', '10179']);
});

test('a line of conditions alone is a problem, and not a part of the line before', () => {
  expect(readBoxText('75192\nno box').problems).toMatchObject([{ line: 2, text: 'no box' }]);
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
  const wrong = ['75192', '75192 2', 'Falcon', '75192 x0', '2x 75192 x3'];
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
      text: '75192 x0',
      problem: 'Enter one quantity from 1 to 100,000, such as 75192 x2.',
    },
    {
      line: 5,
      text: '2x 75192 x3',
      problem: 'Enter one quantity from 1 to 100,000, such as 75192 x2.',
    },
  ]);
  expect(readBoxText('75192 x100001').problems).toHaveLength(1);
});

test('a line without a number still says quantity, condition and a name', () => {
  expect(readUnread('2x Night Ferry (no box) $40')).toEqual({
    quantity: 2,
    condition: 'used',
    grade: 'complete',
    priceCents: 40_00,
    ignored: 'Night Ferry',
  });
  expect(readUnread('Night Ferry $40 $50')).toMatchObject({ priceCents: null });
  expect(readUnread('Gate x0')).toMatchObject({ quantity: 1, condition: null, ignored: 'Gate' });
});

test('a formatted item is parsed unchanged', () => {
  for (const text of ['75192', '75192-2 x7 used', 'sw0001a sealed']) {
    const { items } = readBoxText(text);
    expect(items.map(boxLine)).toEqual([text]);
  }
});
