/** Finalized months of an item: extended as months become final, never changed once sealed. */

import { lastFinalMonth, type Month, monthCut, monthOf } from '../../kernel/time.ts';
import type { Condition } from '../source-rows/source-rows.ts';
import type { MonthQuery, MonthValuation, PreparedSet } from '../values/estimator.ts';
import {
  blankPoint,
  type HistoryState,
  type MonthOrigin,
  type MonthPoint,
  monthEvent,
  type Series,
} from './history.ts';

export interface MonthsInput {
  readonly set: PreparedSet;
  /** Null: unknown. */
  readonly facts: { readonly releasedAt: number | null; readonly retiredAt: number | null };
  readonly condition: Condition;
  readonly stored: Series | null;
  readonly history: HistoryState;
  readonly at: number;
}

/**
 * The series to store. Before history is sealed, it is computed from all rows, or from those since
 * a checkpoint and the stored months before it. After that, stored months stay, and new ones are
 * computed from the rows known at their cut; a restatement recomputes the months from its first
 * one.
 */
export function extendMonths(input: MonthsInput): Series | null {
  const { history, at, set, condition } = input;
  const last = lastFinalMonth(at);
  const revision = history.restatements.at(-1)?.id ?? 0;
  const kept = keptMonths(input);
  const first = kept ? kept.firstMonth : firstMonth(input, last);
  if (first === null) return null;
  const from = first + (kept?.points.length ?? 0);
  const queries: MonthQuery[] = [];
  for (let month = from; month <= last; month++) {
    queries.push({ month, knownBefore: knownBeforeOf(history, month) });
  }
  const valuations = set.months(condition, queries);
  const points = [
    ...(kept?.points ?? []),
    ...newPoints(input, from, { valuations, lastKept: kept?.points.at(-1) }),
  ];
  const provenance = [
    ...(kept?.provenance ?? []),
    ...valuations.map((made): MonthOrigin => (made.isUnsold ? 'unsold' : made.provenance)),
  ];
  return points.length === 0 ? null : { firstMonth: first, points, revision, provenance };
}

/**
 * The time before which the rows of a month must have been known: its cut; the sealing, if it was
 * final before; or its latest restatement. Null: history is not sealed.
 */
export function knownBeforeOf(
  { sealedAt, restatements }: HistoryState,
  month: Month,
): number | null {
  if (sealedAt === null) return null;
  const restated = restatements.filter((restatement) => restatement.fromMonth <= month);
  const cut = monthCut(month);
  // Sealing and restatements use all rows that have arrived, including those of the same instant.
  const moments = restated.map(({ at }) => at).concat(cut <= sealedAt ? sealedAt : []);
  return Math.max(cut, ...moments.map((at) => at + 1));
}

/**
 * The stored months that may not change any more. Before history is sealed, these are the months
 * before the checkpoint that the set is valued from.
 */
function keptMonths({ stored, history, set }: MonthsInput): Series | null {
  if (stored === null) return null;
  const isSealed = history.sealedAt !== null;
  const end = isSealed ? recomputedFrom(stored, history) : (set.startMonth ?? 0);
  const months = Math.max(0, end - stored.firstMonth);
  const points = stored.points.slice(0, months);
  const provenance = stored.provenance.slice(0, months);
  return points.length === 0 ? null : { ...stored, points, provenance };
}

/** The first month that a restatement has not been applied to yet; beyond all months for none. */
function recomputedFrom({ revision }: Series, { restatements }: HistoryState): Month {
  const pending = restatements.filter(({ id }) => id > revision);
  return Math.min(Number.POSITIVE_INFINITY, ...pending.map(({ fromMonth }) => fromMonth));
}

/**
 * The earlier of the month of release and the month of the first sale; null: nothing is final yet.
 */
function firstMonth({ set, facts, condition, history }: MonthsInput, last: Month): Month | null {
  const saleAt = set.firstSaleAt(condition, knownBeforeOf(history, last));
  const starts = [facts.releasedAt, saleAt].filter((at) => at !== null).map(monthOf);
  const first = Math.min(...starts);
  return first <= last ? first : null;
}

function newPoints(
  { facts }: MonthsInput,
  from: Month,
  made: {
    readonly valuations: readonly MonthValuation[];
    readonly lastKept: MonthPoint | undefined;
  },
): MonthPoint[] {
  const releasedIn = facts.releasedAt === null ? null : monthOf(facts.releasedAt);
  const retiredIn = facts.retiredAt === null ? null : monthOf(facts.retiredAt);
  let previousCents = made.lastKept?.valueCents ?? null;
  return made.valuations.map(({ value, salesCount, wellSupported, hasShifted }, index) => {
    const valueCents = value?.valueCents ?? null;
    const event = monthEvent({
      month: from + index,
      releasedIn,
      retiredIn,
      valueCents,
      previousCents,
      wellSupported,
      hasShifted,
    });
    previousCents = valueCents;
    if (value === null && salesCount === 0 && event === null) return blankPoint;
    return {
      valueCents,
      lowCents: value?.lowCents ?? null,
      highCents: value?.highCents ?? null,
      salesCount,
      event,
    };
  });
}
