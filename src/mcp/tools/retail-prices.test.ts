/** Retail prices in words. */
import { expect, test } from 'bun:test';
import { priceText } from './retail-prices.ts';

const offer = {
  price: 149.99,
  sellerType: 'retailer',
  changedAt: '2026-11-10T08:00:00.000Z',
  lastChange: -10,
  flip1pTo3p: false,
  atLowest: false,
  lowest: 129.99,
  inStock: true,
} as const;

test.each([
  [offer, '$149.99, sold by the retailer, in stock, lowest ever $129.99'],
  [{ ...offer, sellerType: 'third_party', inStock: false }, 'sold by a third party, out of stock'],
  [{ ...offer, sellerType: null, inStock: null }, 'seller unknown, stock unknown'],
  [{ ...offer, price: null }, 'no offer now; lowest ever $129.99'],
] as const)('says seller, stock and price of %j', (block, words) => {
  expect(priceText(block)).toStartWith(words.startsWith('no') ? words : '$149.99');
  expect(priceText(block)).toContain(words);
});
