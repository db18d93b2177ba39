/** Terminal output: tables that fit, colors only on a terminal. */
import { describe, expect, test } from 'bun:test';
import {
  type Column,
  cutToWidth,
  makeScreen,
  screenFacts,
  screenTable,
  showable,
} from './screen.ts';

interface Row {
  readonly number: string;
  readonly title: string;
  readonly price: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'SET', text: ({ number }) => number },
  { title: 'TITLE', text: ({ title }) => title, isCut: true },
  { title: 'PRICE', text: ({ price }) => price, isNumber: true, tone: () => 'good' },
];

const rows: readonly Row[] = [
  { number: '75192', title: 'Millennium Falcon, the very large one', price: '$849.99' },
  { number: '1', title: 'Hut', price: '$5.00' },
];

const file = makeScreen(null, {});

describe('a table', () => {
  test('in a file is as wide as its contents', () => {
    expect(screenTable(columns, rows, file)).toBe(
      [
        'SET    TITLE                                    PRICE',
        '75192  Millennium Falcon, the very large one  $849.99',
        '1      Hut                                      $5.00',
      ].join('\n'),
    );
  });

  test('on a screen is truncated until it fits', () => {
    expect(screenTable(columns, rows, makeScreen(36, { NO_COLOR: '1' }))).toBe(
      [
        'SET    TITLE                   PRICE',
        '75192  Millennium Falcon,…   $849.99',
        '1      Hut                     $5.00',
      ].join('\n'),
    );
  });

  test('has notes below their rows', () => {
    const noted = screenTable(columns, rows, file, ({ number }) => (number === '1' ? 'Old.' : ''));
    expect(noted.split('\n').at(-1)).toBe('  Old.');
    expect(noted.split('\n')).toHaveLength(4);
  });
});

describe('colors', () => {
  test.each<[columns: number | null, environment: Record<string, string>, isColored: boolean]>([
    [80, {}, true],
    [80, { NO_COLOR: '' }, true],
    [80, { NO_COLOR: '1' }, false],
    [80, { TERM: 'dumb' }, false],
    [null, {}, false],
  ])('in %p columns with %j are used: %p', (width, environment, isColored) => {
    const { paint } = makeScreen(width, environment);
    expect(paint('good', '+1')).toBe(isColored ? '\u001b[32m+1\u001b[0m' : '+1');
  });

  test('do not count as width', () => {
    const lines = screenTable(columns, rows, makeScreen(80, {})).split('\n');
    expect(lines.map((line) => Bun.stringWidth(line))).toEqual([53, 53, 53]);
  });
});

test.each([
  ['Falcon', 6, 'Falcon'],
  ['Falcon', 5, 'Falc…'],
  ['A B C', 4, 'A B…'],
  ['A B C', 3, 'A…'],
  ['忍者寺院', 5, '忍者…'],
  ['👩‍🚀👩‍🚀👩‍🚀', 5, '👩‍🚀👩‍🚀…'],
])('%p in %d columns is %p', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

test('empty facts are left out', () => {
  const facts = [
    ['Theme', 'Castle'],
    ['Year', null],
    ['Box', ''],
  ] as const;
  expect(screenFacts(facts, file)).toBe('  Theme  Castle');
});

test('control characters in data are escaped', () => {
  const data = { title: 'a\u001b[2Jb', list: ['c\nd', 1, null, true], none: null };
  expect(showable(data)).toEqual({
    title: 'a\\u001b[2Jb',
    list: ['c\\u000ad', 1, null, true],
    none: null,
  });
});
