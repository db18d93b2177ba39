/** A serving process does not stand still for a lock: it asks again, and answers meanwhile. */
import { StoreBusyError } from '../../domain/store.ts';

/** While another process writes, an operation is tried again after this, for so long. */
const retryMs = 5;
const patienceMs = 5_000;

/** The same operations, each tried again while another process writes. Nothing is done twice. */
export function withPatience<T extends object>(operations: T): T {
  const patient = Object.entries(operations).map(([name, operation]) => [
    name,
    (...values: unknown[]) => tryAgain(() => operation(...values)),
  ]);
  return Object.fromEntries(patient) as T;
}

/** Tries an operation again while another process writes, for a while. */
export async function tryAgain<R>(operation: () => Promise<R>): Promise<R> {
  const start = performance.now();
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > patienceMs) throw error;
      await Bun.sleep(retryMs);
    }
  }
}

/** A transaction that could not begin, or a single statement that could not. */
function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return (
    error instanceof StoreBusyError || (typeof code === 'string' && code.startsWith('SQLITE_BUSY'))
  );
}
