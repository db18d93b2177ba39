/** The sales of a batch, counted by item and by the days of exchange rates. */
import { expect, test } from 'bun:test';
import { aSale } from '../../../../test/support/builders.ts';
import { dayMs } from '../../../domain/kernel/time.ts';
import { type SaleFacts, SalesAtHand } from './sales-at-hand.ts';

const day = Date.UTC(2026, 10, 9);

const facts = (sourceId: string, given: Partial<SaleFacts> = {}): SaleFacts => {
  const { itemKind: _, itemKey: __, ...bare } = aSale();
  return { ...bare, currency: 'EUR', soldAt: day, sourceId, ...given };
};

const window = (from: number, to: number, currency = 'EUR') => ({ currency, from, to });

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

/** Sales on four consecutive days, one of them twice; others are in dollars or pounds. */
function fourDays(): SalesAtHand {
  const sales = new SalesAtHand();
  for (const offset of [0, 1, 2, 3]) {
    const soldAt = day + offset * dayMs;
    sales.addStored({ itemId: 1, facts: facts(`e${offset}`, { soldAt }) }, null);
  }
  sales.addStored({ itemId: 1, facts: facts('late', { soldAt: day + dayMs - 1 }) }, null);
  sales.addStored({ itemId: 1, facts: facts('usd', { currency: 'USD' }) }, null);
  sales.addStored({ itemId: 1, facts: facts('gbp', { currency: 'GBP' }) }, null);
  return sales;
}

test.each([
  // Few days are iterated one by one, otherwise the days with sales are.
  { name: 'one day', from: 0, to: 1, count: 2 },
  { name: 'the last day', from: 3, to: 4, count: 1 },
  { name: 'three days', from: 1, to: 4, count: 3 },
  { name: 'as many days as have sales', from: 0, to: 4, count: 5 },
  { name: 'days before and behind', from: -9, to: 99, count: 5 },
  { name: 'up to the second day', from: -9, to: 1, count: 2 },
  { name: 'from the second day on', from: 1, to: 99, count: 3 },
  { name: 'no day', from: 4, to: 99, count: 0 },
])('a rate of $name applies to $count sales', ({ from, to, count }) => {
  const sales = fourDays();
  const asked = window(day + from * dayMs, day + to * dayMs);
  expect(sales.countIn(asked)).toEqual({ now: count, before: count });
  const first = sales.find('shop', 'e0');
  sales.change(first, { itemId: 1, facts: facts('e0', { currency: 'CHF' }) });
  const isIn = from <= 0 && to > 0;
  expect(sales.countIn(asked)).toEqual({ now: count - (isIn ? 1 : 0), before: count });
});

test('rates apply to sales in their own currency, and never to dollars', () => {
  const sales = fourDays();
  const all = [day - dayMs, day + 9 * dayMs] as const;
  expect(sales.countIn(window(...all, 'GBP'))).toEqual({ now: 1, before: 1 });
  expect(sales.countIn(window(...all, 'USD'))).toEqual({ now: 0, before: 0 });
  expect(sales.countIn(window(...all, 'JPY'))).toEqual({ now: 0, before: 0 });
});
