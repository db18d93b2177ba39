/** Values and publishes stale and due items, in slices. */

import type { FeeTables } from '../buying/prices/selling-channels.ts';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import { nounText } from '../kernel/format.ts';
import { memory } from '../kernel/memory.ts';
import { type Clock, hourMs, type Month, monthOf } from '../kernel/time.ts';
import type { HistoryState } from '../market/history/history.ts';
import type { ItemInputs, PublishedItem } from '../market/published/publishing.ts';
import { checkpointTimes, EarlierRowsNeeded } from '../market/values/checkpoint.ts';
import type { ValueEngine } from '../market/values/estimator.ts';
import { makeParameterKeeper, type ParameterKeeper } from '../market/values/parameters.work.ts';
import { inputSlices, type SliceBounds } from '../market/values/slices.work.ts';
import { type Verification, verifyItem } from '../market/values/verify.ts';
import { type ItemSettings, publishItem, publishValued } from './item.ts';
import type { MarketPublishing } from './publishing.store.ts';
import type { RetailerNames } from './set-document.ts';
import { themeList } from './theme-document.ts';

/** Slice size in a process that only publishes. */
const ownSlice: SliceBounds = { items: 500, rows: 20_000 };

/** Slice size in a serving process, which has less memory, and callers waiting. */
const servingSlice: SliceBounds = { items: 20, rows: 2_000 };

/** Up to this many stale items are published before anything is learned. */
const fewStale = 200;

/** When an item that could not be published is tried again. */
const postponeMs = hourMs;

export interface PublishSettings {
  readonly engine: ValueEngine;
  readonly retailerNames: RetailerNames;
  /** The current fees and postage, for deals. */
  findTables(): FeeTables;
  /** Learns in another process; `pause` may throw to abort. Without it, this process learns. */
  learnApart?(pause: () => Promise<void>): Promise<void>;
  /** For tests: items with fewer rows have no checkpoints. */
  readonly checkpointRowsMin?: number;
  /** Called when the parameters of a month were learned because items were due. */
  onLearned?(month: Month): void;
}

/** Reports the progress of a long run; `total` is null while learning. */
export type Progress = (done: number, total: number | null, step: 'learning' | 'valuing') => void;

export interface Publisher {
  /** The name of the valuation engine. */
  readonly engine: string;
  /** Learns what is outdated and publishes every stale item; returns the number of documents. */
  publishStale(at?: number, progress?: Progress): Promise<number>;
  /** Publishes every item, changed or not. */
  publishAll(at?: number, progress?: Progress): Promise<number>;
  /**
   * Publishes a few due items; returns their number. Learns first if a month has started, calling
   * `pause` between steps, which may throw to abort.
   */
  publishDue(limit: number, pause?: () => Promise<void>): Promise<number>;
  /** Learns what is outdated, without publishing. */
  learn(): Promise<void>;
  /** Recomputes the value and months of an item; null: not published. */
  verify(id: number): Promise<Verification | null>;
}

/** Without `at`, documents are for the time they are made. */
export function makePublisher(
  store: MarketPublishing,
  settings: PublishSettings,
  clock: Clock,
): Publisher {
  const { engine } = settings;
  const parameters = makeParameterKeeper(store, engine);
  const { publishIds, publishRound } = makeRounds(store, { ...settings, parameters, clock });
  // Past months are computed with parameters up to the present.
  const learnedUntil = (at?: number) => (at === undefined ? clock() : Math.max(at, clock()));
  const learn = (at?: number, progress?: Progress) =>
    learnHere(parameters, learnedUntil(at), progress);
  const finish = async (rounds: readonly Published[]) => {
    // Even if nothing was stale: an earlier run may have been killed just before this.
    await store.publishThemes((counts) => JSON.stringify(themeList(counts)));
    // Only failures of the last round are still missing.
    const failures = rounds.at(-1)?.failures ?? [];
    if (failures.length > 0) throw publishError(failures);
    return rounds.reduce((sum, { written }) => sum + written, 0);
  };
  return {
    engine: engine.version,
    publishStale: async (at, progress) => {
      const rounds: Published[] = [];
      const isSoonDone = (await store.countStale()) <= fewStale;
      // A new sale is shown at once; what it teaches about other items can wait.
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

async function learnHere(
  parameters: ParameterKeeper,
  at: number,
  progress?: Progress,
): Promise<void> {
  let steps = 0;
  const pause = async () => {
    memory.check();
    progress?.(++steps, null, 'learning');
    await yieldToEventLoop();
  };
  await parameters.learn(at, { slice: ownSlice, pause });
}

type RoundWork = PublishSettings & {
  readonly parameters: ParameterKeeper;
  readonly clock: Clock;
};

/** Publishes a few items, from their checkpoints where these can be used. */
function slicePublisher(store: MarketPublishing, work: RoundWork) {
  const { retailerNames, findTables, checkpointRowsMin, parameters } = work;
  const given = {
    retailerNames,
    ...(checkpointRowsMin !== undefined && { checkpointRowsMin }),
  };
  const publishSlice = async (
    ids: readonly number[],
    moment: Moment,
    fromCheckpoints = true,
  ): Promise<Published> => {
    const history = await store.findHistoryState();
    // Before history is sealed, months are recomputed from all rows.
    const withSeries = history.sealedAt !== null;
    const { at } = moment;
    const since = fromCheckpoints ? lastCheckpoint(at) : {};
    const inputs = await store.loadInputs(ids, { at, withSeries, ...since });
    // After the inputs: if parameters change from here on, these items become stale again.
    const estimator = await parameters.findEstimator();
    const settings = { ...given, estimator, tables: findTables() };
    const { items, failures, unfinished } = makeItems(inputs, { settings, history, moment });
    let written = await store.publish(items);
    // From the first sale, and one at a time, because these have many rows.
    for (const id of unfinished) {
      const whole = await publishSlice([id], moment, false);
      written += whole.written;
      failures.push(...whole.failures);
    }
    return { written, failures };
  };
  return publishSlice;
}

function makeRounds(store: MarketPublishing, work: RoundWork) {
  const { clock } = work;
  const publishSlice = slicePublisher(store, work);
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
    // Learning may have left much.
    memory.check();
    const slices = { bounds: ownSlice, onSlice: () => memory.check() };
    let [written, afterId] = [0, 0];
    for (;;) {
      const ids = await store.listStale(afterId, ownSlice.items);
      if (ids.length === 0) return { written, failures };
      const moment = { at: at ?? clock(), isPast: at !== undefined && at < clock() };
      const published = await publishIds(ids, moment, slices);
      written += published.written;
      failures.push(...published.failures);
      // Moves on even if another process was faster, so that the loop ends.
      afterId = ids.at(-1) ?? afterId;
      progress?.(Math.min(written, total), total, 'valuing');
    }
  };
  return { publishIds, publishRound };
}

/** Loads items from their latest checkpoints. */
function lastCheckpoint(at: number): { readonly checkpointsUntil?: number } {
  const checkpointsUntil = checkpointTimes(at).at(-1);
  return checkpointsUntil === undefined ? {} : { checkpointsUntil };
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

/** `unfinished` items cannot be valued from their checkpoints. */
function makeItems(inputs: readonly ItemInputs[], options: MakeOptions) {
  const { settings, history, moment } = options;
  const { at, isPast } = moment;
  const failures: Failure[] = [];
  const unfinished: number[] = [];
  const items = inputs.flatMap((item) => {
    try {
      const published = publishItem(item, settings, { at, history });
      const all = [published, ...publishValued(item, published, { at, history })];
      return isPast ? all.map(asPast) : all;
    } catch (error) {
      if (error instanceof EarlierRowsNeeded) unfinished.push(item.id);
      else failures.push({ id: item.id, name: `${item.kind} ${item.number}`, error });
      return [];
    }
  });
  return { items, failures, unfinished };
}

/**
 * A publication for the past is due at once, so that a running server updates it. It has no deals,
 * which are current, and no events.
 */
function asPast(item: PublishedItem): PublishedItem {
  return { ...item, dueAt: item.dueAt && item.at, deals: null, events: null };
}

/** An item that could not be published. The others still are. */
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
