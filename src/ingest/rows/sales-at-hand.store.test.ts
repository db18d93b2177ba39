/** The sales of a batch, counted by item. */
import { expect, test } from 'bun:test';
import { aSale } from '../../../test/support/builders.ts';
import { type SaleFacts, SalesAtHand } from './sales-at-hand.store.ts';

const day = Date.UTC(2026, 10, 9);

const facts = (sourceId: string, given: Partial<SaleFacts> = {}): SaleFacts => {
  const { itemKind: _, itemKey: __, ...bare } = aSale();
  return { ...bare, currency: 'EUR', soldAt: day, sourceId, ...given };
};

test('a sale is found by its source and source id only', () => {
  const sales = new SalesAtHand();
  sales.addStored({ itemId: 1, facts: facts('a') }, 7);
  sales.change(null, { itemId: 2, facts: facts('a', { source: 'other' }) });
  expect(sales.find('shop', 'a')).toMatchObject({ itemId: 1, retractedAt: 7, isChanged: false });
  expect(sales.find('other', 'a')).toMatchObject({ itemId: 2, stored: null, isChanged: true });
  expect([sales.find('shop', 'b'), sales.find('nobody', 'a')]).toEqual([null, null]);
});

test('changed and retracted sales differ from the store, and keep their stored state', () => {
  const sales = new SalesAtHand();
  for (const name of ['same', 'changed', 'gone']) {
    sales.addStored({ itemId: 1, facts: facts(name) }, null);
  }
  sales.change(sales.find('shop', 'changed'), { itemId: 2, facts: facts('changed') });
  const gone = sales.find('shop', 'gone');
  if (gone) sales.retract(gone, 9);
  const listed = sales
    .listChanged()
    .map((sale) => [sale.facts.sourceId, sale.itemId, sale.retractedAt, sale.stored?.itemId]);
  expect(listed).toEqual([
    ['changed', 2, null, 1],
    ['gone', 1, 9, 1],
  ]);
});

test('sales of an item are counted now and before the batch', () => {
  const sales = new SalesAtHand();
  sales.addStored({ itemId: 1, facts: facts('a') }, null);
  sales.addStored({ itemId: 1, facts: facts('b') }, null);
  expect(sales.countOf(1)).toEqual({ now: 2, before: 2 });
  sales.change(sales.find('shop', 'a'), { itemId: 2, facts: facts('a') });
  sales.change(null, { itemId: 2, facts: facts('c') });
  expect(sales.countOf(1)).toEqual({ now: 1, before: 2 });
  expect(sales.countOf(2)).toEqual({ now: 2, before: 0 });
  expect(sales.countOf(3)).toEqual({ now: 0, before: 0 });
});
