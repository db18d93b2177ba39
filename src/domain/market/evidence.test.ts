/** Evidence: the tier of a condition, and hashes as text. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { hashText, tierIn } from './evidence.ts';

test('a hash has thirteen hexadecimal digits', () => {
  expect([0, 0xabc, 2 ** 52 - 1].map(hashText)).toEqual([
    '0000000000000',
    '0000000000abc',
    'fffffffffffff',
  ]);
});

test('a condition has the tier of the item if it was ever sold, and is modeled otherwise', () => {
  const sales = { days30: 0, days90: 0, days180: 0, days365: 0, ever: 1 };
  const found = { valueCents: 1, lowCents: 1, highCents: 1, valueSpread: 0, saleSpread: 0 };
  const sealed = { ...found, firstSale: null, latestSale: null, sales };
  const used = { ...sealed, sales: { ...sales, ever: 0 } };
  const evidence = someEvidence({ tier: 'low', sealed, used });
  expect([tierIn(evidence, 'sealed'), tierIn(evidence, 'used')]).toEqual(['low', 'modeled']);
});
