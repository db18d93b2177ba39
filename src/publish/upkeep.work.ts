/** Keeps documents current as time passes, removes old events: one process, in small slices. */

import { StoreBusyError } from '../kernel/store-errors.ts';
import { type Clock, hourMs, minuteMs, secondMs } from '../kernel/time.ts';
import { withTimeout } from '../kernel/timeout.ts';
import { eventsKeptMs } from '../market/events/events.ts';
import type { Publisher } from './publisher.work.ts';
import type { MarketPublishing } from './publishing.store.ts';

const leaseName = 'upkeep';

/** Another process takes over this long after the holder died. */
const leaseMs = 15 * secondMs;

const renewMsMax = 2 * secondMs;

/** Items per slice, and the pause between slices, in which requests are answered. */
const sliceItems = 4;
const pauseMs = 4;

/** Events removed at once, and the pause when none is left. */
const prunedEvents = 1_000;
const pruneRestMs = hourMs;

/** Thrown to abort learning when the process is stopped. */
class StoppedError extends Error {}

/** Long work is reported this often. */
const reportMs = minuteMs;

export interface UpkeepEvents {
  /** A round has ended, with the number of items published. */
  onRound(items: number): void;
  /** Nothing more is due, or a minute has passed: the number of items since the last report. */
  onPublished(items: number): void;
  onFailure(error: unknown): void;
}

/** Returns a function that stops it after the current slice. */
export function startUpkeep(work: {
  readonly store: MarketPublishing;
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly events: UpkeepEvents;
}): () => Promise<void> {
  let stopped = false;
  const { store, publisher, clock, holder } = work;
  const events = reportInBatches(work.events, clock);
  // Not at once, because a server has more to do at startup.
  let pruneAt = clock() + minuteMs;
  /** Does a little of what is due; returns the number of items. */
  const round = async () => {
    const at = clock();
    const isDue = (await store.listDue(at, 1)).length > 0;
    const mayPrune = at >= pruneAt;
    // Nothing is written while nothing is due.
    if (!isDue && !mayPrune) return 0;
    const isHolder = await takeLease(at);
    if (mayPrune) pruneAt = isHolder ? await prune(at) : at + pruneRestMs;
    return isDue && isHolder ? publisher.publishDue(sliceItems, pauseSince(at)) : 0;
  };
  /** Removes a few old events; returns when to continue. */
  const prune = async (at: number) => {
    const removed = await store.pruneEvents(at - eventsKeptMs, prunedEvents);
    return removed === prunedEvents ? at : at + pruneRestMs;
  };
  const takeLease = (at: number) =>
    store.takeLease({ name: leaseName, holder, at, until: at + leaseMs });
  /**
   * With a timeout, because a learning process may hold the lock, and has to be stopped in time.
   */
  const renewLease = (at: number) =>
    withTimeout(takeLease(at), renewMsMax, () => new Error('The store did not answer.')).catch(
      () => false,
    );
  /** Learning takes longer than a lease: between its steps, the lease is renewed. */
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
        // An import is writing: due items can wait, callers cannot.
        const isExpected = error instanceof StoreBusyError || error instanceof StoppedError;
        if (!isExpected) events.onFailure(error);
        return 0;
      });
      await Bun.sleep(items > 0 ? pauseMs : secondMs);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}

/** Reports every round, and published items in batches. */
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
