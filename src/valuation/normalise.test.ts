/** Sales as comparable unit prices: delivered, in dollars, as if complete. */
import { expect, test } from 'bun:test';
import type { StoredSale } from '../domain/market.ts';
import { normalise } from './normalise.ts';

const sale: StoredSale = {
  source: 'shop',
  sourceId: '1',
  condition: 'sealed',
  priceCents: 100_00,
  shippingCents: 0,
  currency: 'USD',
  quantity: 1,
  soldAt: Date.UTC(2026, 9, 1),
  channel: null,
  seller: null,
  completeness: 'complete',
  ingestedAt: Date.UTC(2026, 9, 2),
  retractedAt: null,
  usdPerUnit: 1,
};

/** What one unit counts as, in cents, and how much the sale says. */
function unit(facts: Partial<StoredSale>): [cents: number, weight: number] | null {
  const observation = normalise({ ...sale, ...facts });
  return observation && [Math.round(Math.exp(observation.log)), observation.weight];
}

test.each([
  ['without shipping', { priceCents: 50_00 }, 50_00],
  ['with ordinary shipping', { priceCents: 50_00, shippingCents: 9_95 }, 59_95],
  ['with $25 shipping', { priceCents: 50_00, shippingCents: 25_00 }, 75_00],
  ['with shipping above $25 and a quarter', { priceCents: 50_00, shippingCents: 25_01 }, 50_00],
  ['with shipping of a quarter', { priceCents: 200_00, shippingCents: 50_00 }, 250_00],
  ['with shipping above a quarter', { priceCents: 200_00, shippingCents: 50_01 }, 200_00],
  ['for a cent, with the price in shipping', { priceCents: 1, shippingCents: 99_00 }, 1],
])('a set sold %s counts with the shipping that is fair', (_, facts, cents) => {
  expect(unit(facts)).toEqual([cents, 1]);
});

test.each([
  ['one', { priceCents: 100_00, quantity: 1 }, 100_00, 1],
  // Two together are a little cheaper each, which is added back.
  ['two', { priceCents: 200_00, quantity: 2 }, 102_10, 1],
  ['two with shipping', { priceCents: 200_00, shippingCents: 10_00, quantity: 2 }, 107_21, 1],
  ['five', { priceCents: 500_00, quantity: 5 }, 104_95, 1],
  // A wholesale price says less, and the discount is added back as for five.
  ['six', { priceCents: 600_00, quantity: 6 }, 104_95, 0.5],
  ['a hundred', { priceCents: 10_000_00, quantity: 100 }, 104_95, 0.5],
])('a sale of %s counts as a sale of one', (_, facts, cents, weight) => {
  expect(unit(facts)).toEqual([cents, weight]);
});

test.each([
  ['euros', { currency: 'EUR', usdPerUnit: 1.1 }, 110_00],
  ['yen', { currency: 'JPY', priceCents: 15_000_00, usdPerUnit: 0.0067 }, 100_50],
  [
    'euros, with shipping just under $25',
    { currency: 'EUR', usdPerUnit: 1.1, priceCents: 50_00, shippingCents: 22_72 },
    79_99,
  ],
  [
    'euros, with shipping just over $25',
    { currency: 'EUR', usdPerUnit: 1.1, priceCents: 50_00, shippingCents: 22_73 },
    55_00,
  ],
])('a sale in %s counts in dollars', (_, facts, cents) => {
  expect(unit(facts)).toEqual([cents, 1]);
});

test.each([
  ['sealed, complete', { condition: 'sealed', completeness: 'complete' }, [100_00, 1]],
  ['sealed, nothing said', { condition: 'sealed', completeness: null }, [100_00, 1]],
  ['sealed, unknown', { condition: 'sealed', completeness: 'unknown' }, [100_00, 1]],
  ['sealed, damaged box', { condition: 'sealed', completeness: 'damaged_box' }, [110_52, 0.5]],
  ['sealed, incomplete', { condition: 'sealed', completeness: 'incomplete' }, null],
  ['used, complete', { condition: 'used', completeness: 'complete' }, [100_00, 1]],
  ['used, nothing said', { condition: 'used', completeness: null }, [100_00, 0.5]],
  ['used, unknown', { condition: 'used', completeness: 'unknown' }, [100_00, 0.5]],
  ['used, no box', { condition: 'used', completeness: 'no_box' }, [105_13, 0.67]],
  ['used, no instructions', { condition: 'used', completeness: 'no_instructions' }, [105_13, 0.67]],
  ['used, damaged box', { condition: 'used', completeness: 'damaged_box' }, [100_00, 1]],
  ['used, incomplete', { condition: 'used', completeness: 'incomplete' }, null],
] as const)('a set sold for $100 %s counts as a complete one', (_, facts, counted) => {
  expect(unit(facts)).toEqual(counted && [...counted]);
});

test('a sale that cannot be compared does not count', () => {
  expect(unit({ usdPerUnit: 0 })).toBeNull();
  expect(unit({ priceCents: 1, quantity: 2 })).toBeNull();
});

test('when a sale happened, was learned of and was cancelled stays with it', () => {
  const retractedAt = Date.UTC(2026, 9, 3);
  expect(normalise({ ...sale, retractedAt })).toMatchObject({
    at: sale.soldAt,
    knownAt: sale.ingestedAt,
    retractedAt,
  });
});
