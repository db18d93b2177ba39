/**
 * The prior of new sets without a retail price: from pieces, minifigs, weight, box, class, age and
 * theme. Most are unlike other sets (polybags, gifts, giveaways), so they have their own prior;
 * sets with a retail price are borrowed as examples with less weight.
 */
import type { ItemClass } from '../../../catalog/items/item-class.ts';
import type { ValuationFacts } from '../estimator.ts';
import { fitPrior, learningFrom, type Prior } from './prior.ts';
import { setAgeAt, setEraOf } from './set-age.ts';
import { eraFeatures, groupsIn, pointExamples, pointsOnce, type SetExample } from './set-prior.ts';

const learning = learningFrom(
  [
    { about: 'every set, in production', start: -0.25, ridge: 5 },
    { about: 'pieces, over 100 (logarithm)', start: -0.11, ridge: 5 },
    { about: 'fewer than 60 pieces (logarithm)', start: 0.21, ridge: 5 },
    { about: 'minifigs (logarithm of one more)', start: 0.14, ridge: 5 },
    { about: 'weight over that expected from the pieces (logarithm)', start: 0.38, ridge: 5 },
    { about: 'box over that expected from the pieces (logarithm)', start: 0.15, ridge: 5 },
    { about: 'pieces that are only estimated', start: 0.1, ridge: 5 },
    { about: 'a polybag', start: -0.27, ridge: 5 },
    { about: 'a giveaway', start: -0.08, ridge: 5 },
    { about: 'a retail price (borrowed examples only)', start: -0.03, ridge: 50 },
    { about: 'retirement: a logistic rise over about four months', start: -0.1, ridge: 10 },
    { about: 'settling: exponential approach within years', start: 0.1, ridge: 10 },
    { about: 'years since retirement', start: 0.08, ridge: 90 },
    { about: 'years since retirement beyond twelve', start: -0.03, ridge: 30 },
    { about: 'the era before 2000', start: -0.25, ridge: 2 },
    { about: 'years since retirement beyond twenty, in that era', start: -0.02, ridge: 20 },
    { about: 'the era before 1990', start: 0, ridge: 2 },
  ],
  [
    { about: 'every set, in production', start: Math.log(0.24), ridge: 20 },
    { about: 'years since retirement (logarithm of one more)', start: 0.38, ridge: 20 },
    { about: 'no date of retirement', start: 0.33, ridge: 20 },
    { about: 'more than 60 pieces (logarithm)', start: 0.18, ridge: 20 },
    { about: 'pieces that are only estimated', start: 0.05, ridge: 20 },
    { about: 'an unknown weight', start: 0.65, ridge: 20 },
    { about: 'a giveaway', start: 0.03, ridge: 20 },
    { about: 'the era before 2000', start: -0.3, ridge: 20 },
    { about: 'the era before 1990', start: 0, ridge: 20 },
  ],
);

export const defaultUnpricedPrior: Prior = learning.start;

/** Base price of the smallest set, and price per piece. */
const smallestCents = 2_00;
const centsPerPiece = 11;

/** Typical weight of a piece, volume of a box (empty, and per piece), and pieces per minifig. */
const poundsPerPiece = 0.0028;
const emptyBoxCubicInches = 15;
const cubicInchesPerPiece = 0.6;
const piecesPerMinifig = 6;

/** Centers of size features, which make coefficients interpretable. */
const typicalPieces = 100;
const fewPieces = 60;

/** Sets with a retail price are borrowed. */
export function fitUnpricedPrior(examples: readonly SetExample[]): Prior {
  const [priced, own] = [true, false].map((hasPrice) =>
    pointExamples(
      examples.filter(({ facts }) => Boolean(facts.msrpCents) === hasPrice),
      unpricedPoints,
    ),
  );
  const borrowed = (priced ?? []).map((example) => ({ ...example, isBorrowed: true }));
  return fitPrior([...(own ?? []), ...borrowed], learning);
}

/** Null if the size is unknown. */
export const unpricedPoints = pointsOnce((facts) => {
  const pieces = facts.pieces || estimatedPieces(facts);
  if (!pieces) return null;
  const { weightLbs, cubicInches, itemClass } = facts;
  const era = setEraOf(facts);
  const isUndated = facts.retiredAt === null ? 1 : 0;
  const isEstimated = facts.pieces ? 0 : 1;
  const boxOfPieces = emptyBoxCubicInches + cubicInchesPerPiece * pieces;
  const lasting = [
    1,
    Math.log(pieces / typicalPieces),
    Math.max(0, Math.log(fewPieces / pieces)),
    Math.log1p(facts.minifigs ?? 0),
    weightLbs ? believable(weightLbs / (poundsPerPiece * pieces)) : 0,
    cubicInches ? believable(cubicInches / boxOfPieces) : 0,
    isEstimated,
    itemClass === 'polybag' ? 1 : 0,
    isGiveaway(itemClass),
    facts.msrpCents ? 1 : 0,
  ];
  const lastingSpread = [
    isUndated,
    Math.max(0, Math.log(pieces / fewPieces)),
    isEstimated,
    weightLbs ? 0 : 1,
    isGiveaway(itemClass),
    era.isOld,
    era.isOlder,
  ];
  const { theme, period, subtheme } = groupsIn(facts);
  return (at) => {
    const age = setAgeAt(facts, at);
    return {
      base: Math.log(smallestCents + centsPerPiece * pieces),
      features: [...lasting, age.rise, age.settled, age.years, ...eraFeatures(age, era)],
      spreadFeatures: [1, Math.log1p(age.years), ...lastingSpread],
      share: 1,
      theme,
      period,
      subtheme,
    };
  };
});

/** Log of a ratio; beyond a factor of ten, a unit is probably wrong. */
function believable(proportion: number): number {
  return Math.log(Math.min(10, Math.max(1 / 10, proportion)));
}

/** Pieces by weight or minifigs; null if unknown. */
function estimatedPieces({ weightLbs, minifigs }: ValuationFacts): number | null {
  if (weightLbs) return Math.max(1, weightLbs / poundsPerPiece);
  return minifigs ? minifigs * piecesPerMinifig : null;
}

/** Not sold in shops, and few exist. */
function isGiveaway(itemClass: ItemClass): number {
  return itemClass === 'promotional' || itemClass === 'sample' ? 1 : 0;
}
