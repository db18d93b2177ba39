/** Finalized months of one item: extended as months become final, never changed once sealed. */

import { lastFinalMonth, type Month, monthCut, monthOf } from '../domain/kernel/time.ts';
import type { MonthQuery, MonthValuation, PreparedSet } from '../domain/market/estimator.ts';
import {
  type MonthOrigin,
  type MonthPoint,
  monthEvent,
  type Series,
} from '../domain/market/history.ts';
import type { HistoryState } from '../domain/market/history-store.ts';
import type { Condition } from '../domain/market/source-rows.ts';

/** What the months of one condition are computed from. */
export interface MonthsInput {
  readonly set: PreparedSet;
  /** Where history starts, and what happened in a month; null is unknown. */
  readonly facts: { readonly releasedAt: number | null; readonly retiredAt: number | null };
  readonly condition: Condition;
  /** The months as they are stored; null when there are none. */
  readonly stored: Series | null;
  readonly history: HistoryState;
  readonly at: number;
}

/**
 * The series as it should be stored. While the past is being loaded, all of it is computed from
 * all rows. Once sealed, stored months stay, and new ones are computed from the rows known at
 * their cut; a restatement recomputes the months from its own on.
 */
export function extendMonths(input: MonthsInput): Series | null {
  const { history, at, set, condition } = input;
  const last = lastFinalMonth(at);
  const revision = history.restatements.at(-1)?.id ?? 0;
  const kept = keptMonths(input);
  const first = kept ? kept.firstMonth : firstMonth(input, last);
  if (first === null) return null;
  const queries: MonthQuery[] = [];
  for (let month = first + (kept?.points.length ?? 0); month <= last; month++) {
    queries.push({ month, knownBefore: knownBeforeOf(history, month) });
  }
  const valuations = set.months(condition, queries);
  const points = [
    ...(kept?.points ?? []),
    ...newPoints(input, queries, { valuations, lastKept: kept?.points.at(-1) }),
  ];
  const provenance = [
    ...(kept?.provenance ?? []),
    ...valuations.map((made): MonthOrigin => (made.isUnsold ? 'unsold' : made.provenance)),
  ];
  return points.length === 0 ? null : { firstMonth: first, points, revision, provenance };
}

/**
 * Up to when the rows of a month must have been known: its cut or, where it was final before, the
 * sealing or, where it was restated, the latest restatement; null while history is not sealed.
 */
export function knownBeforeOf(
  { sealedAt, restatements }: HistoryState,
  month: Month,
): number | null {
  if (sealedAt === null) return null;
  const restated = restatements.filter((restatement) => restatement.fromMonth <= month);
  const cut = monthCut(month);
  // At these moments months were made from all rows that had come in, up to that very instant.
  const moments = restated.map(({ at }) => at).concat(cut <= sealedAt ? sealedAt : []);
  return Math.max(cut, ...moments.map((at) => at + 1));
}

/** The stored months that may not change any more. */
function keptMonths(input: MonthsInput): Series | null {
  const { stored, history } = input;
  if (history.sealedAt === null || stored === null) return null;
  const months = Math.max(0, recomputedFrom(input) - stored.firstMonth);
  const points = stored.points.slice(0, months);
  const provenance = stored.provenance.slice(0, months);
  return points.length === 0 ? null : { ...stored, points, provenance };
}

/** The first month that a restatement has not been applied to yet; beyond all months for none. */
function recomputedFrom({ stored, history }: MonthsInput): Month {
  const pending = history.restatements.filter((r) => r.id > (stored?.revision ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...pending.map((r) => r.fromMonth));
}

/** The earlier of the month of release and that of the first sale; null: nothing is final yet. */
function firstMonth({ set, facts, condition, history }: MonthsInput, last: Month): Month | null {
  const saleAt = set.firstSaleAt(condition, knownBeforeOf(history, last));
  const starts = [facts.releasedAt, saleAt].filter((at) => at !== null).map(monthOf);
  const first = Math.min(...starts);
  return Number.isFinite(first) && first <= last ? first : null;
}

function newPoints(
  { facts }: MonthsInput,
  queries: readonly MonthQuery[],
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
      month: queries[index]?.month ?? 0,
      releasedIn,
      retiredIn,
      valueCents,
      previousCents,
      wellSupported,
      hasShifted,
    });
    previousCents = valueCents;
    return {
      valueCents,
      lowCents: value?.lowCents ?? null,
      highCents: value?.highCents ?? null,
      salesCount,
      event,
    };
  });
}
