/**
 * Keeps documents current that change with time alone, removes events that are too old, and makes
 * files of what is published. One process at a time, in small slices.
 */

import { type Clock, hourMs, minuteMs, secondMs } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';
import { eventsKeptMs } from '../domain/market/events.ts';
import type { MarketPublishing } from '../domain/market/market-store.ts';
import { StoreBusyError } from '../domain/store.ts';
import type { BulkMaker } from './bulk-maker.ts';
import type { Publisher } from './publisher.ts';

const leaseName = 'upkeep';

/** A holder that died is taken over after this time. */
const leaseMs = 15 * secondMs;

/** How long renewing a lease may take. */
const renewMsMax = 2 * secondMs;

/** Items per slice, and the pause between slices: requests are answered in between. */
const sliceItems = 4;
const pauseMs = 4;

/** Events that are removed at once; when none is left, it is looked again after a while. */
const prunedEvents = 1_000;
const pruneRestMs = hourMs;

/** Thrown to stop learning when the process is asked to end. */
class StoppedError extends Error {}

/** Long work is reported now and then, not only at its end. */
const reportMs = minuteMs;

/** What the upkeep reports about itself. */
export interface UpkeepEvents {
  /** A round is over, in which so many items were published. */
  onRound(items: number): void;
  /** No more is due, or a minute has gone by: all items since the last report. */
  onPublished(items: number): void;
  onFailure(error: unknown): void;
}

/** Starts the upkeep; the returned function ends it after the slice at hand. */
export function startUpkeep(work: {
  readonly store: MarketPublishing;
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly events: UpkeepEvents;
  /** Makes files of what is published; null: nobody is offered any. */
  readonly bulk: Pick<BulkMaker, 'isDue' | 'step'> | null;
}): () => Promise<void> {
  let stopped = false;
  const { store, publisher, clock, holder, bulk } = work;
  const events = reportInBatches(work.events, clock);
  // Not at once: a server has more to do when it starts.
  let pruneAt = clock() + minuteMs;
  /** Whether there is more to do of the files, and when it is looked again. */
  let hasMore = false;
  let makeAt = clock();
  /** Does a little of what is due; how many items that were. */
  const round = async () => {
    const at = clock();
    hasMore = false;
    const isDue = (await store.listDue(at, 1)).length > 0;
    const mayPrune = at >= pruneAt;
    const mayMake = bulk !== null && at >= makeAt && bulk.isDue(at);
    // Nothing is written while nothing is due.
    if (!isDue && !mayPrune && !mayMake) return 0;
    const isHolder = await takeLease(at);
    if (mayPrune) pruneAt = isHolder ? await prune(at) : at + pruneRestMs;
    if (!isHolder) {
      makeAt = at + minuteMs;
      return 0;
    }
    if (mayMake) hasMore = await bulk.step();
    return isDue ? publisher.publishDue(sliceItems, pauseSince(at)) : 0;
  };
  /** Removes a few old events; when to go on. */
  const prune = async (at: number) => {
    const removed = await store.pruneEvents(at - eventsKeptMs, prunedEvents);
    return removed === prunedEvents ? at : at + pruneRestMs;
  };
  const takeLease = (at: number) =>
    store.takeLease({ name: leaseName, holder, at, until: at + leaseMs });
  /** Whoever learns may hold what this waits for, and is to be ended in time. */
  const renewLease = (at: number) =>
    withTimeout(takeLease(at), renewMsMax, () => new Error('The store did not answer.')).catch(
      () => false,
    );
  /** Learning takes longer than a lease: requests go first, and the lease is renewed in time. */
  const pauseSince = (takenAt: number) => {
    let leasedAt = takenAt;
    return async () => {
      if (stopped) throw new StoppedError();
      const at = clock();
      if (at - leasedAt > leaseMs / 3 && (await renewLease(at))) leasedAt = at;
      await Bun.sleep(1);
    };
  };
  const run = async () => {
    while (!stopped) {
      const items = await round().then(events.onRound, (error) => {
        // An import is writing: what is due can wait, callers cannot.
        const isExpected = error instanceof StoreBusyError || error instanceof StoppedError;
        if (!isExpected) events.onFailure(error);
        return 0;
      });
      await Bun.sleep(items > 0 || hasMore ? pauseMs : secondMs);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}

/** Reports every round, and the items of many rounds at once. */
function reportInBatches(events: UpkeepEvents, clock: Clock) {
  let items = 0;
  let reportedAt = clock();
  return {
    onRound: (more: number): number => {
      events.onRound(more);
      if (items === 0) reportedAt = clock();
      items += more;
      if (items > 0 && (more === 0 || clock() - reportedAt >= reportMs)) {
        events.onPublished(items);
        items = 0;
      }
      return more;
    },
    onFailure: events.onFailure,
  };
}
