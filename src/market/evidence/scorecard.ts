/**
 * The live scorecard: each sale first tests the value that was published before it. Errors are
 * stored as counts per week and bin, so that the price of a single sale cannot be recovered.
 */

import { type ItemKind, itemKinds } from '../../catalog/items/numbers.ts';
import { type Condition, conditions } from '../source-rows/source-rows.ts';
import { type DataTier, dataTiers } from './evidence.ts';

/** Sales of one week, compared with the value published before them. */
export interface ScoreCount {
  /** Weeks since the Monday before 1 January 1970, of the sale. */
  readonly week: number;
  readonly kind: ItemKind;
  readonly condition: Condition;
  /** The tier that the value was published with. */
  readonly tier: DataTier;
  /** The log of value over price in hundredths, clamped to `binMax`. */
  readonly bin: number;
  /** Whether the price was inside the published range. */
  readonly inRange: boolean;
  readonly count: number;
}

/** Bins end at a factor of e: a value of 2.7 times the price or more. */
const binsPerLog = 100;
const binMax = 100;

/** The bin for a value and a sale price, both as logarithms. */
export function binOf(valueLog: number, soldLog: number): number {
  const bin = Math.round((valueLog - soldLog) * binsPerLog);
  // Adding 0 turns -0 into the 0 that is stored.
  return Math.min(binMax, Math.max(-binMax, bin)) + 0;
}

/** The share of sales that published ranges are meant to contain. */
export const inRangeTarget = 0.8;

/** How far values were off. Null without sales. */
export interface ScoreSummary {
  readonly sales: number;
  /** The median of |value ÷ price − 1|. */
  readonly medianError: number | null;
  /** The median of value ÷ price − 1; positive if values were too high. */
  readonly bias: number | null;
  /** The share of sales inside the published range. */
  readonly inRange: number | null;
}

/** Accurate to within the width of a bin. */
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

export interface CountedValue {
  readonly value: number;
  readonly count: number;
}

/** Weighted median; null if there are no values. */
export function countedMedian(values: readonly CountedValue[]): number | null {
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

export interface Scorecard {
  /** Every week since the first with a sale, including weeks without sales. */
  readonly weeks: readonly (ScoreSummary & { readonly week: number })[];
  /** Sets before minifigs, then by tier from best to least supported. */
  readonly groups: readonly (ScoreSummary & Pick<ScoreCount, 'kind' | 'condition' | 'tier'>)[];
  readonly total: ScoreSummary;
}

/** Covers weeks up to `throughWeek`, or the last one with a sale if that is later. */
export function makeScorecard(counts: readonly ScoreCount[], throughWeek: number): Scorecard {
  const byWeek = Map.groupBy(counts, ({ week }) => week);
  return {
    weeks: weeksBetween([...byWeek.keys()], throughWeek).map((week) => ({
      week,
      ...summarize(byWeek.get(week) ?? []),
    })),
    groups: itemKinds.flatMap((kind) =>
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

function weeksBetween(weeks: readonly number[], throughWeek: number): number[] {
  if (weeks.length === 0) return [];
  const first = Math.min(...weeks);
  const last = Math.max(...weeks, throughWeek);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
