/** The database's clock, which all nodes go by: no two of them disagree on what day it is. */

/** The values for `published.instant($1, $2)` at what this process takes for an instant. */
export type DatabaseClock = (at: number) => readonly [given: number | null, shiftMs: number];

/** The database's clock, moved ahead; without a shift, instants are taken as given (tests). */
export function databaseClock(shiftMs: number | null): DatabaseClock {
  if (shiftMs === null) return (at) => [at, 0];
  return () => [null, Math.round(shiftMs)];
}
