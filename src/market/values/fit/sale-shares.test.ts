/** A seller's sales count together in what is learned across items. */
import { expect, test } from 'bun:test';
import { noon, setOf, sold } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import { setSubject } from '../engine/subject.ts';
import { saleShares } from './sale-shares.ts';

const by = (seller: string | null, day: number, facts: Partial<StoredSale> = {}) =>
  sold({ seller, soldAt: noon + day * dayMs, ...facts });

const shared = (
  items: readonly { theme: string | null; sales: readonly StoredSale[] }[],
  counts = () => true,
) =>
  saleShares(
    items.map(({ theme, sales }) => ({ theme, subject: setSubject(setOf(sales)) })),
    counts,
  ).map(({ ofMarket, ofTheme }) => ({ ofMarket: [...ofMarket], ofTheme: [...ofTheme] }));

test('sales of a seller count together in the market, and in each theme', () => {
  const items = [
    { theme: 'City', sales: [by('a', 0), by('b', 1), by('a', 6)] },
    { theme: 'City', sales: [by('a', 2)] },
    { theme: 'Space', sales: [by('a', 3), by('a', 100)] },
  ];
  expect(shared(items)).toEqual([
    { ofMarket: [1, 1, 1 / 4], ofTheme: [1, 1, 1 / 3] },
    { ofMarket: [1 / 2], ofTheme: [1 / 2] },
    { ofMarket: [1 / 3, 1], ofTheme: [1, 1] },
  ]);
});

test('an item without a theme is on its own', () => {
  const items = [0, 1].map((day) => ({ theme: null, sales: [by('a', day)] }));
  expect(shared(items).map(({ ofTheme }) => ofTheme)).toEqual([[1], [1]]);
});

test('rejected and retracted sales, and those of other samples, do not count', () => {
  const sales = [by('a', 0, { retractedAt: noon }), by('a', 1, { priceCents: 0 }), by('a', 2)];
  expect(shared([{ theme: null, sales }])[0]?.ofMarket).toEqual([0, 0, 1]);
  expect(shared([{ theme: null, sales }], () => false)[0]?.ofMarket).toEqual([0, 0, 0]);
});

test('a source without names counts in full', () => {
  const sales = [0, 1, 2].map((day) => by(null, day));
  expect(shared([{ theme: null, sales }])[0]?.ofMarket).toEqual([1, 1, 1]);
});
