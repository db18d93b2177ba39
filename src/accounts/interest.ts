/**
 * Counts what accounts look up and hold, by itself while a server runs. Look-ups are added up in
 * memory and written now and then; who holds what is counted once a day. What is written are
 * totals, which say nothing of an account.
 */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import { StoppableWait } from '../domain/kernel/stoppable-wait.ts';
import { type Clock, dayOf, minuteMs } from '../domain/kernel/time.ts';
import type { HolderCount, InterestStore, LookUpCount } from '../domain/market/interest-store.ts';
import type { HeldSets } from '../domain/portfolio/lot-store.ts';
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
  /** Where it is told who holds what; null where somebody else counts that. */
  readonly accounts: HeldSets | null;
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

const nobody = (key: string): HolderCount => ({ key, held: 0, units: 0 });

/** Counts how many accounts hold each set, and its units; writes what differs from last time. */
export async function countHolders(
  { market, accounts, clock }: Pick<InterestDeps, 'market' | 'clock'> & { accounts: HeldSets },
  pause: () => Promise<void>,
): Promise<void> {
  const held = new Map<string, HolderCount>();
  for (let after = { accountId: 0, setKey: '' }; ; ) {
    const pairs = await accounts.listHeldSets(after, sliceRows);
    for (const { setKey: key, units } of pairs) {
      const before = held.get(key) ?? nobody(key);
      held.set(key, { key, held: before.held + 1, units: before.units + units });
    }
    const last = pairs.at(-1);
    if (!last || pairs.length < sliceRows) break;
    after = last;
    await pause();
  }
  const before = new Map((await market.listHolders()).map((count) => [count.key, count]));
  const keys = [...new Set([...held.keys(), ...before.keys()])];
  const differing = keys
    .map((key) => held.get(key) ?? nobody(key))
    .filter((count) => {
      const known = before.get(count.key);
      return count.held !== (known?.held ?? 0) || count.units !== (known?.units ?? 0);
    });
  for (let from = 0; from < differing.length; from += sliceRows) {
    await market.saveHolders(differing.slice(from, from + sliceRows), dayOf(clock()));
    await pause();
  }
}
