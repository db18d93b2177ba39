/** A skipped deal comes back at a lower price, and only then. */
import { expect, test } from 'bun:test';
import { candidate } from '../../../test/support/deals.ts';
import { isSkipped, skippedPrices } from './skipped-deals.ts';

test('an offer is skipped at the price or above, at any retailer', () => {
  const prices = skippedPrices([{ setKey: '10001-1', priceCents: 50_00, skippedAt: 1 }]);
  const at = (priceCents: number, retailer: 'retailer_a' | 'retailer_b' = 'retailer_a') =>
    isSkipped(candidate({ offer: { priceCents, retailer } }), prices);
  expect([at(50_00), at(50_01), at(49_99)]).toEqual([true, true, false]);
  expect([at(55_00, 'retailer_b'), at(45_00, 'retailer_b')]).toEqual([true, false]);
  expect(isSkipped(candidate({ set: { setKey: '2-1' } }), prices)).toBe(false);
});
