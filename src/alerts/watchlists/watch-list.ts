/** Watch lists: sets and minifigs that an account watches, held or not. */
import type { ItemKind } from '../../catalog/items/numbers.ts';

/** Limits per account. */
export const watchLimits = { lists: 20, items: 5_000, nameLength: 100, noteLength: 200 } as const;

/** The name of the list that is created with the first item. */
export const firstWatchList = 'Watchlist';

export interface WatchList {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly items: number;
}

export interface WatchFacts {
  /** The alert price; null for none. */
  readonly targetCents: number | null;
  /** Empty if there is none. */
  readonly note: string;
}

export interface NewWatchedItem extends WatchFacts {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number when it was added; shown if the item is not published. */
  readonly number: string;
}

export interface WatchedItem extends NewWatchedItem {
  readonly id: number;
  readonly listId: number;
  readonly addedAt: number;
}

/** Requests items after an id, in order of ids. */
export interface WatchedPage {
  readonly after: number;
  readonly limit: number;
}

/** An account and an item that it watches. */
export interface Watcher {
  readonly accountId: number;
  readonly kind: ItemKind;
  readonly key: string;
}
