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

/** Thrown to leave learning off when the process is to end. */
class EndedError extends Error {}

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
    if (!(await takeLease(at))) return false;
    return (await publisher.publishDue(sliceItems, pauseSince(at))) > 0;
  };
  const takeLease = (at: number) =>
    store.takeLease({ name: leaseName, holder, at, until: at + leaseMs });
  /** Learning takes longer than a lease: requests go first, and the lease is renewed in time. */
  const pauseSince = (takenAt: number) => {
    let leasedAt = takenAt;
    return async () => {
      if (stopped) throw new EndedError();
      const at = clock();
      if (at - leasedAt > leaseMs / 3 && (await takeLease(at).catch(() => false))) leasedAt = at;
      await Bun.sleep(1);
    };
  };
  const run = async () => {
    while (!stopped) {
      const hasMore = await round().catch((error) => {
        // An import is writing: what is due can wait, callers cannot.
        const isExpected = error instanceof StoreBusyError || error instanceof EndedError;
        if (!isExpected) work.onFailure(error);
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
