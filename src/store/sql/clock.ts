/**
 * The store's clock, `published.instant($1, $2)` in statements. All nodes on one database use its
 * clock, so that they agree on the day.
 */

/** The two values of `published.instant` for a time of this process. */
export type StoreClock = (at: number) => readonly [given: number | null, shiftMs: number];

/** Uses the time of the process: for SQLite and for tests. */
export const givenClock: StoreClock = (at) => [at, 0];

/** The database's clock plus `shiftMs`. */
export function databaseClock(shiftMs: number): StoreClock {
  return () => [null, Math.round(shiftMs)];
}

/** The clock of a node may differ this much from the database's. */
const toleranceMs = 60_000;

/** The clocks of this machine and the database differ; the message says by how much. */
export class ClockError extends Error {}

/** Throws if the clocks differ too much. */
export function compareClocks(here: number, there: number): void {
  const seconds = Math.round((here - there) / 1000);
  if (Math.abs(here - there) <= toleranceMs) return;
  throw new ClockError(
    `The clock of this machine is ${Math.abs(seconds)} seconds ` +
      `${seconds > 0 ? 'ahead of' : 'behind'} the database. Correct one of the clocks.`,
  );
}
