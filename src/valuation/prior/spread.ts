/**
 * How far items scatter around what is expected of them. That differs more than the expectations
 * do: the price of a set that is still made is known well, that of a convention's giveaway is not.
 * So the spread has a line of its own, learned from what the other line leaves unexplained.
 */
import { quantile } from '../quantile.ts';
import { type Groups, groupMeans } from './group-effects.ts';
import { fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

/** What was learned of the scatter: plain JSON. */
export interface Spreads {
  /** Of the logarithm of the spread, one per feature; the first is that of every item. */
  readonly coefficients: readonly number[];
  /** How much the items of a theme scatter beyond that (logarithm of a factor). */
  readonly themes: Readonly<Record<string, number>>;
}

/** What spreads are learned from: what was left of each example. */
export interface SpreadTask {
  readonly left: Float64Array;
  readonly features: readonly Float64Array[];
  readonly themes: Groups;
  readonly start: Spreads;
  /** How many examples each starting coefficient is worth. */
  readonly ridge: readonly number[];
  /** What the line is worth in coefficients: new items scatter more than those learned from. */
  readonly freedom: number;
}

/** Smaller errors than this (logarithm) are luck. */
const errorMin = 0.01;

/** The mean of the logarithm of the size of a normal error, with its sign turned. */
const normalLog = 0.635;

/** Four in five normal errors are smaller than this many deviations. */
const fourInFive = 1.2816;

/** So many examples make half of a theme's own scatter believed. */
const themeExamples = 20;

/** The starting level is worth this many examples. */
const levelExamples = 20;

/** Learns how far examples scatter; the level is such that four in five lie in their range. */
export function fitSpreads(task: SpreadTask): Spreads {
  const { left, start, freedom } = task;
  const n = left.length;
  if (n === 0) return start;
  const lines: RegressionTask = {
    features: task.features,
    targets: left.map((error) => Math.log(Math.max(errorMin, Math.abs(error))) + normalLog),
    noise: new Float64Array(n).fill(1),
    center: start.coefficients,
    ridge: task.ridge,
  };
  const coefficients = [...fitRobustly(lines)];
  const rest = residualsOf(lines, coefficients);
  const { effects, left: unexplained } = groupMeans(task.themes, rest, themeExamples);
  // What is left of the logarithms is how many times as far off each example is as expected.
  const sizes = Array.from(unexplained, (log) => Math.exp(log - normalLog));
  const level = Math.log(quantile(sizes, 0.8) / fourInFive);
  const forNew = Math.log(n / Math.max(n / 4, n - freedom)) / 2;
  const trust = n / (n + levelExamples);
  coefficients[0] = (coefficients[0] ?? 0) + trust * (level + forNew);
  return { coefficients, themes: effects };
}

/** No item is known better than this before it was sold. */
const spreadMin = 0.12;

/** The spread (logarithm) of an item with these features. */
export function spreadOf(
  { coefficients, themes }: Spreads,
  features: readonly number[],
  theme: string | null,
): number {
  let log = theme !== null && Object.hasOwn(themes, theme) ? (themes[theme] ?? 0) : 0;
  for (let j = 0; j < features.length; j++) log += (features[j] ?? 0) * (coefficients[j] ?? 0);
  return Math.max(spreadMin, Math.exp(log));
}
