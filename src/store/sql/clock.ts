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

/** A node may be so far off the database before it may do nothing that goes by the time. */
const toleranceMs = 60_000;

/** This machine and the database do not agree on what time it is; the message says by how much. */
export class ClockError extends Error {}

/** Throws when a node's instant and the database's are too far apart. */
export function compareClocks(here: number, there: number): void {
  const seconds = Math.round((here - there) / 1000);
  if (Math.abs(here - there) <= toleranceMs) return;
  throw new ClockError(
    `The clock of this machine is ${Math.abs(seconds)} seconds ` +
      `${seconds > 0 ? 'ahead of' : 'behind'} the database. Correct one of the clocks.`,
  );
}
