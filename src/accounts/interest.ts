/**
 * Counts what accounts look up, hold and watch, by itself while a server runs. Look-ups are added
 * up in memory and written now and then; who holds and watches what is counted once a day. What is
 * written are totals, which say nothing of an account.
 */

import type { WatchedItems, Watcher } from '../domain/alerts/watch-store.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import { StoppableWait } from '../domain/kernel/stoppable-wait.ts';
import { type Clock, dayOf, minuteMs } from '../domain/kernel/time.ts';
import type { HolderCount, InterestStore, LookUpCount } from '../domain/market/interest-store.ts';
import type { HeldSets, HeldUnits } from '../domain/portfolio/lot-store.ts';
import { StoreBusyError } from '../domain/store.ts';

/** How often look-ups are written. */
const restMs = 5 * minuteMs;

/** Rows in one go, and the pause after it: requests are answered in between. */
const sliceRows = 500;
const pauseMs = 20;

/** Look-ups of more items of a kind than this are not counted until the others are written. */
const itemsMax = 20_000;

/** Look-ups that are not written yet. Adding one costs next to nothing. */
export class LookUps {
  private readonly counts: Readonly<Record<ItemKind, Map<string, number>>> = {
    set: new Map(),
    minifig: new Map(),
  };

  /** Counts that an item was looked up. */
  add(kind: ItemKind, key: string, times = 1): void {
    const counts = this.counts[kind];
    const before = counts.get(key);
    if (before === undefined && counts.size >= itemsMax) return;
    counts.set(key, (before ?? 0) + times);
  }

  /** Takes some out to be written. */
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
}

/** What counting works on. */
export interface InterestDeps {
  readonly lookUps: LookUps;
  readonly market: InterestStore;
  /** Where it is told who holds and watches what; null where somebody else counts that. */
  readonly accounts: (HeldSets & WatchedItems) | null;
  readonly clock: Clock;
  readonly log: { failure(event: string, error: unknown): void };
}

/** Starts to count; the returned function writes what is left and ends it. */
export function startInterest(deps: InterestDeps): () => Promise<void> {
  const rest = new StoppableWait();
  let heldDay: number | null = null;
  const pause = () => rest.wait(pauseMs);
  const work = async () => {
    try {
      await writeLookUps(deps, pause);
      const day = dayOf(deps.clock());
      if (rest.isStopped || heldDay === day || deps.accounts === null) return;
      await countHolders({ ...deps, accounts: deps.accounts }, pause);
      heldDay = day;
    } catch (error) {
      // Somebody is writing, and that goes first: the next round finds it all.
      if (!(error instanceof StoreBusyError)) deps.log.failure('interest', error);
    }
  };
  const run = async () => {
    while (!rest.isStopped) {
      await rest.wait(restMs);
      await work();
    }
  };
  const running = run();
  return async () => {
    rest.stop();
    await running;
  };
}

async function writeLookUps(
  { lookUps, market, clock }: InterestDeps,
  pause: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const taken = lookUps.take(sliceRows);
    if (taken.length === 0) return;
    try {
      await market.addLookUps(taken, dayOf(clock()));
    } catch (error) {
      for (const { kind, key, times } of taken) lookUps.add(kind, key, times);
      throw error;
    }
    await pause();
  }
}

/** Counts by item, while they are added up. */
class HolderCounts {
  private readonly byItem = new Map<string, HolderCount>();

  constructor(counts: readonly HolderCount[] = []) {
    for (const count of counts) this.add(count);
  }

  add({ kind, key, held, units }: HolderCount): void {
    const before = this.of({ kind, key });
    const count = { kind, key, held: before.held + held, units: before.units + units };
    this.byItem.set(`${kind} ${key}`, count);
  }

  of({ kind, key }: Pick<HolderCount, 'kind' | 'key'>): HolderCount {
    return this.byItem.get(`${kind} ${key}`) ?? { kind, key, held: 0, units: 0 };
  }

  /** What is other than in these, also what is gone. */
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
 * Counts how many accounts hold each item, and its units; whoever watches one counts as a unit,
 * too. Writes what differs from last time.
 */
export async function countHolders(
  {
    market,
    accounts,
    clock,
  }: Pick<InterestDeps, 'market' | 'clock'> & { accounts: HeldSets & WatchedItems },
  pause: () => Promise<void>,
): Promise<void> {
  const counts = new HolderCounts();
  const first = { accountId: 0, setKey: '' };
  await eachSlice(
    (last: HeldUnits | null) => accounts.listHeldSets(last ?? first, sliceRows),
    pause,
    (held) => counts.add({ kind: 'set', key: held.setKey, held: 1, units: held.units }),
  );
  await eachSlice(
    (last: Watcher | null) => accounts.listWatchers(last, sliceRows),
    pause,
    ({ kind, key }) => counts.add({ kind, key, held: 0, units: 1 }),
  );
  const differing = counts.changedSince(new HolderCounts(await market.listHolders()));
  for (let from = 0; from < differing.length; from += sliceRows) {
    await market.saveHolders(differing.slice(from, from + sliceRows), dayOf(clock()));
    await pause();
  }
}

/** Goes through rows that are read in slices, each after the last row of the one before. */
async function eachSlice<Row>(
  read: (last: Row | null) => Promise<Row[]>,
  pause: () => Promise<void>,
  visit: (row: Row) => void,
): Promise<void> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last);
    for (const row of rows) visit(row);
    last = rows.at(-1) ?? null;
    if (last === null || rows.length < sliceRows) return;
    await pause();
  }
}
