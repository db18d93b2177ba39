/**
 * What a new set is worth before any sale: its retail price, moved by its size, by the years since
 * its retirement and by its theme. What moves it how much is learned; the start comes from public
 * snapshots of real prices.
 */

import { yearsBetween } from '../../domain/kernel/time.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';
import {
  type Estimate,
  estimateOf,
  fitPrior,
  learningFrom,
  type Point,
  type Prior,
  type Term,
} from './prior.ts';

/** One set's usual price (logarithm of US cents) at an instant, to learn from. */
export interface SetExample {
  readonly facts: ValuationFacts;
  readonly at: number;
  readonly log: number;
}

const terms: readonly Term[] = [
  { about: 'every set, in production', start: -0.15, ridge: 10 },
  { about: 'the retail price, over 40 dollars (logarithm)', start: -0.06, ridge: 10 },
  { about: 'pieces for the price, over one per 11 cents (logarithm)', start: 0.05, ridge: 10 },
  { about: 'minifigs (logarithm of one more)', start: 0.02, ridge: 10 },
  { about: 'being retired: a rise over some four months', start: 0.06, ridge: 10 },
  { about: 'settling: a rise that is used up within years', start: 0.05, ridge: 10 },
  { about: 'years since retirement', start: 0.09, ridge: 90 },
  { about: 'pieces, over 350 (logarithm), once retired', start: 0.03, ridge: 10 },
  { about: 'a retail price that is only estimated', start: 0, ridge: 10 },
];

const learning = learningFrom(terms, { spread: 0.2, spreadMin: 0.12 });

/** The prior before anything was learned. */
export const defaultSetPrior: Prior = learning.start;

/** What a piece costs when the retail price is not known. */
const centsPerPiece = 11;

/** Sizes are measured from these, so that the coefficients can be read. */
const typicalCents = 40_00;
const typicalPieces = 350;

/** How long sets usually stay in production, when the day of retirement is not known. */
const usualShelfYears = 2;

/** A set of which no date is known is taken for one that retired this long ago. */
const undatedYears = 1;

/** The rise at retirement: its middle comes two months after it. */
const riseDelayYears = 1 / 6;
const risePerYear = { known: 12, guessed: 3 };

/** The settling and the effects of themes come to bear with this time constant. */
const settlingYears = 2.5;

/** How much of its theme's effect a set in production shows. */
const themeShareInProduction = 0.4;

/**
 * The variance grows by this share per year since retirement: real sets scatter by 0.19 in
 * production and by 0.42 ten years later.
 */
const noisePerYear = 0.6;

/** What an estimated retail price adds to the noise: 0.6 in all, at the starting spread. */
const estimatedPriceNoise = 3;

/** Learns from sets with a usual price. Sets without price and pieces teach nothing. */
export function fitSetPrior(examples: readonly SetExample[]): Prior {
  const known = examples.flatMap(({ facts, at, log }) => {
    const point = setPoints(facts)?.(at);
    return point && Number.isFinite(log) ? [{ point, log }] : [];
  });
  return fitPrior(known, learning);
}

/** The value in new condition; null when neither retail price nor pieces are known. */
export function setPrior(prior: Prior, facts: ValuationFacts, at: number): Estimate | null {
  const point = setPoints(facts)?.(at);
  return point ? estimateOf(prior, point) : null;
}

/** A set at any instant, as the line sees it; null when neither price nor pieces are known. */
export function setPoints(facts: ValuationFacts): ((at: number) => Point) | null {
  const price = facts.msrpCents || (facts.pieces ? facts.pieces * centsPerPiece : null);
  if (!price) return null;
  const pieces = facts.pieces || price / centsPerPiece;
  const size = Math.log(pieces / typicalPieces);
  const estimate = facts.msrpCents ? 0 : estimatedPriceNoise;
  const lasting = [
    1,
    Math.log(price / typicalCents),
    Math.log((pieces * centsPerPiece) / price),
    Math.log1p(facts.minifigs ?? 0),
  ];
  const subtheme = subthemeKey(facts);
  return (at) => {
    const { rise, years } = retirementAt(facts, at);
    const settled = 1 - Math.exp(-years / settlingYears);
    return {
      base: Math.log(price),
      features: [...lasting, rise, settled, years, rise * size, facts.msrpCents ? 0 : 1],
      noise: Math.sqrt(1 + noisePerYear * years + estimate * estimate),
      share: themeShareInProduction + (1 - themeShareInProduction) * settled,
      theme: facts.theme,
      subtheme,
    };
  };
}

/** Themes may share the name of a subtheme, so both names make the key. */
function subthemeKey({ theme, subtheme }: ValuationFacts): string | null {
  return subtheme === null ? null : `${theme ?? ''} / ${subtheme}`;
}

/** How far retirement has raised the price, of 1, and the years since; a guess rises slower. */
function retirementAt(facts: ValuationFacts, at: number): { rise: number; years: number } {
  const { releasedAt, retiredAt } = facts;
  const years =
    retiredAt !== null
      ? yearsBetween(retiredAt, at)
      : releasedAt !== null
        ? yearsBetween(releasedAt, at) - usualShelfYears
        : undatedYears;
  const perYear = retiredAt === null ? risePerYear.guessed : risePerYear.known;
  const rise = 1 / (1 + Math.exp(-perYear * (years - riseDelayYears)));
  return { rise, years: Math.max(0, years) };
}
