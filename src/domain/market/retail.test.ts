/** Retail summaries: the last known price stays, and says whether it can still be had. */
import { expect, test } from 'bun:test';
import { anOffer } from '../../../test/support/builders.ts';
import { lastChangeAt, type RetailerPrice, summarizeRetail } from './retail.ts';
import { foldOffers, type RetailState } from './retail-state.ts';
import type { Offer } from './source-rows.ts';

const monday = Date.UTC(2026, 10, 9);
const tuesday = Date.UTC(2026, 10, 10);
const wednesday = Date.UTC(2026, 10, 11);

const offer = (facts: Partial<Offer>): Offer => anOffer(facts);

/** The summaries of all retailers. */
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

/** The summary of retailer A alone. */
function summary(offers: readonly Partial<Offer>[], msrpCents: number | null = null) {
  const [first, ...others] = summarizeOffers(offers.map(offer), msrpCents);
  expect(others).toEqual([]);
  return first;
}

test('a price changed last when it did at either retailer, and never where it did at none', () => {
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

test('one offer with everything is shown with everything', () => {
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

test('retailer A comes first, and each retailer is summed up on its own', () => {
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

test('the last known price stays when there is no offer any more, out of stock', () => {
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

test('an offer that comes back is in stock again', () => {
  const gone = { priceCents: null, observedAt: tuesday };
  const back = { priceCents: 130_00, observedAt: wednesday };
  expect(summary([{}, gone, back])).toMatchObject({ priceCents: 130_00, inStock: true });
});

test.each([
  ['says so', true, true],
  ['says it is not', false, false],
  ['does not say', null, true],
])('an offer that %s is in stock accordingly', (_, inStock, shown) => {
  expect(summary([{ inStock }])?.inStock).toBe(shown);
});

test.each([
  ['the retailer itself', 'retailer', true],
  ['a third party', 'third_party', false],
  ['nobody knows who', null, false],
] as const)('an offer by %s is first party accordingly', (_, sellerType, isFirstParty) => {
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
])('at %s the discount has two places and is never below 0', (_, price, list, discount) => {
  expect(summary([{ priceCents: price, listPriceCents: list }])?.discountPercent).toBe(discount);
});
