/**
 * Robustness probes: a single outlier must hardly move an established value, and a lasting drop
 * must be followed soon.
 */

import { dayMs, type Month, monthOf } from '../../src/kernel/time.ts';
import {
  type Condition,
  conditions,
  type StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import type { Estimator, SetToValue } from '../../src/market/values/estimator.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { SetHistory } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

export interface ProbeReport {
  readonly oddSales: readonly OddSaleReport[];
  readonly step: StepReport;
  readonly stability: StabilityReport;
}

/** Effect of one sale at a multiple of the value. */
export interface OddSaleReport {
  readonly factor: number;
  readonly values: number;
  /** Values that change by more than 1%. */
  readonly moved: number;
  readonly medianChange: number;
  readonly largestChange: number;
}

/** How much of a lasting 30% drop `high` values follow. */
export interface StepReport {
  readonly values: number;
  readonly after: readonly {
    readonly sales: number;
    readonly medianShare: number;
    /** The 10% quantile. */
    readonly lowShare: number;
  }[];
}

/** Change per day without new rows (log). */
export interface StabilityReport {
  readonly days: number;
  readonly medianChange: number;
}

export interface RandomSource {
  fraction(): number;
  normal(mean: number, deviation: number): number;
}

export interface ProbeOptions {
  readonly estimatorOf: (month: Month) => Estimator;
  readonly from: number;
  readonly to: number;
  /** A separate stream per item. */
  randomFor(item: BacktestItem): RandomSource;
  onProgress?(done: number, total: number): void;
}

const oddFactors = [0.3, 3] as const;
const establishedSpread = 0.25;
const movedShare = 0.01;

const fallLog = Math.log(0.7);
const fallSales = 12;
const fallReadings = [5, 12] as const;
const weekMs = 7 * dayMs;

const instantsPerItem = 4;

export function probe(items: readonly BacktestItem[], options: ProbeOptions): ProbeReport {
  const changes = oddFactors.map((): number[] => []);
  const shares = fallReadings.map((): number[] => []);
  const days: number[] = [];
  for (const [index, item] of items.entries()) {
    const random = options.randomFor(item);
    const history = new SetHistory(item);
    for (let turn = 0; turn < instantsPerItem; turn++) {
      const at = options.from + random.fraction() * (options.to - options.from);
      const probed = { set: history.at(at), estimator: options.estimatorOf(monthOf(at)), at };
      for (const [position, factor] of oddFactors.entries()) {
        changes[position]?.push(...oddSaleChanges(probed, factor));
      }
      for (const [position, share] of stepShares(probed, random).entries())
        shares[position]?.push(share);
      days.push(...quietChanges(history, at, options.estimatorOf));
    }
    options.onProgress?.(index + 1, items.length);
  }
  return {
    oddSales: oddFactors.map((factor, position) => oddSaleReport(factor, changes[position] ?? [])),
    step: {
      values: shares[0]?.length ?? 0,
      after: fallReadings.map((sales, position) => ({
        sales,
        medianShare: quantile(shares[position] ?? [], 0.5),
        lowShare: quantile(shares[position] ?? [], 0.1),
      })),
    },
    stability: { days: days.length, medianChange: quantile(days, 0.5) },
  };
}

function oddSaleReport(factor: number, changes: readonly number[]): OddSaleReport {
  return {
    factor,
    values: changes.length,
    moved: changes.filter((change) => change > movedShare).length,
    medianChange: quantile(changes, 0.5),
    largestChange: quantile(changes, 1),
  };
}

interface Probed {
  readonly set: SetToValue;
  readonly estimator: Estimator;
  readonly at: number;
}

/** Relative change of each established value. */
export function oddSaleChanges({ set, estimator, at }: Probed, factor: number): number[] {
  const { tier, evidence, ...before } = estimator.prepareSet(set).valueAt(at);
  if (tier !== 'high' && tier !== 'medium') return [];
  return conditions.flatMap((condition) => {
    const value = before[condition];
    const spread = evidence[condition]?.valueSpread ?? Number.POSITIVE_INFINITY;
    if (value === null || spread > establishedSpread) return [];
    const sale = ordinarySale({ at, condition, cents: value.valueCents * factor, number: 0 });
    const sales = [...set.sales, sale];
    const after = estimator.prepareSet({ ...set, sales }).valueAt(at)[condition];
    return after === null ? [] : [Math.abs(after.valueCents / value.valueCents - 1)];
  });
}

/** Share of the drop that `high` values follow; empty for other values. */
export function stepShares({ set, estimator, at }: Probed, random: RandomSource): number[] {
  const { tier, evidence, sealed: before } = estimator.prepareSet(set).valueAt(at);
  const scatter = evidence.sealed?.saleSpread;
  if (tier !== 'high' || before === null || scatter === undefined) return [];
  const later = Array.from({ length: fallSales }, (_, index) => {
    const log = Math.log(before.valueCents) + fallLog + random.normal(0, scatter);
    const soldAt = at + (index + 1) * weekMs;
    return ordinarySale({ at: soldAt, condition: 'sealed', cents: Math.exp(log), number: index });
  });
  const prepared = estimator.prepareSet({ ...set, sales: [...set.sales, ...later] });
  return fallReadings.map((sales) => {
    const after = prepared.valueAt(at + sales * weekMs).sealed;
    return after === null ? 0 : Math.log(after.valueCents / before.valueCents) / fallLog;
  });
}

/** Changes within a day without new rows. */
function quietChanges(
  history: SetHistory,
  at: number,
  estimatorOf: (month: Month) => Estimator,
): number[] {
  const until = at + dayMs;
  const isNews = (when: number | null) => when !== null && when >= at && when < until;
  const { sales } = history.item;
  if (sales.some(({ sale }) => isNews(sale.ingestedAt) || isNews(sale.retractedAt))) return [];
  const value = (when: number) =>
    estimatorOf(monthOf(when)).prepareSet(history.at(when)).valueAt(when);
  const [before, after] = [value(at), value(until)];
  return conditions.flatMap((condition) => {
    const [first, second] = [before[condition], after[condition]];
    return first && second ? [Math.abs(Math.log(second.valueCents / first.valueCents))] : [];
  });
}

/** One complete unit at a fixed price from a new seller, known at once. */
function ordinarySale(sold: {
  readonly at: number;
  readonly condition: Condition;
  readonly cents: number;
  readonly number: number;
}): StoredSale {
  return {
    source: 'probe',
    sourceId: `probe-${sold.number}`,
    condition: sold.condition,
    priceCents: Math.max(1, Math.round(sold.cents)),
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt: sold.at,
    channel: 'fixed',
    seller: `probe-${sold.number}`,
    completeness: 'complete',
    ingestedAt: sold.at,
    retractedAt: null,
    usdPerUnit: 1,
  };
}
