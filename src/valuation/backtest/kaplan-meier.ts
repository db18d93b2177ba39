/** How long half of those who waited waited, where some of them are still waiting. */

/** A wait, and whether it has ended. */
export interface Wait {
  readonly days: number;
  readonly hasEnded: boolean;
}

/**
 * Kaplan and Meier's median: of those who still waited at a time, so many went on. Infinite when
 * fewer than half of the waits are known to end.
 */
export function medianWait(waits: readonly Wait[]): number {
  // Of two waits alike, the one that ended comes first: the other was still waiting then.
  const inOrder = [...waits].sort(
    (a, b) => a.days - b.days || Number(b.hasEnded) - Number(a.hasEnded),
  );
  let goesOn = 1;
  for (const [index, { days, hasEnded }] of inOrder.entries()) {
    if (!hasEnded) continue;
    goesOn *= 1 - 1 / (inOrder.length - index);
    // Within rounding: half of two waits is reached with the first.
    if (goesOn <= 0.5 + 1e-9) return days;
  }
  return Number.POSITIVE_INFINITY;
}
