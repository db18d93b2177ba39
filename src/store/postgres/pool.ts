/** The connections of a process to PostgreSQL, and when they are given up. */
import { SQL } from 'bun';
import { withTimeout } from '../../domain/kernel/timeout.ts';

/** How a pool behaves. */
export interface PoolOptions {
  /** Connections at most. */
  readonly max: number;
  /** After this a statement is ended by the server; 0: never. */
  readonly statementMs: number;
  /** What the server shows of this program to its operators. */
  readonly name: string;
}

/** How long opening a connection may take. */
const connectSeconds = 10;

/** Connections are replaced after this time, whatever happened to the network meanwhile. */
const lifetimeSeconds = 1_800;

/**
 * A node that died inside a transaction does not hold its locks for longer. The odd millisecond
 * is a mark: where a connection has another limit, a pooler on the way has dropped ours.
 */
const idleLimit = '60001ms';

/** What PostgreSQL says where nothing can be written: the primary of before is a standby now. */
const readOnly = '25006';

/** The server did not answer in time. Whether it did what it was asked is not known. */
export class UnansweredError extends Error {
  /** In the form of the client's own errors. */
  readonly code = 'ERR_POSTGRES_UNANSWERED';
}

/** Opens connections. None is there until the first statement. */
export function openPool(url: string, { max, statementMs, name }: PoolOptions): Pool {
  return new Pool(
    (isPooled) =>
      new SQL({
        url,
        max,
        // A pooler may run a statement where it is not known, or where another one has its name.
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
 * Connections that are given up together. One that has gone silent, or leads to a server that was
 * the primary once, would be used again and again; and what waits for it would be sent when it
 * comes back, long after those who asked were told of a fault.
 */
export class Pool {
  private current: SQL;
  /** Whether a pooler is between us and PostgreSQL; null until that was asked. */
  private isPooled: boolean | null = null;
  private looking: Promise<void> | null = null;

  constructor(private readonly open: (isPooled: boolean) => SQL) {
    this.current = open(false);
  }

  /** Runs something on the connections of the moment. */
  async use<T>(work: (sql: SQL) => PromiseLike<T>, patienceMs: number): Promise<T> {
    if (this.isPooled === null) await this.look(patienceMs);
    return this.ask(work, patienceMs);
  }

  close(): Promise<void> {
    return this.current.close({ timeout: 5 });
  }

  /** Before the first statement; those that come meanwhile wait for the same answer. */
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
        // The address may lead elsewhere now.
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

/** Whether a pooler has dropped what the connection was opened with. Nothing is prepared for it. */
async function findPooler(sql: SQL): Promise<boolean> {
  const [row] = await sql.unsafe('SHOW idle_in_transaction_session_timeout').simple();
  return row?.idle_in_transaction_session_timeout !== idleLimit;
}

/** A server that is frozen, or a cable that is cut, must not keep callers waiting for ever. */
export async function answered<T>(query: PromiseLike<T>, patienceMs: number): Promise<T> {
  if (patienceMs === 0) return query;
  const unanswered = () => new UnansweredError(`PostgreSQL did not answer in ${patienceMs} ms.`);
  return withTimeout(query, patienceMs, unanswered);
}

/** The code that PostgreSQL gives an error, such as 23505; null for what is not its error. */
export function sqlState(error: unknown): string | null {
  const { errno } = error as { errno?: unknown };
  return error instanceof SQL.PostgresError && typeof errno === 'string' ? errno : null;
}
