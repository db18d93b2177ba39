/**
 * How many rows accounts have. An import writes a few rows at a time, and counting anew for each of
 * its batches would take longer the more there are. Every change of what an account holds raises
 * its version, so a count is true for as long as the version is the one that it was made at.
 */

/** Tables whose rows are counted. */
export type CountedTable = 'lot' | 'ledger_sale';

/** The counts of an account that are known. */
export type Counts = Partial<Record<CountedTable, number>>;

/** Accounts that are remembered; others are counted again. */
const accountsMax = 1000;

/** Counts as they were when they were last written. */
export class CountMemory {
  private readonly known = new Map<number, { version: number; counts: Counts }>();

  /** What is known of an account at its version. */
  recall(accountId: number, version: number): Counts {
    const known = this.known.get(accountId);
    return known?.version === version ? { ...known.counts } : {};
  }

  /** To be called once a change is committed. */
  keep(accountId: number, version: number, counts: Counts): void {
    this.known.delete(accountId);
    this.known.set(accountId, { version, counts });
    const [oldest] = this.known.keys();
    if (this.known.size > accountsMax && oldest !== undefined) this.known.delete(oldest);
  }
}
