/** How a store keeps watch lists. What is not an account's own looks like what does not exist. */
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
  /** Adds items, or changes those that are there; all of them or none. */
  saveWatchedItems(
    accountId: number,
    listId: number,
    sent: { readonly items: readonly NewWatchedItem[]; readonly at: number },
  ): Promise<{ readonly added: number; readonly changed: number } | 'too many' | 'no list'>;
  changeWatchedItem(accountId: number, itemId: number, facts: WatchFacts): Promise<boolean>;
  removeWatchedItems(accountId: number, itemIds: readonly number[]): Promise<number>;
  /** The keys of everything that an account watches, on any list. */
  listWatchedKeys(accountId: number): Promise<EventItems>;
}
