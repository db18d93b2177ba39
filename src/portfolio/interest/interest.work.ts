/**
 * Counts which items are looked up, held and watched, while a server runs. Look-ups are summed in
 * memory and saved at intervals; holders and watchers are counted once a day. Only totals are
 * stored, without accounts.
 */

import type { AlertRoomStore } from '../../alerts/alerts.store.ts';
import type { Watcher } from '../../alerts/watchlists/watch-list.ts';
import type { InterestStore } from '../../catalog/interest/interest.store.ts';
import type { HolderCount, LookUpCount } from '../../catalog/interest/interest.ts';
import { type ItemKind, type ItemRef, refText } from '../../catalog/items/numbers.ts';
import {
  type FailureLog,
  type Pause,
  saveCounts,
  sliceRows,
  startRounds,
  type UnsavedCounts,
} from '../../kernel/rounds.ts';
import type { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { type Clock, dayOf } from '../../kernel/time.ts';
import type { HeldUnits } from '../lots/lots.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';

/** The maximum number of items of a kind with unsaved look-ups; further items are not counted. */
const itemsMax = 20_000;

/** Look-ups that are not saved yet. Adding one is cheap. */
export class LookUps implements UnsavedCounts<LookUpCount> {
  private readonly counts: Readonly<Record<ItemKind, Map<string, number>>> = {
    set: new Map(),
    minifig: new Map(),
  };

  add(kind: ItemKind, key: string, times = 1): void {
    const counts = this.counts[kind];
    const before = counts.get(key);
    if (before === undefined && counts.size >= itemsMax) return;
    counts.set(key, (before ?? 0) + times);
  }

  take(limit: number): LookUpCount[] {
    const taken: LookUpCount[] = [];
    for (const kind of ['set', 'minifig'] as const) {
      for (const [key, times] of this.counts[kind]) {
        if (taken.length === limit) return taken;
        taken.push({ kind, key, times });
        this.counts[kind].delete(key);
      }
    }
    return taken;
  }

  putBack(counts: readonly LookUpCount[]): void {
    for (const { kind, key, times } of counts) this.add(kind, key, times);
  }
}

export interface InterestDeps {
  readonly lookUps: LookUps;
  readonly market: InterestStore;
  /** Null: another process counts holders and watchers. */
  readonly accounts: Pick<
    PortfolioRoomStore & AlertRoomStore,
    'listHeldItems' | 'listWatchers'
  > | null;
  readonly clock: Clock;
  readonly log: FailureLog;
}

/** Returns a function that saves what is left and stops. */
export function startInterest(deps: InterestDeps, rest?: StoppableWait): () => Promise<void> {
  const { lookUps, market, accounts, clock, log } = deps;
  let heldDay: number | null = null;
  const save = (counts: readonly LookUpCount[]) => market.addLookUps(counts, dayOf(clock()));
  const round = async (pause: Pause, isEnding: () => boolean) => {
    await saveCounts(lookUps, save, pause);
    const day = dayOf(clock());
    if (isEnding() || heldDay === day || accounts === null) return;
    await countHolders({ market, accounts, clock }, pause);
    heldDay = day;
  };
  return startRounds('interest', round, log, rest);
}

class HolderCounts {
  private readonly byItem = new Map<string, HolderCount>();

  constructor(counts: readonly HolderCount[] = []) {
    for (const count of counts) this.add(count);
  }

  add({ kind, key, held, units }: HolderCount): void {
    const before = this.of({ kind, key });
    const count = { kind, key, held: before.held + held, units: before.units + units };
    this.byItem.set(refText(count), count);
  }

  of({ kind, key }: ItemRef): HolderCount {
    return this.byItem.get(refText({ kind, key })) ?? { kind, key, held: 0, units: 0 };
  }

  /** Differences, including items that are no longer held. */
  changedSince(before: HolderCounts): HolderCount[] {
    const items = new Map([...before.byItem, ...this.byItem]);
    return [...items.values()]
      .map((item) => this.of(item))
      .filter((count) => {
        const { held, units } = before.of(count);
        return count.held !== held || count.units !== units;
      });
  }
}

/**
 * Counts the accounts that hold each item, and its units; watching counts as one unit. Saves the
 * differences from last time.
 */
export async function countHolders(
  {
    market,
    accounts,
    clock,
  }: Pick<InterestDeps, 'market' | 'clock'> & { accounts: NonNullable<InterestDeps['accounts']> },
  pause: Pause,
): Promise<void> {
  const counts = new HolderCounts();
  const first = { accountId: 0, kind: 'minifig', key: '' } as const;
  await eachSlice(
    (last: HeldUnits | null) => accounts.listHeldItems(last ?? first, sliceRows),
    pause,
    ({ kind, key, units }) => counts.add({ kind, key, held: 1, units }),
  );
  await eachSlice(
    (last: Watcher | null) => accounts.listWatchers(last, sliceRows),
    pause,
    ({ kind, key }) => counts.add({ kind, key, held: 0, units: 1 }),
  );
  const changed = counts.changedSince(new HolderCounts(await market.listHolders()));
  for (let from = 0; from < changed.length; from += sliceRows) {
    await market.saveHolders(changed.slice(from, from + sliceRows), dayOf(clock()));
    await pause();
  }
}

/** Reads rows in slices, each after the last row of the previous one. */
async function eachSlice<Row>(
  read: (last: Row | null) => Promise<Row[]>,
  pause: Pause,
  visit: (row: Row) => void,
): Promise<void> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last);
    for (const row of rows) visit(row);
    if (rows.length < sliceRows) return;
    last = rows.at(-1) ?? null;
    await pause();
  }
}
