/** The fields removed from a lot before it is shared. */
import { expect, test } from 'bun:test';
import type { InventoryLot } from './lots.ts';
import { sharedSorts, withCosts, withoutCosts } from './shared.ts';

const lot: InventoryLot = {
  id: 7,
  brickfolioId: 3,
  kind: 'set',
  key: '100',
  number: '100',
  quantity: 5,
  sold: 2,
  condition: 'used',
  priceCents: 42_42,
  purchaseDate: '2026-01-01',
  status: 'listed',
  isEstimated: true,
  dateBasis: 'assumed',
  grade: 'complete',
  notes: 'Cost me 42',
  tags: 'cheap',
  place: 'Attic',
  boughtAt: 'Target',
  askingCents: 99_99,
  listedAt: '2026-02-02',
  listingUrl: 'https://example.com/1',
  ownFields: '{"Paid":"42"}',
};

const gift = {
  id: 7,
  brickfolioId: 3,
  kind: 'set',
  key: '100',
  number: '100',
  quantity: 3,
  sold: 0,
  condition: 'used',
  grade: 'complete',
  priceCents: 0,
  purchaseDate: '',
  status: 'owned',
  isEstimated: false,
  dateBasis: 'unknown',
  notes: null,
  tags: null,
  place: null,
  boughtAt: null,
  askingCents: null,
  listedAt: null,
  listingUrl: null,
  ownFields: null,
};

test('a lot without costs has only what it is, and how many are left', () => {
  expect(withoutCosts(lot) as object).toEqual(gift);
});

test('with costs, it has its purchase too, and still no texts', () => {
  const { priceCents, purchaseDate, isEstimated, dateBasis } = lot;
  const bought = { priceCents, purchaseDate, isEstimated, dateBasis };
  expect(withCosts(lot) as object).toEqual({ ...gift, ...bought });
});

test('only with costs is there an order that depends on them', () => {
  const about = ['cost', 'gain', 'gain_pct', 'date'];
  expect(sharedSorts({ withCosts: true })).toEqual(expect.arrayContaining(about));
  const plain: readonly string[] = sharedSorts({ withCosts: false });
  expect(plain.filter((sort) => about.includes(sort))).toEqual([]);
});
