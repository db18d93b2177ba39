/** Comparing deals with later sales. */
import { expect, test } from 'bun:test';
import { candidate, dealsAt } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { dayMs, weekOf } from '../../kernel/time.ts';
import type { ComparableSale } from '../../market/values/estimator.ts';
import { defaultTerms, netOfUnit } from '../boxes/quotes.ts';
import { netNeeded } from '../prices/max-buy.ts';
import { priceIn, type Resale } from '../prices/resale.ts';
import { bestSale, profitOf, toDeal } from './deal.ts';
import { gradeDeals } from './deal-grade.ts';
import { predictionOf } from './deal-prediction.ts';

/** A logged deal and its prediction. */
function logged(openedAt: number, priceCents: number, resale: Partial<Resale> = {}) {
  const offered = candidate({ offer: { priceCents }, resale });
  const terms = { terms: defaultTerms, at: openedAt };
  const sale = bestSale(builtInTables, offered.resale, terms);
  const profit = sale && profitOf(priceCents, sale, defaultTerms);
  if (!profit) throw new Error('It must be a deal.');
  const deal = toDeal(offered, { sale, profit }, terms);
  const predicted = predictionOf(builtInTables, deal, openedAt);
  return { predicted, openedAt, prediction: JSON.stringify(predicted) };
}

const sold = (cents: number, facts: Partial<ComparableSale> = {}): ComparableSale => ({
  condition: 'sealed',
  soldAt: dealsAt + dayMs,
  log: Math.log(cents),
  ...facts,
});

type Given = Parameters<typeof gradeDeals>;

/** Predicted and actual returns, and the returns of sales that cleared. */
function graded(deals: Given[1], sales: Given[2]) {
  const scores = gradeDeals(builtInTables, deals, sales);
  const percents = (field: 'predicted' | 'got' | 'cleared') =>
    scores.filter((score) => score[field] > 0).map(({ percent }) => percent);
  return { predicted: percents('predicted'), got: percents('got'), cleared: percents('cleared') };
}

const deal = logged(dealsAt, 50_00);
const expected = Math.round(deal.predicted.roiPercent);

test('a sale at the value yields the prediction, at the price level of the channel', () => {
  const inBrickLink = logged(dealsAt, 50_00, { offsets: { bricklink: Math.log(0.95) } });
  for (const each of [deal, inBrickLink]) {
    const percent = Math.round(each.predicted.roiPercent);
    expect(graded([each], [sold(100_00)])).toEqual({
      predicted: [percent],
      got: [percent],
      cleared: [percent],
    });
  }
  expect(inBrickLink.predicted.channel).toBe('bricklink');
});

test("a sale on Amazon yields no more than Amazon's own price", () => {
  const beside = logged(dealsAt, 30_00, { offsets: { amazon: 0 }, amazonAskCents: 75_00 });
  const percent = Math.round(beside.predicted.roiPercent);
  expect(beside.predicted.channel).toBe('fba');
  expect(graded([beside], [sold(200_00)]).got).toEqual([percent]);
  expect(graded([beside], [sold(60_00)]).got[0]).toBeLessThan(percent);
});

test('at the maximum price, the margin is reached exactly where a sale clears', () => {
  const { resale, channel, maxBuyCents, netCents } = deal.predicted;
  const safeCents = priceIn({ ...resale, offsets: { fixed: 0 } }, 'ebay', 0.8);
  expect(graded([deal], [sold(safeCents + 1)]).cleared).toHaveLength(1);
  expect(graded([deal], [sold(safeCents * 0.999)]).cleared).toEqual([]);
  const priceCents = priceIn(resale, channel, 0.8);
  const sum = netOfUnit(builtInTables, resale, { channel, priceCents, at: dealsAt });
  expect(sum?.netCents).toBe(netCents);
  expect(netCents).toBeGreaterThanOrEqual(netNeeded(maxBuyCents, 2_500));
  expect(netCents).toBeLessThan(netNeeded(maxBuyCents + 1, 2_500));
});

test('a loss is counted, based on the offered price', () => {
  // About 60 dollars less fees and postage, for a cost of 50.
  const [got = 0] = graded([deal], [sold(60_00)]).got;
  expect(got).toBeLessThan(-10);
  expect(got).toBeGreaterThan(-30);
});

test('a sale tests only the last deal before it', () => {
  const later = logged(dealsAt + 2 * dayMs, 40_00);
  const deals = [deal, later];
  const at = (soldAt: number) => graded(deals, [sold(100_00, { soldAt })]).predicted;
  const then = Math.round(later.predicted.roiPercent);
  expect(then).toBeGreaterThan(expected);
  expect(at(dealsAt)).toEqual([]);
  expect(at(dealsAt + 1)).toEqual([expected]);
  expect(at(later.openedAt)).toEqual([expected]);
  expect(at(later.openedAt + 1)).toEqual([then]);
  expect(graded(deals, [sold(100_00, { condition: 'used' })]).predicted).toEqual([]);
});

test('counts have the week of the sale and the tier of the deal', () => {
  const soldAt = dealsAt + 20 * dayMs;
  const scores = gradeDeals(
    builtInTables,
    [logged(dealsAt, 50_00, { tier: 'medium' })],
    [sold(100_00, { soldAt })],
  );
  expect(scores.map(({ week, tier }) => [week, tier])).toEqual([
    [weekOf(soldAt), 'medium'],
    [weekOf(soldAt), 'medium'],
  ]);
});
