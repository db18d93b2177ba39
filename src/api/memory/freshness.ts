/** Detects whether cached data still matches what the store has published. */

import type { ListedEntry } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';

/** A cache that follows publications. Null: too many changes to list, clear everything. */
export type ChangeListener = (changes: readonly ListedEntry[] | null) => void;

/** With more changes than this, clearing everything is cheaper. */
const changesMax = 5_000;

/** Compares the publish stamp, at most once per turn of the event loop. */
export class Freshness {
  private readonly listeners: ChangeListener[] = [];
  private knownStamp = -1;
  private isCurrentTurn = false;
  private refreshing: Promise<void> | null = null;

  constructor(private readonly market: MarketReading) {}

  follow(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** The publication that caches are up to date with; -1 before the first check. */
  get stamp(): number {
    return this.knownStamp;
  }

  /** Whether caches can be used; if not, `refresh` first. */
  isFresh(): boolean {
    if (this.isCurrentTurn) return true;
    const stamp = this.market.publishStamp();
    if (typeof stamp !== 'number' || stamp !== this.knownStamp) return false;
    this.isCurrentTurn = true;
    setImmediate(() => {
      this.isCurrentTurn = false;
    });
    return true;
  }

  /** Updates the caches. Concurrent requests share a refresh. */
  refresh(): Promise<void> {
    this.refreshing ??= this.apply().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async apply(): Promise<void> {
    const stamp = await this.market.publishStamp();
    if (stamp === this.knownStamp) return;
    // Changes are listed after the stamp is read: what is published in between is listed twice,
    // never missed. A lower stamp means a different database, so everything is cleared.
    const goesOn = this.knownStamp >= 0 && stamp > this.knownStamp;
    const changes = goesOn ? await this.market.listChanges(this.knownStamp, changesMax) : null;
    for (const listener of this.listeners) listener(changes);
    this.knownStamp = stamp;
  }
}
