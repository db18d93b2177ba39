/** The prior of a set, with or without a retail price. */
import { isModeled } from '../../../catalog/items/item-class.ts';
import type { ValuationFacts } from '../estimator.ts';
import { type Estimate, estimateOf, type Prior } from './prior.ts';
import { setPoints } from './set-prior.ts';
import { unpricedPoints } from './unpriced-prior.ts';

export interface SetPriors {
  /** With a retail price. */
  readonly set: Prior;
  /** Without a retail price. */
  readonly unpricedSet: Prior;
}

/** In new condition; null if it is not modeled or nothing is known. */
export function setEstimates(
  facts: ValuationFacts,
): ((priors: SetPriors, at: number) => Estimate) | null {
  if (!isModeled(facts.itemClass)) return null;
  const priced = setPoints(facts);
  if (priced) return ({ set }, at) => estimateOf(set, priced(at));
  const unpriced = unpricedPoints(facts);
  return unpriced && (({ unpricedSet }, at) => estimateOf(unpricedSet, unpriced(at)));
}
