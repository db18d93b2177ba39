/**
 * What a new set without a retail price is worth before any sale: from its pieces, its minifigs,
 * the weight and the size of its box, its class, age and theme. Most of these are not like other
 * sets (polybags, gifts, giveaways, sets sold elsewhere), so they are learned on their own; those
 * with a retail price help where they are few.
 */
import type { ItemClass } from '../../domain/catalog/item-class.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';
import { fitPrior, learningFrom, type Point, type Prior } from './prior.ts';
import { setAgeAt, setEraOf } from './set-age.ts';
import { eraFeatures, pointExamples, type SetExample, subthemeKey } from './set-prior.ts';

const learning = learningFrom(
  [
    { about: 'every set, in production', start: -0.25, ridge: 5 },
    { about: 'pieces, over 100 (logarithm)', start: -0.11, ridge: 5 },
    { about: 'fewer than 60 pieces (logarithm)', start: 0.21, ridge: 5 },
    { about: 'minifigs (logarithm of one more)', start: 0.14, ridge: 5 },
    { about: 'weight, over what so many pieces weigh (logarithm)', start: 0.38, ridge: 5 },
    { about: 'the box, over that of so many pieces (logarithm)', start: 0.15, ridge: 5 },
    { about: 'pieces that are only estimated', start: 0.1, ridge: 5 },
    { about: 'a polybag', start: -0.27, ridge: 5 },
    { about: 'a giveaway', start: -0.08, ridge: 5 },
    { about: 'a retail price, which such a set would not have', start: -0.03, ridge: 50 },
    { about: 'being retired: a rise over some four months', start: -0.1, ridge: 10 },
    { about: 'settling: a rise that is used up within years', start: 0.1, ridge: 10 },
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
    { about: 'a weight that is not known', start: 0.65, ridge: 20 },
    { about: 'a giveaway', start: 0.03, ridge: 20 },
    { about: 'the era before 2000', start: -0.3, ridge: 20 },
    { about: 'the era before 1990', start: 0, ridge: 20 },
  ],
);

/** The prior before anything was learned. */
export const defaultUnpricedPrior: Prior = learning.start;

/** What even the smallest set costs, and each piece. */
const smallestCents = 2_00;
const centsPerPiece = 11;

/** What pieces weigh, and the box that they come in; a minifig is so many pieces. */
const poundsPerPiece = 0.0028;
const emptyBoxCubicInches = 15;
const cubicInchesPerPiece = 0.6;
const piecesPerMinifig = 6;

/** Sizes are measured from these, so that the coefficients can be read. */
const typicalPieces = 100;
const fewPieces = 60;

/** Learns from sets with a usual price; those with a retail price are borrowed. */
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

/** A set at any instant, as the line sees it; null when nothing tells its size. */
export function unpricedPoints(facts: ValuationFacts): ((at: number) => Point) | null {
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
  const subtheme = subthemeKey(facts);
  return (at) => {
    const age = setAgeAt(facts, at);
    return {
      base: Math.log(smallestCents + centsPerPiece * pieces),
      features: [...lasting, age.rise, age.settled, age.years, ...eraFeatures(age, era)],
      spreadFeatures: [1, Math.log1p(age.years), ...lastingSpread],
      share: 1,
      theme: facts.theme,
      subtheme,
    };
  };
}

/** The logarithm of a proportion; beyond a factor of ten somebody has mistaken a unit. */
function believable(proportion: number): number {
  return Math.log(Math.min(10, Math.max(1 / 10, proportion)));
}

/** The pieces of a set whose source does not count them; null when nothing tells. */
function estimatedPieces({ weightLbs, minifigs }: ValuationFacts): number | null {
  if (weightLbs) return Math.max(1, weightLbs / poundsPerPiece);
  return minifigs ? minifigs * piecesPerMinifig : null;
}

/** Not sold in shops: there are few of them, and nobody paid for them. */
function isGiveaway(itemClass: ItemClass): number {
  return itemClass === 'promotional' || itemClass === 'sample' ? 1 : 0;
}
