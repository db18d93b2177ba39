/**
 * Priors: the value of an item before any sale, learned from items with sales. A robust linear
 * regression on facts, with shrunk effects of theme and subtheme, and a model of the spread.
 */
import { compareText } from '../../domain/catalog/numbers.ts';
import { groupEffects, groupsOf } from './group-effects.ts';
import { fitRobustly, type RegressionTask, residualsOf } from './regression.ts';
import { fitSpreads, type Spreads, spreadOf } from './spread.ts';

/** Serialized as JSON. */
export interface Prior {
  /** In the order of the features. */
  readonly coefficients: readonly number[];
  /** Log effects of themes, or of a minifig's category. */
  readonly themes: Readonly<Record<string, number>>;
  /** Log effects on top of the theme, by `theme / subtheme`. */
  readonly subthemes: Readonly<Record<string, number>>;
  readonly spreads: Spreads;
  readonly examples: number;
}

/** Log of US cents, and its standard deviation. */
export interface Estimate {
  readonly log: number;
  readonly spread: number;
}

/** The features of an item at an instant. */
export interface Point {
  /** Offset of the regression: the log retail price, or zero. */
  readonly base: number;
  readonly features: readonly number[];
  /** Features of the spread; the first is 1. */
  readonly spreadFeatures: readonly number[];
  /** Share of its theme's effect, in (0, 1]. */
  readonly share: number;
  readonly theme: string | null;
  /** Includes the theme, because subthemes of different themes may have the same name. */
  readonly subtheme: string | null;
}

/** A point and its median log price in US cents. */
export interface PointExample {
  readonly point: Point;
  readonly log: number;
  /** An item of another kind: a quarter of the weight in the regression, none in the spread. */
  readonly isBorrowed?: boolean;
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

export function learningFrom(terms: readonly Term[], spreadTerms: readonly Term[]): Learning {
  const start = {
    coefficients: terms.map((term) => term.start),
    themes: {},
    subthemes: {},
    spreads: { coefficients: spreadTerms.map((term) => term.start), themes: {} },
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

/** Pseudo-examples of no effect. */
const themeShrinkage = 2;
const subthemeShrinkage = 2;

/** Noise of borrowed examples relative to others. */
const borrowedNoise = 2;

/** In any order; without examples, the start. */
export function fitPrior(unsorted: readonly PointExample[], learning: Learning): Prior {
  if (unsorted.length === 0) return learning.start;
  const examples = [...unsorted].sort(byContent);
  const points = examples.map(({ point }) => point);
  const task = taskOf(examples, learning);
  const { noise } = task;
  const shares = Float64Array.from(points, ({ share }) => share);
  const themes = groupsOf(points.map(({ theme }) => theme));
  const subthemes = groupsOf(points.map(({ subtheme }) => subtheme));
  let found = findEffects(new Float64Array(examples.length), learning.start.coefficients);
  for (let turn = 1; turn < turns; turn++) found = findEffects(found.explained, found.coefficients);
  const { coefficients, theme, subtheme } = found;
  const freedom = coefficients.length + theme.freedom + subtheme.freedom;
  return {
    coefficients,
    themes: theme.effects,
    subthemes: subtheme.effects,
    spreads: spreadsOf(examples, { left: subtheme.left, freedom }, learning),
    examples: examples.length,
  };

  /** One round of backfitting. */
  function findEffects(explained: Float64Array, near: readonly number[]) {
    const targets = task.targets.map((target, i) => target - (explained[i] ?? 0));
    const coefficients = fitRobustly({ ...task, targets }, near);
    const residuals = residualsOf(task, coefficients);
    const theme = groupEffects(themes, { residuals, shares, noise, shrinkage: themeShrinkage });
    const rest = { residuals: theme.left, shares, noise, shrinkage: subthemeShrinkage };
    const subtheme = groupEffects(subthemes, rest);
    const nowExplained = residuals.map((residual, i) => residual - (subtheme.left[i] ?? 0));
    return { coefficients, theme, subtheme, explained: nowExplained };
  }
}

export function estimateOf(prior: Prior, point: Point): Estimate {
  const { coefficients, themes, subthemes, spreads } = prior;
  const log = point.features.reduce(
    (sum, feature, j) => sum + feature * (coefficients[j] ?? 0),
    point.base,
  );
  const effect = lookUp(themes, point.theme) + lookUp(subthemes, point.subtheme);
  const spread = spreadOf(spreads, point.spreadFeatures, point.theme);
  return { log: log + point.share * effect, spread };
}

function lookUp(effects: Readonly<Record<string, number>>, key: string | null): number {
  return key !== null && Object.hasOwn(effects, key) ? (effects[key] ?? 0) : 0;
}

/** A total order by content, so that sums are reproducible to the last bit. */
function byContent(a: PointExample, b: PointExample): number {
  return (
    a.log - b.log ||
    Number(a.isBorrowed ?? false) - Number(b.isBorrowed ?? false) ||
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
  for (let i = 0; i < examples.length; i++) {
    const example = examples[i];
    if (!example) continue;
    const { log, point } = example;
    targets[i] = log - point.base;
    noise[i] = noiseOf(example, learning);
    for (let j = 0; j < features.length; j++) {
      const feature = features[j];
      if (feature) feature[i] = point.features[j] ?? 0;
    }
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
  const own: number[] = [];
  for (let i = 0; i < examples.length; i++) if (!examples[i]?.isBorrowed) own.push(i);
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
