/** Where a set stands between announcement and retirement, on a given day. */
import { dayMs, parseDay } from '../kernel/time.ts';

/** A set within this time of its retirement is retiring soon. */
const retiringSoonMs = 90 * dayMs;

/** The dates that decide it; both may be unknown, and retirement may lie ahead. */
export interface SetDates {
  readonly releaseDate: string | null;
  readonly retireDate: string | null;
}

/** 1 announced, 2 available, 3 retiring soon, 4 retired. */
export type StatusId = 1 | 2 | 3 | 4;

/** The status at an instant. A set retires when its last day has passed. */
export function statusAt(dates: SetDates, at: number): StatusId {
  const { released, retired } = turningPoints(dates);
  if (retired !== null && at >= retired) return 4;
  if (released !== null && at < released) return 1;
  return retired !== null && at >= retired - retiringSoonMs ? 3 : 2;
}

/** The instants at which the status changes by itself. */
export function statusChanges(dates: SetDates): number[] {
  const { released, retired } = turningPoints(dates);
  return [released, retired && retired - retiringSoonMs, retired].filter((at) => at !== null);
}

function turningPoints(dates: SetDates): { released: number | null; retired: number | null } {
  const lastDay = dates.retireDate === null ? null : parseDay(dates.retireDate);
  return {
    released: dates.releaseDate === null ? null : parseDay(dates.releaseDate),
    retired: lastDay === null ? null : lastDay + dayMs,
  };
}
