/** Finalized months of one item: extended as months become final, never changed once sealed. */
import type { Estimator, MonthQuestion, ValuationFacts } from '../domain/estimator.ts';
import { type MonthPoint, monthEvent, type Series } from '../domain/history.ts';
import type { Condition, StoredSale } from '../domain/market.ts';
import type { HistoryState } from '../domain/market-store.ts';
import { lastFinalMonth, type Month, monthCut, monthOf } from '../domain/time.ts';

/** What the months of one condition are computed from. */
export interface MonthsInput {
  readonly estimator: Estimator;
  readonly facts: ValuationFacts;
  readonly sales: readonly StoredSale[];
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
  const { history, at } = input;
  const last = lastFinalMonth(at);
  const revision = history.restatements.at(-1)?.id ?? 0;
  const kept = keptMonths(input);
  const first = kept ? kept.firstMonth : firstMonth(input, last);
  if (first === null) return null;
  const questions: MonthQuestion[] = [];
  for (let month = first + (kept?.points.length ?? 0); month <= last; month++) {
    questions.push({ month, knownBefore: knownBefore(input, month) });
  }
  const points = [...(kept?.points ?? []), ...newPoints(input, questions, kept?.points.at(-1))];
  return points.length === 0 ? null : { firstMonth: first, points, revision };
}

/** The stored months that may not change any more. */
function keptMonths(input: MonthsInput): Series | null {
  const { stored, history } = input;
  if (history.sealedAt === null || stored === null) return null;
  const months = Math.max(0, recomputedFrom(input) - stored.firstMonth);
  const points = stored.points.slice(0, months);
  return points.length === 0 ? null : { ...stored, points };
}

/**
 * Up to when the rows of a month must have been known: its cut or, where it was restated, the
 * latest restatement; null while history is not sealed.
 */
function knownBefore({ history }: MonthsInput, month: Month): number | null {
  if (history.sealedAt === null) return null;
  const restated = history.restatements.filter((restatement) => restatement.fromMonth <= month);
  return Math.max(monthCut(month), ...restated.map((restatement) => restatement.at + 1));
}

/** The first month that a restatement has not been applied to yet; beyond all months for none. */
function recomputedFrom({ stored, history }: MonthsInput): Month {
  const pending = history.restatements.filter((r) => r.id > (stored?.revision ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...pending.map((r) => r.fromMonth));
}

/** The earlier of the month of release and that of the first sale; null: nothing is final yet. */
function firstMonth(input: MonthsInput, last: Month): Month | null {
  const { estimator, facts, sales, condition } = input;
  const saleAt = estimator.firstSaleAt(sales, condition, knownBefore(input, last));
  const starts = [facts.releasedAt, saleAt].filter((at) => at !== null).map(monthOf);
  const first = Math.min(...starts);
  return Number.isFinite(first) && first <= last ? first : null;
}

function newPoints(
  input: MonthsInput,
  questions: readonly MonthQuestion[],
  lastKept: MonthPoint | undefined,
): MonthPoint[] {
  const { estimator, facts, sales, condition } = input;
  const answers = estimator.valueMonths(sales, condition, questions);
  const releasedIn = facts.releasedAt === null ? null : monthOf(facts.releasedAt);
  const retiredIn = facts.retiredAt === null ? null : monthOf(facts.retiredAt);
  let previousCents = lastKept?.valueCents ?? null;
  return answers.map(({ value, salesCount, wellSupported }, index) => {
    const valueCents = value?.valueCents ?? null;
    const event = monthEvent({
      month: questions[index]?.month ?? 0,
      releasedIn,
      retiredIn,
      valueCents,
      previousCents,
      wellSupported,
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
