/** A max buy price is the one that pages name, whoever asks for it and in whatever way. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dealsAt, soldWell } from '../../test/support/deals.ts';
import { builtInTables } from '../../test/support/publish-settings.ts';
import { type BuyingSettings, termsOf, usualSettings } from '../domain/buying/buying-settings.ts';
import type { Resale } from '../domain/buying/resale.ts';
import { whatToPay } from '../domain/buying/what-to-pay.ts';
import type { ResaleRecord } from '../domain/market/market-reading.ts';
import { buyerOf, MaxBuyPrices } from './max-buy.ts';

const record = {} as ResaleRecord;
const at = dealsAt;

function pricesOf(resale: Resale | null): MaxBuyPrices {
  const source = { findTables: () => builtInTables, readResale: () => resale };
  return new MaxBuyPrices(source, record, at);
}

const anySettings: fc.Arbitrary<BuyingSettings> = fc.record({
  share: fc.constantFrom(0.5, 0.8, 0.9),
  marginBasisPoints: fc.integer({ min: 0, max: 20_000 }),
  taxBasisPoints: fc.integer({ min: 0, max: 1_500 }),
  cashbackBasisPoints: fc.integer({ min: 0, max: 2_000 }),
  inboundCents: fc.integer({ min: 0, max: 10_00 }),
  moneyBasisPoints: fc.constantFrom(0, 1_000),
  ownRates: fc.constantFrom([], [{ platform: 'ebay', basisPoints: 500, feeCents: 30 }] as const),
});

test('it is what pages name, for every account on its own terms, and told only from a price on', () => {
  const property = fc.property(
    fc.integer({ min: 1_00, max: 900_00 }),
    fc.array(anySettings, { minLength: 1, maxLength: 4 }),
    (valueCents, buyers) => {
      const resale = { ...soldWell, price: { ...soldWell.price, valueCents } };
      const prices = pricesOf(resale);
      for (const settings of buyers) {
        const buyer = buyerOf(builtInTables, settings);
        const question = { terms: termsOf(settings), at, channel: null, withModeled: false };
        const named = whatToPay(buyer.tables, resale, question).maxBuyCents;
        expect(prices.find(buyer, 0)).toBe(named);
        if (named === null) continue;
        expect(prices.find(buyer, named)).toBe(named);
        expect(prices.find(buyer, named + 0.01)).toBeNull();
      }
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test('there is none without a value, or with one that no sale supports', () => {
  const buyer = buyerOf(builtInTables, usualSettings);
  expect(pricesOf(null).find(buyer, 0)).toBeNull();
  expect(pricesOf({ ...soldWell, tier: 'modeled' }).find(buyer, 0)).toBeNull();
  expect(pricesOf(soldWell).find(buyer, 0)).toBeGreaterThan(40_00);
});
