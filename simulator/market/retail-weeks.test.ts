/** Retail weeks: the lowest price of retailers' own stock. */
import { expect, test } from 'bun:test';
import { weekOf } from '../../src/kernel/time.ts';
import type { Offer } from '../../src/market/source-rows/source-rows.ts';
import { anOffer } from '../../test/support/builders.ts';
import { retailWeeks } from './retail-weeks.ts';

const week = weekOf(Date.parse('2026-03-02T00:00:00Z'));

function offer(date: string, facts: Partial<Offer>): Offer {
  return anOffer({
    setKey: '1',
    observedAt: Date.parse(`${date}T12:00:00Z`),
    priceCents: 100,
    sellerType: 'retailer',
    inStock: true,
    ...facts,
  });
}

test('a week has the lowest price of the retailers themselves', () => {
  const offers = [
    offer('2026-03-09', { priceCents: 80, sellerType: 'third_party' }),
    offer('2026-03-02', { priceCents: 110 }),
    offer('2026-03-08', { priceCents: 100, retailer: 'retailer_b' }),
    offer('2026-03-05', { priceCents: 90, sellerType: 'third_party' }),
  ];
  expect(retailWeeks(offers)).toEqual([{ week, priceCents: 100 }]);
});

test('offers that may be out of stock do not count', () => {
  const offers = [
    offer('2026-03-02', { priceCents: 50, inStock: false }),
    offer('2026-03-03', { priceCents: null }),
    offer('2026-03-10', { priceCents: 70, inStock: null }),
  ];
  expect(retailWeeks(offers)).toEqual([]);
});
