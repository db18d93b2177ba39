/** Retail summaries: the last known price, and whether it is still available. */
import { expect, test } from 'bun:test';
import { anOffer } from '../../../test/support/builders.ts';
import type { Offer } from '../source-rows/source-rows.ts';
import {
  asinKey,
  asinOf,
  lastChangeAt,
  lastOwnOfferAt,
  type RetailerPrice,
  summarizeRetail,
} from './retail.ts';
import { foldOffers, type RetailState } from './retail-state.ts';

const monday = Date.UTC(2026, 10, 9);
const tuesday = Date.UTC(2026, 10, 10);
const wednesday = Date.UTC(2026, 10, 11);

const offer = (facts: Partial<Offer>): Offer => anOffer(facts);

function summarizeOffers(offers: readonly Offer[], msrpCents: number | null): RetailerPrice[] {
  const state = (retailer: Offer['retailer']) =>
    foldOffers(
      null,
      offers
        .filter((seen) => seen.retailer === retailer)
        .toSorted((a, b) => a.observedAt - b.observedAt),
    );
  const states = { retailer_a: state('retailer_a'), retailer_b: state('retailer_b') };
  return summarizeRetail(states, msrpCents);
}

/** Retailer A only. */
function summary(offers: readonly Partial<Offer>[], msrpCents: number | null = null) {
  const [first, ...others] = summarizeOffers(offers.map(offer), msrpCents);
  expect(others).toEqual([]);
  return first;
}

test('the last change is the latest at either retailer, or null', () => {
  const changedAt = (at: number) => ({ change: { at } }) as RetailState;
  expect(lastChangeAt({ retailer_a: changedAt(5), retailer_b: changedAt(7) })).toBe(7);
  expect(lastChangeAt({ retailer_a: changedAt(9), retailer_b: changedAt(7) })).toBe(9);
  expect(lastChangeAt({ retailer_a: null, retailer_b: changedAt(7) })).toBe(7);
  expect(lastChangeAt({ retailer_a: null, retailer_b: null })).toBeNull();
});

test('a set without offers has no retailers', () => {
  expect(summarizeOffers([], 150_00)).toEqual([]);
});

test('a retailer that never had a price is left out', () => {
  expect(summarizeOffers([offer({ priceCents: null })], 150_00)).toEqual([]);
});

test('a complete offer is shown completely', () => {
  const full = {
    listPriceCents: 150_00,
    sellerType: 'retailer',
    inStock: true,
    productUrl: 'https://retailer-a.example.com/75192',
  } as const;
  expect(summary([full], 160_00)).toEqual({
    retailer: 'retailer_a',
    priceCents: 120_00,
    listPriceCents: 150_00,
    discountPercent: 20,
    inStock: true,
    isFirstParty: true,
    productUrl: 'https://retailer-a.example.com/75192',
    lastCheckedAt: monday,
  });
});

test('retailer A comes first, and each retailer has its own summary', () => {
  const offers = [
    offer({ retailer: 'retailer_b', priceCents: 90_00, observedAt: wednesday }),
    offer({ retailer: 'retailer_a', priceCents: 99_00 }),
  ];
  const seen = summarizeOffers(offers, null).map((r) => [r.retailer, r.priceCents]);
  expect(seen).toEqual([
    ['retailer_a', 99_00],
    ['retailer_b', 90_00],
  ]);
});

test('the latest price counts, whatever the order of the offers', () => {
  const later = { observedAt: tuesday, priceCents: 100_00 };
  expect(summary([later, {}])?.priceCents).toBe(100_00);
  expect(summary([{}, later])?.priceCents).toBe(100_00);
});

test('without an offer, the last known price stays, out of stock', () => {
  const seen = summary([
    {
      priceCents: 120_00,
      inStock: true,
      sellerType: 'retailer',
      productUrl: 'https://a.example/1',
    },
    { priceCents: 110_00, observedAt: tuesday, inStock: true, sellerType: 'retailer' },
    { priceCents: null, observedAt: wednesday, inStock: true },
  ]);
  expect(seen).toMatchObject({
    priceCents: 110_00,
    inStock: false,
    isFirstParty: true,
    productUrl: 'https://a.example/1',
    lastCheckedAt: wednesday,
  });
});

test('an offer that reappears is in stock again', () => {
  const gone = { priceCents: null, observedAt: tuesday };
  const back = { priceCents: 130_00, observedAt: wednesday };
  expect(summary([{}, gone, back])).toMatchObject({ priceCents: 130_00, inStock: true });
});

test.each([
  ['says it is in stock', true, true],
  ['says it is out of stock', false, false],
  ['does not say', null, true],
])('the stock of an offer that %s', (_, inStock, shown) => {
  expect(summary([{ inStock }])?.inStock).toBe(shown);
});

test.each([
  ['the retailer itself', 'retailer', true],
  ['a third party', 'third_party', false],
  ['an unknown seller', null, false],
] as const)('whether an offer by %s is first party', (_, sellerType, isFirstParty) => {
  expect(summary([{ sellerType }])?.isFirstParty).toBe(isFirstParty);
});

test('the list price is the last one known, else the MSRP, else the price', () => {
  const listed = { listPriceCents: 150_00 };
  const later = { observedAt: tuesday };
  const shown = (seen: RetailerPrice | undefined) => seen?.listPriceCents;
  expect(shown(summary([listed, later], 160_00))).toBe(150_00);
  expect(shown(summary([later], 160_00))).toBe(160_00);
  expect(shown(summary([later], null))).toBe(120_00);
});

test.each([
  ['a third off', 100_00, 150_00, 33.33],
  ['a cent off', 149_99, 150_00, 0.01],
  ['the list price', 150_00, 150_00, 0],
  ['more than the list price', 180_00, 150_00, 0],
])('at %s, the discount has two decimals and is not negative', (_, price, list, discount) => {
  expect(summary([{ priceCents: price, listPriceCents: list }])?.discountPercent).toBe(discount);
});

test('the last own offer and the product identifier come from either retailer', () => {
  const state = (facts: Partial<Offer>) => foldOffers(null, [offer(facts)]);
  const own = state({ observedAt: monday, sellerType: 'retailer', inStock: true, asin: null });
  const later = state({ observedAt: tuesday, sellerType: 'retailer', inStock: true, asin: 'B2' });
  const other = state({ observedAt: wednesday, sellerType: 'third_party', asin: 'B1' });
  const read = (a: RetailState | null, b: RetailState | null) => {
    const states = { retailer_a: a, retailer_b: b };
    return [lastOwnOfferAt(states), asinOf(states)];
  };
  expect(read(null, null)).toEqual([null, null]);
  expect(read(own, null)).toEqual([monday, null]);
  expect(read(own, later)).toEqual([tuesday, 'B2']);
  expect(read(later, own)).toEqual([tuesday, 'B2']);
  expect(read(other, null)).toEqual([null, 'B1']);
  expect(read(other, later)).toEqual([tuesday, 'B1']);
  expect(asinKey(' b00abc ')).toBe('B00ABC');
});
