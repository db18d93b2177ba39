/** The fields removed from a lot before it is shared. */
import { expect, test } from 'bun:test';
import { anUnusualLot } from '../../../test/support/builders.ts';
import { detailFields } from '../lots/lot-fields.ts';
import type { InventoryLot } from '../lots/lots.ts';
import { sharedSorts, withCosts, withoutCosts } from './shared.ts';

const { sourceId: _, brickfolio: __, ...facts } = anUnusualLot();

const lot: InventoryLot = {
  ...facts,
  id: 7,
  brickfolioId: 3,
  key: '100',
  number: '100',
  quantity: 5,
  sold: 2,
  condition: 'used',
  grade: 'complete',
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
  priceCents: 0,
  purchaseDate: '',
  status: 'owned',
  isEstimated: false,
  dateBasis: 'unknown',
  ...Object.fromEntries(detailFields.map(({ field }) => [field, null])),
  grade: 'complete',
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
