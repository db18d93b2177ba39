/** The log ratio of used to new value by age: a robust piecewise linear fit for each kind. */
import { yearsBetween } from '../../../kernel/time.ts';
import { deviationOf, fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

export interface UsedRatio {
  readonly base: number;
  readonly perYear: number;
  /** Slope beyond the bend. */
  readonly perLaterYear: number;
  readonly spread: number;
}

export interface UsedRatioExample {
  readonly years: number;
  readonly log: number;
}

/** From public snapshots of real prices. */
export const defaultUsedRatio: UsedRatio = {
  base: -0.23,
  perYear: -0.04,
  perLaterYear: -0.015,
  spread: 0.25,
};

/** About 0.9 in the first two years, and slightly above a half after ten. */
export const defaultMinifigRatio: UsedRatio = {
  base: -0.05,
  perYear: -0.05,
  perLaterYear: -0.01,
  spread: 0.2,
};

/** With fewer examples, the default is kept. */
const examplesMin = 20;

/** Ten pseudo-examples of each starting coefficient, at a typical age of five years. */
const ridge = [10, 10 * 5 * 5, 10 * 5 * 5] as const;

const spreadExamples = 10;
const spreadMin = 0.1;

/** The age at which the line bends. */
const bendYears = 15;

/** Assumed age without a release date. */
const undatedYears = 5;

/** In any order; with few examples, the start. */
export function fitUsedRatio(
  examples: readonly UsedRatioExample[],
  start: UsedRatio = defaultUsedRatio,
): UsedRatio {
  const known = examples
    .filter(({ years, log }) => Number.isFinite(years) && Number.isFinite(log))
    .sort((a, b) => a.log - b.log || a.years - b.years);
  const n = known.length;
  if (n < examplesMin) return start;
  const task: RegressionTask = {
    features: [0, 1, 2].map((j) =>
      Float64Array.from(known, ({ years }) => ageTerms(years)[j] ?? 0),
    ),
    targets: Float64Array.from(known, ({ log }) => log),
    noise: new Float64Array(n).fill(1),
    center: [start.base, start.perYear, start.perLaterYear],
    ridge,
  };
  const coefficients = fitRobustly(task);
  const [base = 0, perYear = 0, perLaterYear = 0] = coefficients;
  const variance = deviationOf(residualsOf(task, coefficients), task.noise) ** 2;
  const pooled = n * variance + spreadExamples * start.spread ** 2;
  const spread = Math.max(spreadMin, Math.sqrt(pooled / (n + spreadExamples)));
  return { base, perYear, perLaterYear, spread };
}

export function usedRatioAt(ratio: UsedRatio, releasedAt: number | null, at: number): number {
  const years = releasedAt === null ? undatedYears : Math.max(0, yearsBetween(releasedAt, at));
  const [one, sooner, later] = ageTerms(years);
  return ratio.base * one + ratio.perYear * sooner + ratio.perLaterYear * later;
}

/** Regressors at an age. */
function ageTerms(years: number): readonly [number, number, number] {
  return [1, Math.min(years, bendYears), Math.max(0, years - bendYears)];
}
