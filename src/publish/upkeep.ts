/** Keeps documents current that change with time alone. One process at a time, in small slices. */
import type { MarketPublishing } from '../domain/market-store.ts';
import { StoreBusyError } from '../domain/store.ts';
import { type Clock, secondMs } from '../domain/time.ts';
import type { Publisher } from './publisher.ts';

const leaseName = 'upkeep';

/** A holder that died is taken over after this time. */
const leaseMs = 15 * secondMs;

/** Items per slice, and the pause between slices: requests are answered in between. */
const sliceItems = 4;
const pauseMs = 4;

/** Starts the upkeep; the returned function ends it after the slice at hand. */
export function startUpkeep(work: {
  readonly store: MarketPublishing;
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** Names this process among those that share the store. */
  readonly holder: string;
  onFailure(error: unknown): void;
}): () => Promise<void> {
  let stopped = false;
  const { store, publisher, clock, holder } = work;
  /** Does a little of what is due; whether there may be more. */
  const round = async () => {
    const at = clock();
    // Nothing is written while nothing is due.
    if ((await store.listDue(at, 1)).length === 0) return false;
    const lease = { name: leaseName, holder, at, until: at + leaseMs };
    if (!(await store.takeLease(lease))) return false;
    return (await publisher.publishDue(sliceItems)) > 0;
  };
  const run = async () => {
    while (!stopped) {
      const hasMore = await round().catch((error) => {
        // An import is writing: what is due can wait, callers cannot.
        if (!(error instanceof StoreBusyError)) work.onFailure(error);
        return false;
      });
      await Bun.sleep(hasMore ? pauseMs : secondMs);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}
