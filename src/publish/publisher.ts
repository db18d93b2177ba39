/** Values and publishes what is stale or due, a slice at a time. */
import type { MarketPublishing } from '../domain/market-store.ts';
import type { Clock } from '../domain/time.ts';
import { type PublishSettings, publishItem } from './item.ts';
import { themeList } from './themes.ts';

/** Items per transaction when nobody is waiting for this process. */
const sliceSize = 500;

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
  const publishIds = async (ids: readonly number[], at: number) => {
    const history = await store.findHistoryState();
    // Before history is sealed, months are made anew from all rows.
    const inputs = await store.loadInputs(ids, history.sealedAt !== null);
    const items = inputs.map((item) => publishItem(item, settings, { at, history }));
    return store.publish(items);
  };
  const publishStale = async (at?: number, progress?: Progress) => {
    const total = await store.countStale();
    let written = 0;
    let afterId = 0;
    for (;;) {
      const ids = await store.listStale(afterId, sliceSize);
      if (ids.length === 0) break;
      written += await publishIds(ids, at ?? clock());
      // Moves on even where another process was faster, so that the loop always ends.
      afterId = ids.at(-1) ?? afterId;
      progress?.(Math.min(written, total), total);
    }
    // Also when nothing was stale: an earlier run may have been killed just before this.
    await store.publishThemes((counts) => JSON.stringify(themeList(counts)));
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
      if (ids.length > 0) await publishIds(ids, at);
      return ids.length;
    },
  };
}
