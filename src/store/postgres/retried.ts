/** Trying again what PostgreSQL has certainly undone. */
import { sqlState } from './pool.ts';

/**
 * Errors after which nothing was written: a deadlock, a conflict with another transaction, and a
 * row that refers to one removed meanwhile. Of anything else (a lost connection, a timeout) the
 * outcome may be unknown, and trying again could do it twice.
 */
const undone: ReadonlySet<string | null> = new Set(['40P01', '40001', '23503']);

const triesMax = 4;

/** The outcome of `work`, which is one transaction. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesMax || !undone.has(sqlState(error))) throw error;
    }
  }
}
