/** Watch lists: sets and minifigs that somebody keeps an eye on, held or not. */
import type { ItemKind } from '../catalog/numbers.ts';

/** What an account may keep. */
export const watchLimits = { lists: 20, items: 5_000, nameLength: 100, noteLength: 200 } as const;

/** A list. */
export interface WatchList {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  /** How many items are on it. */
  readonly items: number;
}

/** What its owner says of an item on a list. */
export interface WatchFacts {
  /** Told when a price is at or below it; null: there is no target. */
  readonly targetCents: number | null;
  /** Empty when there is none. */
  readonly note: string;
}

/** An item to be put on a list. */
export interface NewWatchedItem extends WatchFacts {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number when it was put on the list; shown when nothing is published of it. */
  readonly number: string;
}

/** An item on a list. */
export interface WatchedItem extends NewWatchedItem {
  readonly id: number;
  readonly listId: number;
  readonly addedAt: number;
}
