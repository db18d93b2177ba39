/** Deals: their best channel, profit and warnings. */
import { describe, expect, test } from 'bun:test';
import { candidate, dealsAt, noRivals, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import { bestQuote, defaultTerms, quotesOf } from '../boxes/quotes.ts';
import { noBuyingCosts } from '../prices/max-buy.ts';
import {
  bestSale,
  type DealCandidate,
  type DealWarning,
  dealWarnings,
  EvenOdds,
  isDoubtfulDeal,
  isOutdated,
  outdatedAt,
  profitOf,
  toDeal,
} from './deal.ts';

const at = dealsAt;

function sell(resale = soldWell, share = 0.8) {
  const sale = bestSale(builtInTables, resale, { terms: { ...defaultTerms, share }, at });
  if (sale === null) throw new Error('It must be sellable.');
  return sale;
}

/** A deal at the usual terms; null if it costs too much. */
function deal(given: DealCandidate, when = at) {
  const sale = sell(given.resale);
  const profit = profitOf(given.offer.priceCents, sale, defaultTerms);
  return profit && toDeal(given, { sale, profit }, { terms: defaultTerms, at: when });
}

describe('the best channel', () => {
  test.each([
    [0.5, 0],
    [0.8, 0],
    [0.85, 800],
    [0.95, 2_000],
  ])('at %d, with capital at %d, allows the highest price', (share, moneyBasisPoints) => {
    const offsets = { fixed: 0, bricklink: 0.1, amazon: 0.05 };
    for (const resale of [soldWell, { ...soldWell, offsets }]) {
      const terms = { ...defaultTerms, share, moneyBasisPoints };
      const best = bestQuote(quotesOf(builtInTables, resale, { terms, at }));
      const sale = bestSale(builtInTables, resale, { terms, at });
      if (sale === null) throw new Error('It must be sellable.');
      expect(sale).toMatchObject({
        channel: best?.channel ?? 'none',
        netCents: best?.sum.netCents ?? 0,
        waitDays: best?.wait?.days ?? 0,
      });
      const half = quotesOf(builtInTables, resale, { terms: { ...terms, share: 0.5 }, at });
      const there = half.find(({ channel }) => channel === sale.channel);
      expect(sale.medianNetCents).toBe(there?.sum.netCents ?? 0);
    }
  });

  test('has the highest net proceeds at the same maximum price, then comes first', () => {
    const terms = { ...defaultTerms, marginBasisPoints: 30_000, moneyBasisPoints: 800 };
    const ties = new Map<number, string>();
    // From below the net proceeds on eBay to above, in steps of less than a cent.
    for (let cents = 90_50; cents < 91_50; cents += 0.9) {
      const offsets = { fixed: 0, bricklink: Math.log(cents / 100_00) };
      const asked = { terms, at };
      const resale = { ...soldWell, offsets, listings: noRivals };
      const [ebay, bricklink] = quotesOf(builtInTables, resale, asked);
      if (!ebay || !bricklink) throw new Error('There must be quotes.');
      if (ebay.maxBuyCents !== bricklink.maxBuyCents) continue;
      const channel = bestSale(builtInTables, resale, asked)?.channel ?? 'none';
      ties.set(bricklink.sum.netCents - ebay.sum.netCents, channel);
    }
    expect([...ties]).toEqual([
      [-2, 'ebay'],
      [-1, 'ebay'],
      [0, 'ebay'],
      [1, 'bricklink'],
    ]);
  });

  test('is null without learned prices', () => {
    const nowhere = { ...soldWell, offsets: {} };
    expect(bestSale(builtInTables, nowhere, { terms: defaultTerms, at })).toBeNull();
  });
});

describe('a price', () => {
  const isBelow = (priceCents: number, resale = soldWell) =>
    new EvenOdds(builtInTables, resale, at).leaves(priceCents);

  test('is profitable at the median below the median net proceeds', () => {
    const { netCents } = sell(soldWell, 0.5);
    expect([isBelow(netCents - 1), isBelow(netCents), isBelow(100_00)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('may be far above the value if one channel yields far more than others', () => {
    const dearer = { ...soldWell, offsets: { bricklink: Math.log(3) } };
    const { netCents } = sell(dearer, 0.5);
    expect(netCents).toBeGreaterThan(200_00);
    expect([isBelow(netCents - 1, dearer), isBelow(netCents, dearer)]).toEqual([true, false]);
  });

  test('is never profitable without learned prices', () => {
    expect(isBelow(1, { ...soldWell, offsets: {} })).toBe(false);
  });
});

test('an observation is used for a week', () => {
  const { offer } = candidate({});
  const last = outdatedAt(offer) - 1;
  expect(last).toBe(offer.observedAt + 7 * dayMs);
  expect([isOutdated(offer, last), isOutdated(offer, last + 1)]).toEqual([false, true]);
});

describe('the result of a purchase', () => {
  const sale = { ...sell(), netCents: 75_00, medianNetCents: 80_00 };

  test('is the median net proceeds less cost, on cost, and per month', () => {
    const profit = profitOf(50_00, { ...sale, waitDays: 45 }, defaultTerms);
    expect(profit).toEqual({
      costCents: 50_00,
      profitCents: 30_00,
      roiPercent: 60,
      profitPerMonthCents: 20_00,
    });
  });

  test('counts a wait under a month as a month; without a wait there is no profit per month', () => {
    const perMonth = (waitDays: number | null) =>
      profitOf(50_00, { ...sale, waitDays }, defaultTerms)?.profitPerMonthCents;
    expect([2, 30, 60, null].map(perMonth)).toEqual([30_00, 30_00, 15_00, null]);
  });

  test('is null one cent above the maximum price', () => {
    expect(profitOf(60_00, sale, defaultTerms)).not.toBeNull();
    expect(profitOf(60_01, sale, defaultTerms)).toBeNull();
    expect(profitOf(75_00, sale, { ...defaultTerms, marginBasisPoints: 0 })).not.toBeNull();
  });

  test('allows for the cost of capital until the sale', () => {
    // 55.55 with the margin is 69.44, and a year at 10 % costs 5.56.
    const terms = { ...defaultTerms, moneyBasisPoints: 1_000 };
    const after = { ...sale, waitDays: 365 };
    expect(profitOf(55_55, after, terms)).toMatchObject({ profitCents: 24_45 });
    expect(profitOf(55_56, after, terms)).toBeNull();
    expect(profitOf(60_00, { ...sale, waitDays: null }, terms)).not.toBeNull();
  });

  test('includes tax, cashback and inbound shipping in the cost', () => {
    const costs = { taxBasisPoints: 1_000, cashbackBasisPoints: 500, inboundCents: 3_00 };
    const profit = profitOf(40_00, sale, { ...defaultTerms, costs });
    expect(profit).toMatchObject({ costCents: 45_00, profitCents: 35_00, roiPercent: 77.78 });
    const free = { ...noBuyingCosts, cashbackBasisPoints: 9_999 };
    expect(profitOf(1, sale, { ...defaultTerms, costs: free })?.roiPercent).toBeGreaterThan(200);
  });
});

describe('warnings', () => {
  const cases: readonly (readonly [DealWarning, DealCandidate])[] = [
    ['stale_price', candidate({ offer: { observedAt: at - 48 * hourMs - 1 } })],
    ['unknown_stock', candidate({ offer: { inStock: null } })],
    ['third_party_seller', candidate({ offer: { sellerType: 'third_party' } })],
    ['unknown_seller', candidate({ offer: { sellerType: null } })],
    ['high_roi', candidate({ offer: { priceCents: 20_00 } })],
    ['cheaper_recently', candidate({ offer: { cheaperUntil: at - 90 * dayMs } })],
    ['often_discounted', candidate({ offer: { isOftenDiscounted: true } })],
    ['low_tier', candidate({ resale: { tier: 'low' } })],
    ['recent_jump', candidate({ resale: { doubtedCents: 150_00 } })],
    [
      'guessed_postage',
      candidate({
        resale: {
          parcel: { ...soldWell.parcel, box: { ...soldWell.parcel.box, weightLbs: null } },
        },
      }),
    ],
  ];

  test('there is a case for each', () => {
    expect(cases.map(([warning]) => warning)).toEqual([...dealWarnings]);
  });

  test.each(cases)('%s, and nothing else', (warning, given) => {
    expect(deal(given)?.warnings).toEqual([warning]);
  });

  test('are absent for a flawless deal, and just below each threshold', () => {
    for (const offer of [
      {},
      { observedAt: at - 48 * hourMs },
      { cheaperUntil: at - 90 * dayMs - 1 },
      // A return of exactly two hundred percent.
      { priceCents: Math.ceil(sell().medianNetCents / 3) },
    ]) {
      expect(deal(candidate({ offer }))?.warnings).toEqual([]);
    }
  });

  test('start with a return of more than 200 percent', () => {
    const sale = sell();
    const profit = profitOf(50_00, sale, defaultTerms);
    if (profit === null) throw new Error('It must be a deal.');
    const at200 = (roiPercent: number) =>
      toDeal(
        candidate({}),
        { sale, profit: { ...profit, roiPercent } },
        { terms: defaultTerms, at },
      ).warnings;
    expect([200, 200.01].map(at200)).toEqual([[], ['high_roi']]);
  });

  test('make a deal doubtful if any of them casts doubt on the price or value', () => {
    const isDoubtful = (given: DealCandidate) => {
      const sale = sell(given.resale);
      const profit = profitOf(given.offer.priceCents, sale, defaultTerms);
      return profit && isDoubtfulDeal(given, { sale, profit }, at);
    };
    const often = { isOftenDiscounted: true };
    expect(isDoubtful(candidate({}))).toBe(false);
    expect(isDoubtful(candidate({ offer: often }))).toBe(false);
    expect(isDoubtful(candidate({ offer: { ...often, inStock: null } }))).toBe(true);
  });

  test('include a stale price as time passes', () => {
    expect(deal(candidate({}), at + 2 * dayMs)?.warnings).toEqual(['stale_price']);
  });
});

test('a deal has the maximum price', () => {
  const found = deal(candidate({}));
  const most = found?.maxBuyCents ?? 0;
  expect(deal(candidate({ offer: { priceCents: most } }))?.maxBuyCents).toBe(most);
  expect(deal(candidate({ offer: { priceCents: most + 1 } }))).toBeNull();
});
