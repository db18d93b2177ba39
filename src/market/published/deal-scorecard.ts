/**
 * How deals turned out: each sale within `gradedMs` after a deal opened is compared with its
 * prediction. Stored as counts per week and percent, so that no single sale can be identified.
 */
import { type DataTier, dataTiers } from '../evidence/evidence.ts';
import { countedMedian } from '../evidence/scorecard.ts';

/** Sales in one week after deals opened, by return on cost. */
export interface DealScore {
  /** Weeks since the Monday before 1 January 1970, of the sale. */
  readonly week: number;
  readonly tier: DataTier;
  /** Profit on cost in whole percent, clamped to `percentMin` and `percentMax`. */
  readonly percent: number;
  /** Sales for which this was the predicted median return. */
  readonly predicted: number;
  /** Sales with this actual return, and how many reached the predicted safe net proceeds. */
  readonly got: number;
  readonly cleared: number;
}

/** Total loss, and six times the cost or more. */
const percentMin = -100;
const percentMax = 500;

export interface GradedSale extends Pick<DealScore, 'week' | 'tier'> {
  readonly predictedPercent: number;
  readonly gotPercent: number;
  readonly isCleared: boolean;
}

/** The predicted and the actual return are counted separately, so that they cannot be paired. */
export function countSale(sale: GradedSale): readonly [DealScore, DealScore] {
  const { week, tier, predictedPercent, gotPercent, isCleared } = sale;
  const cleared = isCleared ? 1 : 0;
  return [
    { week, tier, percent: stepOf(predictedPercent), predicted: 1, got: 0, cleared: 0 },
    { week, tier, percent: stepOf(gotPercent), predicted: 0, got: 1, cleared },
  ];
}

/** Whole percent within the limits. */
function stepOf(percent: number): number {
  // Adding 0 turns -0 into the 0 that is stored.
  return Math.min(percentMax, Math.max(percentMin, Math.round(percent))) + 0;
}

export const clearedTarget = 0.8;

/** With fewer sales, one time in six a true 80 % looks like 73 % or less. */
export const judgedSalesMin = 30;

/** Predicted and actual returns are medians. */
export interface DealSummary {
  readonly sales: number;
  /** Null with fewer than `judgedSalesMin` sales, like the fields below. */
  readonly cleared: number | null;
  readonly predictedPercent: number | null;
  readonly gotPercent: number | null;
}

export interface DealScorecard extends DealSummary {
  readonly tiers: readonly (DealSummary & Pick<DealScore, 'tier'>)[];
}

/** Tiers are ordered from best to least supported. */
export function makeDealScorecard(scores: readonly DealScore[]): DealScorecard {
  const byTier = Map.groupBy(scores, ({ tier }) => tier);
  return {
    ...summarizeDeals(scores),
    tiers: dataTiers.flatMap((tier) => {
      const own = byTier.get(tier);
      return own ? [{ tier, ...summarizeDeals(own) }] : [];
    }),
  };
}

function summarizeDeals(scores: readonly DealScore[]): DealSummary {
  const sum = (field: 'got' | 'cleared') => scores.reduce((total, each) => total + each[field], 0);
  const median = (field: 'got' | 'predicted') =>
    countedMedian(scores.map((each) => ({ value: each.percent, count: each[field] })));
  const sales = sum('got');
  if (sales < judgedSalesMin) {
    return { sales, cleared: null, predictedPercent: null, gotPercent: null };
  }
  return {
    sales,
    cleared: sum('cleared') / sales,
    predictedPercent: median('predicted'),
    gotPercent: median('got'),
  };
}
