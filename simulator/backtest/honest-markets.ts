/** Honest markets, so that defenses against fakes show what they cost where nobody lies. */

import { dayMs } from '../../src/kernel/time.ts';
import { conditions } from '../../src/market/source-rows/source-rows.ts';
import type { Estimator } from '../../src/market/values/estimator.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import type { BacktestItem, BacktestWorld } from './worlds.ts';

export interface HonestResult {
  readonly world: BacktestWorld;
  /** Whether only BrickLink's sales are known, which name no sellers. */
  readonly isBrickLinkAlone: boolean;
  /** Median distance from the true value, in both conditions. */
  readonly error: number;
  /** Shares of sets. */
  readonly high: number;
  readonly inDoubt: number;
}

const watched = { times: 24, everyDays: 30.4 };

/** In the two years before `today`, of sets that have sold. */
export function measureHonest(
  estimator: Estimator,
  items: readonly BacktestItem[],
  {
    world,
    isBrickLinkAlone,
    today,
  }: Omit<HonestResult, 'error' | 'high' | 'inDoubt'> & {
    readonly today: number;
  },
): HonestResult {
  const errors: number[] = [];
  let [values, high, inDoubt] = [0, 0, 0];
  for (const item of items) {
    const known = isBrickLinkAlone ? brickLinkSales(item) : item.sales.map(({ sale }) => sale);
    const [first] = known;
    if (!first) continue;
    const { facts, retailWeeks } = item;
    const prepared = estimator.prepareSet({ facts, sales: known, retailWeeks });
    for (let time = 0; time < watched.times; time++) {
      const at = Math.round(today - (time + 0.5) * watched.everyDays * dayMs);
      if (at <= first.soldAt) continue;
      const found = prepared.valueAt(at);
      values++;
      if (found.tier === 'high') high++;
      if (conditions.some((condition) => found.evidence[condition]?.doubt)) inDoubt++;
      for (const condition of conditions) {
        const value = found[condition];
        if (value) errors.push(Math.abs(Math.log(value.valueCents) - item.trueLog(condition, at)));
      }
    }
  }
  const error = Math.expm1(quantile(errors, 0.5));
  return { world, isBrickLinkAlone, error, high: high / values, inDoubt: inDoubt / values };
}

function brickLinkSales({ sales }: BacktestItem) {
  return sales.flatMap(({ sale }) =>
    sale.channel === 'bricklink' ? [{ ...sale, seller: null }] : [],
  );
}
