/**
 * Statements and transactions on PostgreSQL. Only this file and `pool.ts` use Bun's client, which
 * was chosen because it passes the fault tests next to them.
 */
import type { SQL } from 'bun';
import type { Value } from '../sql/operation.ts';
import { answered, openPool, type PoolOptions, sqlState, UnansweredError } from './pool.ts';

/** Statements on one connection, or on any free one of a pool. Integers are returned as numbers. */
export interface Connection {
  /** Returns the rows of the result. */
  query<T>(sql: string, values?: readonly Value[]): Promise<T[]>;
  /** Returns the number of written rows. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Several statements in one text, without parameters. */
  script(sql: string): Promise<void>;
  /** Sends the text of a `COPY … FROM STDIN` in chunks. */
  copyIn(sql: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** The bytes of a `COPY … TO STDOUT` in chunks. */
  copyOut(sql: string): AsyncIterable<Uint8Array>;
}

export interface Client extends Connection {
  /** Runs `work` in one transaction; a throw rolls it back. */
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` read-only on one snapshot. */
  snapshot<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** A client in one transaction, which is rolled back when the client is closed. */
  undoable(): Promise<Client>;
  close(): Promise<void>;
}

/**
 * How much longer than the server's statement timeout this process waits for an answer. A pooler
 * may have no connection free for seconds while nodes start; a statement that waits there is not
 * lost.
 */
export const graceMs = 3_000;

/** `int8` and `numeric`, which Bun returns as text; all our values fit a number. */
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

/** Characters of the statement in errors. */
const shownLength = 100;

/** Opens a pool, which connects with the first statement. */
export function openClient(url: string, options: PoolOptions): Client {
  const { statementMs } = options;
  const pool = openPool(url, options);
  const patienceMs = statementMs === 0 ? 0 : statementMs + graceMs;
  return {
    ...connectionOn((ask) => pool.use(ask, patienceMs)),
    transaction: (work) =>
      pool.use((sql) => transact(sql, '', { work, patienceMs }), patienceMs * 2),
    snapshot: (work) =>
      pool.use((sql) => transact(sql, snapshotMode, { work, patienceMs }), patienceMs),
    undoable: () => pool.use(openUndoable, 0),
    close: () => pool.close(),
  };
}

const snapshotMode = 'isolation level repeatable read read only';

/**
 * Runs a transaction. BEGIN, each statement and COMMIT have the timeout of a single statement. A
 * transaction that timed out does not begin when a connection becomes free later.
 */
async function transact<T>(
  sql: SQL,
  mode: string,
  doing: { readonly work: (tx: Connection) => Promise<T>; readonly patienceMs: number },
): Promise<T> {
  const { work, patienceMs } = doing;
  const begun = Promise.withResolvers<void>();
  const worked = Promise.withResolvers<void>();
  let isGivenUp = false;
  const whole = sql.begin(mode, async (tx): Promise<T> => {
    if (isGivenUp) throw new UnansweredError('It was given up before it began.');
    begun.resolve();
    try {
      return await work(connectionOn((ask) => answered(ask(tx), patienceMs)));
    } catch (error) {
      // A server that does not answer will not answer the rollback either: do not wait for it.
      if (error instanceof UnansweredError) worked.reject(error);
      throw error;
    } finally {
      worked.resolve();
    }
  }) as Promise<T>;
  // If BEGIN fails, stop waiting for it.
  whole.catch(begun.reject);
  try {
    await answered(begun.promise, patienceMs);
  } catch (error) {
    isGivenUp = true;
    throw error;
  }
  await worked.promise;
  return answered(whole, patienceMs);
}

/** Runs work on a connection, with the timeout of its owner. */
type Ask = <T>(work: (sql: SQL) => PromiseLike<T>) => Promise<T>;

function connectionOn(ask: Ask): Connection {
  const send = async (text: string, values: readonly Value[] = []): Promise<Rows> => {
    try {
      return await ask((sql) =>
        sql.unsafe(
          text,
          values.map((value) => toParameter(sql, value)),
        ),
      );
    } catch (error) {
      // Errors of the server do not say where in the program they come from, so they get the
      // statement. All pending statements share the error of a lost connection (57P…), which stays
      // as it is.
      const state = sqlState(error);
      if (state === null || state.startsWith('57P')) throw error;
      throw Object.assign(error as Error, { statement: text.trim().slice(0, shownLength) });
    }
  };
  return {
    // A plain array, without the properties that Bun adds.
    query: async <T>(text: string, values?: readonly Value[]) =>
      [...withNumbers(await send(text, values))] as T[],
    run: async (text, values) => (await send(text, values)).affectedRows ?? 0,
    script: async (text) => {
      await ask((sql) => sql.unsafe(text).simple());
    },
    copyIn: (text, pieces) => ask((sql) => copyIn(sql, text, pieces)),
    copyOut: async function* (text) {
      yield* await ask(async (sql) => sql.unsafe(text).readable());
    },
  };
}

async function copyIn(
  sql: SQL,
  text: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const writer = sql.unsafe(text).writable().getWriter();
  try {
    for await (const piece of pieces) await writer.write(piece);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

function toParameter(sql: SQL, value: Value): unknown {
  return Array.isArray(value) ? sql.array([...value]) : value;
}

type Rows = Record<string, unknown>[] & {
  readonly columns?: { name: string; type: number }[];
  readonly affectedRows?: number | null;
};

function withNumbers(rows: Rows): Rows {
  for (const { name, type } of rows.columns ?? []) {
    if (!numberTypes.has(type)) continue;
    for (const row of rows) if (row[name] !== null) row[name] = Number(row[name]);
  }
  return rows;
}

/** A client on one connection in one transaction; its transactions are savepoints. */
export async function openUndoable(pool: Pick<SQL, 'reserve'>): Promise<Client> {
  const reserved = await pool.reserve();
  const send = (text: string) => reserved.unsafe(text);
  try {
    await send('BEGIN');
    // The transaction is idle while the rows to try are read.
    await send('SET LOCAL idle_in_transaction_session_timeout = 0');
  } catch (error) {
    reserved.release();
    throw error;
  }
  const connection = connectionOn(async (ask) => ask(reserved));
  const inSavepoint = async <T>(work: (tx: Connection) => Promise<T>): Promise<T> => {
    await send('SAVEPOINT inner_work');
    try {
      const result = await work(connection);
      await send('RELEASE SAVEPOINT inner_work');
      return result;
    } catch (error) {
      await send('ROLLBACK TO SAVEPOINT inner_work').catch(() => {});
      throw error;
    }
  };
  return {
    ...connection,
    transaction: inSavepoint,
    snapshot: (work) => work(connection),
    undoable: () => Promise.reject(new Error('A rehearsal is not rehearsed.')),
    close: async () => {
      try {
        // A lost connection is rolled back already.
        await send('ROLLBACK').catch(() => {});
      } finally {
        reserved.release();
      }
    },
  };
}
