/** What a plan knows of an item's uncertainty, from what stands behind its values. */
import { expect, test } from 'bun:test';
import type { ConditionEvidence } from './evidence.ts';
import { uncertaintyOf, unknownUncertainty } from './uncertainty.ts';

const rates = { sealed: 0.02, used: 0.01 };

const sold: ConditionEvidence = {
  valueCents: 100_00,
  lowCents: 90_00,
  highCents: 110_00,
  valueSpread: 0.1,
  saleSpread: 0.15,
  sales: { ever: 40, days30: 1, days90: 3, days180: 6, days365: 12 },
  firstSale: '2024-01',
  latestSale: '2026-11',
};

test('of what was sold it is that of the value, with the sales of half a year', () => {
  const { sealed } = uncertaintyOf({ sealed: sold, used: null, modeled: null }, rates);
  expect(sealed).toEqual({
    valueCents: 100_00,
    valueSpread: 0.1,
    saleSpread: 0.15,
    sales: 6,
    usualRate: 0.02,
  });
});

test('of what was never sold it is that of the model, without a sale', () => {
  const modeled = { valueCents: 40_00, spread: 0.5 };
  const { used } = uncertaintyOf({ sealed: sold, used: null, modeled }, rates);
  expect(used).toEqual({
    valueCents: 40_00,
    valueSpread: 0.5,
    saleSpread: 0.2,
    sales: 0,
    usualRate: 0.01,
  });
});

test('of what nothing is known of, a value may be a third or three times as much', () => {
  const { used } = uncertaintyOf({ sealed: null, used: null, modeled: null }, rates);
  expect(used).toEqual(unknownUncertainty(0.01));
  expect(used).toMatchObject({ valueCents: 20_00, valueSpread: 1, sales: 0 });
});
