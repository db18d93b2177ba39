/** Sums. */

/** The sum of one number of each element. */
export function sumOf<T>(list: readonly T[], numberOf: (each: T) => number): number {
  return list.reduce((sum, each) => sum + numberOf(each), 0);
}
