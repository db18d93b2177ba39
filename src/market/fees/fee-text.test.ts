/** Fees in words. */
import { expect, test } from 'bun:test';
import { builtInFees, feesOn } from './fee-table.ts';
import { feeText } from './fee-text.ts';
import type { Platform } from './platforms.ts';

test('amounts have cents only if they are not whole dollars', () => {
  const fees = feesOn(builtInFees, 'mercari', '2026-11-15');
  const least = (minCents: number) => feeText(fees && { ...fees, minCents });
  expect([1, 12_00, 1_234_05].map(least)).toEqual([
    '10% of items and shipping, at least $0.01',
    '10% of items and shipping, at least $12',
    '10% of items and shipping, at least $1,234.05',
  ]);
});

test.each([
  [
    'ebay',
    '13.6% up to $7,500, 2.35% above that, of the total with shipping and sales tax, ' +
      'plus $0.40 per order ($0.30 up to $10)',
  ],
  [
    'bricklink',
    '3% up to $500, 2% up to $1,000, 1% above that, of the items; ' +
      'PayPal 3.49% of the total with shipping and sales tax + $0.49',
  ],
  ['amazon', '15% of items and shipping, at least $0.30'],
  ['walmart', '15% of items and shipping'],
  ['mercari', '10% of items and shipping'],
  ['local', 'No fees'],
] satisfies [Platform, string][])('%s charges %s', (platform, text) => {
  expect(feeText(feesOn(builtInFees, platform, '2026-11-15'))).toBe(text);
});

test('a fee that is the same for every order has no aside', () => {
  const fees = feesOn(builtInFees, 'mercari', '2026-11-15');
  const perOrder = [{ upToCents: null, feeCents: 50 }];
  expect(feeText(fees && { ...fees, perOrder })).toBe(
    '10% of items and shipping, plus $0.50 per order',
  );
});
