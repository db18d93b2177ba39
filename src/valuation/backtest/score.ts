/**
 * The back-test, rolling through time: before each sale that is scored, every method predicts from
 * the rows that had arrived by then; the prediction is compared with the sale and the true value.
 */

import { dayMs, monthOf } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import type { DataTier } from '../../domain/market/evidence.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { ParameterTimeline } from '../engine/parameter-timeline.ts';
import { type Support, supportOf } from '../engine/range.ts';
import { quantile } from '../quantile.ts';
import type { Method, Prediction } from './methods.ts';
import { type PricedSale, PriceHistory, type Snapshot } from './snapshots.ts';

/** One sale that was scored, and what each method had said. Logarithms of cents. */
export interface Score {
  readonly item: string;
  readonly condition: Condition;
  /** How many sales of the condition there had been in 180 days. */
  readonly support: Support;
  /** Whether there had been no sale in this condition at all. */
  readonly isFirst: boolean;
  readonly isAroundRetirement: boolean;
  /** Of the method that has one; null when none has. */
  readonly tier: DataTier | null;
  /** How many plain sales there were in the month that this one stands for. */
  readonly monthSales: number;
  readonly soldLog: number;
  readonly trueLog: number;
  /** The median of the plain sales within 30 days from the sale on; null for fewer than five. */
  readonly nextLog: number | null;
  /** In the order of the methods. */
  readonly predictions: readonly (Prediction | null)[];
}

/** Which sales are scored, and how long before them methods are asked. */
export interface ScoreOptions {
  readonly methods: readonly Method[];
  readonly timeline: ParameterTimeline;
  /** Sales before this instant are there to learn from. */
  readonly from: number;
  readonly aheadMs: number;
}

const supportMs = 180 * dayMs;
const nextMs = 30 * dayMs;
const nextSalesMin = 5;

/** The months around a retirement in which prices move most. */
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

/** What a value is about, and was never taken back. */
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
