/**
 * What an item is worth before any sale, learned from items with sales: a line through what is
 * known of them, how much a theme and a subtheme lie above or below it, and how far items scatter
 * around that.
 */
import { compareText } from '../../domain/catalog/numbers.ts';
import { groupEffects, groupsOf } from './group-effects.ts';
import { fitRobustly, type RegressionTask, residualsOf } from './regression.ts';
import { fitSpreads, type Spreads, spreadOf } from './spread.ts';

/** What was learned: plain JSON. */
export interface Prior {
  /** One per feature, in the order of the features of its kind of item. */
  readonly coefficients: readonly number[];
  /** The effect (logarithm) of a theme, or of a minifig's category. */
  readonly themes: Readonly<Record<string, number>>;
  /** The effect of a subtheme on top of its theme, by `theme / subtheme`. */
  readonly subthemes: Readonly<Record<string, number>>;
  readonly spreads: Spreads;
  /** How many examples it was learned from. */
  readonly examples: number;
}

/** What an item is worth (logarithm of US cents), and how uncertain that is. */
export interface Estimate {
  readonly log: number;
  readonly spread: number;
}

/** An item at an instant, as the line sees it. */
export interface Point {
  /** Where the line is drawn from: the logarithm of the retail price, or zero. */
  readonly base: number;
  readonly features: readonly number[];
  /** What the spread depends on; the first is 1. */
  readonly spreadFeatures: readonly number[];
  /** How much of its theme's effect has come to bear, over 0 and up to 1. */
  readonly share: number;
  readonly theme: string | null;
  /** With the name of its theme: themes may have subthemes of the same name. */
  readonly subtheme: string | null;
}

/** A point and its usual price (logarithm of US cents). */
export interface PointExample {
  readonly point: Point;
  readonly log: number;
  /** An item of another kind: it counts as a quarter, and says nothing of how far these scatter. */
  readonly isBorrowed?: boolean;
}

/** How a kind of item is learned. */
export interface Learning {
  readonly start: Prior;
  /** How many examples with a feature of 1 each starting coefficient is worth. */
  readonly ridge: readonly number[];
  readonly spreadRidge: readonly number[];
}

/** What a coefficient is about, with its start and how many examples the start is worth. */
export interface Term {
  readonly about: string;
  readonly start: number;
  readonly ridge: number;
}

/** How items are learned that start from these terms, and from nothing known of their themes. */
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

/** Line and effects depend on each other: they are found in turns, and two turns suffice. */
const turns = 2;

/** A group counts fully when it has many more examples than this. */
const themeShrinkage = 2;
const subthemeShrinkage = 2;

/** How far a borrowed example is taken to scatter, beside one of the kind's own. */
const borrowedNoise = 2;

/** Learns from examples, in whatever order; without any, it is the start. */
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

  /** One turn: the line through what themes have not explained, then what the line has not. */
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

/** What is expected of a point. */
export function estimateOf(prior: Prior, point: Point): Estimate {
  const { coefficients, themes, subthemes, spreads } = prior;
  const { features } = point;
  let log = point.base;
  for (let j = 0; j < features.length; j++) log += (features[j] ?? 0) * (coefficients[j] ?? 0);
  const effect = lookUp(themes, point.theme) + lookUp(subthemes, point.subtheme);
  const spread = spreadOf(spreads, point.spreadFeatures, point.theme);
  return { log: log + point.share * effect, spread };
}

function lookUp(effects: Readonly<Record<string, number>>, key: string | null): number {
  return key !== null && Object.hasOwn(effects, key) ? (effects[key] ?? 0) : 0;
}

/** A total order, up to examples that are the same: sums then come out the same to the last bit. */
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

/** How far an example is taken to scatter before that is learned, relative to the others. */
function noiseOf({ point, isBorrowed }: PointExample, { start }: Learning): number {
  const [level = 0] = start.spreads.coefficients;
  const noise = spreadOf(start.spreads, point.spreadFeatures, null) / Math.exp(level);
  return isBorrowed ? borrowedNoise * noise : noise;
}

/** How far items of the kind itself scatter. */
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
