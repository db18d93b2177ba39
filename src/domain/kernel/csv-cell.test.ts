/** Guarded cells keep their text, and none of them is a formula. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { guardCell, unguardCell } from './csv-cell.ts';

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
