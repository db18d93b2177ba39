/** Retries instead of blocking: a server keeps handling requests while another process writes. */
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { isBusy } from './database.ts';

/** The interval and the total time of retries. */
const retryMs = 5;
const patienceMs = 5_000;

/** Retries each operation while another process writes; failed ones have written nothing. */
export function withPatience<T extends object>(operations: T): T {
  const patient = Object.entries(operations).map(([name, operation]) => [
    name,
    (...values: unknown[]) => tryAgain(() => operation(...values)),
  ]);
  return Object.fromEntries(patient) as T;
}

interface Timer {
  /** In milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const systemTimer: Timer = { now: () => performance.now(), sleep: (ms) => Bun.sleep(ms) };

/** Retries an operation while another process writes, for a limited time. */
export async function tryAgain<R>(
  operation: () => Promise<R>,
  timer: Timer = systemTimer,
): Promise<R> {
  const start = timer.now();
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      // The transaction or statement could not start.
      const canRetry = error instanceof StoreBusyError || isBusy(error);
      if (!canRetry || timer.now() - start > patienceMs) throw error;
      await timer.sleep(retryMs);
    }
  }
}
