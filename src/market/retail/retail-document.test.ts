/** The retail row of a set. */
import { expect, test } from 'bun:test';
import { anOffer, aSet } from '../../../test/support/builders.ts';
import type { SetFacts } from '../../catalog/items/catalog.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import { netFbaCents } from '../fees/fba.ts';
import type { Offer } from '../source-rows/source-rows.ts';
import { retailDocument } from './retail-document.ts';
import { foldOffers } from './retail-state.ts';

const at = Date.UTC(2026, 10, 9);
const box = { widthIn: 15, heightIn: 10, depthIn: 3, weightLbs: 2 };

const offerOf = (given: Partial<Offer>): Offer => {
  return anOffer({ observedAt: at - dayMs, ...given });
};

function rowOf(offers: readonly Offer[], facts: Partial<SetFacts> = {}) {
  const states = { retailer_a: foldOffers(null, offers), retailer_b: null };
  return retailDocument({ number: '75192', facts: aSet(facts) }, states, at);
}

test('a retailer that never had the set has no block', () => {
  const nothing = { price: null, sellerType: null, changedAt: null, lastChange: null };
  const { retailer_b: block, ...row } = rowOf([offerOf({})], { upc: '1', ean: '2' });
  expect(block).toEqual({
    ...nothing,
    flip1pTo3p: false,
    atLowest: false,
    lowest: null,
    inStock: null,
  });
  expect(row).toMatchObject({ setNumber: '75192', name: 'Castle', asin: null, upc: '1', ean: '2' });
});

test('a price has its last change, the lowest price ever, and whether it is that', () => {
  const offers = [
    offerOf({ priceCents: 100_00, observedAt: at - 3 * dayMs, inStock: true }),
    offerOf({ priceCents: 80_00, observedAt: at - 2 * dayMs, inStock: false, asin: 'B01' }),
  ];
  const { retailer_a: low, asin } = rowOf(offers);
  expect([low, asin]).toEqual([
    {
      price: 80,
      sellerType: null,
      changedAt: '2026-11-07T00:00:00.000Z',
      lastChange: -20,
      flip1pTo3p: false,
      atLowest: true,
      lowest: 80,
      inStock: false,
    },
    'B01',
  ]);
});

test('a flip is shown once it has lasted six hours', () => {
  const flipAfter = (hours: number) =>
    rowOf([
      offerOf({ sellerType: 'retailer', observedAt: at - dayMs }),
      offerOf({ sellerType: 'third_party', observedAt: at - hours * hourMs }),
    ]).retailer_a.flip1pTo3p;
  expect([flipAfter(5), flipAfter(6)]).toEqual([false, true]);
});

test('net proceeds use the lowest price at retailer A, or the featured one', () => {
  const exitOf = (offer: Partial<Offer>, facts: Partial<SetFacts> = { box }) =>
    rowOf([offerOf(offer)], facts).retailer_aExit;
  const net = (cents: number) => (netFbaCents(cents, box, at) ?? 0) / 100;
  expect(exitOf({ lowestFbaCents: 150_00, buyBoxCents: 140_00, fbaSellers: 4 })).toEqual({
    lowestFba: 150,
    fbaSellers: 4,
    buyBox: 140,
    netFba: net(150_00),
  });
  expect(exitOf({ buyBoxCents: 140_00 }).netFba).toBe(net(140_00));
  expect(exitOf({}).netFba).toBeNull();
  expect(exitOf({ buyBoxCents: 140_00 }, { box: null }).netFba).toBeNull();
  const nothing = { lowestFba: null, fbaSellers: null, buyBox: null, netFba: null };
  expect(rowOf([], { box }).retailer_aExit).toEqual(nothing);
});
