/** Resale of a unit: price, net proceeds, maximum price and time to sale. */

import { describe, expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { normalAbove } from '../../market/values/price.ts';
import { bestQuote, defaultTerms, quotesOf } from '../boxes/quotes.ts';
import { amazonAsk, type Resale, resaleOf } from './resale.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const at = Date.UTC(2026, 5, 1);

const resale: Resale = {
  ...soldWell,
  price: { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
  offsets: { fixed: 0, bricklink: Math.log(0.95), amazon: Math.log(1.1) },
  rate: { sales: 12, days: 365, priorSales: 2, priorDays: 180 },
  parcel: {
    box: { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 },
    pieces: 500,
  },
  fbaSellers: 3,
};

const quotes = quotesOf(tables, resale, { terms: defaultTerms, at });

test('each channel has its own price, which is assumed if none was learned', () => {
  expect(quotes.map(({ channel, isAssumed, sum }) => [channel, sum.priceCents, isAssumed])).toEqual(
    [
      ['ebay', 91_93, false],
      ['bricklink', 87_33, false],
      ['brick_owl', 91_93, true],
      ['amazon', 101_12, false],
      ['fba', 101_12, false],
      ['walmart', 91_93, true],
      ['facebook', 91_93, true],
      ['mercari', 91_93, true],
      ['whatnot', 91_93, true],
      ['local', 91_93, true],
    ],
  );
});

test('the maximum price leaves the margin', () => {
  for (const { sum, maxBuyCents } of quotes) {
    expect(Math.ceil((maxBuyCents ?? 0) * 1.25)).toBeLessThanOrEqual(sum.netCents);
    expect(Math.ceil(((maxBuyCents ?? 0) + 1) * 1.25)).toBeGreaterThan(sum.netCents);
  }
});

test('while another price is doubted, prices are computed from the lower one', () => {
  const pays = (doubtedCents: number | null) =>
    quotesOf(tables, { ...resale, doubtedCents }, { terms: defaultTerms, at }).map(
      ({ sum, maxBuyCents }) => [sum.priceCents, maxBuyCents],
    );
  expect(pays(250_00)).toEqual(pays(null));
  const half = { ...resale, price: { ...resale.price, valueCents: 50_00 } };
  const expected = quotesOf(tables, half, { terms: defaultTerms, at });
  expect(pays(50_00)).toEqual(
    expected.map(({ sum, maxBuyCents }) => [sum.priceCents, maxBuyCents]),
  );
});

test("Amazon's own price limits prices on Amazon", () => {
  const asked = quotesOf(tables, { ...resale, amazonAskCents: 60_00 }, { terms: defaultTerms, at });
  const prices = asked.map(({ channel, sum }) => [channel, sum.priceCents]);
  expect(Object.fromEntries(prices)).toMatchObject({ ebay: 91_93, amazon: 60_00, fba: 60_00 });
  expect(bestQuote(asked)?.channel).toBe('bricklink');
  const dear = quotesOf(tables, { ...resale, amazonAskCents: 200_00 }, { terms: defaultTerms, at });
  expect(dear).toEqual(quotes);
});

test.each([
  ['its own offer counts', { sellerType: 'retailer', inStock: true }, 60_00],
  ['so does one with unknown stock', { sellerType: 'retailer', inStock: null }, 60_00],
  ['one that is out of stock does not', { sellerType: 'retailer', inStock: false }, null],
  ["nor does a third party's", { sellerType: 'third_party', inStock: true }, null],
])("Amazon's price: %s", (_, offer, expected) => {
  expect(amazonAsk({ priceCents: 60_00, ...offer })).toBe(expected);
});

describe('the best channel', () => {
  test('allows the highest price among those with learned prices', () => {
    const known = quotes.filter((each) => !each.isAssumed);
    const most = Math.max(...known.map((each) => each.maxBuyCents ?? 0));
    expect(bestQuote(quotes)?.maxBuyCents).toBe(most);
    expect(bestQuote(quotes.filter((each) => each.isAssumed))).toBeNull();
  });

  test('has the highest net proceeds among those with the same maximum price', () => {
    const [first] = quotes;
    if (!first) throw new Error('There must be a quote.');
    const leaving = (netCents: number, maxBuyCents: number) => ({
      ...first,
      sum: { ...first.sum, netCents },
      maxBuyCents,
    });
    const [less, more, other] = [
      leaving(50_00, 40_00),
      leaving(51_00, 40_00),
      leaving(60_00, 39_00),
    ];
    expect(bestQuote([less, more, other])).toBe(more);
    expect(bestQuote([other, more, less])).toBe(more);
    // A cent more is more, whatever the proceeds; of equal ones, the first counts.
    const cent = leaving(40_00, 40_01);
    expect(bestQuote([more, cent])).toBe(cent);
    expect(bestQuote([less, { ...less }])).toBe(less);
    const nothing = leaving(0, 0);
    expect(bestQuote([nothing])).toBe(nothing);
  });

  test('is null if the proceeds are too low everywhere', () => {
    const cheap = { ...resale, price: { ...resale.price, valueCents: 2_00 } };
    expect(bestQuote(quotesOf(tables, cheap, { terms: defaultTerms, at }))).toBeNull();
  });
});

test('resale data is taken from the evidence, with defaults for what is missing', () => {
  const { price, offsets, rate, parcel, fbaSellers, amazonAskCents } = resale;
  const valued = {
    valueCents: price.valueCents,
    lowCents: 90_00,
    highCents: 110_00,
    valueSpread: price.valueSpread,
    saleSpread: price.saleSpread,
    sales: { ever: 12, days30: 1, days90: 3, days180: 6, days365: 12 },
    firstSale: null,
    latestSale: null,
  };
  const evidence: Evidence = {
    engine: 'e',
    parameters: 'p',
    inputHash: 1,
    at,
    learnedUntil: at,
    tier: 'high',
    sealed: { ...valued, soldAbove: [-1], ...(rate && { rate }) },
    used: valued,
    modeled: null,
    outcomes: [],
    channels: [],
    retailWeeks: 0,
    moves: [],
    offsets,
  };
  const facts = { parcel, fbaSellers, amazonAskCents };
  const doubt = { valueCents: 60_00, sales: 3, sellers: 2, since: '2026-05-01', expectedSales: 1 };
  const doubted = { ...evidence, sealed: { ...valued, doubt } };
  expect(resaleOf(doubted, 'sealed', facts)?.doubtedCents).toBe(60_00);
  expect(resaleOf(evidence, 'sealed', facts)).toEqual({
    ...resale,
    price: { ...price, soldAbove: [-1] },
  });
  expect(resaleOf(evidence, 'used', facts)).toEqual({ ...resale, rate: null });
  expect(resaleOf({ ...evidence, used: null }, 'used', facts)).toBeNull();
  const { offsets: _, ...earlier } = evidence;
  expect(resaleOf(earlier, 'used', facts)?.offsets).toEqual({ fixed: 0 });
  // A value in a condition without sales is modeled, regardless of sales in the other.
  const unsold = { ...valued, sales: { ever: 0, days30: 0, days90: 0, days180: 0, days365: 0 } };
  const neverUsed = { ...evidence, used: unsold };
  expect(resaleOf(neverUsed, 'used', facts)?.tier).toBe('modeled');
  expect(resaleOf(neverUsed, 'sealed', facts)?.tier).toBe('high');
});

test('the default terms are a margin of 25 % in four of five sales, without further costs', () => {
  expect(defaultTerms).toEqual({
    share: 0.8,
    marginBasisPoints: 2_500,
    moneyBasisPoints: 0,
    costs: { taxBasisPoints: 0, cashbackBasisPoints: 0, inboundCents: 0 },
  });
});
