/** The value of a box, the maximum bid, and the cost of each item in it. */

import { describe, expect, test } from 'bun:test';
import { noRivals, soldWell } from '../../../test/support/deals.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { normalAbove } from '../../market/values/price.ts';
import { maxBuyCents } from '../prices/max-buy.ts';
import type { Resale } from '../prices/resale.ts';
import { netOf } from '../prices/selling-channels.ts';
import { whatToPay } from '../prices/what-to-pay.ts';
import { type BoxContent, type BoxQuestion, boxWorth } from './box-worth.ts';
import { defaultTerms } from './quotes.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const at = Date.UTC(2026, 5, 1);
const bare = { costCents: null, terms: defaultTerms, at, withModeled: false };
const box = { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 };

function resale(valueCents: number, given: Partial<Resale> = {}): Resale {
  return {
    ...soldWell,
    price: { valueCents, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
    offsets: { fixed: 0, bricklink: Math.log(0.95), amazon: Math.log(1.02) },
    rate: null,
    parcel: { box, pieces: 500 },
    fbaSellers: null,
    ...given,
  };
}

function content(quantity: number, of: Resale | null): BoxContent {
  return { quantity, theme: null, resale: of, range: null };
}

function worth(contents: readonly BoxContent[], question: Partial<BoxQuestion> = {}) {
  return boxWorth(tables, contents, { ...bare, ...question });
}

describe('the sum', () => {
  test('of values counts every unit with a value, separately from the range', () => {
    const found = worth([content(2, resale(100_00)), content(1, resale(50_00)), content(3, null)]);
    expect(found).toMatchObject({ units: 6, unitsValued: 3, sumOfValuesCents: 250_00 });
    const { lowCents = 0, medianCents = 0, highCents = 0 } = found.range ?? {};
    expect(lowCents).toBeLessThan(medianCents);
    expect(highCents).toBeGreaterThan(medianCents);
    // The mean price is above the median; the median of a sum lies in between.
    expect(medianCents).toBe(250_64);
  });

  test('is computed from the lower price while another one is doubted', () => {
    const doubted = worth([content(2, resale(100_00, { doubtedCents: 50_00 }))]);
    expect(doubted.range).toEqual(worth([content(2, resale(50_00))]).range);
    expect(doubted.best?.maxBidCents).toBe(worth([content(2, resale(50_00))]).best?.maxBidCents);
    expect(doubted.sumOfValuesCents).toBe(200_00);
    const risen = worth([content(2, resale(100_00, { doubtedCents: 250_00 }))]);
    expect(risen).toEqual(worth([content(2, resale(100_00))]));
  });

  test('of one unit has the range of its sales', () => {
    // e^(±1.2816 × 0.1)
    const range = { lowCents: 87_97, medianCents: 100_00, highCents: 113_67 };
    expect(worth([content(1, resale(100_00))]).range).toEqual(range);
    // If published, the range of the value is used.
    const published = { lowCents: 89_00, highCents: 109_00 };
    const one = { ...content(1, resale(100_00)), range: published };
    expect(worth([one, content(1, null)]).range).toEqual({ ...published, medianCents: 100_00 });
    expect(worth([{ ...one, quantity: 2 }]).range).toEqual(
      worth([content(2, resale(100_00))]).range,
    );
  });

  test('of one unit has the price that half of its sales exceed as its median', () => {
    const soldAbove = normalAbove.map((quantile) => 0.9 * quantile - 0.15);
    const one = resale(100_00, { price: { ...resale(100_00).price, soldAbove } });
    const range = { lowCents: 80_00, highCents: 120_00 };
    const priceAt = (share: number) => {
      const terms = { ...defaultTerms, share };
      const paid = whatToPay(tables, one, { ...bare, terms, channel: 'ebay' });
      return paid.best?.sum.priceCents ?? 0;
    };
    expect(priceAt(0.5)).toBe(98_51);
    expect(worth([{ ...content(1, one), range }]).range).toEqual({
      ...range,
      medianCents: priceAt(0.5),
    });
    const doubted = { ...one, doubtedCents: 50_00 };
    expect(worth([{ ...content(1, doubted), range }]).range?.medianCents).toBe(49_26);
  });

  test('of units of one item varies more than that of different ones, as they share an error', () => {
    const width = (contents: readonly BoxContent[]) => {
      const { range } = worth(contents);
      return (range?.highCents ?? 0) - (range?.lowCents ?? 0);
    };
    const alike = width([content(4, resale(100_00))]);
    const different = width([1, 1, 1, 1].map((quantity) => content(quantity, resale(100_00))));
    expect(different).toBeLessThan(alike);
    expect(alike).toBeLessThan(4 * width([content(1, resale(100_00))]));
  });

  test('of nothing with a value has no range, and allows no bid', () => {
    const nothing = { sumOfValuesCents: 0, range: null, quotes: [], best: null, profitCents: null };
    expect(worth([content(2, null)], { costCents: 10_00 })).toMatchObject(nothing);
    expect(worth([])).toMatchObject({ ...nothing, units: 0 });
  });
});

describe('the bid', () => {
  test('for one unit is its maximum price', () => {
    // Measured quantiles instead of normal ones.
    const soldAbove = normalAbove.map((quantile) => 0.9 * quantile - 0.03);
    const one = resale(87_31, { price: { ...resale(87_31).price, soldAbove } });
    const paid = whatToPay(tables, one, { ...bare, channel: null });
    const { best } = worth([content(1, one)]);
    expect(best?.channel).toBe(paid.best?.channel ?? 'local');
    expect(best?.maxBidCents).toBe(paid.maxBuyCents);
  });

  test('is computed from prices that the requested share of sums exceeds', () => {
    const { quotes } = worth([content(2, resale(100_00)), content(1, resale(50_00))]);
    // The spread of the sum is √(0.0690² + 0.02² × (1 − 0.8² − 0.2²)) = 0.0699, because different
    // items share an error of 0.02; so prices are × e^(−0.8416 × 0.0699).
    const unit = (priceCents: number) => {
      const { parcel } = resale(priceCents);
      const sale = { priceCents, parcel, at, postageCents: null, waitDays: null };
      return netOf(tables, { ...sale, channel: 'ebay' })?.netCents ?? 0;
    };
    const netCents = 2 * unit(94_29) + unit(47_14);
    const maxBidCents = maxBuyCents(netCents, defaultTerms);
    expect(quotes[0]).toEqual({ channel: 'ebay', isAssumed: false, netCents, maxBidCents });
  });

  test('is in the channel with the highest net proceeds among those with learned prices', () => {
    const { quotes, best } = worth([content(3, resale(100_00))]);
    const known = quotes.filter(({ isAssumed }) => !isAssumed);
    expect(known.map(({ channel }) => channel)).toEqual(['ebay', 'bricklink', 'amazon', 'fba']);
    expect(best?.maxBidCents).toBe(Math.max(...known.map((each) => each.maxBidCents ?? 0)));
    const unlearned = resale(100_00, { offsets: {} });
    expect(worth([content(3, unlearned)]).best).toBeNull();
    // A single item without a learned price makes the whole channel assumed.
    expect(worth([content(1, resale(9_00)), content(1, unlearned)]).best).toBeNull();
  });

  test('excludes FBA if the box of one set is unknown', () => {
    const unknown = { box: { ...box, weightLbs: null }, pieces: 500 };
    const used = resale(100_00, { parcel: unknown });
    const { quotes } = worth([content(1, resale(100_00)), content(1, used)]);
    expect(quotes.map(({ channel }) => channel)).not.toContain('fba');
  });

  test('excludes modeled values unless requested, unlike the sum', () => {
    const contents = [content(1, resale(100_00)), content(1, resale(100_00, { tier: 'modeled' }))];
    const found = worth(contents);
    expect(found).toMatchObject({ unitsValued: 2, unitsBidOn: 1, sumOfValuesCents: 200_00 });
    expect(found.best).toEqual(worth([content(1, resale(100_00))]).best);
    const asked = worth(contents, { withModeled: true });
    expect(asked.unitsBidOn).toBe(2);
    expect(asked.best?.maxBidCents).toBeGreaterThan(found.best?.maxBidCents ?? 0);
  });

  test('excludes items that would sell for nothing', () => {
    // On eBay, fees and postage leave nothing of 14.23, and a cent of 14.24.
    const offsets = { fixed: 0 };
    const terms = { ...defaultTerms, share: 0.5 };
    const sold = (valueCents: number) =>
      worth([content(1, resale(valueCents, { offsets }))], { terms }).unitsSold;
    expect([14_23, 14_24].map(sold)).toEqual([0, 1]);
  });

  test('is not reduced by items that would sell at a loss', () => {
    const alone = worth([content(2, resale(100_00))]).best;
    const junk = content(50, resale(1_00, { tier: 'modeled' }));
    const asked = worth([content(2, resale(100_00)), junk], { withModeled: true });
    // The sum is slightly more certain, and postage exceeds the price of the junk.
    expect(asked.best?.netCents).toBeGreaterThanOrEqual(alone?.netCents ?? 0);
    const onlyJunk = worth([junk], { withModeled: true, costCents: 20_00 });
    expect(onlyJunk.best).toMatchObject({ netCents: 0, maxBidCents: null });
    expect(onlyJunk.profitCents).toBe(-20_00);
  });
});

test('capital costs reduce the bid: units of one item sell one after another', () => {
  const rate = { sales: 12, days: 365, priorSales: 2, priorDays: 180 };
  const terms = { ...defaultTerms, moneyBasisPoints: 1_000 };
  const slow = resale(100_00, { rate, listings: noRivals });
  const one = whatToPay(tables, slow, { ...bare, terms, channel: null });
  expect(worth([content(1, slow)], { terms }).best?.maxBidCents).toBe(one.maxBuyCents);
  const bids = [1, 3, 9].map((quantity) => {
    const found = worth([content(quantity, slow)], { terms });
    return (found.quotes[0]?.maxBidCents ?? 0) / (found.quotes[0]?.netCents ?? 1);
  });
  expect(bids).toEqual(bids.toSorted((a, b) => b - a));
});

test('the time to sell most of it is given for items that are sold', () => {
  const rate = { sales: 12, days: 365, priorSales: 2, priorDays: 180 };
  const junk = content(50, resale(1_00, { rate, listings: noRivals }));
  const slow = content(101, resale(100_00, { rate, listings: noRivals }));
  const found = worth([junk, content(1, null), slow, content(1, resale(90_00))]);
  expect(found).toMatchObject({ unitsBidOn: 152, unitsSold: 102 });
  // 545 × (2^(1/14) − 1) days for the first, 545 ÷ 14 for each of the others: 80 of 101 take 3,100.
  expect(found.contentDays).toEqual([null, null, expect.closeTo(3100.36, 1), null]);
});

test('the time until most is sold is that of the value, not of the slowest item', () => {
  const rate = { sales: 12, days: 365, priorSales: 2, priorDays: 180 };
  const [fast, slow] = [
    content(1, resale(400_00, { rate, listings: noRivals })),
    content(1, resale(40_00, { rate: { ...rate, sales: 0 }, listings: noRivals })),
  ];
  const alone = worth([fast]).mostSoldDays ?? 0;
  // 545 × (2^(1/14) − 1) = 27.7 days is the median of its wait.
  expect(alone).toBeCloseTo(545 * (2 ** (1 / 14) - 1) * Math.log2(5), 3);
  expect(worth([fast]).contentDays).toEqual([alone]);
  const both = worth([fast, slow]);
  expect(both.mostSoldDays).toBeGreaterThan(alone);
  expect(both.mostSoldDays).toBeLessThan(both.contentDays[1] ?? 0);
  expect(worth([content(1, resale(90_00))]).mostSoldDays).toBeNull();
  expect(worth([content(1, null)]).mostSoldDays).toBeNull();
});

test('the time until most is sold is unknown if the rate of too much of the value is', () => {
  const rate = { sales: 12, days: 365, priorSales: 2, priorDays: 180 };
  const known = (cents: number) => content(1, resale(cents, { rate, listings: noRivals }));
  const unknown = content(1, resale(100_00));
  expect(worth([known(40_00), content(1, resale(900_00))]).mostSoldDays).toBeNull();
  expect(worth([known(399_99), unknown]).mostSoldDays).toBeNull();
  expect(worth([known(400_00), unknown]).mostSoldDays).toBeGreaterThan(0);
});

test('the profit is the median net proceeds of the units bid on, less the whole cost', () => {
  const contents = [content(2, resale(100_00)), content(1, resale(60_00, { tier: 'modeled' }))];
  const question = { costCents: 130_00 };
  const { best, profitCents } = worth(contents, question);
  const net = (priceCents: number) => {
    const { parcel } = resale(priceCents);
    const channel = best?.channel ?? 'local';
    const sale = { channel, priceCents, parcel, at, postageCents: null, waitDays: null };
    return netOf(tables, sale)?.netCents ?? 0;
  };
  const factor = { ebay: 1, bricklink: 0.95 }[best?.channel as 'ebay'] ?? 1.02;
  const supported = 2 * net(100_00 * factor) - 130_00;
  expect(profitCents).toBe(supported);
  const asked = worth(contents, { ...question, withModeled: true });
  expect(asked.best?.channel).toBe(best?.channel);
  expect(asked.profitCents).toBe(supported + net(60_00 * factor));
  expect(worth(contents).profitCents).toBeNull();
});
