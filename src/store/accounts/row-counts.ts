/**
 * Row counts of accounts. Counting again for every batch of an import would be slow. Every change
 * to the data of an account increases its version, so a count is valid for one version.
 */

export type CountedTable = 'lot' | 'ledger_sale' | 'purchase';

export type Counts = Partial<Record<CountedTable, number>>;

/** Counts are kept for this many accounts. */
const accountsMax = 1000;

export class CountMemory {
  private readonly known = new Map<number, { version: number; counts: Counts }>();

  /** The known counts of an account at a version. */
  recall(accountId: number, version: number): Counts {
    const known = this.known.get(accountId);
    return known?.version === version ? { ...known.counts } : {};
  }

  /** To be called after the commit. */
  keep(accountId: number, version: number, counts: Counts): void {
    this.known.delete(accountId);
    this.known.set(accountId, { version, counts });
    const [oldest] = this.known.keys();
    if (this.known.size > accountsMax && oldest !== undefined) this.known.delete(oldest);
  }
}
