/** The texts of lots in the preview of an import. */
import { expect, test } from 'bun:test';
import { aLot, anUnusualLot } from '../../../../test/support/builders.ts';
import { lotChangeText } from './lot-fields.tsx';

/** The ID never changes, and the preview has a column for the set. */
const { sourceId: _, kind: __, number: ___, ...unusual } = anUnusualLot();

const usual = aLot({ quantity: 3, condition: 'used' });

test.each(Object.entries(unusual))('a changed %s is described', (name, value) => {
  expect(lotChangeText(usual, { ...usual, [name]: value })).toContain(' → ');
});

test('only fields that differ are described', () => {
  expect(lotChangeText(usual, usual)).toBe('');
  expect(lotChangeText(usual, { ...usual, quantity: 4, status: 'listed' })).toBe(
    '3 used → 4 used, owned → listed',
  );
});
