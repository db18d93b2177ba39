/**
 * Writing to the market. One process writes at a time, as in the embedded store: rules that read
 * before they write need nothing else, and no two writers wait for each other in a circle.
 */
import { StoreBusyError } from '../../domain/store.ts';
import type { Engine } from '../sql/operation.ts';
import type { Client, Connection } from './client.ts';
import { runToEnd } from './engine.ts';
import { sqlState } from './pool.ts';

/** Runs work in one transaction that holds the market's lock. */
export type Writing = <T>(work: (tx: Connection) => Promise<T>) => Promise<T>;

const marketLock = 4_270_002;

/** How long a command waits for another that writes. A batch takes seconds, not minutes. */
const patienceMs = 60_000;

/** What PostgreSQL says when a lock was not had in time. */
const lockNotAvailable = '55P03';

/** A process that serves does not wait: it would keep its callers waiting. */
export function marketWriting(client: Client, waits: boolean): Writing {
  return (work) =>
    client.transaction(async (tx) => {
      await (waits ? waitForLock(tx) : tryLock(tx));
      return work(tx);
    });
}

/** Operations that write to the market; `onWritten` is called after each, whatever became of it. */
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
 * Tables grow from batch to batch, and batches differ in size: a plan that was made for the last
 * one may go through a whole table for every row of this one.
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
