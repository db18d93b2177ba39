/** Values and publishes what is stale or due, a slice at a time. */
import type { MarketPublishing } from '../domain/market-store.ts';
import { type Clock, hourMs } from '../domain/time.ts';
import { type PublishSettings, publishItem } from './item.ts';
import { themeList } from './themes.ts';

/** Items per transaction when nobody is waiting for this process. */
const sliceSize = 500;

/** When an item that could not be published is tried again. */
const postponeMs = hourMs;

/** Tells how far a long run is. */
export type Progress = (done: number, total: number) => void;

/** Publishes documents from the rows of a store. */
export interface Publisher {
  /** Publishes every stale item; how many documents were written. */
  publishStale(at?: number, progress?: Progress): Promise<number>;
  /** Values everything, whether it changed or not. */
  publishAll(at?: number, progress?: Progress): Promise<number>;
  /** Publishes a few items that are due; how many there were. */
  publishDue(limit: number): Promise<number>;
}

/** A publisher on a store. Without `at`, documents speak of the moment they are made. */
export function makePublisher(
  store: MarketPublishing,
  settings: PublishSettings,
  clock: Clock,
): Publisher {
  const publishIds = async (
    ids: readonly number[],
    { at, isPast }: { readonly at: number; readonly isPast: boolean },
  ): Promise<Published> => {
    const history = await store.findHistoryState();
    // Before history is sealed, months are made anew from all rows.
    const inputs = await store.loadInputs(ids, { at, withSeries: history.sealedAt !== null });
    const failures: Failure[] = [];
    const items = inputs.flatMap((item) => {
      try {
        const published = publishItem(item, settings, { at, history });
        // What speaks of the past is due at once: a running server brings it back to the present.
        return [isPast ? { ...published, dueAt: at } : published];
      } catch (error) {
        failures.push({ id: item.id, name: `${item.kind} ${item.number}`, error });
        return [];
      }
    });
    return { written: await store.publish(items), failures };
  };
  const publishStale = async (at?: number, progress?: Progress) => {
    const total = await store.countStale();
    const failures: Failure[] = [];
    let written = 0;
    let afterId = 0;
    for (;;) {
      const ids = await store.listStale(afterId, sliceSize);
      if (ids.length === 0) break;
      const moment = { at: at ?? clock(), isPast: at !== undefined && at < clock() };
      const published = await publishIds(ids, moment);
      written += published.written;
      failures.push(...published.failures);
      // Moves on even where another process was faster, so that the loop always ends.
      afterId = ids.at(-1) ?? afterId;
      progress?.(Math.min(written, total), total);
    }
    // Also when nothing was stale: an earlier run may have been killed just before this.
    await store.publishThemes((counts) => JSON.stringify(themeList(counts)));
    if (failures.length > 0) throw publishError(failures);
    return written;
  };
  return {
    publishStale,
    publishAll: async (at, progress) => {
      await store.markAllStale();
      return publishStale(at, progress);
    },
    publishDue: async (limit) => {
      const at = clock();
      const ids = await store.listDue(at, limit);
      if (ids.length === 0) return 0;
      const { failures } = await publishIds(ids, { at, isPast: false });
      if (failures.length > 0) {
        await store.postponeDue(
          failures.map(({ id }) => id),
          at + postponeMs,
        );
        throw publishError(failures);
      }
      return ids.length;
    },
  };
}

/** An item whose documents could not be made. The others are published all the same. */
interface Failure {
  readonly id: number;
  readonly name: string;
  readonly error: unknown;
}

interface Published {
  readonly written: number;
  readonly failures: readonly Failure[];
}

function publishError(failures: readonly Failure[]): Error {
  const [first] = failures;
  const reason = first?.error instanceof Error ? first.error.message : String(first?.error);
  return new Error(
    `${failures.length} items could not be published; the first is ${first?.name}: ${reason}`,
  );
}
