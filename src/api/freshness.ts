/** Knows whether what is in memory is still what the store has published. */

import type { ListedEntry, MarketReading } from '../domain/market/market-reading.ts';

/** Something in memory that follows publications. Null: too many changes to list, forget all. */
export type ChangeListener = (changes: readonly ListedEntry[] | null) => void;

/** Beyond this, forgetting everything is cheaper than going through the list. */
const changesMax = 5_000;

/** Compares the store's publish stamp, at most once for each turn of the event loop. */
export class Freshness {
  private readonly listeners: ChangeListener[] = [];
  private knownStamp = -1;
  private isCurrentTurn = false;
  private refreshing: Promise<void> | null = null;

  constructor(private readonly market: MarketReading) {}

  follow(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** The publication that memory is up to date with; -1 before the first look. */
  get stamp(): number {
    return this.knownStamp;
  }

  /** Whether memory may be used as it is. When not, `refresh` first. */
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

  /** Makes memory current. Requests that wait for it share one refresh. */
  refresh(): Promise<void> {
    this.refreshing ??= this.apply().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async apply(): Promise<void> {
    const stamp = await this.market.publishStamp();
    if (stamp === this.knownStamp) return;
    // Listing comes after the stamp: what is published in between is listed twice, not never.
    // A stamp that goes back means another database than before: nothing is known of it.
    const goesOn = this.knownStamp >= 0 && stamp > this.knownStamp;
    const changes = goesOn ? await this.market.listChanges(this.knownStamp, changesMax) : null;
    for (const listener of this.listeners) listener(changes);
    this.knownStamp = stamp;
  }
}
