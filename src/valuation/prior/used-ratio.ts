/**
 * How much less a used item is worth than a new one: a line over its age that bends once, learned
 * robustly. Sets and minifigs each have one.
 */
import { yearsBetween } from '../../domain/kernel/time.ts';
import { deviationOf, fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

/** The logarithm of used over new value by age, and how far items scatter around it. */
export interface UsedRatio {
  readonly base: number;
  readonly perYear: number;
  /** For each year beyond the bend: old things wear no further. */
  readonly perLaterYear: number;
  readonly spread: number;
}

/** An item of some age, and the logarithm of its used over its new value. */
export interface UsedRatioExample {
  readonly years: number;
  readonly log: number;
}

/** The ratio of sets before anything was learned: from public snapshots of real prices. */
export const defaultUsedRatio: UsedRatio = {
  base: -0.23,
  perYear: -0.04,
  perLaterYear: -0.015,
  spread: 0.25,
};

/** That of minifigs: 0.9 of a new one within two years, and little more than half after ten. */
export const defaultMinifigRatio: UsedRatio = {
  base: -0.05,
  perYear: -0.05,
  perLaterYear: -0.01,
  spread: 0.2,
};

/** Fewer examples teach nothing. */
const examplesMin = 20;

/** The start is worth this many examples, for a year's difference at a typical age. */
const ridge = [10, 10 * 5 * 5, 10 * 5 * 5] as const;

const spreadExamples = 10;
const spreadMin = 0.1;

/** The age at which the line bends. */
const bendYears = 15;

/** An item whose release is not known is taken for one this old, and stays so. */
const undatedYears = 5;

/** Learns from items with both values, in whatever order; from few, it is the start. */
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

/** The logarithm of used over new value of an item at an instant. */
export function usedRatioAt(ratio: UsedRatio, releasedAt: number | null, at: number): number {
  const years = releasedAt === null ? undatedYears : Math.max(0, yearsBetween(releasedAt, at));
  const [one, sooner, later] = ageTerms(years);
  return ratio.base * one + ratio.perYear * sooner + ratio.perLaterYear * later;
}

/** What a ratio's three numbers are multiplied by at an age. */
function ageTerms(years: number): readonly [number, number, number] {
  return [1, Math.min(years, bendYears), Math.max(0, years - bendYears)];
}
