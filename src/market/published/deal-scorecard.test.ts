/** The scorecard of deals: bins, medians, and the minimum number of sales. */
import { expect, test } from 'bun:test';
import type { DataTier } from '../evidence/evidence.ts';
import { countSale, type DealScore, makeDealScorecard } from './deal-scorecard.ts';

const sale = (predictedPercent: number, gotPercent: number, isCleared = true) => ({
  week: 2960,
  tier: 'high' as const,
  predictedPercent,
  gotPercent,
  isCleared,
});

test.each([
  [30.49, 30],
  [30.5, 31],
  [-0.2, 0],
  [-250, -100],
  [700, 500],
])('a return of %d percent is counted at %d', (percent, step) => {
  expect(countSale(sale(percent, percent, false))).toEqual([
    { week: 2960, tier: 'high', percent: step, predicted: 1, got: 0, cleared: 0 },
    { week: 2960, tier: 'high', percent: step, predicted: 0, got: 1, cleared: 0 },
  ]);
});

/** Sales with a predicted return of 40 percent and actual returns of 0, 1, 2 … percent. */
function sales(count: number, tier: DataTier = 'high'): DealScore[] {
  return Array.from({ length: count }, (_, got) =>
    countSale({ ...sale(40, got, got >= count / 4), tier }),
  ).flat();
}

test('shares and medians are reported from 30 sales on', () => {
  const nothing = { cleared: null, predictedPercent: null, gotPercent: null };
  expect(makeDealScorecard([])).toEqual({ sales: 0, ...nothing, tiers: [] });
  expect(makeDealScorecard(sales(29))).toMatchObject({ sales: 29, ...nothing });
  const judged = { sales: 32, cleared: 0.75, predictedPercent: 40, gotPercent: 15.5 };
  expect(makeDealScorecard([...sales(32, 'low')])).toEqual({
    ...judged,
    tiers: [{ tier: 'low', ...judged }],
  });
});

test('tiers are reported separately, best supported first', () => {
  const { sales: all, tiers } = makeDealScorecard([...sales(12, 'low'), ...sales(30)]);
  expect(all).toBe(42);
  expect(tiers.map(({ tier, sales: own, cleared }) => [tier, own, cleared])).toEqual([
    ['high', 30, 22 / 30],
    ['low', 12, null],
  ]);
});
