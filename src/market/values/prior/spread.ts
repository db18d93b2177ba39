/**
 * A model of the prior's standard deviation, which is small for sets in production and large for
 * giveaways: a regression of the log of absolute residuals.
 */
import { quantile } from '../quantile.ts';
import { type Effects, effectIn, type Groups, groupMeans } from './group-effects.ts';
import { fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

/** Serialized as JSON. */
export interface Spreads {
  /** Of the log spread; the first is the intercept. */
  readonly coefficients: readonly number[];
  /** Log factors of themes. */
  readonly themes: Effects;
}

export interface SpreadTask {
  readonly left: Float64Array;
  readonly features: readonly Float64Array[];
  readonly themes: Groups;
  readonly start: Spreads;
  /** Pseudo-examples of each starting coefficient. */
  readonly ridge: readonly number[];
  /** Degrees of freedom of the fitted mean: residuals are smaller than the errors of new items. */
  readonly freedom: number;
}

/** Lower bound of absolute residuals, because their log is taken. */
const errorMin = 0.01;

/** −E[log |Z|] of a standard normal Z. */
const normalLog = 0.635;

/** The 90% quantile of the standard normal: four in five errors are within ± this. */
const fourInFive = 1.2816;

/** Pseudo-examples of a theme's starting effect. */
const themeExamples = 20;

/** Pseudo-examples of the starting level. */
const levelExamples = 20;

/** The intercept is calibrated so that 80% ranges contain about four in five examples. */
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
  const { effects, left: unexplained } = groupMeans(task.themes, rest, {
    shrinkage: themeExamples,
    start: start.themes,
  });
  // Absolute errors relative to the expected ones.
  const sizes = Array.from(unexplained, (log) => Math.exp(log - normalLog));
  const level = Math.log(quantile(sizes, 0.8) / fourInFive);
  const forNew = Math.log(n / Math.max(n / 4, n - freedom)) / 2;
  const trust = n / (n + levelExamples);
  coefficients[0] = (coefficients[0] ?? 0) + trust * (level + forNew);
  return { coefficients, themes: { ...start.themes, ...effects } };
}

/** Lower bound before any sale. */
const spreadMin = 0.12;

/** Standard deviation (log). */
export function spreadOf(
  { coefficients, themes }: Spreads,
  features: readonly number[],
  theme: string | null,
): number {
  let log = effectIn(themes, theme);
  for (let j = 0; j < features.length; j++) log += (features[j] ?? 0) * (coefficients[j] ?? 0);
  return Math.max(spreadMin, Math.exp(log));
}
