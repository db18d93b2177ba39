/** Markets with known true values, for backtests. */

import type { Condition, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { RetailWeek, ValuationFacts } from '../../src/market/values/estimator.ts';

/** A matches the assumptions of the engine; each of the others violates some. */
export const backtestWorlds = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** Like A, but prices of sets or of the whole market change by a lot: see `movements`. */
export const movingWorlds = ['G', 'H', 'I', 'J', 'K'] as const;

export type BacktestWorld = (typeof backtestWorlds | typeof movingWorlds)[number];

export interface BacktestItem {
  readonly key: string;
  readonly facts: ValuationFacts;
  /** In order of sale, source and source ID. */
  readonly sales: readonly BacktestSale[];
  /** In order; only weeks with offers. */
  readonly retailWeeks: readonly RetailWeek[];
  /** True unit value (log of cents). */
  trueLog(condition: Condition, at: number): number;
  /** Days since its price began to fall, or jumped, until half a year after that; absent: never. */
  movedDaysAgo?(at: number): number | null;
}

export interface BacktestSale {
  readonly sale: StoredSale;
  /** One complete unit, in any channel. */
  readonly isOrdinary: boolean;
  /** One complete unit, at a fixed price. */
  readonly isPlain: boolean;
}
