/**
 * The clock that a store goes by: `published.instant($1, $2)` in a statement. All nodes on one
 * database go by its clock, so that no two of them disagree on what day it is.
 */

/** The two values of `published.instant` at what this process takes for an instant. */
export type StoreClock = (at: number) => readonly [given: number | null, shiftMs: number];

/** Instants are taken as given: by SQLite, which has no clock of its own, and in tests. */
export const givenClock: StoreClock = (at) => [at, 0];

/** The database's clock, moved ahead. */
export function databaseClock(shiftMs: number): StoreClock {
  return () => [null, Math.round(shiftMs)];
}
