/** A market whose true values are known: what a back-test measures a method on. */
import type { ValuationFacts } from './estimator.ts';
import type { Condition, StoredSale } from './market.ts';

/** A set with its sales, and what it was truly worth. */
export interface KnownItem {
  readonly key: string;
  readonly facts: ValuationFacts;
  /** In order of sale, source and source id, each with when it became known. */
  readonly sales: readonly KnownSale[];
  /** The true value of one unit (logarithm of cents). */
  trueLog(condition: Condition, at: number): number;
}

/** A sale, and whether it is what a value is about: one complete unit, at a fixed price. */
export interface KnownSale {
  readonly sale: StoredSale;
  readonly isPlain: boolean;
}
