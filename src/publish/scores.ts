/** The live scorecard: each new sale is a test of the value that was published before it. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import { dayMs, weekOf } from '../domain/kernel/time.ts';
import type { ComparableSale, SalesSince } from '../domain/market/estimator.ts';
import type { Evidence } from '../domain/market/evidence.ts';
import { binOf, type ScoreCount } from '../domain/market/scorecard.ts';

/** A sale so much older than the value is no test of it: the past is being loaded. */
const oldMs = 30 * dayMs;

/** Which sales are new: those that came in since a value was published. */
export interface NewSalesQuery {
  /** What stood behind the published value; null when none was published. */
  readonly before: Evidence | null;
  /** The moment of the new publication: a sale of later on waits for nothing, and is not scored. */
  readonly at: number;
  /** The sales that came in after an instant, and were made after another. */
  salesSince(since: SalesSince): readonly ComparableSale[];
}

/** New sales that are a test of what was published. Without new rows there is none. */
export function newSales({ before, at, salesSince }: NewSalesQuery): readonly ComparableSale[] {
  if (before === null) return [];
  return salesSince({ learnedAfter: before.learnedUntil, soldAfter: before.at - oldMs }).filter(
    ({ soldAt }) => soldAt <= at,
  );
}

/** One count per sale, held against the value that was published. */
export function scoreSales(
  sales: readonly ComparableSale[],
  { kind, before }: { readonly kind: ItemKind; readonly before: Evidence | null },
): ScoreCount[] {
  return before === null ? [] : sales.flatMap((sale) => scoreSale(sale, kind, before));
}

function scoreSale(sale: ComparableSale, kind: ItemKind, before: Evidence): ScoreCount[] {
  const { condition, soldAt, log } = sale;
  // The value of a minifig is that of a used one.
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
