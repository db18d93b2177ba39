/**
 * Market writes. One process writes at a time, as in the embedded store, so rules may read before
 * they write, and there are no deadlocks.
 */
import { StoreBusyError } from '../../kernel/store-errors.ts';
import type { Engine } from '../sql/operation.ts';
import type { Client, Connection } from './client.ts';
import { runToEnd } from './engine.ts';
import { sqlState } from './pool.ts';

export type Writing = <T>(work: (tx: Connection) => Promise<T>) => Promise<T>;

const marketLock = 4_270_002;

/** The lock timeout of commands. A batch takes seconds, not minutes. */
const patienceMs = 60_000;

/** PostgreSQL's code for a lock timeout. */
const lockNotAvailable = '55P03';

/** Servers do not wait, because that would block their callers. */
export function marketWriting(client: Client, waits: boolean): Writing {
  return (work) =>
    client.transaction(async (tx) => {
      await (waits ? waitForLock(tx) : tryLock(tx));
      return work(tx);
    });
}

/** `onWritten` is called after every write, successful or not. */
export function marketEngine(
  write: Writing,
  onWritten: () => void = () => {},
): Pick<Engine, 'transaction'> {
  return {
    transaction: async (make) => {
      try {
        return await write(async (tx) => {
          await planForSizes(tx);
          return runToEnd(tx, make());
        });
      } finally {
        onWritten();
      }
    },
  };
}

/**
 * Makes a new plan for each execution: tables and batches grow, and a generic plan made for a small
 * table may scan a large one for every row. Without JIT compilation, which can take longer than the
 * statements.
 */
async function planForSizes(tx: Connection): Promise<void> {
  await tx.query(
    `SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('jit', 'off', true)`,
  );
}

async function waitForLock(tx: Connection): Promise<void> {
  await tx.run(`SET LOCAL lock_timeout = ${patienceMs}`);
  try {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [marketLock]);
  } catch (error) {
    throw sqlState(error) === lockNotAvailable ? busy() : error;
  }
  await tx.run('SET LOCAL lock_timeout = 0');
}

async function tryLock(tx: Connection): Promise<void> {
  const [row] = await tx.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked',
    [marketLock],
  );
  if (!row?.locked) throw busy();
}

function busy(): StoreBusyError {
  return new StoreBusyError('Another process is writing to the store.');
}
