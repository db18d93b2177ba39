/** Markets with known true values, for backtests. */

import type { Condition, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { RetailWeek, ValuationFacts } from '../../src/market/values/estimator.ts';

/** A matches the assumptions of the engine; each of the others violates some. */
export const backtestWorlds = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type BacktestWorld = (typeof backtestWorlds)[number];

export interface BacktestItem {
  readonly key: string;
  readonly facts: ValuationFacts;
  /** In order of sale, source and source ID. */
  readonly sales: readonly BacktestSale[];
  /** In order; only weeks with offers. */
  readonly retailWeeks: readonly RetailWeek[];
  /** True unit value (log of cents). */
  trueLog(condition: Condition, at: number): number;
}

export interface BacktestSale {
  readonly sale: StoredSale;
  /** One complete unit, in any channel. */
  readonly isOrdinary: boolean;
  /** One complete unit, at a fixed price. */
  readonly isPlain: boolean;
}
