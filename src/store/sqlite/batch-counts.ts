/** How many lots and sales the accounts of a batch have, as the batch goes on. */
import type { Database } from 'bun:sqlite';
import type { CountedTable, CountMemory, Counts } from '../row-counts.ts';

interface Counting {
  readonly counts: Counts;
  version: number;
}

/** The counts of one batch, which is one transaction. */
export class BatchCounts {
  private readonly accounts = new Map<number, Counting>();

  constructor(
    private readonly db: Database,
    private readonly memory: CountMemory,
  ) {}

  count(accountId: number, table: CountedTable): number {
    const { counts } = this.find(accountId);
    const count = counts[table] ?? this.countRows(accountId, table);
    counts[table] = count;
    return count;
  }

  /** To be told before a row is added. */
  grow(accountId: number, table: CountedTable): void {
    const next = this.count(accountId, table) + 1;
    this.find(accountId).counts[table] = next;
  }

  /** To be told when all rows are written, before they are committed. */
  readVersions(): void {
    for (const [accountId, counting] of this.accounts) counting.version = this.version(accountId);
  }

  /** To be told when they are committed. */
  keep(): void {
    for (const [accountId, { version, counts }] of this.accounts) {
      this.memory.keep(accountId, version, counts);
    }
  }

  private find(accountId: number): Counting {
    const known = this.accounts.get(accountId);
    if (known) return known;
    const version = this.version(accountId);
    const counting = { version, counts: this.memory.recall(accountId, version) };
    this.accounts.set(accountId, counting);
    return counting;
  }

  private version(accountId: number): number {
    const sql = 'SELECT private_version AS version FROM account WHERE id = ?';
    return this.db.query<{ version: number }, [number]>(sql).get(accountId)?.version ?? 0;
  }

  private countRows(accountId: number, table: CountedTable): number {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE account_id = ?`;
    return this.db.query<{ count: number }, [number]>(sql).get(accountId)?.count ?? 0;
  }
}
