/** The database's clock, which all nodes go by: no two of them disagree on what day it is. */

/** The values for `published.instant($1, $2)` at what this process takes for an instant. */
export type DatabaseClock = (at: number) => readonly [given: number | null, shiftMs: number];

/** The database's clock, moved ahead; without a shift, instants are taken as given (tests). */
export function databaseClock(shiftMs: number | null): DatabaseClock {
  if (shiftMs === null) return (at) => [at, 0];
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
      `${seconds > 0 ? 'ahead of' : 'behind'} that of the database; set one of them right.`,
  );
}
