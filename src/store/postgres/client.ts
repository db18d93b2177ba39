/**
 * The connections to PostgreSQL. The only file that knows which client there is: Bun's own, chosen
 * because it passes the fault tests beside this file.
 */
import { SQL } from 'bun';

/** A value that a statement is given. Lists become arrays of PostgreSQL. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number)[];

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

/** How a pool behaves. */
export interface ClientOptions {
  /** Connections at most. */
  readonly max: number;
  /** After this a statement is ended by the server; 0: never. */
  readonly statementMs: number;
  /** What the server shows of this program to its operators. */
  readonly name: string;
}

/** How long opening a connection may take. */
const connectSeconds = 10;

/** How much longer than the server we wait for the end of a statement before we give up on it. */
const graceMs = 2_000;

/** Types of PostgreSQL that Bun gives as text, though every value of ours fits a number. */
const numberTypes: ReadonlySet<number> = new Set([20, 1700]);

/** How much of a statement an error tells. */
const shownLength = 100;

/** The server did not answer in time. Whether it did what it was asked is not known. */
export class UnansweredError extends Error {}

/** Opens a pool. Nothing is connected until the first statement. */
export function openClient(url: string, options: ClientOptions): Client {
  const { max, statementMs, name } = options;
  const pool = new SQL({
    url,
    max,
    connectionTimeout: connectSeconds,
    connection: {
      application_name: name,
      statement_timeout: String(statementMs),
      // A node that died inside a transaction does not hold its locks for long.
      idle_in_transaction_session_timeout: '60000',
    },
  });
  const patienceMs = statementMs === 0 ? 0 : statementMs + graceMs;
  return {
    ...connectionOn(pool, patienceMs),
    transaction: (work) =>
      answered(
        pool.begin((tx) => work(connectionOn(tx, 0))),
        patienceMs * 2,
      ),
    snapshot: (work) =>
      answered(
        pool.begin(snapshotMode, (tx) => work(connectionOn(tx, 0))),
        patienceMs,
      ),
    undoable: () => openUndoable(pool),
    close: () => pool.close({ timeout: 5 }),
  };
}

const snapshotMode = 'isolation level repeatable read read only';

function connectionOn(sql: SQL, patienceMs: number): Connection {
  const send = async (text: string, values: readonly Value[] = []) => {
    const parameters = values.map((value) => toParameter(sql, value));
    try {
      return await answered(sql.unsafe(text, parameters), patienceMs);
    } catch (error) {
      // Errors of the server do not tell where in the program they come from.
      throw Object.assign(error as Error, { statement: text.trim().slice(0, shownLength) });
    }
  };
  return {
    // A plain list: what Bun gives says more than rows.
    query: async <T>(text: string, values?: readonly Value[]) =>
      [...withNumbers(await send(text, values))] as T[],
    run: async (text, values) => (await send(text, values)).affectedRows ?? 0,
    script: async (text) => {
      await sql.unsafe(text).simple();
    },
    copyIn: async (text, pieces) => {
      const query = sql.unsafe(text);
      const writer = query.writable().getWriter();
      try {
        for await (const piece of pieces) await writer.write(piece);
        await writer.close();
      } catch (error) {
        await writer.abort(error).catch(() => {});
        throw error;
      }
    },
    copyOut: (text) => sql.unsafe(text).readable(),
  };
}

function toParameter(sql: SQL, value: Value): unknown {
  return Array.isArray(value) ? sql.array([...value]) : value;
}

/** A server that is frozen, or a cable that is cut, must not keep callers waiting for ever. */
async function answered<T>(query: PromiseLike<T>, patienceMs: number): Promise<T> {
  if (patienceMs === 0) return query;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new UnansweredError(`PostgreSQL did not answer within ${patienceMs} ms.`));
  }, patienceMs);
  try {
    return await Promise.race([query, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Rows = Record<string, unknown>[] & { columns?: { name: string; type: number }[] };

function withNumbers(rows: Rows): Rows {
  for (const { name, type } of rows.columns ?? []) {
    if (!numberTypes.has(type)) continue;
    for (const row of rows) if (row[name] !== null) row[name] = Number(row[name]);
  }
  return rows;
}

/** One connection in one transaction; what is a transaction elsewhere is a savepoint in it. */
async function openUndoable(pool: SQL): Promise<Client> {
  const reserved = await pool.reserve();
  await reserved.unsafe('BEGIN');
  const connection = connectionOn(reserved, 0);
  const inSavepoint = async <T>(work: (tx: Connection) => Promise<T>): Promise<T> => {
    await reserved.unsafe('SAVEPOINT inner_work');
    try {
      const result = await work(connection);
      await reserved.unsafe('RELEASE SAVEPOINT inner_work');
      return result;
    } catch (error) {
      await reserved.unsafe('ROLLBACK TO SAVEPOINT inner_work');
      throw error;
    }
  };
  return {
    ...connection,
    transaction: inSavepoint,
    snapshot: (work) => work(connection),
    undoable: () => Promise.reject(new Error('A rehearsal is not rehearsed.')),
    close: async () => {
      await reserved.unsafe('ROLLBACK');
      await reserved.release();
    },
  };
}

/** The code that PostgreSQL gives an error, such as 23505; null for what is not its error. */
export function sqlState(error: unknown): string | null {
  const { errno } = error as { errno?: unknown };
  return error instanceof SQL.PostgresError && typeof errno === 'string' ? errno : null;
}
