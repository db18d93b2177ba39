/**
 * The prior of new sets with a retail price, adjusted by size, time since retirement, era and
 * theme. Coefficients start from public snapshots of real prices.
 */
import { isModeled } from '../../../catalog/items/item-class.ts';
import type { ValuationFacts } from '../estimator.ts';
import type { Effects } from './group-effects.ts';
import { knownSetEffects, knownSetSpreads } from './known-effects.ts';
import {
  effectOf,
  fitPrior,
  type GroupedEffects,
  type ItemGroups,
  learningFrom,
  noEffects,
  type Point,
  type PointExample,
  type Prior,
} from './prior.ts';
import { type SetAge, setAgeAt, setEraOf, shareOf, yearOf } from './set-age.ts';

/** Median log price in US cents at an instant. */
export interface SetExample {
  readonly facts: ValuationFacts;
  readonly at: number;
  readonly log: number;
  /** Derived from a single sale or from used ones. */
  readonly isLevelOnly?: boolean;
}

const learningOf = (themeSpreads?: Effects) =>
  learningFrom(
    [
      { about: 'every set, in production', start: -0.15, ridge: 10 },
      { about: 'the retail price, over 40 dollars (logarithm)', start: -0.06, ridge: 10 },
      { about: 'pieces for the price, over one per 11 cents (logarithm)', start: 0.03, ridge: 10 },
      { about: 'minifigs (logarithm of one more)', start: 0.01, ridge: 10 },
      { about: 'retirement: a logistic rise over about four months', start: -0.07, ridge: 10 },
      { about: 'settling: exponential approach within years', start: 0.18, ridge: 10 },
      { about: 'years since retirement', start: 0.07, ridge: 90 },
      { about: 'pieces, over 350 (logarithm), once retired', start: 0.01, ridge: 10 },
      { about: 'minifigs (logarithm of one more), once settled', start: 0.07, ridge: 10 },
      { about: 'years since retirement beyond twelve', start: 0.01, ridge: 30 },
      { about: 'the era before 2000', start: -0.33, ridge: 2 },
      { about: 'years since retirement beyond twenty, in that era', start: -0.08, ridge: 20 },
      { about: 'the era before 1990', start: 0.09, ridge: 2 },
    ],
    [
      { about: 'every set, in production', start: Math.log(0.22), ridge: 20 },
      { about: 'years since retirement (logarithm of one more)', start: 0.3, ridge: 20 },
      { about: 'no date of retirement', start: 0.24, ridge: 20 },
      { about: 'a retail price below 10 dollars (logarithm)', start: 0.09, ridge: 20 },
      { about: 'the era before 2000', start: -0.27, ridge: 20 },
      { about: 'the era before 1990', start: 0.07, ridge: 20 },
    ],
    themeSpreads,
  );

const learning = learningOf(knownSetSpreads);

export const defaultSetPrior: Prior = learning.start;

/** Used if the number of pieces is unknown. */
const centsPerPiece = 11;

/** Centers of size features, which make coefficients interpretable. */
const typicalCents = 40_00;
const typicalPieces = 350;
const cheapCents = 10_00;

/** The slope of growth changes at these years since retirement; the second applies to old sets. */
const slowerYears = 12;
const oldSlowerYears = 20;

const themeShareInProduction = 0.4;

/** Sets without a retail price are ignored. */
export function fitSetPrior(examples: readonly SetExample[]): Prior {
  return fitPrior(pointExamples(examples, setPoints), learning);
}

/** Learns without the effects that are built in, to find them. */
export function fitUnknownSetPrior(examples: readonly SetExample[]): Prior {
  return fitPrior(pointExamples(examples, unknownSetPoints), learningOf());
}

/** Skips examples without a point and those that are not modeled. */
export function pointExamples(
  examples: readonly SetExample[],
  pointsOf: (facts: ValuationFacts) => Points,
): PointExample[] {
  return examples.flatMap(({ facts, at, log, isLevelOnly = false }) => {
    const point = isModeled(facts.itemClass) ? pointsOf(facts)?.(at) : null;
    return point && Number.isFinite(log) ? [{ point, log, isLevelOnly }] : [];
  });
}

type Points = ((at: number) => Point) | null;

/** Remembers the points of a set, because learning needs them for every month. */
export function pointsOnce(make: (facts: ValuationFacts) => Points) {
  const known = new WeakMap<ValuationFacts, Points>();
  return (facts: ValuationFacts) =>
    known.getOrInsertComputed(facts, () => rememberingLatest(make(facts)));
}

/** A month ends when the next one begins, so an instant is often asked for again. */
function rememberingLatest(pointAt: Points): Points {
  if (pointAt === null) return null;
  let latest: { readonly at: number; readonly point: Point } | null = null;
  return (at) => {
    if (latest?.at !== at) latest = { at, point: pointAt(at) };
    return latest.point;
  };
}

/** Null without a retail price. */
export const setPoints = pointsOnce((facts) => pointsKnowing(knownSetEffects, facts));

/** Without the effects that are built in. */
export const unknownSetPoints = pointsOnce((facts) => pointsKnowing(noEffects, facts));

/** The effects that are built in are of these years; they say less of earlier ones. */
const knownYears = { none: 2016, all: 2022 };

function pointsKnowing(effects: GroupedEffects, facts: ValuationFacts): Points {
  const { msrpCents: price } = facts;
  if (!price) return null;
  const pieces = facts.pieces || price / centsPerPiece;
  const size = Math.log(pieces / typicalPieces);
  const figures = Math.log1p(facts.minifigs ?? 0);
  const era = setEraOf(facts);
  const isUndated = facts.retiredAt === null ? 1 : 0;
  const cheapness = Math.max(0, Math.log(cheapCents / price));
  const priceLog = Math.log(price);
  const lasting = [
    1,
    Math.log(price / typicalCents),
    Math.log((pieces * centsPerPiece) / price),
    figures,
  ];
  const groups = groupsIn(facts);
  const { theme, period, subtheme } = groups;
  const known = effectOf(effects, groups);
  return (at) => {
    const age = setAgeAt(facts, at);
    const { rise, settled, years } = age;
    const share = themeShareInProduction + (1 - themeShareInProduction) * settled;
    return {
      base: priceLog + share * known * shareOf(yearOf(at), knownYears),
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
      share,
      theme,
      period,
      subtheme,
    };
  };
}

export function groupsIn(facts: ValuationFacts): ItemGroups {
  return { theme: facts.theme, period: periodKey(facts), subtheme: subthemeKey(facts) };
}

/** Features of a long time since retirement, and of the era. */
export function eraFeatures(
  { years }: SetAge,
  { isOld, isOlder }: ReturnType<typeof setEraOf>,
): number[] {
  const yearsBeyond = (limit: number) => Math.max(0, years - limit);
  return [yearsBeyond(slowerYears), isOld, isOld * yearsBeyond(oldSlowerYears), isOlder];
}

/** Subthemes of different themes may have the same name. */
export function subthemeKey({ theme, subtheme }: ValuationFacts): string | null {
  return subtheme === null ? null : `${theme ?? ''} / ${subtheme}`;
}

/** Half of the years in a decade: fewer have too few sets of a theme. */
const periodYears = 5;

/** A theme in the years of release; null if either is unknown. */
export function periodKey({ theme, releasedAt }: ValuationFacts): string | null {
  if (theme === null || releasedAt === null) return null;
  const year = new Date(releasedAt).getUTCFullYear();
  return `${theme} / ${year - (year % periodYears)}`;
}
