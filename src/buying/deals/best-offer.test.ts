/** The best offer of an item. */
import { expect, test } from 'bun:test';
import { type PriceBlock, retailRowExample } from '../../contract/retail.ts';
import { bestOffer } from './best-offer.ts';

const block = (facts: Partial<PriceBlock>) => ({ ...retailRowExample.retailer_a, ...facts });
const best = (a: Partial<PriceBlock>, b: Partial<PriceBlock>) =>
  bestOffer({ retailer_a: block(a), retailer_b: block(b) });

test('the cheaper of two offers counts, and on a tie the first', () => {
  const atLowest = { price: 9, atLowest: true };
  expect(best({ price: 9.99 }, atLowest)).toEqual({
    retailer: 'retailer_b',
    priceCents: 9_00,
    isAtLowest: true,
  });
  expect(best({ price: 9 }, { price: 9 })?.retailer).toBe('retailer_a');
});

test('an offer out of stock or without a price does not count; one with unknown stock does', () => {
  expect(best({ price: 5, inStock: false }, { price: 9 })?.priceCents).toBe(9_00);
  expect(best({ price: null }, { price: 9, inStock: null })?.priceCents).toBe(9_00);
  expect(best({ price: null }, { price: 1, inStock: false })).toBeNull();
});
