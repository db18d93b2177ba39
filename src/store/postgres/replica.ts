/**
 * Reads on a replica, and on the primary while the replica is away: losing it makes the service
 * slower, and takes nothing away. Nobody is shown an older publication than before: the replica is
 * used again only when it has caught up with what was read from the primary meanwhile.
 */
import { type Connection, sqlState, UnansweredError, type Value } from './client.ts';

/** Reads one statement. */
export type Reader = Pick<Connection, 'query'>;

/** How long the primary is read from before the replica is tried again. */
const pauseMs = 1_000;

/** The number of the latest publication that a server knows. */
const stampSql = "SELECT value FROM published.meta WHERE name = 'publish_stamp'";

/** Reads from the one that may be read from. */
export class ReplicaReader implements Reader {
  private isAway = false;
  private triedAt = 0;
  private trying: Promise<void> | null = null;
  /** Statements on the primary that have not been answered. */
  private pending = 0;

  constructor(
    private readonly replica: Reader,
    private readonly primary: Reader,
    /** The latest publication that this process has heard of. */
    private readonly latestStamp: () => number,
  ) {}

  async query<T>(sql: string, values?: readonly Value[]): Promise<T[]> {
    if (this.isAway) {
      this.tryAgain();
      return this.askPrimary(sql, values);
    }
    try {
      return await this.replica.query(sql, values);
    } catch (error) {
      if (!isAboutTheServer(error)) throw error;
      this.isAway = true;
      this.triedAt = performance.now();
      return this.askPrimary(sql, values);
    }
  }

  private async askPrimary<T>(sql: string, values?: readonly Value[]): Promise<T[]> {
    this.pending++;
    try {
      return await this.primary.query(sql, values);
    } finally {
      this.pending--;
    }
  }

  /** Looks now and then whether the replica is back, without keeping anybody waiting. */
  private tryAgain(): void {
    if (this.trying || performance.now() - this.triedAt < pauseMs) return;
    this.trying = this.compare()
      .catch(() => {})
      .finally(() => {
        this.triedAt = performance.now();
        this.trying = null;
      });
  }

  private async compare(): Promise<void> {
    const [there] = await this.replica.query<{ value: number }>(stampSql);
    // What is still on its way from the primary may be newer than anything heard of so far.
    if (this.pending === 0 && there && there.value >= this.latestStamp()) this.isAway = false;
  }
}

/** Whether another server may well give an answer: this one is away, starting, full or behind. */
function isAboutTheServer(error: unknown): boolean {
  if (error instanceof UnansweredError) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.includes('CONNECTION')) return true;
  // Shut down, too many connections, or a statement that was in the way of what it follows.
  return /^(57P|53|40001)/.test(sqlState(error) ?? '');
}
