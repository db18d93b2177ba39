/** Counts that are summed in memory and saved at intervals, while a server runs. */
import { StoppableWait } from './stoppable-wait.ts';
import { StoreBusyError } from './store-errors.ts';
import { minuteMs } from './time.ts';

/** How often they are saved. */
const restMs = 5 * minuteMs;

/** Rows per read or write, and the pause after it, in which requests are answered. */
export const sliceRows = 500;
const pauseMs = 20;

export interface FailureLog {
  failure(event: string, error: unknown): void;
}

/** Pauses between slices. */
export type Pause = () => Promise<void>;

/** Returns a function that runs a last round and stops. `isEnding`: it is the last one. */
export function startRounds(
  name: string,
  round: (pause: Pause, isEnding: () => boolean) => Promise<void>,
  log: FailureLog,
  rest = new StoppableWait(),
): () => Promise<void> {
  const pause = () => rest.wait(pauseMs);
  const run = async () => {
    while (!rest.isStopped) {
      await rest.wait(restMs);
      try {
        await round(pause, () => rest.isStopped);
      } catch (error) {
        // Another process is writing; the next round catches up.
        if (!(error instanceof StoreBusyError)) log.failure(name, error);
      }
    }
  };
  const running = run();
  return async () => {
    rest.stop();
    await running;
  };
}

/** Counts that are not saved yet. */
export interface UnsavedCounts<Count> {
  /** Removes and returns some of them. */
  take(limit: number): Count[];
  putBack(counts: readonly Count[]): void;
}

/** Saves all, in slices. A slice that cannot be saved is put back. */
export async function saveCounts<Count>(
  counts: UnsavedCounts<Count>,
  save: (slice: readonly Count[]) => Promise<void>,
  pause: Pause,
): Promise<void> {
  for (;;) {
    const taken = counts.take(sliceRows);
    if (taken.length === 0) return;
    try {
      await save(taken);
    } catch (error) {
      counts.putBack(taken);
      throw error;
    }
    await pause();
  }
}
