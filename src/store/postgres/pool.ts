/** Connection pools, and when their connections are replaced. */
import { SQL } from 'bun';
import { withTimeout } from '../../kernel/timeout.ts';

export interface PoolOptions {
  /** The maximum number of connections. */
  readonly max: number;
  /** The statement timeout of the server; 0 for none. */
  readonly statementMs: number;
  /** The application name that the server shows to operators. */
  readonly name: string;
}

const connectSeconds = 10;

/** Connections are replaced after this time, because the network may have changed. */
const lifetimeSeconds = 1_800;

/**
 * The server ends transactions that are idle for longer, for example of a node that has died, to
 * release their locks. The odd millisecond identifies our setting: if a connection reports another
 * value, a pooler in between has dropped it.
 */
const idleLimit = '60001ms';

/** PostgreSQL's code for a write on a read-only server: the former primary is a standby now. */
const readOnly = '25006';

/** The server did not answer in time. Whether it ran the statement is unknown. */
export class UnansweredError extends Error {
  /** In the format of Bun's errors. */
  readonly code = 'ERR_POSTGRES_UNANSWERED';
}

/** Opens a pool, which connects with the first statement. */
export function openPool(url: string, { max, statementMs, name }: PoolOptions): Pool {
  return new Pool(
    (isPooled) =>
      new SQL({
        url,
        max,
        // A pooler may run a prepared statement on a connection that does not have it, or that has
        // another one with its name.
        prepare: !isPooled,
        connectionTimeout: connectSeconds,
        maxLifetime: lifetimeSeconds,
        connection: {
          application_name: name,
          statement_timeout: String(statementMs),
          idle_in_transaction_session_timeout: idleLimit,
        },
      }),
  );
}

/**
 * Connections that are replaced together. A connection that hangs, or leads to a former primary,
 * would be used again and again. Statements queued on it would run when it recovers, long after
 * their callers got an error.
 */
export class Pool {
  private current: SQL;
  /** Whether there is a pooler in between; null if unknown. */
  private isPooled: boolean | null = null;
  private looking: Promise<void> | null = null;

  constructor(private readonly open: (isPooled: boolean) => SQL) {
    this.current = open(false);
  }

  /** Runs work on the current connections. */
  async use<T>(work: (sql: SQL) => PromiseLike<T>, patienceMs: number): Promise<T> {
    if (this.isPooled === null) await this.look(patienceMs);
    return this.ask(work, patienceMs);
  }

  close(): Promise<void> {
    return this.current.close({ timeout: 5 });
  }

  /** Checks for a pooler before the first statement; concurrent calls share the check. */
  private look(patienceMs: number): Promise<void> {
    this.looking ??= this.ask(findPooler, patienceMs)
      .then((isPooled) => {
        this.isPooled = isPooled;
        if (isPooled) this.replace();
      })
      .finally(() => {
        this.looking = null;
      });
    return this.looking;
  }

  private async ask<T>(work: (sql: SQL) => PromiseLike<T>, patienceMs: number): Promise<T> {
    const sql = this.current;
    try {
      return await answered(work(sql), patienceMs);
    } catch (error) {
      const isLost = error instanceof UnansweredError || sqlState(error) === readOnly;
      if (isLost && sql === this.current) {
        // The address may lead to another server now.
        this.isPooled = null;
        this.replace();
      }
      throw error;
    }
  }

  private replace(): void {
    this.current.close({ timeout: 0 }).catch(() => {});
    this.current = this.open(this.isPooled ?? false);
  }
}

/** Whether a pooler has dropped our connection parameters. Uses no prepared statement. */
async function findPooler(sql: SQL): Promise<boolean> {
  const [row] = await sql.unsafe('SHOW idle_in_transaction_session_timeout').simple();
  return row?.idle_in_transaction_session_timeout !== idleLimit;
}

/**
 * Limits the wait for an answer: the server may hang, or the network may be down. 0 for no limit.
 */
export async function answered<T>(query: PromiseLike<T>, patienceMs: number): Promise<T> {
  if (patienceMs === 0) return query;
  const unanswered = () => new UnansweredError(`PostgreSQL did not answer in ${patienceMs} ms.`);
  return withTimeout(query, patienceMs, unanswered);
}

/** PostgreSQL's error code, such as 23505; null for other errors. */
export function sqlState(error: unknown): string | null {
  const { errno } = error as { errno?: unknown };
  return error instanceof SQL.PostgresError && typeof errno === 'string' ? errno : null;
}
