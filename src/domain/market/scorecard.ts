/**
 * The live scorecard: each sale is first a test of the value that was published before it. Errors
 * are kept as counts per week and bin, so that no price of a single sale can be read off them.
 */

import type { ItemKind } from '../catalog/numbers.ts';
import { type DataTier, dataTiers } from './evidence.ts';
import { type Condition, conditions } from './source-rows.ts';

/** Sales of one week, held against the value published before them. */
export interface ScoreCount {
  /** Weeks since the Monday before 1 January 1970, of the sale. */
  readonly week: number;
  readonly kind: ItemKind;
  readonly condition: Condition;
  /** The tier that the value was published with. */
  readonly tier: DataTier;
  /** The logarithm of value over price, in steps of a hundredth; the ends hold the rest. */
  readonly bin: number;
  /** Whether the price lay inside the published range. */
  readonly inRange: boolean;
  readonly count: number;
}

/** Steps per unit of logarithm, and the ends: a value that is 2.7 times the price, or more. */
const binsPerLog = 100;
const binMax = 100;

/** The bin of a value against the price of a sale, both as logarithms. */
export function binOf(valueLog: number, soldLog: number): number {
  const bin = Math.round((valueLog - soldLog) * binsPerLog);
  // Adding 0 makes -0 the 0 that it is stored as.
  return Math.min(binMax, Math.max(-binMax, bin)) + 0;
}

/** The share of sales that published ranges are made to hold. */
export const inRangeTarget = 0.8;

/** How far values were off. Ratios are null without sales. */
export interface ScoreSummary {
  readonly sales: number;
  /** The median of |value ÷ price − 1|. */
  readonly medianError: number | null;
  /** The median of value ÷ price − 1; above 0, values were too high. */
  readonly bias: number | null;
  /** The share of sales inside the published range. */
  readonly inRange: number | null;
}

/** Sums up counts, as closely as their bins allow. */
export function summarize(counts: readonly ScoreCount[]): ScoreSummary {
  const sum = (some: readonly ScoreCount[]) => some.reduce((total, { count }) => total + count, 0);
  const sales = sum(counts);
  const errors = counts.map(({ bin, count }) => ({ value: Math.expm1(bin / binsPerLog), count }));
  const sizes = errors.map(({ value, count }) => ({ value: Math.abs(value), count }));
  return {
    sales,
    medianError: countedMedian(sizes),
    bias: countedMedian(errors),
    inRange: sales === 0 ? null : sum(counts.filter((score) => score.inRange)) / sales,
  };
}

/** A value that occurs so many times. */
export interface Counted {
  readonly value: number;
  readonly count: number;
}

/** The median of values that each occur so many times; null of none. */
export function countedMedian(values: readonly Counted[]): number | null {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const at = (rank: number) => {
    let passed = 0;
    for (const { value, count } of sorted) {
      passed += count;
      if (passed > rank) return value;
    }
    return null;
  };
  const [lower, upper] = [at(Math.floor((total - 1) / 2)), at(Math.floor(total / 2))];
  return lower === null || upper === null ? null : (lower + upper) / 2;
}

/** Scores of a stretch of weeks. */
export interface Scorecard {
  /** Every week from the first with a sale on. */
  readonly weeks: readonly (ScoreSummary & { readonly week: number })[];
  /** Sets before minifigs, and the better known before the less known. */
  readonly groups: readonly (ScoreSummary & Pick<ScoreCount, 'kind' | 'condition' | 'tier'>)[];
  readonly total: ScoreSummary;
}

/** The scorecard that counts make, up to a week or the last one with a sale. */
export function makeScorecard(counts: readonly ScoreCount[], throughWeek: number): Scorecard {
  const byWeek = Map.groupBy(counts, ({ week }) => week);
  return {
    weeks: weeksBetween([...byWeek.keys()], throughWeek).map((week) => ({
      week,
      ...summarize(byWeek.get(week) ?? []),
    })),
    groups: kinds.flatMap((kind) =>
      conditions.flatMap((condition) =>
        dataTiers.flatMap((tier) => {
          const own = counts.filter(
            (score) => score.kind === kind && score.condition === condition && score.tier === tier,
          );
          return own.length === 0 ? [] : [{ kind, condition, tier, ...summarize(own) }];
        }),
      ),
    ),
    total: summarize(counts),
  };
}

/** From the first of some weeks to the last of them, or at least to a given one. */
function weeksBetween(weeks: readonly number[], throughWeek: number): number[] {
  if (weeks.length === 0) return [];
  const first = Math.min(...weeks);
  const last = Math.max(...weeks, throughWeek);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const kinds: readonly ItemKind[] = ['set', 'minifig'];
