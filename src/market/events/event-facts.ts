/** The facts of a published item that events can report. */
import type { StatusId } from '../../catalog/items/status.ts';
import { lastFinalMonth, type Month } from '../../kernel/time.ts';
import type { ConditionEvidence, Evidence } from '../evidence/evidence.ts';
import type { HistoryState, MonthPoint } from '../history/history.ts';
import type { PublishedItem } from '../published/publishing.ts';
import type { RetailStates } from '../retail/retail-state.ts';
import { type Retailer, retailers } from '../source-rows/source-rows.ts';
import {
  type EventFacts,
  type MonthFacts,
  type RetailFacts,
  retailFacts,
  type ValueFact,
} from './next-events.ts';

export interface PublishedFacts {
  readonly evidence: Evidence;
  readonly series: PublishedItem['series'];
  readonly history: HistoryState;
  readonly at: number;
  /** Null for minifigs, like the retailers. */
  readonly statusId: StatusId | null;
  readonly retail: RetailStates | null;
}

export function eventFacts(item: PublishedFacts): EventFacts {
  const { evidence, series, history, at, statusId, retail } = item;
  const { engine, parameters, tier, sealed, used } = evidence;
  const restated = history.restatements.at(-1)?.id ?? 0;
  const lastMonth = lastFinalMonth(at);
  return {
    basis: `${engine} ${parameters} ${restated}`,
    values: { newCents: valueFact(sealed), usedCents: valueFact(used) },
    tier,
    statusId,
    lastMonth,
    retail: retail ? retailersOf(retail, at) : {},
    monthsAfter: (month) =>
      Array.from({ length: lastMonth - month }, (_, index) => monthOf(series, month + 1 + index)),
  };
}

function valueFact(evidence: ConditionEvidence | null): ValueFact | null {
  return evidence && { cents: evidence.valueCents, spread: evidence.valueSpread };
}

function retailersOf(states: RetailStates, at: number): EventFacts['retail'] {
  const facts: Partial<Record<Retailer, RetailFacts>> = {};
  for (const retailer of retailers) {
    const state = states[retailer];
    if (state) facts[retailer] = retailFacts(state, at);
  }
  return facts;
}

function monthOf({ sealed, used }: PublishedItem['series'], month: Month): MonthFacts {
  const pointOf = (series: typeof sealed): MonthPoint | undefined =>
    series ? series.points[month - series.firstMonth] : undefined;
  const [asNew, asUsed] = [pointOf(sealed), pointOf(used)];
  return {
    month,
    ...(hasValue(asNew) ? { newCents: asNew.valueCents, newSales: asNew.salesCount } : {}),
    ...(hasValue(asUsed) ? { usedCents: asUsed.valueCents, usedSales: asUsed.salesCount } : {}),
  };
}

function hasValue(
  point: MonthPoint | undefined,
): point is MonthPoint & { readonly valueCents: number } {
  return point !== undefined && point.valueCents !== null;
}
