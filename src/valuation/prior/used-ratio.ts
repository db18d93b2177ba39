/** How much less a used set is worth than a new one: a line over its age, learned robustly. */

import { yearsBetween } from '../../domain/kernel/time.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';
import { deviationOf, fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

/** The logarithm of used over new value by age, and how far sets scatter around it. */
export interface UsedRatio {
  readonly base: number;
  readonly perYear: number;
  readonly spread: number;
}

/** A set of some age, and the logarithm of its used over its new value. */
export interface UsedRatioExample {
  readonly years: number;
  readonly log: number;
}

/** The ratio before anything was learned: from public snapshots of real prices. */
export const defaultUsedRatio: UsedRatio = { base: -0.23, perYear: -0.04, spread: 0.25 };

/** Fewer examples teach nothing. */
const examplesMin = 20;

/** The default is worth this many examples, for a year's difference at a typical age. */
const ridge = [10, 10 * 5 * 5] as const;

const spreadExamples = 10;
const spreadMin = 0.1;

/** A set whose release is not known is taken for one this old, and stays so. */
const undatedYears = 5;

/** Learns from sets with both values, in whatever order; from few, it is the default. */
export function fitUsedRatio(examples: readonly UsedRatioExample[]): UsedRatio {
  const known = examples
    .filter(({ years, log }) => Number.isFinite(years) && Number.isFinite(log))
    .sort((a, b) => a.log - b.log || a.years - b.years);
  const n = known.length;
  if (n < examplesMin) return defaultUsedRatio;
  const task: RegressionTask = {
    features: [new Float64Array(n).fill(1), Float64Array.from(known, ({ years }) => years)],
    targets: Float64Array.from(known, ({ log }) => log),
    noise: new Float64Array(n).fill(1),
    center: [defaultUsedRatio.base, defaultUsedRatio.perYear],
    ridge,
  };
  const coefficients = fitRobustly(task);
  const [base = 0, perYear = 0] = coefficients;
  const variance = deviationOf(residualsOf(task, coefficients), task.noise) ** 2;
  const pooled = n * variance + spreadExamples * defaultUsedRatio.spread ** 2;
  const spread = Math.max(spreadMin, Math.sqrt(pooled / (n + spreadExamples)));
  return { base, perYear, spread };
}

/** The logarithm of used over new value of a set at an instant. */
export function usedRatioAt(ratio: UsedRatio, facts: ValuationFacts, at: number): number {
  const { releasedAt } = facts;
  const years = releasedAt === null ? undatedYears : Math.max(0, yearsBetween(releasedAt, at));
  return ratio.base + ratio.perYear * years;
}
