/** How a store keeps watch lists. What is not an account's own looks like what does not exist. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { EventItems } from '../market/events.ts';
import type { NewWatchedItem, WatchedItem, WatchFacts, WatchList } from './watch-list.ts';

/** Which items of a list are asked for: those after an id, in the order of ids. */
export interface WatchedPage {
  readonly after: number;
  readonly limit: number;
}

/** Watch lists. Changes raise the account's private version. */
export interface WatchStore {
  /** By name. */
  listWatchLists(accountId: number): Promise<WatchList[]>;
  addWatchList(
    accountId: number,
    list: { readonly name: string; readonly at: number },
  ): Promise<{ readonly id: number } | 'name taken' | 'too many' | 'no account'>;
  renameWatchList(
    accountId: number,
    listId: number,
    name: string,
  ): Promise<'done' | 'name taken' | 'no list'>;
  /** False when there is no such list. Rules that watch it end with it. */
  removeWatchList(accountId: number, listId: number): Promise<boolean>;
  listWatchedItems(accountId: number, listId: number, page: WatchedPage): Promise<WatchedItem[]>;
  /** What is on any list under one of these keys, in the order of ids. */
  findWatched(accountId: number, keys: EventItems): Promise<WatchedItem[]>;
  /**
   * Adds items, all of them or none. One that is on the list already gets the target and the note
   * that are given, and keeps what it has where there are none.
   */
  saveWatchedItems(
    accountId: number,
    listId: number,
    sent: { readonly items: readonly NewWatchedItem[]; readonly at: number },
  ): Promise<{ readonly added: number; readonly changed: number } | 'too many' | 'no list'>;
  /** Sets the target and the note, also to none. False when there is no such item. */
  changeWatchedItem(accountId: number, itemId: number, facts: WatchFacts): Promise<boolean>;
  /** How many were removed. */
  removeWatchedItems(accountId: number, itemIds: readonly number[]): Promise<number>;
  /**
   * The keys of everything that an account watches, on any list, as they were when it was put
   * there: `findAllKeys` of the market tells under which keys it is now.
   */
  listWatchedKeys(accountId: number): Promise<EventItems>;
}

/** An account and an item that it watches. */
export interface Watcher {
  readonly accountId: number;
  readonly kind: ItemKind;
  readonly key: string;
}

/** What is counted over all accounts: who watches what. */
export interface WatchedItems {
  /** Each account and item once, in order, after one of them; null: from the first on. */
  listWatchers(after: Watcher | null, limit: number): Promise<Watcher[]>;
}
