/** Numbers equal rows in files without IDs. */

/** Counts occurrences of each name: 1, 2, 3. */
export class RunningNumbers {
  private readonly counts = new Map<string, number>();

  next(name: string): number {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }
}
