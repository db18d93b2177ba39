/** Tells alike rows apart in files that give them no names of their own. */

/** Numbers whatever has the same name in the order in which it is met: 1, 2, 3. */
export class RunningNumbers {
  private readonly counts = new Map<string, number>();

  next(name: string): number {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }
}
