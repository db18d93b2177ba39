/** The receipt of a maximum price adds up. */
import { expect, test } from 'bun:test';
import { noBuyingCosts } from '../prices/max-buy.ts';
import { defaultTerms, type Quote } from './quotes.ts';
import { sumLines } from './sum-lines.ts';

const quote: Quote = {
  channel: 'bricklink',
  isAssumed: false,
  sum: {
    channel: 'bricklink',
    priceCents: 110_00,
    platformFeesCents: 3_00,
    paymentFeesCents: 4_31,
    fulfilmentCents: 0,
    storageCents: 0,
    postageCents: 8_00,
    isPostageGuessed: false,
    netCents: 94_69,
  },
  maxBuyCents: 70_00,
  wait: null,
};
const costs = { taxBasisPoints: 750, cashbackBasisPoints: 500, inboundCents: 4_00 };

test('every line from the price to the net proceeds, and on to the maximum price', () => {
  expect(
    sumLines(quote, { ...defaultTerms, costs }).map(({ name, cents }) => [name, cents]),
  ).toEqual([
    ['price', 110_00],
    ['platform_fees', -3_00],
    ['payment_fees', -4_31],
    ['postage', -8_00],
    ['net', 94_69],
    ['margin', -18_94],
    ['inbound', -4_00],
    ['tax', -5_25],
    ['cashback', 3_50],
    ['max_buy', 70_00],
  ]);
});

test('storage and the cost of capital have their own lines', () => {
  const sum = { ...quote.sum, storageCents: 1_60, netCents: 101_60, priceCents: 118_51 };
  const borrowed = { ...defaultTerms, moneyBasisPoints: 1_000 };
  // 80.00 at 10 % for 73 of 365 days.
  const lines = sumLines(
    {
      ...quote,
      sum,
      maxBuyCents: 80_00,
      wait: { days: 73, rivals: null, isCheapest: false, isAssumed: true },
    },
    borrowed,
  );
  expect(lines.slice(3).map(({ name, cents }) => [name, cents])).toEqual([
    ['storage', -1_60],
    ['postage', -8_00],
    ['net', 101_60],
    ['money', -1_60],
    ['margin', -20_00],
    ['max_buy', 80_00],
  ]);
});

test('totals are shown even if 0; without a maximum price, the net proceeds are last', () => {
  const sum = { ...quote.sum, priceCents: 15_31, netCents: 0 };
  const names = (maxBuyCents: number | null) =>
    sumLines({ ...quote, sum, maxBuyCents }, { ...defaultTerms, costs: noBuyingCosts }).map(
      ({ name }) => name,
    );
  const toNet = ['price', 'platform_fees', 'payment_fees', 'postage', 'net'] as const;
  expect(names(0)).toEqual([...toNet, 'max_buy']);
  expect(names(null)).toEqual([...toNet]);
});
