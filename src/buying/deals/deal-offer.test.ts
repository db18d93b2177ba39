/** Retailers' offers as deals need them, and why an offer is not a deal. */
import { describe, expect, test } from 'bun:test';
import { anOffer } from '../../../test/support/builders.ts';
import { dealsAt as at, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { dayMs } from '../../kernel/time.ts';
import { foldOffers } from '../../market/retail/retail-state.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import { EvenOdds } from './deal.ts';
import { dealOffer, noDealReason } from './deal-offer.ts';

type Observation = Partial<Offer> & { readonly daysAgo: number };

/** The state after observations, each a number of days ago. */
function fold(...observations: readonly Observation[]) {
  const offers = observations.map(({ daysAgo, ...facts }) =>
    anOffer({
      observedAt: at - daysAgo * dayMs,
      priceCents: 50_00,
      sellerType: 'retailer' as const,
      inStock: true,
      ...facts,
    }),
  );
  const state = foldOffers(null, offers);
  if (state === null) throw new Error('There are no observations.');
  return state;
}

describe('an offer', () => {
  const available = { statusId: 2, msrpCents: null } as const;

  test('is the latest observation', () => {
    const productUrl = 'https://example.com/1';
    const state = fold({ daysAgo: 2, productUrl }, { daysAgo: 1, priceCents: 45_00 });
    expect(dealOffer(state, available, at)).toEqual({
      retailer: 'retailer_a',
      priceCents: 45_00,
      observedAt: at - dayMs,
      sellerType: 'retailer',
      inStock: true,
      productUrl,
      cheaperUntil: null,
      isOftenDiscounted: false,
    });
  });

  test('has the time until which the price was lower', () => {
    const state = fold({ daysAgo: 80, priceCents: 40_00 }, { daysAgo: 60 }, { daysAgo: 1 });
    expect(dealOffer(state, available, at)?.cheaperUntil).toBe(at - 60 * dayMs);
    // Of two lower prices, the later one.
    const rising = [40_00, 45_00, 50_00].map((priceCents, index) => {
      return { daysAgo: 80 - 20 * index, priceCents };
    });
    expect(dealOffer(fold(...rising), available, at)?.cheaperUntil).toBe(at - 40 * dayMs);
  });

  test('is null without a price or if out of stock', () => {
    expect(dealOffer(fold({ daysAgo: 1, priceCents: null }), available, at)).toBeNull();
    expect(dealOffer(fold({ daysAgo: 1, inStock: false }), available, at)).toBeNull();
    expect(dealOffer(fold({ daysAgo: 1, inStock: null }), available, at)?.inStock).toBeNull();
  });

  describe('is often discounted', () => {
    /**
     * One observation per month, the earliest first, at a list price of $60.00. Each price also
     * counts for the month in which the next observation finds another.
     */
    const months = (...prices: number[]) =>
      fold(
        ...prices.map((priceCents, index) => ({
          daysAgo: 0,
          observedAt: Date.UTC(2026, 4 + index - (prices.length - 1), 20),
          priceCents,
          listPriceCents: 60_00,
        })),
      );
    const is = (state: ReturnType<typeof fold>, set = {}) =>
      dealOffer(state, { ...available, ...set }, Date.UTC(2026, 4, 25))?.isOftenDiscounted;

    test.each<[boolean, number[]]>([
      [true, [60_00, 53_99, 60_00]],
      [false, [60_00, 54_00, 60_00]],
      [false, [60_00, 60_00, 53_99]],
      [false, [60_00, 60_00, 53_99, 60_00]],
      [true, [60_00, 53_99, 60_00, 60_00, 53_99]],
      [false, [50_00, 50_00]],
      // Only the last twelve months count: six of them, then seven.
      [false, [...Array(8).fill(50_00), ...Array(7).fill(60_00), ...Array(5).fill(50_00)]],
      [true, [...Array(13).fill(60_00), ...Array(7).fill(50_00)]],
      // Six of twelve, as the first of them counts.
      [false, [60_00, 60_00, ...Array(5).fill(50_00), ...Array(6).fill(60_00)]],
    ])('%p after months at %j', (expected, prices) => {
      expect(is(months(...prices))).toBe(expected);
    });

    test('only while it is in production', () => {
      expect(is(months(50_00, 50_00, 50_00), { statusId: 4 })).toBe(false);
      expect(is(months(50_00, 50_00, 50_00), { statusId: 3 })).toBe(true);
    });

    test('relative to the MSRP if the retailer has no list price, else never', () => {
      const state = fold({ daysAgo: 70 }, { daysAgo: 1 });
      expect(is(state, { msrpCents: 60_00 })).toBe(true);
      expect(is(state)).toBe(false);
    });
  });
});

describe('no deal', () => {
  const reason = (observation: Partial<Observation>, resale: typeof soldWell | null = soldWell) =>
    noDealReason(
      fold({ daysAgo: 1, ...observation }),
      resale && new EvenOdds(builtInTables, resale, at),
      at,
    );

  test.each<[ReturnType<typeof reason>, Partial<Observation>, typeof soldWell | null]>([
    [null, {}, soldWell],
    [null, { daysAgo: 7, inStock: null, sellerType: 'third_party' }, soldWell],
    [null, {}, { ...soldWell, tier: 'low' }],
    ['no_offer', { priceCents: null }, soldWell],
    ['no_offer', { inStock: false, daysAgo: 9 }, null],
    ['not_seen', { daysAgo: 7.001 }, null],
    ['no_value', { priceCents: 90_00 }, null],
    ['too_dear', { priceCents: 80_00 }, soldWell],
    ['too_dear', { priceCents: 120_00 }, soldWell],
  ])('%p for %j', (expected, observation, resale) => {
    expect(reason(observation, resale)).toBe(expected);
  });
});
