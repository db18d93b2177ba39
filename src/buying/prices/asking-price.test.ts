/** Asking prices by a rule: exact rounding, and the lowest price that keeps the margin. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dealsAt, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import {
  type AskingRounding,
  askingRoundings,
  channelOfLink,
  isBehindMarket,
  raisedCents,
  ruledCents,
} from './asking-price.ts';
import { netNeeded } from './max-buy.ts';
import { comparedChannels, UnitSeller } from './selling-channels.ts';

const rule = { factorBasisPoints: 10_000, plusCents: 0, rounding: 'none' } as const;

test('a price is a part of the base plus an amount, rounded half up to a cent', () => {
  expect(ruledCents(90_00, rule)).toBe(90_00);
  expect(ruledCents(90_00, { ...rule, factorBasisPoints: 11_000, plusCents: 4_50 })).toBe(103_50);
  // 33.33 × 112.5 % is 37.49625, and 0.10 × 5 % is half a cent.
  expect(ruledCents(33_33, { ...rule, factorBasisPoints: 11_250 })).toBe(37_50);
  expect(ruledCents(10, { ...rule, factorBasisPoints: 500 })).toBe(1);
  expect(ruledCents(30, { ...rule, factorBasisPoints: 500 })).toBe(2);
  // Never nothing.
  expect(ruledCents(0, rule)).toBe(1);
});

test.each([
  [10, 99, 5_00],
  [1_48, 99, 5_00],
  [1_49, 1_99, 5_00],
  [7_49, 7_99, 5_00],
  [7_48, 6_99, 5_00],
  [7_50, 7_99, 10_00],
  [90_00, 89_99, 90_00],
  [90_49, 90_99, 90_00],
  [92_50, 92_99, 95_00],
])('%d cents are rounded to %d and %d', (cents, to99, to5) => {
  expect(ruledCents(cents, { ...rule, rounding: 'to_99' })).toBe(to99);
  expect(ruledCents(cents, { ...rule, rounding: 'to_5' })).toBe(to5);
});

const isRounded: Readonly<Record<AskingRounding, (cents: number) => boolean>> = {
  none: () => true,
  to_99: (cents) => cents % 100 === 99,
  to_5: (cents) => cents % 500 === 0,
};

test('a rounded price has the form asked for and is the nearest one', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(...askingRoundings), (cents, rounding) => {
      const price = ruledCents(cents, { ...rule, rounding });
      expect(isRounded[rounding](price)).toBe(true);
      if (cents >= 500) expect(Math.abs(price - cents)).toBeLessThanOrEqual(250);
    }),
  );
});

describe('the floor', () => {
  /** Fees of a tenth, and 30 cents. */
  const shortOf = (needed: number) => (cents: number) =>
    needed - (cents - Math.round(cents / 10) - 30);

  test('a price that leaves the margin stays', () => {
    expect(raisedCents(60_00, 'none', shortOf(50_00))).toBe(60_00);
  });

  test('a lower one is raised to the lowest that does, and rounded up', () => {
    // 55.89 − 5.59 − 0.30 = 50.00
    expect(raisedCents(1_00, 'none', shortOf(50_00))).toBe(55_89);
    expect(raisedCents(99, 'to_99', shortOf(50_00))).toBe(55_99);
    expect(raisedCents(5_00, 'to_5', shortOf(50_00))).toBe(60_00);
  });

  test('there is none if fees take all', () => {
    expect(raisedCents(1_00, 'none', () => 50_00)).toBeNull();
    expect(raisedCents(1_00, 'none', shortOf(999_999_99))).toBeNull();
  });

  test('in every channel with published fees, no lower rounded price is enough', () => {
    const { parcel } = soldWell;
    const seller = new UnitSeller(builtInTables, { parcel, at: dealsAt, postageCents: null });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 150_00 }),
        fc.constantFrom(...comparedChannels),
        fc.constantFrom(...askingRoundings),
        (costCents, channel, rounding) => {
          const needed = netNeeded(costCents, 2_500);
          const short = (priceCents: number) =>
            needed - (seller.net({ channel, priceCents, waitDays: 30 })?.netCents ?? 0);
          const from = ruledCents(costCents, { ...rule, rounding });
          const price = raisedCents(from, rounding, short) ?? 0;
          expect(short(price)).toBeLessThanOrEqual(0);
          for (let lower = from; lower < price; lower++) {
            if (isRounded[rounding](lower)) expect(short(lower)).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('a price is behind the market if it is lower by more than a tenth', () => {
  expect(isBehindMarket(90_00, 100_00)).toBe(false);
  expect(isBehindMarket(89_99, 100_00)).toBe(true);
  expect(isBehindMarket(120_00, 100_00)).toBe(false);
});

test('the channel of a listing follows from its link', () => {
  const channels = [
    'https://www.ebay.com/itm/1',
    'https://www.ebay.co.uk/itm/1',
    'https://store.bricklink.com/ann',
    'https://ann.brickowl.com/',
    'https://ebayish.example.com/',
    null,
  ].map(channelOfLink);
  expect(channels).toEqual(['ebay', 'ebay', 'bricklink', 'brick_owl', null, null]);
});
