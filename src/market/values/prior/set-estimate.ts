/** The prior of a set, with or without a retail price. */
import { isModeled } from '../../../catalog/items/item-class.ts';
import type { ValuationFacts } from '../estimator.ts';
import { changeOf, type Estimate, estimateOf, type Point, type Prior } from './prior.ts';
import { setPoints } from './set-prior.ts';
import { unpricedPoints } from './unpriced-prior.ts';

export interface SetPriors {
  /** With a retail price. */
  readonly set: Prior;
  /** Without a retail price. */
  readonly unpricedSet: Prior;
}

/** Estimates of a set in new condition at an instant. */
export interface SetEstimates {
  at(priors: SetPriors, at: number): Estimate;
  /** The change between two instants, for drift. */
  change(priors: SetPriors, from: number, to: number): number;
}

/** Null if it is not modeled or nothing is known. */
export function setEstimates(facts: ValuationFacts): SetEstimates | null {
  if (!isModeled(facts.itemClass)) return null;
  const priced = setPoints(facts);
  if (priced) return estimatesFrom(({ set }) => set, priced);
  const unpriced = unpricedPoints(facts);
  return unpriced && estimatesFrom(({ unpricedSet }) => unpricedSet, unpriced);
}

function estimatesFrom(
  priorIn: (priors: SetPriors) => Prior,
  pointAt: (at: number) => Point,
): SetEstimates {
  return {
    at: (priors, at) => estimateOf(priorIn(priors), pointAt(at)),
    change: (priors, from, to) => changeOf(priorIn(priors), pointAt(from), pointAt(to)),
  };
}
