/** What is a deal, what it brings, and what is wrong with it. */
import { describe, expect, test } from 'bun:test';
import { candidate, dealsAt, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { dayMs, hourMs } from '../kernel/time.ts';
import {
  bestSale,
  type DealCandidate,
  type DealWarning,
  dealWarnings,
  EvenOdds,
  isOutdated,
  outdatedAt,
  profitOf,
  toDeal,
} from './deal.ts';
import { noBuyingCosts } from './max-buy.ts';
import { bestQuote, quotesOf, usualTerms } from './resale.ts';

const at = dealsAt;

function sell(resale = soldWell, share = 0.8) {
  const sale = bestSale(builtInTables, resale, { terms: { ...usualTerms, share }, at });
  if (sale === null) throw new Error('It can be sold.');
  return sale;
}

/** A deal at the usual terms, unless it costs too much. */
function deal(given: DealCandidate, when = at) {
  const sale = sell(given.resale);
  const profit = profitOf(given.offer.priceCents, sale, usualTerms);
  return profit && toDeal(given, { sale, profit }, { terms: usualTerms, at: when });
}

describe('the best way to sell', () => {
  test.each([
    [0.5, 0],
    [0.8, 0],
    [0.85, 800],
    [0.95, 2_000],
  ])('at %d, with money at %d, is the one that allows to pay most', (share, moneyBasisPoints) => {
    const offsets = { fixed: 0, bricklink: 0.1, amazon: 0.05 };
    for (const resale of [soldWell, { ...soldWell, offsets }]) {
      const terms = { ...usualTerms, share, moneyBasisPoints };
      const best = bestQuote(quotesOf(builtInTables, resale, { terms, at }));
      const sale = bestSale(builtInTables, resale, { terms, at });
      if (sale === null) throw new Error('It can be sold.');
      expect(sale).toMatchObject({
        channel: best?.channel ?? 'none',
        netCents: best?.sum.netCents ?? 0,
        waitDays: best?.waitDays ?? 0,
      });
      const half = quotesOf(builtInTables, resale, { terms: { ...terms, share: 0.5 }, at });
      const there = half.find(({ channel }) => channel === sale.channel);
      expect(sale.medianNetCents).toBe(there?.sum.netCents ?? 0);
    }
  });

  test('is none where no price was learned', () => {
    const nowhere = { ...soldWell, offsets: {} };
    expect(bestSale(builtInTables, nowhere, { terms: usualTerms, at })).toBeNull();
  });
});

describe('a price', () => {
  const isBelow = (priceCents: number, resale = soldWell) =>
    new EvenOdds(builtInTables, resale, at).leaves(priceCents);

  test('leaves something when half of the sales bring more, after fees and postage', () => {
    const { netCents } = sell(soldWell, 0.5);
    expect([isBelow(netCents - 1), isBelow(netCents), isBelow(100_00)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('leaves nothing where no price was learned', () => {
    expect(isBelow(1, { ...soldWell, offsets: {} })).toBe(false);
  });
});

test('a look says something about today for a week', () => {
  const { offer } = candidate({});
  const last = outdatedAt(offer) - 1;
  expect(last).toBe(offer.observedAt + 7 * dayMs);
  expect([isOutdated(offer, last), isOutdated(offer, last + 1)]).toEqual([false, true]);
});

describe('what a purchase comes to', () => {
  const sale = { ...sell(), netCents: 75_00, medianNetCents: 80_00 };

  test('net of half of the sales less cost, on cost, and by the month', () => {
    const profit = profitOf(50_00, { ...sale, waitDays: 45 }, usualTerms);
    expect(profit).toEqual({
      costCents: 50_00,
      profitCents: 30_00,
      roiPercent: 60,
      profitPerMonthCents: 20_00,
    });
  });

  test('a wait under a month counts as a month; without a wait there is no profit per month', () => {
    const perMonth = (waitDays: number | null) =>
      profitOf(50_00, { ...sale, waitDays }, usualTerms)?.profitPerMonthCents;
    expect([2, 30, 60, null].map(perMonth)).toEqual([30_00, 30_00, 15_00, null]);
  });

  test('nothing when a cent more is paid than may be', () => {
    expect(profitOf(60_00, sale, usualTerms)).not.toBeNull();
    expect(profitOf(60_01, sale, usualTerms)).toBeNull();
    expect(profitOf(75_00, sale, { ...usualTerms, marginBasisPoints: 0 })).not.toBeNull();
  });

  test('tax, cashback and postage to the house are part of the cost', () => {
    const costs = { taxBasisPoints: 1_000, cashbackBasisPoints: 500, inboundCents: 3_00 };
    const profit = profitOf(40_00, sale, { ...usualTerms, costs });
    expect(profit).toMatchObject({ costCents: 45_00, profitCents: 35_00, roiPercent: 77.78 });
    const free = { ...noBuyingCosts, cashbackBasisPoints: 9_999 };
    expect(profitOf(1, sale, { ...usualTerms, costs: free })?.roiPercent).toBeGreaterThan(200);
  });
});

describe('warnings', () => {
  const traps: readonly (readonly [DealWarning, DealCandidate])[] = [
    ['stale_price', candidate({ offer: { observedAt: at - 48 * hourMs - 1 } })],
    ['unknown_stock', candidate({ offer: { inStock: null } })],
    ['third_party_seller', candidate({ offer: { sellerType: 'third_party' } })],
    ['unknown_seller', candidate({ offer: { sellerType: null } })],
    ['high_roi', candidate({ offer: { priceCents: 20_00 } })],
    ['cheaper_recently', candidate({ offer: { cheaperUntil: at - 90 * dayMs } })],
    ['often_discounted', candidate({ offer: { isOftenDiscounted: true } })],
    ['low_tier', candidate({ resale: { tier: 'low' } })],
    [
      'guessed_postage',
      candidate({
        resale: {
          parcel: { ...soldWell.parcel, box: { ...soldWell.parcel.box, weightLbs: null } },
        },
      }),
    ],
  ];

  test('there is a trap for each', () => {
    expect(traps.map(([warning]) => warning)).toEqual([...dealWarnings]);
  });

  test.each(traps)('%s, and nothing else', (warning, trap) => {
    expect(deal(trap)?.warnings).toEqual([warning]);
  });

  test('none for a deal without a catch, and none a moment before it has one', () => {
    for (const offer of [
      {},
      { observedAt: at - 48 * hourMs },
      { cheaperUntil: at - 90 * dayMs - 1 },
      // Three times the cost are left: two hundred percent, and no more.
      { priceCents: Math.ceil(sell().medianNetCents / 3) },
    ]) {
      expect(deal(candidate({ offer }))?.warnings).toEqual([]);
    }
  });

  test('a look gets older with time alone', () => {
    expect(deal(candidate({}), at + 2 * dayMs)?.warnings).toEqual(['stale_price']);
  });
});

test('a deal says the most that may be paid', () => {
  const found = deal(candidate({}));
  const most = found?.maxBuyCents ?? 0;
  expect(deal(candidate({ offer: { priceCents: most } }))?.maxBuyCents).toBe(most);
  expect(deal(candidate({ offer: { priceCents: most + 1 } }))).toBeNull();
});
