/** What becomes of a source's state when a call succeeds, fails, or is of no use any more. */
import type { JsonValue } from '../kernel/json.ts';
import { dayMs, dayOf, hourMs, minuteMs, secondMs } from '../kernel/time.ts';
import { type TokenLevel, unspent } from './budget.ts';
import type { Coverage, SourceState, SyncDay } from './source-state.ts';

/** The state of a source that was never called. */
export const emptyState: SourceState = {
  cursor: null,
  nextAt: 0,
  failures: 0,
  lastSuccessAt: null,
  changedAt: null,
  missing: 0,
  lastError: null,
  budget: unspent,
  days: [],
  coverage: null,
};

/** The first wait is a random part of this, twice as much each time, up to the most. */
const backoffMs = { first: minuteMs, most: hourMs };

/** A source is not called again sooner, and its own word is believed up to a day. */
const retryMs = { least: secondMs, most: dayMs };

/** A source that stopped is tried again after this time: somebody may have seen to it. */
export const stoppedMs: number = dayMs;

/** No source waits longer than 31 days: what is later was written by a clock that was wrong. */
const waitMsMax = 32 * dayMs;

/** When a source is due, as far as its state tells. */
export function dueAt({ nextAt }: SourceState, at: number): number {
  return nextAt > at + waitMsMax ? 0 : nextAt;
}

/** Days of which it is kept what they brought. */
export const daysKept = 30;

/** What a source said of itself beside an answer, and when it is to be asked again. */
export interface Success {
  readonly at: number;
  readonly nextAt: number;
  /** Left out: it stays. */
  readonly cursor?: JsonValue | undefined;
  /** Left out: it stays. */
  readonly coverage?: Coverage | null | undefined;
  /** When the store was changed by it; null, or left out: it was not. */
  readonly changedAt?: number | null;
  /** Rows rejected because an item or a rate was missing; null, or left out: no rows came. */
  readonly missing?: number | null;
}

/** Everything that was asked was answered and is in the store. */
export function afterSuccess(before: SourceState, success: Success): SourceState {
  const { at, nextAt, cursor = before.cursor, coverage = before.coverage } = success;
  const lastError = before.lastError && { ...before.lastError, isStopped: false };
  return {
    ...before,
    cursor,
    coverage,
    nextAt,
    lastError,
    failures: 0,
    lastSuccessAt: at,
    changedAt: success.changedAt ?? before.changedAt,
    missing: success.missing ?? before.missing,
  };
}

/**
 * Whether a source had rows that others may have brought the items or rates for since. Then it is
 * asked for everything again: what has not changed there is news here.
 */
export function isWorthRepeating(
  { missing, lastSuccessAt }: SourceState,
  others: readonly SourceState[],
): boolean {
  if (missing === 0 || lastSuccessAt === null) return false;
  return others.some(({ changedAt }) => changedAt !== null && changedAt > lastSuccessAt);
}

/** A failure that may go away by itself. */
export interface Failure {
  readonly at: number;
  /** For an operator, without a secret. */
  readonly message: string;
  /** How long the source asked us to wait; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** At least 0 and below 1: sources are not called by everybody at once. */
  readonly random: number;
}

/** A call failed: the next comes after a random, growing wait, not before the source said. */
export function afterFailure(before: SourceState, failure: Failure): SourceState {
  const { at, message, retryAfterMs, random } = failure;
  const longestMs = Math.min(backoffMs.most, backoffMs.first * 2 ** before.failures);
  const waitMs = Math.max(retryAfterMs ?? 0, random * longestMs);
  const boundedMs = Math.min(retryMs.most, Math.max(retryMs.least, Math.round(waitMs)));
  return {
    ...before,
    failures: before.failures + 1,
    lastError: { at, message, isStopped: false },
    nextAt: at + boundedMs,
  };
}

/** A source refuses us, and will go on until somebody does what the message says. */
export function afterStop(
  before: SourceState,
  { at, message }: { readonly at: number; readonly message: string },
): SourceState {
  return {
    ...before,
    failures: before.failures + 1,
    lastError: { at, message, isStopped: true },
    nextAt: at + stoppedMs,
  };
}

/** Adds what calls brought to the day of an instant. */
export function countDay(
  before: SourceState,
  at: number,
  counts: Partial<Omit<SyncDay, 'day'>>,
): SourceState {
  const day = dayOf(at);
  const { calls = 0, rows = 0, rejects = 0 } = counts;
  const known = before.days.find((each) => each.day === day);
  const today = {
    day,
    calls: (known?.calls ?? 0) + calls,
    rows: (known?.rows ?? 0) + rows,
    rejects: (known?.rejects ?? 0) + rejects,
  };
  const others = before.days.filter((each) => each.day !== day && each.day > day - daysKept);
  return { ...before, days: [...others, today].sort((a, b) => a.day - b.day) };
}

/** What the source says of its bucket. */
export function withTokens(before: SourceState, tokens: TokenLevel): SourceState {
  return { ...before, budget: { ...before.budget, tokens } };
}

/** A question that failed is asked again after this time, then twice as long, up to the most. */
const postponedMs = { first: hourMs, most: 7 * dayMs };

/** When a question is asked again whose call failed so many times in a row. */
export function questionRetryAt(failures: number, at: number): number {
  return at + Math.min(postponedMs.most, postponedMs.first * 2 ** Math.max(0, failures - 1));
}
