/** Whether a node and its database agree on what time it is. */

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
