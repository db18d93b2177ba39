/** Max buy prices of alerts are the same as on pages. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dealsAt, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import {
  type BuyingSettings,
  termsOf,
  usualSettings,
} from '../../buying/prices/buying-settings.ts';
import type { Resale } from '../../buying/prices/resale.ts';
import { whatToPay } from '../../buying/prices/what-to-pay.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import { buyerOf, MaxBuyPrices } from './max-buy-prices.ts';

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
  todayMinProfitCents: fc.constant(10_00),
  todayMinRoiPercent: fc.constant(15),
  todayMaxWaitDays: fc.constant(365),
  hourCents: fc.constant(15_00),
  secondsPerLot: fc.constant(40),
  secondsPerPiece: fc.constant(3),
});

test('it is the price that pages show, by the terms of each account, if it reaches the minimum', () => {
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

test('there is none without a value, or with one that few sales support', () => {
  const buyer = buyerOf(builtInTables, usualSettings);
  expect(pricesOf(null).find(buyer, 0)).toBeNull();
  for (const tier of ['modeled', 'low'] as const) {
    expect(pricesOf({ ...soldWell, tier }).find(buyer, 0)).toBeNull();
  }
  expect(pricesOf(soldWell).find(buyer, 0)).toBeGreaterThan(40_00);
});

test('with a cost of capital, the best channel can be another one', () => {
  // It waits longest at FBA, which nets most.
  const offsets = { fixed: 0, bricklink: 0, ebay: 0, amazon: 0.1 };
  const rate = { sales: 6, days: 365, priorSales: 2, priorDays: 60 };
  const resale = { ...soldWell, offsets, rate };
  const shared = pricesOf(resale);
  for (const moneyBasisPoints of [1_000, 5_000, 1_000]) {
    const buyer = buyerOf(builtInTables, { ...usualSettings, moneyBasisPoints });
    expect(shared.find(buyer, 0)).toBe(pricesOf(resale).find(buyer, 0));
  }
});

test('the best sale is computed once for all accounts with the same terms', () => {
  let reads = 0;
  const counted = Object.defineProperty({ ...soldWell }, 'price', {
    get: () => {
      reads++;
      return soldWell.price;
    },
  });
  const prices = pricesOf(counted);
  const isWorkedOut = (change: Partial<BuyingSettings>) => {
    const before = reads;
    prices.find(buyerOf(builtInTables, { ...usualSettings, ...change }), 0);
    return reads > before;
  };
  expect(isWorkedOut({})).toBe(true);
  expect(isWorkedOut({ marginBasisPoints: 9_000, taxBasisPoints: 800 })).toBe(false);
  expect(isWorkedOut({ share: 0.5 })).toBe(true);
  expect(isWorkedOut({ ownRates: [{ platform: 'ebay', basisPoints: 500, feeCents: 30 }] })).toBe(
    true,
  );
  expect(isWorkedOut({})).toBe(false);
});
