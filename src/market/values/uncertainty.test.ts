/** The uncertainty of an item's values, derived from their evidence. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import type { ConditionEvidence } from '../evidence/evidence.ts';
import {
  keepUncertainty,
  keptUncertainty,
  uncertaintyOf,
  unknownUncertainty,
  usualRates,
} from './uncertainty.ts';

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

test('with sales, it is that of the value, with the sales of half a year', () => {
  const { sealed } = uncertaintyOf({ sealed: sold, used: null, modeled: null }, rates);
  expect(sealed).toEqual({
    valueCents: 100_00,
    valueSpread: 0.1,
    saleSpread: 0.15,
    sales: 6,
    usualRate: 0.02,
  });
});

test('without sales, it is that of the model', () => {
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

test('without any data, a default with a spread of 1 is used', () => {
  const { used } = uncertaintyOf({ sealed: null, used: null, modeled: null }, rates);
  expect(used).toEqual(unknownUncertainty(0.01));
  expect(used).toMatchObject({ valueCents: 20_00, valueSpread: 1, sales: 0 });
});

const today = Date.UTC(2026, 10, 15);
const inHalfAYear = (sealed: number, used: number) => ({ sealed: sealed / 180, used: used / 180 });

test.each([
  [0, 1, 0.7, 0.04],
  [1, 2, 1.9, 0.5],
  [2, 3, 2.0, 0.9],
  [3, 6, 3.0, 1.5],
  [6, 11, 2.7, 2.0],
  [11, 16, 2.3, 1.9],
  [16, 21, 1.5, 1.4],
  [21, 31, 1.2, 1.2],
  [31, 90, 0.6, 0.95],
])(
  'sets from %d to under %d years sell %d times sealed and %d times used in half a year',
  (from, to, sealed, used) => {
    const released = (ageMs: number) => ({ kind: 'set', releasedAt: today - ageMs }) as const;
    const yearMs = 365.25 * dayMs;
    const rates = inHalfAYear(sealed, used);
    expect(usualRates(released(from * yearMs), today)).toEqual(rates);
    expect(usualRates(released(to * yearMs - 1), today)).toEqual(rates);
  },
);

test('a set of unknown age sells as rarely as the oldest, a minifig about once used', () => {
  const undated = (kind: 'set' | 'minifig') => usualRates({ kind, releasedAt: null }, today);
  expect(undated('set')).toEqual(inHalfAYear(0.6, 0.95));
  expect(undated('minifig')).toEqual(inHalfAYear(0.3, 1));
});

test('stored uncertainties are rounded, but never to 0', () => {
  const sealed = {
    valueCents: 100_00,
    valueSpread: 0.12344,
    saleSpread: 0.23456,
    sales: 6,
    usualRate: 0.0123456,
  };
  const used = { valueCents: 0, valueSpread: 0, saleSpread: 0, sales: 0, usualRate: 0 };
  const kept = keepUncertainty({ sealed, used });
  expect(keptUncertainty(kept, 'sealed')).toEqual({
    ...sealed,
    valueSpread: 0.1234,
    saleSpread: 0.2346,
    usualRate: 0.012346,
  });
  expect(keptUncertainty(kept, 'used')).toEqual({
    ...used,
    valueSpread: 0.0001,
    saleSpread: 0.0001,
    usualRate: 0.000001,
  });
});
