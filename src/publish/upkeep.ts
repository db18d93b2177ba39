/** Keeps documents current that change with time alone. One process at a time, in small slices. */
import type { MarketPublishing } from '../domain/market-store.ts';
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
  const round = async () => {
    const at = clock();
    const lease = { name: leaseName, holder, at, until: at + leaseMs };
    if (!(await store.takeLease(lease))) return false;
    return (await publisher.publishDue(sliceItems)) > 0;
  };
  const run = async () => {
    while (!stopped) {
      const isBusy = await round().catch((error) => {
        work.onFailure(error);
        return false;
      });
      await Bun.sleep(isBusy ? pauseMs : secondMs);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}
