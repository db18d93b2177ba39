/** The live scorecard: compares each new sale with the value published before it. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dayMs, weekOf } from '../../kernel/time.ts';
import type { ComparableSale, SalesSince } from '../values/estimator.ts';
import type { Evidence } from './evidence.ts';
import { binOf, type ScoreCount } from './scorecard.ts';

/** An older sale does not test the value: historical data is being imported. */
const oldMs = 30 * dayMs;

/** Selects the sales that arrived since a value was published. */
export interface NewSalesQuery {
  /** The evidence behind the published value; null: none was published. */
  readonly before: Evidence | null;
  /** The time of the new publication; later sales are not scored. */
  readonly at: number;
  salesSince(since: SalesSince): readonly ComparableSale[];
}

/** New sales that test the published value. Without new rows there are none. */
export function newSales({ before, at, salesSince }: NewSalesQuery): readonly ComparableSale[] {
  if (before === null) return [];
  return salesSince({ learnedAfter: before.learnedUntil, soldAfter: before.at - oldMs }).filter(
    ({ soldAt }) => soldAt <= at,
  );
}

export function scoreSales(
  sales: readonly ComparableSale[],
  { kind, before }: { readonly kind: ItemKind; readonly before: Evidence | null },
): ScoreCount[] {
  return before === null ? [] : sales.flatMap((sale) => scoreSale(sale, kind, before));
}

function scoreSale(sale: ComparableSale, kind: ItemKind, before: Evidence): ScoreCount[] {
  const { condition, soldAt, log } = sale;
  // The value of a minifig is its used value.
  const value = kind === 'minifig' && condition === 'sealed' ? null : before[condition];
  if (value === null) return [];
  return [
    {
      week: weekOf(soldAt),
      kind,
      condition,
      tier: before.tier,
      bin: binOf(Math.log(value.valueCents), log),
      inRange: log >= Math.log(value.lowCents) && log <= Math.log(value.highCents),
      count: 1,
    },
  ];
}
