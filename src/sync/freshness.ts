/** The health of a source for operators: whether it works, its remaining budget, its yield. */
import { sumOf } from '../kernel/sum.ts';
import { dayOf, hourMs } from '../kernel/time.ts';
import { leftOf, resetsAt } from './budget.ts';
import type { SourceState, SyncDay } from './source-state.ts';
import { failingSince } from './state-changes.ts';

/** A due source is called within this time, however busy the process is. */
const overdueMs = 2 * hourMs;

/** How long a source may fail before a warning: short failures resolve themselves. */
const failingMs = 24 * hourMs;

/** The number of days before today in the average. */
const ordinaryDays = 7;

export type Standing =
  /** The source refuses calls until an operator does what its message says. */
  | 'stopped'
  /** Calls fail and are retried. */
  | 'failing'
  /** It is long overdue: no process fetches. */
  | 'overdue'
  /** It is turned off in `sources.toml`. */
  | 'off'
  | 'working';

export type DayCounts = Omit<SyncDay, 'day'>;

export interface Freshness {
  readonly standing: Standing;
  /** Calls or tokens; null without a budget, or if the level of tokens is not known yet. */
  readonly left: number | null;
  /** When more becomes available; null if nothing was spent. */
  readonly moreAt: number | null;
  readonly today: DayCounts;
  /** The mean of the last full days; null on the first day. */
  readonly ordinaryDay: DayCounts | null;
}

export function freshnessOf(state: SourceState, at: number): Freshness {
  const { rule } = state.budget;
  return {
    standing: standingOf(state, at),
    left: rule && leftOf(state.budget, rule, at),
    moreAt: rule && resetsAt(state.budget, rule, at),
    today: countsOf(state.days.filter(({ day }) => day === dayOf(at))),
    ordinaryDay: ordinaryDay(state.days, dayOf(at)),
  };
}

function standingOf({ lastError, failures, nextAt, isOff }: SourceState, at: number): Standing {
  if (isOff) return 'off';
  if (lastError?.isStopped) return 'stopped';
  if (failures > 0) return 'failing';
  // Before the end of its first round, the due time is unknown.
  return nextAt > 0 && at - nextAt > overdueMs ? 'overdue' : 'working';
}

/** Whether its data is late enough to warn about. */
export function isDelayed(state: SourceState, at: number): boolean {
  const standing = standingOf(state, at);
  // Not since the last success: a source that is called once a month rests until then.
  const since = failingSince(state) ?? state.lastSuccessAt ?? 0;
  if (standing === 'failing') return at - since > failingMs;
  return standing !== 'working' && standing !== 'off';
}

/** Days without calls count, too, from the first day with one. */
function ordinaryDay(days: readonly SyncDay[], today: number): DayCounts | null {
  const first = Math.min(today, ...days.map(({ day }) => day));
  const count = Math.min(ordinaryDays, today - first);
  if (count === 0) return null;
  const sum = countsOf(days.filter(({ day }) => day >= today - count && day < today));
  const mean = (total: number) => Math.round(total / count);
  return { calls: mean(sum.calls), rows: mean(sum.rows), rejects: mean(sum.rejects) };
}

function countsOf(days: readonly DayCounts[]): DayCounts {
  const sum = (field: keyof DayCounts) => sumOf(days, (day) => day[field]);
  return { calls: sum('calls'), rows: sum('rows'), rejects: sum('rejects') };
}
