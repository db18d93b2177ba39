/** How a source does, for an operator: whether it works, what it may still ask, what it brings. */
import { dayOf, hourMs } from '../kernel/time.ts';
import { leftOf, resetsAt } from './budget.ts';
import type { SourceState, SyncDay } from './source-state.ts';

/** A source is called within this time once it is due, however busy the process is that calls. */
const overdueMs = 2 * hourMs;

/** Days before today that an ordinary day is told by. */
const ordinaryDays = 7;

/** What an operator should think of a source. */
export type Standing =
  /** It refuses us until somebody does what its message says. */
  | 'stopped'
  /** Calls fail, and are tried again. */
  | 'failing'
  /** It should have been called long ago: nothing fetches, or it is turned off. */
  | 'overdue'
  | 'working';

/** What a day brought. */
export type DayCounts = Omit<SyncDay, 'day'>;

/** How a source does at an instant. */
export interface Freshness {
  readonly standing: Standing;
  /** Calls or tokens; null where there is no budget, or nobody said how many there are. */
  readonly left: number | null;
  /** When there will be more of them; null when nothing was spent. */
  readonly moreAt: number | null;
  readonly today: DayCounts;
  /** The mean of the last full days; null on the first day. */
  readonly ordinaryDay: DayCounts | null;
}

/** Tells how a source does. */
export function freshnessOf(state: SourceState, at: number): Freshness {
  const { rule } = state.budget;
  return {
    standing: standingOf(state, at),
    left: rule && leftOf(state.budget, rule, at),
    moreAt: rule && resetsAt(state.budget, rule, at),
    today: sumOf(state.days.filter(({ day }) => day === dayOf(at))),
    ordinaryDay: ordinaryDay(state.days, dayOf(at)),
  };
}

function standingOf({ lastError, failures, nextAt }: SourceState, at: number): Standing {
  if (lastError?.isStopped) return 'stopped';
  if (failures > 0) return 'failing';
  // Until its first round has ended, nobody knows when it is due.
  return nextAt > 0 && at - nextAt > overdueMs ? 'overdue' : 'working';
}

/** Days without a call are days, too, once there was one. */
function ordinaryDay(days: readonly SyncDay[], today: number): DayCounts | null {
  const first = Math.min(today, ...days.map(({ day }) => day));
  const count = Math.min(ordinaryDays, today - first);
  if (count === 0) return null;
  const sum = sumOf(days.filter(({ day }) => day >= today - count && day < today));
  const mean = (total: number) => Math.round(total / count);
  return { calls: mean(sum.calls), rows: mean(sum.rows), rejects: mean(sum.rejects) };
}

function sumOf(days: readonly DayCounts[]): DayCounts {
  return {
    calls: days.reduce((sum, day) => sum + day.calls, 0),
    rows: days.reduce((sum, day) => sum + day.rows, 0),
    rejects: days.reduce((sum, day) => sum + day.rejects, 0),
  };
}
