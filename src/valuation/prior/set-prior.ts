/**
 * What a new set with a retail price is worth before any sale: that price, moved by its size, by
 * the years since its retirement, by its era and by its theme. What moves it how much is learned;
 * the start comes from public snapshots of real prices.
 */
import { isModeled } from '../../domain/catalog/item-class.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';
import { fitPrior, learningFrom, type Point, type PointExample, type Prior } from './prior.ts';
import { type SetAge, setAgeAt, setEraOf } from './set-age.ts';

/** One set's usual price (logarithm of US cents) at an instant, to learn from. */
export interface SetExample {
  readonly facts: ValuationFacts;
  readonly at: number;
  readonly log: number;
}

const learning = learningFrom(
  [
    { about: 'every set, in production', start: -0.14, ridge: 10 },
    { about: 'the retail price, over 40 dollars (logarithm)', start: -0.05, ridge: 10 },
    { about: 'pieces for the price, over one per 11 cents (logarithm)', start: 0.03, ridge: 10 },
    { about: 'minifigs (logarithm of one more)', start: -0.01, ridge: 10 },
    { about: 'being retired: a rise over some four months', start: 0, ridge: 10 },
    { about: 'settling: a rise that is used up within years', start: 0.12, ridge: 10 },
    { about: 'years since retirement', start: 0.083, ridge: 90 },
    { about: 'pieces, over 350 (logarithm), once retired', start: 0.015, ridge: 10 },
    { about: 'minifigs (logarithm of one more), once settled', start: 0.08, ridge: 10 },
    { about: 'years since retirement beyond twelve', start: -0.01, ridge: 30 },
    { about: 'the era before 2000', start: -0.25, ridge: 2 },
    { about: 'years since retirement beyond twenty, in that era', start: -0.08, ridge: 20 },
    { about: 'the era before 1990', start: 0.05, ridge: 2 },
  ],
  [
    { about: 'every set, in production', start: Math.log(0.25), ridge: 20 },
    { about: 'years since retirement (logarithm of one more)', start: 0.3, ridge: 20 },
    { about: 'no date of retirement', start: 0.1, ridge: 20 },
    { about: 'a retail price below 10 dollars (logarithm)', start: 0.03, ridge: 20 },
    { about: 'the era before 2000', start: -0.25, ridge: 20 },
    { about: 'the era before 1990', start: 0.05, ridge: 20 },
  ],
);

/** The prior before anything was learned. */
export const defaultSetPrior: Prior = learning.start;

/** What a piece costs when the number of pieces is not known. */
const centsPerPiece = 11;

/** Sizes are measured from these, so that the coefficients can be read. */
const typicalCents = 40_00;
const typicalPieces = 350;
const cheapCents = 10_00;

/** After so many years of retirement values grow slower, and even slower of old sets. */
const slowerYears = 12;
const oldSlowerYears = 20;

/** How much of its theme's effect a set in production shows. */
const themeShareInProduction = 0.4;

/** Learns from sets with a usual price. Sets without a retail price teach nothing here. */
export function fitSetPrior(examples: readonly SetExample[]): Prior {
  return fitPrior(pointExamples(examples, setPoints), learning);
}

/** Examples as a line sees them, without those that it does not see and those never modeled. */
export function pointExamples(
  examples: readonly SetExample[],
  pointsOf: (facts: ValuationFacts) => ((at: number) => Point) | null,
): PointExample[] {
  return examples.flatMap(({ facts, at, log }) => {
    const point = isModeled(facts.itemClass) ? pointsOf(facts)?.(at) : null;
    return point && Number.isFinite(log) ? [{ point, log }] : [];
  });
}

/** A set at any instant, as the line sees it; null without a retail price. */
export function setPoints(facts: ValuationFacts): ((at: number) => Point) | null {
  const { msrpCents: price } = facts;
  if (!price) return null;
  const pieces = facts.pieces || price / centsPerPiece;
  const size = Math.log(pieces / typicalPieces);
  const figures = Math.log1p(facts.minifigs ?? 0);
  const era = setEraOf(facts);
  const isUndated = facts.retiredAt === null ? 1 : 0;
  const cheapness = Math.max(0, Math.log(cheapCents / price));
  const lasting = [
    1,
    Math.log(price / typicalCents),
    Math.log((pieces * centsPerPiece) / price),
    figures,
  ];
  const subtheme = subthemeKey(facts);
  return (at) => {
    const age = setAgeAt(facts, at);
    const { rise, settled, years } = age;
    return {
      base: Math.log(price),
      features: [
        ...lasting,
        rise,
        settled,
        years,
        rise * size,
        settled * figures,
        ...eraFeatures(age, era),
      ],
      spreadFeatures: [1, Math.log1p(years), isUndated, cheapness, era.isOld, era.isOlder],
      share: themeShareInProduction + (1 - themeShareInProduction) * settled,
      theme: facts.theme,
      subtheme,
    };
  };
}

/** What old age does, apart from what the years of newer sets do. */
export function eraFeatures(
  { years }: SetAge,
  { isOld, isOlder }: ReturnType<typeof setEraOf>,
): number[] {
  const yearsBeyond = (limit: number) => Math.max(0, years - limit);
  return [yearsBeyond(slowerYears), isOld, isOld * yearsBeyond(oldSlowerYears), isOlder];
}

/** Themes may share the name of a subtheme, so both names make the key. */
export function subthemeKey({ theme, subtheme }: ValuationFacts): string | null {
  return subtheme === null ? null : `${theme ?? ''} / ${subtheme}`;
}
