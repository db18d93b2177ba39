/** Saves items of a watch list, for pages and the API. */

import type { MarketReading } from '../../publish/reading.store.ts';
import type { AlertRoomStore } from '../alerts.store.ts';
import { withListedKeys } from './watch-import.work.ts';
import type { NewWatchedItem, WatchedItem } from './watch-list.ts';
import { watchLimits } from './watch-list.ts';

export interface WatchedItemDeps {
  readonly market: Pick<MarketReading, 'findNames'>;
  readonly accounts: Pick<AlertRoomStore, 'listWatchedItems' | 'saveWatchedItems' | 'findWatched'>;
  readonly alerts: {
    /** Records what a changed list matches now, so that it is not sent; the number of new ones. */
    recordMatches(accountId: number, listId: number, setKeys: readonly string[]): Promise<number>;
  };
}

export interface ListChange {
  readonly accountId: number;
  readonly listId: number;
  readonly at: number;
}

/** Adds an item to a list, or changes it, whichever of its numbers is used. */
export async function saveItem(deps: WatchedItemDeps, change: ListChange, item: NewWatchedItem) {
  return saveItems(deps, change, [await withListedKey(deps, change, item)]);
}

/** Adds items to a list, and counts those that match alerts already, which are not sent. */
export async function saveItems(
  deps: WatchedItemDeps,
  change: ListChange,
  items: readonly NewWatchedItem[],
  isExact = false,
) {
  const { accountId, listId, at } = change;
  const saved = await deps.accounts.saveWatchedItems(accountId, listId, { items, at, isExact });
  if (typeof saved !== 'object') return saved;
  return { ...saved, matching: await countMatching(deps, change, items) };
}

/** The number of items that match an alert since they were saved. */
export function countMatching(
  deps: Pick<WatchedItemDeps, 'alerts'>,
  { accountId, listId }: Pick<ListChange, 'accountId' | 'listId'>,
  items: readonly Pick<NewWatchedItem, 'kind' | 'key'>[],
): Promise<number> {
  // Retailers sell no minifigs.
  const keys = items.filter(({ kind }) => kind === 'set').map(({ key }) => key);
  return deps.alerts.recordMatches(accountId, listId, keys);
}

/** Puts an item on a list with exactly this target and note, whether it was on it or not. */
export async function putItem(
  deps: WatchedItemDeps,
  change: ListChange,
  given: NewWatchedItem,
): Promise<WatchedItem | 'too many' | 'no list'> {
  const item = await withListedKey(deps, change, given);
  const saved = await saveItems(deps, change, [item], true);
  if (typeof saved !== 'object') return saved;
  return (await findOn(deps, change, item)) ?? 'no list';
}

/** The item of a list, by any of its numbers; undefined if it is not on it. */
export async function findListedItem(
  deps: WatchedItemDeps,
  change: Omit<ListChange, 'at'>,
  item: NewWatchedItem,
): Promise<WatchedItem | undefined> {
  return findOn(deps, change, await withListedKey(deps, change, item));
}

async function withListedKey(
  { market, accounts }: WatchedItemDeps,
  { accountId, listId }: Omit<ListChange, 'at'>,
  item: NewWatchedItem,
): Promise<NewWatchedItem> {
  if (item.kind === 'set') return item;
  const all = { after: 0, limit: watchLimits.items };
  const listed = await accounts.listWatchedItems(accountId, listId, all);
  const [found = item] = await withListedKeys(market, [item], listed);
  return found;
}

async function findOn(
  { accounts }: WatchedItemDeps,
  { accountId, listId }: Omit<ListChange, 'at'>,
  { kind, key }: NewWatchedItem,
): Promise<WatchedItem | undefined> {
  const keys = { set: [], minifig: [], [kind]: [key] };
  const found = await accounts.findWatched(accountId, keys);
  return found.find((each) => each.listId === listId);
}
