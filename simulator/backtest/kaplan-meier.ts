/** Median time to sale with censoring (Kaplan–Meier). */

export interface Wait {
  readonly days: number;
  readonly hasEnded: boolean;
}

/** Infinite if the survival curve stays above a half. */
export function medianWait(waits: readonly Wait[]): number {
  // At ties, events come before censoring.
  const inOrder = [...waits].sort(
    (a, b) => a.days - b.days || Number(b.hasEnded) - Number(a.hasEnded),
  );
  let survival = 1;
  for (const [index, { days, hasEnded }] of inOrder.entries()) {
    if (!hasEnded) continue;
    survival *= 1 - 1 / (inOrder.length - index);
    // With a tolerance for rounding.
    if (survival <= 0.5 + 1e-9) return days;
  }
  return Number.POSITIVE_INFINITY;
}
