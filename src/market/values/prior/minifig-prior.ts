/** The prior of used, complete minifigs: rarity, age and category. */

import { yearsBetween } from '../../../kernel/time.ts';
import type { MinifigValuationFacts } from '../estimator.ts';
import {
  changeOf,
  type Estimate,
  estimateOf,
  fitPrior,
  learningFrom,
  type Point,
  type Prior,
} from './prior.ts';

/** Median log price in US cents at an instant. */
export interface MinifigExample {
  readonly facts: MinifigValuationFacts;
  readonly at: number;
  readonly log: number;
}

const typicalCents = 5_00;

const learning = learningFrom(
  [
    { about: 'every minifig', start: Math.log(typicalCents), ridge: 2 },
    { about: 'the first years (logarithm of one more)', start: 0.1, ridge: 20 },
    { about: 'every year', start: 0.03, ridge: 200 },
    { about: 'the sets that it is in (logarithm)', start: -0.35, ridge: 10 },
  ],
  [{ about: 'every minifig', start: Math.log(0.7), ridge: 20 }],
);

export const defaultMinifigPrior: Prior = learning.start;

/** Assumed age of minifigs without a release date. */
const undatedYears = 5;

export function fitMinifigPrior(examples: readonly MinifigExample[]): Prior {
  const known = examples.filter(({ log }) => Number.isFinite(log));
  return fitPrior(
    known.map(({ facts, at, log }) => ({ point: minifigPoint(facts, at), log })),
    learning,
  );
}

export function minifigPrior(prior: Prior, facts: MinifigValuationFacts, at: number): Estimate {
  return estimateOf(prior, minifigPoint(facts, at));
}

/** The change between two instants, for drift. */
export function minifigChange(
  prior: Prior,
  facts: MinifigValuationFacts,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  return changeOf(prior, minifigPoint(facts, from), minifigPoint(facts, to));
}

function minifigPoint({ category, releasedAt, sets }: MinifigValuationFacts, at: number): Point {
  const years = releasedAt === null ? undatedYears : Math.max(0, yearsBetween(releasedAt, at));
  return {
    base: 0,
    features: [1, Math.log1p(years), years, Math.log(Math.max(1, sets))],
    spreadFeatures: [1],
    share: 1,
    theme: category,
    period: null,
    subtheme: null,
  };
}
