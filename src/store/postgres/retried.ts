/** Retries transactions that PostgreSQL has certainly rolled back. */
import { sqlState } from './pool.ts';

/**
 * Errors after which nothing was written: deadlock, serialization failure, and a reference to a row
 * that was removed meanwhile. After other errors (lost connection, timeout) the outcome is unknown,
 * and a retry could repeat the work.
 */
const undone: ReadonlySet<string | null> = new Set(['40P01', '40001', '23503']);

const triesMax = 4;

/** `work` must be a single transaction. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesMax || !undone.has(sqlState(error))) throw error;
    }
  }
}
