/** Values and publishes what is stale or due, a slice at a time. */

import type { FeeTables } from '../domain/buying/channels.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { nounText } from '../domain/kernel/format.ts';
import { MemoryKeeper } from '../domain/kernel/memory.ts';
import { type Clock, hourMs, type Month, monthOf } from '../domain/kernel/time.ts';
import type { ValueEngine } from '../domain/market/estimator.ts';
import type { HistoryState } from '../domain/market/history-store.ts';
import type { MarketPublishing } from '../domain/market/market-store.ts';
import type { ItemInputs } from '../domain/market/publishing-store.ts';
import { type ItemSettings, publishItem } from './item.ts';
import { makeParameterKeeper, type ParameterKeeper } from './parameters.ts';
import type { RetailerNames } from './set-document.ts';
import { inputSlices, type SliceBounds } from './slices.ts';
import { themeList } from './themes.ts';
import { type Verification, verifyItem } from './verify.ts';

/** What is read, valued and written at once when nobody is waiting for this process. */
const ownSlice: SliceBounds = { items: 500, rows: 20_000 };

/** What is valued at once by a process that serves: it has less memory, and callers who wait. */
const servingSlice: SliceBounds = { items: 20, rows: 2_000 };

/** When no more than this many items are stale, they are shown before anything is learned. */
const fewStale = 200;

/** When an item that could not be published is tried again. */
const postponeMs = hourMs;

/** What publishing needs besides the rows. */
export interface PublishSettings {
  readonly engine: ValueEngine;
  readonly retailerNames: RetailerNames;
  /** The fees and postage that deals are judged by. */
  readonly tables: FeeTables;
  /**
   * Learns what is due in another process, with calls of `pause` meanwhile; what that throws ends
   * it. Left out: it is learned here.
   */
  learnApart?(pause: () => Promise<void>): Promise<void>;
  /** Told when the parameters of a month were learned because something was due. */
  onLearned?(month: Month): void;
}

/** Tells how far a long run is; without a total while it is learning across items. */
export type Progress = (done: number, total: number | null, step: 'learning' | 'valuing') => void;

/** Publishes documents from the rows of a store. */
export interface Publisher {
  /** Names the method that values are made with. */
  readonly engine: string;
  /** Learns what is out of date and publishes every stale item; how many documents were written. */
  publishStale(at?: number, progress?: Progress): Promise<number>;
  /** Values everything, whether it changed or not. */
  publishAll(at?: number, progress?: Progress): Promise<number>;
  /**
   * Publishes a few items that are due; how many there were. Learns first when a month has started,
   * with a pause between its steps; what the pause throws ends it.
   */
  publishDue(limit: number, pause?: () => Promise<void>): Promise<number>;
  /** Learns what is out of date, and publishes nothing. */
  learn(): Promise<void>;
  /** Makes the value and the months of an item once more; null when nothing is published of it. */
  verify(id: number): Promise<Verification | null>;
}

/** A publisher on a store. Without `at`, documents speak of the moment they are made. */
export function makePublisher(
  store: MarketPublishing,
  settings: PublishSettings,
  clock: Clock,
): Publisher {
  const { engine } = settings;
  const parameters = makeParameterKeeper(store, engine);
  const { publishIds, publishRound } = makeRounds(store, { ...settings, parameters, clock });
  // Past months are computed with parameters that reach to the present.
  const learnedUntil = (at?: number) => (at === undefined ? clock() : Math.max(at, clock()));
  const learn = (at?: number, progress?: Progress) =>
    learnHere(parameters, learnedUntil(at), progress);
  const finish = async (rounds: readonly Published[]) => {
    // Also when nothing was stale: an earlier run may have been killed just before this.
    await store.publishThemes((counts) => JSON.stringify(themeList(counts)));
    // What failed in the last round is what is still missing.
    const failures = rounds.at(-1)?.failures ?? [];
    if (failures.length > 0) throw publishError(failures);
    return rounds.reduce((sum, { written }) => sum + written, 0);
  };
  return {
    engine: engine.version,
    publishStale: async (at, progress) => {
      const rounds: Published[] = [];
      const isSoonDone = (await store.countStale()) <= fewStale;
      // A new sale shows at once; what it teaches about other items can wait.
      if (isSoonDone && (await parameters.hasMonth(learnedUntil(at)))) {
        rounds.push(await publishRound(at, progress));
      }
      await learn(at, progress);
      rounds.push(await publishRound(at, progress));
      return finish(rounds);
    },
    publishAll: async (at, progress) => {
      await learn(at, progress);
      await store.markAllStale();
      return finish([await publishRound(at, progress)]);
    },
    publishDue: async (limit, pause = yieldToEventLoop) => {
      const at = clock();
      const ids = await store.listDue(at, limit);
      if (ids.length === 0) return 0;
      if (!(await parameters.hasMonth(at))) {
        const { learnApart } = settings;
        if (learnApart) await parameters.learnApart(at, () => learnApart(pause));
        else await parameters.learn(at, { slice: servingSlice, pause });
        settings.onLearned?.(monthOf(at));
      }
      const moment = { at, isPast: false };
      const { failures } = await publishIds(ids, moment, { bounds: servingSlice });
      if (failures.length > 0) {
        await store.postponeDue(
          failures.map(({ id }) => id),
          at + postponeMs,
        );
        throw publishError(failures);
      }
      return ids.length;
    },
    learn: () => learn(),
    verify: async (id) => {
      const [{ evidence = null } = {}] = await store.loadInputs([id], seriesAt(0));
      if (evidence === null) return null;
      const [inputs] = await store.loadInputs([id], seriesAt(evidence.at));
      const history = await store.findHistoryState();
      const estimator = await parameters.findEstimator();
      return inputs ? verifyItem(inputs, estimator, history) : null;
    },
  };
}

/** Learns in this process, for which nobody is waiting. */
async function learnHere(
  parameters: ParameterKeeper,
  at: number,
  progress?: Progress,
): Promise<void> {
  let steps = 0;
  const memory = new MemoryKeeper();
  const pause = async () => {
    memory.check();
    progress?.(++steps, null, 'learning');
  };
  await parameters.learn(at, { slice: ownSlice, pause });
  memory.finish();
}

/** Publishing in slices. */
function makeRounds(
  store: MarketPublishing,
  work: PublishSettings & { readonly parameters: ParameterKeeper; readonly clock: Clock },
) {
  const { retailerNames, tables, parameters, clock } = work;
  const publishSlice = async (ids: readonly number[], moment: Moment): Promise<Published> => {
    const history = await store.findHistoryState();
    // Before history is sealed, months are made anew from all rows.
    const withSeries = history.sealedAt !== null;
    const inputs = await store.loadInputs(ids, { at: moment.at, withSeries });
    // After the inputs: when parameters change from here on, these items are stale again.
    const estimator = await parameters.findEstimator();
    const settings = { estimator, retailerNames, tables };
    const { items, failures } = makeItems(inputs, { settings, history, moment });
    return { written: await store.publish(items), failures };
  };
  const publishIds = async (
    ids: readonly number[],
    moment: Moment,
    { bounds, onSlice }: { readonly bounds: SliceBounds; readonly onSlice?: () => void },
  ): Promise<Published> => {
    let written = 0;
    const failures: Failure[] = [];
    for await (const slice of inputSlices(store, ids, { at: moment.at, bounds })) {
      const published = await publishSlice(slice, moment);
      written += published.written;
      failures.push(...published.failures);
      onSlice?.();
    }
    return { written, failures };
  };
  const publishRound = async (at?: number, progress?: Progress): Promise<Published> => {
    const total = await store.countStale();
    const failures: Failure[] = [];
    const memory = new MemoryKeeper();
    const slices = { bounds: ownSlice, onSlice: () => memory.check() };
    let [written, afterId] = [0, 0];
    for (;;) {
      const ids = await store.listStale(afterId, ownSlice.items);
      if (ids.length === 0) return { written, failures };
      const moment = { at: at ?? clock(), isPast: at !== undefined && at < clock() };
      const published = await publishIds(ids, moment, slices);
      written += published.written;
      failures.push(...published.failures);
      // Moves on even where another process was faster, so that the loop always ends.
      afterId = ids.at(-1) ?? afterId;
      progress?.(Math.min(written, total), total, 'valuing');
    }
  };
  return { publishIds, publishRound };
}

const seriesAt = (at: number) => ({ at, withSeries: true });

interface Moment {
  readonly at: number;
  readonly isPast: boolean;
}

interface MakeOptions {
  readonly settings: ItemSettings;
  readonly history: HistoryState;
  readonly moment: Moment;
}

function makeItems(inputs: readonly ItemInputs[], options: MakeOptions) {
  const { settings, history, moment } = options;
  const { at, isPast } = moment;
  const failures: Failure[] = [];
  const items = inputs.flatMap((item) => {
    try {
      const published = publishItem(item, settings, { at, history });
      // What speaks of the past is due at once: a running server brings it back to the present. It
      // says nothing about deals, which are of today, and is no news.
      return [isPast ? { ...published, dueAt: at, deals: null, events: null } : published];
    } catch (error) {
      failures.push({ id: item.id, name: `${item.kind} ${item.number}`, error });
      return [];
    }
  });
  return { items, failures };
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
  const items = nounText(failures.length, 'item');
  return new Error(`${items} could not be published, such as ${first?.name}: ${reason}`);
}
