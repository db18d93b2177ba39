/**
 * Priors: the value of an item before any sale, learned from items with sales. A robust linear
 * regression on facts, with shrunk effects of theme and subtheme, and a model of the spread.
 */
import { compareText } from '../../../catalog/items/numbers.ts';
import { sortWeighted, weightedQuantile } from '../quantile.ts';
import { type Effects, effectIn, groupEffects, groupsOf } from './group-effects.ts';
import { fitRobustly, type RegressionTask, residualsOf } from './regression.ts';
import { fitSpreads, type Spreads, spreadOf } from './spread.ts';

/** Serialized as JSON. */
export interface Prior {
  /** In the order of the features; the first is the level. */
  readonly coefficients: readonly number[];
  /** Log effects of themes, or of a minifig's category. */
  readonly themes: Effects;
  /** Log effects on top of the theme in some years of release. */
  readonly periods: Effects;
  /** Log effects on top of both, by `theme / subtheme`. */
  readonly subthemes: Effects;
  readonly spreads: Spreads;
  readonly examples: number;
}

/** Log of US cents, and its standard deviation. */
export interface Estimate {
  readonly log: number;
  readonly spread: number;
}

/** The groups of an item that have effects, from the widest to the narrowest. */
export interface ItemGroups {
  readonly theme: string | null;
  /** Theme and years of release: an effect of today's sets is not one of sets ten years older. */
  readonly period: string | null;
  /** Includes the theme, because subthemes of different themes may have the same name. */
  readonly subtheme: string | null;
}

/** The features of an item at an instant. */
export interface Point extends ItemGroups {
  /** What is known without learning: the log retail price and effects that are built in. */
  readonly base: number;
  /** The first is 1. */
  readonly features: readonly number[];
  /** Features of the spread; the first is 1. */
  readonly spreadFeatures: readonly number[];
  /** Share of its theme's effect, in (0, 1]. */
  readonly share: number;
}

/** A point and its median log price in US cents. */
export interface PointExample {
  readonly point: Point;
  readonly log: number;
  /** An item of another kind: a quarter of the weight in the regression, none in the spread. */
  readonly isBorrowed?: boolean;
  /** Too uncertain for anything but the level of all prices, like a single sale. */
  readonly isLevelOnly?: boolean;
}

export interface Learning {
  readonly start: Prior;
  /** Pseudo-examples of each starting coefficient, for a feature of 1. */
  readonly ridge: readonly number[];
  readonly spreadRidge: readonly number[];
}

/** A coefficient with its start and the number of pseudo-examples of the start. */
export interface Term {
  readonly about: string;
  readonly start: number;
  readonly ridge: number;
}

/** Log effects of groups, by the kind of the group. */
export type GroupedEffects = Readonly<Record<Level, Effects>>;

export const noEffects: GroupedEffects = { themes: {}, periods: {}, subthemes: {} };

/** `themeSpreads` are the effects of themes on spreads before any example. */
export function learningFrom(
  terms: readonly Term[],
  spreadTerms: readonly Term[],
  themeSpreads: Effects = {},
): Learning {
  const start = {
    coefficients: terms.map((term) => term.start),
    ...noEffects,
    spreads: { coefficients: spreadTerms.map((term) => term.start), themes: themeSpreads },
    examples: 0,
  };
  return {
    start,
    ridge: terms.map(({ ridge }) => ridge),
    spreadRidge: spreadTerms.map(({ ridge }) => ridge),
  };
}

/** Backfitting alternates between regression and effects; two rounds suffice. */
const turns = 2;

type Level = 'themes' | 'periods' | 'subthemes';

/** From the widest groups to the narrowest: each explains what the ones before left. */
const levels: readonly {
  readonly name: Level;
  groupOf(groups: ItemGroups): string | null;
  /** Pseudo-examples without an effect. */
  readonly shrinkage: number;
}[] = [
  { name: 'themes', groupOf: ({ theme }) => theme, shrinkage: 2 },
  { name: 'periods', groupOf: ({ period }) => period, shrinkage: 3 },
  { name: 'subthemes', groupOf: ({ subtheme }) => subtheme, shrinkage: 2 },
];

/** Noise of borrowed examples relative to others. */
const borrowedNoise = 2;

/** In any order; without examples, the start. */
export function fitPrior(unsorted: readonly PointExample[], given: Learning): Prior {
  if (unsorted.length === 0) return given.start;
  const sorted = [...unsorted].sort(byContent);
  const learning = atLevelOf(sorted, given);
  const { start } = learning;
  const examples = sorted.filter(({ isLevelOnly }) => !isLevelOnly);
  if (examples.length === 0) return start;
  const points = examples.map(({ point }) => point);
  const task = taskOf(examples, learning);
  const shares = Float64Array.from(points, ({ share }) => share);
  const grouped = levels.map((level) => ({
    ...level,
    groups: groupsOf(points.map(level.groupOf)),
  }));
  let found = findEffects(new Float64Array(points.length), start.coefficients);
  for (let turn = 1; turn < turns; turn++) found = findEffects(found.explained, found.coefficients);
  const { coefficients, effects, left } = found;
  return {
    coefficients,
    ...effects,
    spreads: spreadsOf(examples, { left, freedom: coefficients.length + found.freedom }, learning),
    examples: examples.length,
  };

  /** One round of backfitting. */
  function findEffects(explained: Float64Array, near: readonly number[]) {
    const targets = task.targets.map((target, i) => target - (explained[i] ?? 0));
    const coefficients = fitRobustly({ ...task, targets }, near);
    const residuals = residualsOf(task, coefficients);
    const effects: Record<Level, Effects> = { ...noEffects };
    let [left, freedom] = [residuals, 0];
    for (const { name, groups, shrinkage } of grouped) {
      const level = groupEffects(groups, { residuals: left, shares, noise: task.noise, shrinkage });
      effects[name] = level.effects;
      left = level.left;
      freedom += level.freedom;
    }
    const nowExplained = residuals.map((residual, i) => residual - (left[i] ?? 0));
    return { coefficients, effects, left, freedom, explained: nowExplained };
  }
}

/** Pseudo-examples of the starting level, as certain as sets in production. */
const levelShrinkage = 4;

/**
 * Moves the start to the level of the examples. The regression alone would need many: it cannot
 * tell a market that is higher from sets that differ.
 */
function atLevelOf(examples: readonly PointExample[], learning: Learning): Learning {
  const { start } = learning;
  const items = examples.map((example) => ({
    value: example.log - estimateOf(start, example.point).log,
    weight: 1 / noiseOf(example, learning) ** 2,
  }));
  const count = items.reduce((sum, { weight }) => sum + weight, 0);
  const shift = (count / (count + levelShrinkage)) * weightedQuantile(sortWeighted(items), 0.5);
  const [level = 0, ...slopes] = start.coefficients;
  return { ...learning, start: { ...start, coefficients: [level + shift, ...slopes] } };
}

export function estimateOf(prior: Prior, point: Point): Estimate {
  const spread = spreadOf(prior.spreads, point.spreadFeatures, point.theme);
  return { log: logOf(prior, point, effectOf(prior, point)), spread };
}

/** How the estimate of an item changes from one point to another (log). */
export function changeOf(prior: Prior, from: Point, to: Point): number {
  const effect = effectOf(prior, from);
  return logOf(prior, to, effect) - logOf(prior, from, effect);
}

function logOf({ coefficients }: Prior, { features, base, share }: Point, effect: number): number {
  let log = base;
  for (let j = 0; j < features.length; j++) log += (features[j] ?? 0) * (coefficients[j] ?? 0);
  return log + share * effect;
}

/** The sum of the effects of its groups. */
export function effectOf(
  { themes, periods, subthemes }: GroupedEffects,
  { theme, period, subtheme }: ItemGroups,
): number {
  return effectIn(themes, theme) + effectIn(periods, period) + effectIn(subthemes, subtheme);
}

/** A total order by content, so that sums are reproducible to the last bit. */
function byContent(a: PointExample, b: PointExample): number {
  return (
    a.log - b.log ||
    Number(a.isBorrowed ?? false) - Number(b.isBorrowed ?? false) ||
    Number(a.isLevelOnly ?? false) - Number(b.isLevelOnly ?? false) ||
    byPoint(a.point, b.point)
  );
}

function byPoint(a: Point, b: Point): number {
  const first = a.base - b.base || a.share - b.share;
  return (
    first ||
    byNumbers(a.features, b.features) ||
    byNumbers(a.spreadFeatures, b.spreadFeatures) ||
    compareText(a.theme ?? '', b.theme ?? '') ||
    compareText(a.period ?? '', b.period ?? '') ||
    compareText(a.subtheme ?? '', b.subtheme ?? '')
  );
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  for (let j = 0; j < a.length; j++) {
    const difference = (a[j] ?? 0) - (b[j] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function taskOf(examples: readonly PointExample[], learning: Learning): RegressionTask {
  const { start, ridge } = learning;
  const column = () => new Float64Array(examples.length);
  const features = start.coefficients.map(column);
  const [targets, noise] = [column(), column()];
  for (const [i, example] of examples.entries()) {
    const { log, point } = example;
    targets[i] = log - point.base;
    noise[i] = noiseOf(example, learning);
    for (const [j, feature] of features.entries()) feature[i] = point.features[j] ?? 0;
  }
  return { features, targets, noise, center: start.coefficients, ridge };
}

/** Relative noise of an example before spreads are learned. */
function noiseOf({ point, isBorrowed }: PointExample, { start }: Learning): number {
  const [level = 0] = start.spreads.coefficients;
  const noise = spreadOf(start.spreads, point.spreadFeatures, null) / Math.exp(level);
  return isBorrowed ? borrowedNoise * noise : noise;
}

/** Spreads are learned without borrowed examples. */
function spreadsOf(
  examples: readonly PointExample[],
  found: { readonly left: Float64Array; readonly freedom: number },
  { start, spreadRidge }: Learning,
): Spreads {
  const own = examples.flatMap(({ isBorrowed }, i) => (isBorrowed ? [] : [i]));
  const of = (i: number) => examples[i]?.point;
  return fitSpreads({
    left: Float64Array.from(own, (i) => found.left[i] ?? 0),
    features: spreadRidge.map((_, j) =>
      Float64Array.from(own, (i) => of(i)?.spreadFeatures[j] ?? 0),
    ),
    themes: groupsOf(own.map((i) => of(i)?.theme ?? null)),
    start: start.spreads,
    ridge: spreadRidge,
    freedom: (found.freedom * own.length) / examples.length,
  });
}
