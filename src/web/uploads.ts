/** Who sends a file just now: one at a time for each account, and not too many together. */

/** Each is held in memory as a whole. */
const uploadsMax = 8;

/** Keeps count of the files that are on their way. */
export class Uploads {
  private readonly accounts = new Set<number>();

  /** Does the work that begins with reading a file; null when it cannot be taken on now. */
  async admit<T>(accountId: number, work: () => Promise<T>): Promise<T | null> {
    if (this.accounts.size >= uploadsMax || this.accounts.has(accountId)) return null;
    this.accounts.add(accountId);
    try {
      return await work();
    } finally {
      this.accounts.delete(accountId);
    }
  }
}
