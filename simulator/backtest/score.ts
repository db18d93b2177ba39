/**
 * Rolling backtest: before each scored sale, all methods predict from the rows known at the time,
 * and are compared with the sale and the true value.
 */

import { dayMs, monthOf } from '../../src/kernel/time.ts';
import type { DataTier } from '../../src/market/evidence/evidence.ts';
import { type Condition, conditions } from '../../src/market/source-rows/source-rows.ts';
import type { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import { type Support, supportOf } from '../../src/market/values/engine/range.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import type { Method, Prediction } from './methods.ts';
import { type PricedSale, PriceHistory, type Snapshot } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

/** In logs of cents. */
export interface Score {
  readonly item: string;
  readonly condition: Condition;
  /** Sales in the condition within 180 days. */
  readonly support: Support;
  /** Whether it is the first sale in the condition. */
  readonly isFirst: boolean;
  readonly isAroundRetirement: boolean;
  /** Null if no method has a tier. */
  readonly tier: DataTier | null;
  /** Plain sales of the month, which this one represents. */
  readonly monthSales: number;
  readonly soldLog: number;
  readonly trueLog: number;
  /** Median of plain sales within the next 30 days; null for fewer than five. */
  readonly nextLog: number | null;
  /** In the order of the methods. */
  readonly predictions: readonly (Prediction | null)[];
}

export interface ScoreOptions {
  readonly methods: readonly Method[];
  readonly timeline: ParameterTimeline;
  /** Earlier sales are for learning. */
  readonly from: number;
  readonly aheadMs: number;
}

const supportMs = 180 * dayMs;
const nextMs = 30 * dayMs;
const nextSalesMin = 5;

/** Period around retirement in which prices move most. */
const aroundRetirement = { before: 91 * dayMs, after: 365 * dayMs };

type Plain = PricedSale & { readonly price: NonNullable<PricedSale['price']> };

/** Scores the first plain sale of each month in each condition. */
export function scoreItem(item: BacktestItem, options: ScoreOptions): Score[] {
  const history = new PriceHistory(item, options.timeline);
  return conditions.flatMap((condition) => {
    const plain = history.sales.filter(
      (sale) => isScored(sale) && sale.sale.condition === condition,
    );
    const months = Map.groupBy(plain as Plain[], ({ price }) => monthOf(price.at));
    return [...months.values()].flatMap((sales) => {
      const [first] = sales;
      if (!first || first.price.at < options.from) return [];
      const known = history.at(first.price.at - options.aheadMs, condition);
      const nextLog = medianAfter(plain as Plain[], first.price.at);
      return scoreSale(item, known, { first, nextLog, monthSales: sales.length }, options.methods);
    });
  });
}

/** Plain sales that were not retracted. */
function isScored({ sale, isPlain, price }: PricedSale): boolean {
  return isPlain && price !== null && sale.retractedAt === null;
}

function scoreSale(
  item: BacktestItem,
  known: Snapshot,
  sold: { readonly first: Plain; readonly nextLog: number | null; readonly monthSales: number },
  methods: readonly Method[],
): Score {
  const { condition } = known;
  const { at, log: soldLog } = sold.first.price;
  const { retiredAt } = item.facts;
  const predictions = methods.map((method) => method.predict(known));
  return {
    item: item.key,
    condition,
    support: supportOf(known.prices.filter((price) => price.at > known.at - supportMs).length),
    isFirst: known.prices.length === 0,
    isAroundRetirement:
      retiredAt !== null &&
      at >= retiredAt - aroundRetirement.before &&
      at < retiredAt + aroundRetirement.after,
    tier: predictions.find((prediction) => prediction?.tier)?.tier ?? null,
    monthSales: sold.monthSales,
    soldLog,
    trueLog: item.trueLog(condition, at),
    nextLog: sold.nextLog,
    predictions,
  };
}

function medianAfter(sales: readonly Plain[], from: number): number | null {
  const logs = sales.flatMap(({ price: { at, log } }) =>
    at >= from && at < from + nextMs ? [log] : [],
  );
  return logs.length < nextSalesMin ? null : quantile(logs, 0.5);
}
