/** Transitions of a source's state after successful and failed calls. */
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

/** Exponential backoff with full jitter: limits of the first and the longest wait. */
const backoffMs = { first: minuteMs, most: hourMs };

/** Limits of the wait, including one that the source requests. */
const retryMs = { least: secondMs, most: dayMs };

/** A stopped source is retried after this time, in case the problem was fixed. */
export const stoppedMs: number = dayMs;

/** No source waits longer than 31 days: a later time was written with a wrong clock. */
const waitMsMax = 32 * dayMs;

/** When a source is due; 0 if the stored time is implausible. */
export function dueAt({ nextAt }: SourceState, at: number): number {
  return nextAt > at + waitMsMax ? 0 : nextAt;
}

/** How many days of totals are kept. */
export const daysKept = 30;

/** The result of a successful call, and when to call again. */
export interface Success {
  readonly at: number;
  readonly nextAt: number;
  /** Absent: unchanged. */
  readonly cursor?: JsonValue | undefined;
  /** Absent: unchanged. */
  readonly coverage?: Coverage | null | undefined;
  /** When it changed the store; null or absent: it did not. */
  readonly changedAt?: number | null;
  /** Rows rejected because an item or rate was missing; null or absent: there were no rows. */
  readonly missing?: number | null;
}

/** All questions were answered, and the answers are stored. */
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
 * Whether rows were rejected for items or rates that other sources may have added since. The source
 * is then read from the beginning, because its unchanged rows may now be accepted.
 */
export function isWorthRepeating(
  { missing, lastSuccessAt }: SourceState,
  others: readonly SourceState[],
): boolean {
  if (missing === 0 || lastSuccessAt === null) return false;
  return others.some(({ changedAt }) => changedAt !== null && changedAt > lastSuccessAt);
}

/** A failure that may be temporary. */
export interface Failure {
  readonly at: number;
  /** For operators, without secrets. */
  readonly message: string;
  /** The wait requested by the source; null: none. */
  readonly retryAfterMs: number | null;
  /** From 0 up to 1 (exclusive), so that instances do not call at the same time. */
  readonly random: number;
}

/** Retries after a random, growing wait, not earlier than the source requested. */
export function afterFailure(before: SourceState, failure: Failure): SourceState {
  const { at, message, retryAfterMs, random } = failure;
  const longestMs = Math.min(backoffMs.most, backoffMs.first * 2 ** before.failures);
  const waitMs = Math.max(retryAfterMs ?? 0, random * longestMs);
  const boundedMs = Math.min(retryMs.most, Math.max(retryMs.least, Math.round(waitMs)));
  return {
    ...before,
    failures: before.failures + 1,
    lastError: { at, message, since: failingSince(before) ?? at, isStopped: false },
    nextAt: at + boundedMs,
  };
}

/** Null if it does not fail, or it is unknown. */
export function failingSince({ failures, lastError }: SourceState): number | null {
  return failures > 0 ? (lastError?.since ?? null) : null;
}

/** The source refuses calls until an operator does what the message says. */
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

/** No call can be made until the operator does what the message says; then it is due at once. */
export function withoutKey(
  before: SourceState,
  { at, message }: { readonly at: number; readonly message: string },
): SourceState {
  return { ...dueNow(before), lastError: { at, message, isStopped: true } };
}

/** Adds totals to the day of an instant. */
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

/** Makes a source due at once: its settings changed, or an operator asks for it. */
export function dueNow(before: SourceState): SourceState {
  const lastError = before.lastError && { ...before.lastError, isStopped: false };
  return { ...before, nextAt: 0, failures: 0, lastError };
}

/** New settings apply at once; those of the first call are only noted. */
export function withSettings(before: SourceState, settingsMark: string): SourceState {
  const known = before.settingsMark ?? null;
  const after = known === null || known === settingsMark ? before : dueNow(before);
  return { ...after, settingsMark };
}

/** Stores the level that the source reported. */
export function withTokens(before: SourceState, tokens: TokenLevel): SourceState {
  return { ...before, budget: { ...before.budget, tokens } };
}

/** A failed question is retried after the first wait, which doubles up to the most. */
const postponedMs = { first: hourMs, most: 7 * dayMs };

export function questionRetryAt(failures: number, at: number): number {
  return at + Math.min(postponedMs.most, postponedMs.first * 2 ** Math.max(0, failures - 1));
}
