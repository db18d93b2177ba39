/**
 * How deals did: each sale after a deal began is a test of what was expected of it. Kept as counts
 * per week and percent, which do not tell whose they are: no price of a single sale can be read off
 * them.
 */
import { type DataTier, dataTiers } from './evidence.ts';
import { countedMedian } from './scorecard.ts';

/** Sales of one week after deals began, by what they return on cost. */
export interface DealScore {
  /** Weeks since the Monday before 1 January 1970, of the sale. */
  readonly week: number;
  /** The tier of the value when the deal began. */
  readonly tier: DataTier;
  /** Profit on cost; the ends hold the rest. */
  readonly percent: number;
  /** Sales of which so much was expected at even odds. */
  readonly predicted: number;
  /** Sales that would have brought so much, and how many of them met what was to be safe. */
  readonly got: number;
  readonly cleared: number;
}

/** The ends: all is lost, or six times the cost comes back, or more. */
const percentMin = -100;
const percentMax = 500;

/** What is counted of one sale. */
export interface GradedSale extends Pick<DealScore, 'week' | 'tier'> {
  readonly predictedPercent: number;
  readonly gotPercent: number;
  readonly isCleared: boolean;
}

/** The counts of one sale: what was expected and what it brought stand apart. */
export function countSale(sale: GradedSale): readonly [DealScore, DealScore] {
  const { week, tier, predictedPercent, gotPercent, isCleared } = sale;
  const cleared = isCleared ? 1 : 0;
  return [
    { week, tier, percent: stepOf(predictedPercent), predicted: 1, got: 0, cleared: 0 },
    { week, tier, percent: stepOf(gotPercent), predicted: 0, got: 1, cleared },
  ];
}

/** Whole percent, between the ends. */
function stepOf(percent: number): number {
  // Adding 0 makes -0 the 0 that it is stored as.
  return Math.min(percentMax, Math.max(percentMin, Math.round(percent))) + 0;
}

/** The share of sales that are expected to clear. */
export const clearedTarget = 0.8;

/** Fewer sales than this say little: one in six times, a true 80 % looks like 73 % or less. */
export const judgedSalesMin = 30;

/** How deals did. What sales returned is a median, as what is expected of a deal is one. */
export interface DealSummary {
  readonly sales: number;
  /** Null, like what follows, as long as there are too few sales to judge by. */
  readonly cleared: number | null;
  readonly predictedPercent: number | null;
  readonly gotPercent: number | null;
}

/** How deals did, in all and by tier. */
export interface DealScorecard extends DealSummary {
  readonly tiers: readonly (DealSummary & Pick<DealScore, 'tier'>)[];
}

/** The scorecard that counts make; the better known tiers come first. */
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
