/** The database's clock, which all nodes go by: no two of them disagree on what day it is. */
import type { Clock } from '../../domain/time.ts';

/**
 * The values for `published.instant($1, $2)` at an instant of this process: as far from the
 * database's time as the instant is from the system's.
 */
export type DatabaseClock = (at: number) => readonly [given: number | null, shiftMs: number];

/** Goes by the database; without a system clock, by the instants that it is given (tests). */
export function databaseClock(systemClock: Clock | null): DatabaseClock {
  if (systemClock === null) return (at) => [at, 0];
  return (at) => [null, Math.round(at - systemClock())];
}
