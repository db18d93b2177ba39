/** Rows of sources: the price at which a retailer itself sells. */
import { expect, test } from 'bun:test';
import { anOffer } from '../../../test/support/builders.ts';
import { type Offer, ownPriceCents } from './source-rows.ts';

test("a retailer's own price is one that it sells at itself, in stock", () => {
  const own = (facts: Partial<Offer>) =>
    ownPriceCents(anOffer({ priceCents: 5_00, inStock: true, sellerType: 'retailer', ...facts }));
  expect(own({})).toBe(5_00);
  const others: Partial<Offer>[] = [
    { inStock: false },
    { inStock: null },
    { sellerType: 'third_party' },
    { sellerType: null },
    { priceCents: null },
  ];
  expect(others.map(own)).toEqual(others.map(() => null));
});
