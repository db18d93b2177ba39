/** A unit bought at the max price clears at the expected price. */

import { expect, test } from 'bun:test';
import type { Resale } from '../../src/buying/prices/resale.ts';
import { normalAbove, priceAt } from '../../src/market/values/price.ts';
import { soldWell } from '../../test/support/deals.ts';
import { restingFacts, setOf, sold, soldEvery, unlearned } from '../../test/support/valuation.ts';
import { clears, isResale, knownResale, paidCents } from './resales.ts';
import type { BacktestItem } from './worlds.ts';

const boughtAt = Date.UTC(2026, 5, 1);
const price = { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove };
const resale: Resale = {
  ...soldWell,
  price,
  offsets: { fixed: 0, bricklink: -0.05 },
  rate: null,
  parcel: {
    box: { widthIn: null, heightIn: null, depthIn: null, weightLbs: 2 },
    pieces: 500,
  },
  fbaSellers: null,
};

test('a unit clears at the price of its share, and not a dollar below, in each channel', () => {
  for (const [channel, offset] of [['ebay', 0] as const, ['bricklink', -0.05] as const]) {
    for (const share of [0.5, 0.8, 0.9]) {
      const priceCents = priceAt({ ...price, offset }, share);
      const unit = { channel, resale, boughtAt, movedDaysAgo: null };
      expect(clears({ ...unit, priceCents }, share)).toBe(true);
      expect(clears({ ...unit, priceCents: priceCents - 100 }, share)).toBe(false);
    }
  }
});

test('units without a max buy price are not bought', () => {
  const cheap = { ...resale, price: { ...price, valueCents: 4_00 } };
  const unit = {
    channel: 'ebay',
    resale: cheap,
    boughtAt,
    priceCents: 400_00,
    movedDaysAgo: null,
  } as const;
  expect(clears(unit, 0.8)).toBeNull();
});

test('only items with a value supported by sales are bought', () => {
  const item: BacktestItem = {
    key: '1',
    facts: { ...restingFacts, weightLbs: 3 },
    sales: [],
    retailWeeks: [],
    trueLog: () => 0,
  };
  const known = (set = setOf([])) =>
    knownResale(item, unlearned.prepareSet(set).valueAt(boughtAt), 'sealed');
  expect(known()).toBeNull();
  const sales = soldEvery(9, [200, 210, 205], { until: boughtAt });
  expect(known(setOf(sales))).toMatchObject({ parcel: { box: { weightLbs: 3 }, pieces: 900 } });
});

test('a resale is an ordinary sale that was not retracted, at the price paid in US dollars', () => {
  const sale = sold({ priceCents: 80_00, shippingCents: 5_55, usdPerUnit: 1.1 });
  const ordinary = { sale, isOrdinary: true, isPlain: false };
  expect(isResale(ordinary, 'sealed')).toBe(true);
  expect(isResale(ordinary, 'used')).toBe(false);
  expect(isResale({ ...ordinary, isOrdinary: false }, 'sealed')).toBe(false);
  expect(isResale({ ...ordinary, sale: { ...sale, retractedAt: 1 } }, 'sealed')).toBe(false);
  expect(paidCents(sale)).toBe(94_11);
});
