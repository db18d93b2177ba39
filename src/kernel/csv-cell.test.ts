/** Guarded cells keep their text, and none of them is a formula. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvCell, guardCell, unguardCell, usdCell } from './csv-cell.ts';

test.each([
  ['=1+1', "'=1+1'"],
  ['-3', "'-3'"],
  ['@SUM(A1)', "'@SUM(A1)'"],
  [' =1', "' =1'"],
  ["'tis", "''tis'"],
  ['', "''"],
  ['plain = text', 'plain = text'],
])('%j is guarded as %j', (text, cell) => {
  expect(guardCell(text)).toBe(cell);
});

test('every text is restored, even if the cell was trimmed', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@' ]{0,3}[a-z' ]{0,5}$/));
  fc.assert(
    fc.property(texts, (text) => {
      const cell = guardCell(text).trim();
      expect(unguardCell(cell)).toBe(text);
      expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

test.each<[unknown, string]>([
  [null, ''],
  ['Castle', 'Castle'],
  ['=1;2', `"'=1;2'"`],
  ['a "b"', '"a ""b"""'],
  [-3, '-3'],
  [true, 'true'],
  [['a', 1], '"[""a"",1]"'],
])('the value %j is the cell %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('amounts have two decimals, and an unknown one is empty', () => {
  expect([null, 0, 5, 123_450].map(usdCell)).toEqual(['', '0.00', '0.05', '1234.50']);
});

test('only text between two apostrophes was guarded', () => {
  expect(["''", "'", "'tis", "dogs'"].map(unguardCell)).toEqual(['', "'", "'tis", "dogs'"]);
});
