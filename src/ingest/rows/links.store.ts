/**
 * Links between items and numbers within a batch: minifigs in sets, and aliases of minifigs. Each
 * source has one list per item.
 */

import type { Claim } from '../../market/lists/members.store.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';

/** A number in a source's list for an item. */
export interface Link extends Claim {
  /** As the source spells it. */
  readonly number: string;
}

interface LinkList {
  readonly itemId: number;
  readonly source: string;
  /** Numbers by key. */
  entries: Map<string, string>;
  isStored: boolean;
  isReplaced: boolean;
}

export class Links {
  private readonly lists = new ByItem<string, LinkList>();
  /** By key: item ids, each with the number of its lists that contain the key. */
  private readonly items = new Map<string, Map<number, number>>();

  addStored({ itemId, source, key, number }: Link): void {
    const list = this.listOf(itemId, source);
    if (list.entries.has(key)) return;
    list.isStored = true;
    list.entries.set(key, number);
    this.count(key, itemId, 1);
  }

  itemsOf(key: string): number[] {
    return [...(this.items.get(key)?.keys() ?? [])];
  }

  /** Replaces a source's list for an item; returns the keys of the previous one. */
  replace(itemId: number, source: string, entries: Map<string, string>): Set<string> {
    const list = this.listOf(itemId, source);
    const before = new Set(list.entries.keys());
    if (isSameList(list.entries, entries)) return before;
    for (const key of before) this.count(key, itemId, -1);
    for (const key of entries.keys()) this.count(key, itemId, 1);
    list.entries = entries;
    list.isReplaced = true;
    return before;
  }

  /** Replaced lists with rows in the store, which must be deleted. */
  replacedLists(): { itemId: number; source: string }[] {
    return this.replaced()
      .filter((list) => list.isStored)
      .map(({ itemId, source }) => ({ itemId, source }));
  }

  newLinks(): Link[] {
    return this.replaced().flatMap(({ itemId, source, entries }) =>
      [...entries].map(([key, number]) => ({ itemId, source, key, number })),
    );
  }

  private replaced(): LinkList[] {
    return this.lists.list().filter((list) => list.isReplaced);
  }

  private listOf(itemId: number, source: string): LinkList {
    return this.lists.getOrMake(itemId, source, () => {
      return { itemId, source, entries: new Map(), isStored: false, isReplaced: false };
    });
  }

  private count(key: string, itemId: number, by: 1 | -1): void {
    const items = this.items.getOrInsertComputed(key, () => new Map());
    const count = (items.get(itemId) ?? 0) + by;
    if (count > 0) items.set(itemId, count);
    else items.delete(itemId);
  }
}

function isSameList(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, number]) => b.get(key) === number);
}
