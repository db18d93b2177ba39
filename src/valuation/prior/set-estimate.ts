/** What a set is worth before any sale, with a retail price or without one. */
import { isModeled } from '../../domain/catalog/item-class.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';
import { type Estimate, estimateOf, type Prior } from './prior.ts';
import { setPoints } from './set-prior.ts';
import { unpricedPoints } from './unpriced-prior.ts';

/** What was learned of sets. */
export interface SetPriors {
  /** Of those with a retail price. */
  readonly set: Prior;
  /** Of those without one. */
  readonly unpricedSet: Prior;
}

/** The value in new condition at an instant; null: it is not modeled, or nothing is known of it. */
export function setEstimates(
  facts: ValuationFacts,
): ((priors: SetPriors, at: number) => Estimate) | null {
  if (!isModeled(facts.itemClass)) return null;
  const priced = setPoints(facts);
  if (priced) return ({ set }, at) => estimateOf(set, priced(at));
  const unpriced = unpricedPoints(facts);
  return unpriced && (({ unpricedSet }, at) => estimateOf(unpricedSet, unpriced(at)));
}
