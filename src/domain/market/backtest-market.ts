/** A market whose true values are known: what a back-test measures a method on. */
import type { RetailWeek, ValuationFacts } from './estimator.ts';
import type { Condition, StoredSale } from './source-rows.ts';

/** The kinds of market: in A things go as a method may suppose, in the others they do not. */
export const backtestWorlds = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type BacktestWorld = (typeof backtestWorlds)[number];

/** A set with its sales, and what it was truly worth. */
export interface BacktestItem {
  readonly key: string;
  readonly facts: ValuationFacts;
  /** In order of sale, source and source id, each with when it became known. */
  readonly sales: readonly BacktestSale[];
  /** In order; only weeks in which something was asked. */
  readonly retailWeeks: readonly RetailWeek[];
  /** The true value of one unit (logarithm of cents). */
  trueLog(condition: Condition, at: number): number;
}

/** A sale, and whether it is what a value is about. */
export interface BacktestSale {
  readonly sale: StoredSale;
  /** One complete unit, in any channel. */
  readonly isOrdinary: boolean;
  /** One complete unit, at a fixed price. */
  readonly isPlain: boolean;
}
