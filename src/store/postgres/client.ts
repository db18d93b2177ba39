/**
 * Statements and transactions on PostgreSQL. Only this file and `pool.ts` know which client there
 * is: Bun's own, chosen because it passes the fault tests beside them.
 */
import type { SQL } from 'bun';
import type { Value } from '../sql/operation.ts';
import { answered, openPool, type PoolOptions, sqlState, UnansweredError } from './pool.ts';

/** Statements on one connection, or on any that is free. Whole numbers come as numbers. */
export interface Connection {
  /** The rows that a statement returns. */
  query<T>(sql: string, values?: readonly Value[]): Promise<T[]>;
  /** How many rows a statement wrote. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Several statements at once, without values. */
  script(sql: string): Promise<void>;
  /** Sends the text of a `COPY … FROM STDIN`, piece by piece. */
  copyIn(sql: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** The bytes of a `COPY … TO STDOUT`, piece by piece. */
  copyOut(sql: string): AsyncIterable<Uint8Array>;
}

/** A pool of connections. */
export interface Client extends Connection {
  /** Runs `work` in one transaction on one connection; a throw rolls everything back. */
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` on one snapshot, without writing. */
  snapshot<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** The same inside one transaction that is undone when it is closed. */
  undoable(): Promise<Client>;
  close(): Promise<void>;
}

/** How much longer than the server we wait for the end of a statement before we give up on it. */
export const graceMs = 500;

/** Types of PostgreSQL that Bun gives as text, though every value of ours fits a number. */
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

/** How much of a statement an error tells. */
const shownLength = 100;

/** Opens a pool. Nothing is connected until the first statement. */
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
 * One transaction. Its beginning, each of its statements and its end are waited for no longer than
 * a statement alone. What was given up is not begun when a connection comes free after all.
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
      // Whoever does not answer does not answer to undoing it either.
      if (error instanceof UnansweredError) worked.reject(error);
      throw error;
    } finally {
      worked.resolve();
    }
  }) as Promise<T>;
  // One that cannot begin ends the wait for its beginning.
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

/** Runs something on a connection, in the way of whoever has it. */
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
      // Errors of the server do not tell where in the program they come from. Of a connection that
      // is lost, all who wait for it are told by the same error.
      const state = sqlState(error);
      if (state === null || state.startsWith('57P')) throw error;
      throw Object.assign(error as Error, { statement: text.trim().slice(0, shownLength) });
    }
  };
  return {
    // A plain list: what Bun gives says more than rows.
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

/** One connection in one transaction; what is a transaction elsewhere is a savepoint in it. */
export async function openUndoable(pool: Pick<SQL, 'reserve'>): Promise<Client> {
  const reserved = await pool.reserve();
  const send = (text: string) => reserved.unsafe(text);
  try {
    await send('BEGIN');
    // It waits for whoever reads the rows to be rehearsed.
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
        // A connection that is lost has undone it already.
        await send('ROLLBACK').catch(() => {});
      } finally {
        reserved.release();
      }
    },
  };
}
