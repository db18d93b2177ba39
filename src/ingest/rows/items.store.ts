/** The items that a batch concerns: existing ones, and those its rows add. */

import { type ItemKind, type ItemRef, itemKey } from '../../catalog/items/numbers.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { Links } from './links.store.ts';

export interface Item extends ItemRef {
  readonly id: number;
  readonly number: string;
}

/** Item ids by key. */
export class Items {
  readonly aliases = new Links();
  private readonly byKey = { set: new Map<string, number>(), minifig: new Map<string, number>() };
  /** Minifigs without a record of their own, which exist as aliases of others. */
  private readonly bare = new Set<number>();
  private readonly added = new Map<number, Item>();
  /** New numbers of items that were bare before the batch. */
  private readonly spelled = new Map<number, string>();

  constructor(private lastId: number) {}

  *load(kind: ItemKind, keys: Iterable<string>): db.Operation<void> {
    const unknown = [...keys].filter((key) => !this.byKey[kind].has(key));
    if (unknown.length === 0) return;
    const found = yield* db.query<{ id: number; key: string; isBare: boolean }>(
      `SELECT id::float8 AS id, key, (kind = 'minifig' AND NOT EXISTS (
         SELECT 1 FROM source.catalog_record WHERE item_id = id))::boolean AS "isBare"
       FROM published.item WHERE kind = $1::text AND key = ANY($2::text[])`,
      [kind, unknown],
    );
    for (const { id, key, isBare } of found) {
      this.byKey[kind].set(key, id);
      if (isBare) this.bare.add(id);
    }
  }

  /** The id of an item; null if there is none. */
  get(kind: ItemKind, key: string): number | null {
    return this.byKey[kind].get(key) ?? null;
  }

  /** Like `get`, but null for a minifig without a record that is no longer an alias either. */
  find(kind: ItemKind, key: string): number | null {
    const id = this.get(kind, key);
    if (id === null || !this.bare.has(id)) return id;
    return this.aliases.itemsOf(key).length > 0 ? id : null;
  }

  /** Ids need no sequence: the market has one writer, and a failed batch is rolled back. */
  add(item: Omit<Item, 'id'>): number {
    this.lastId += 1;
    this.added.set(this.lastId, { ...item, id: this.lastId });
    this.byKey[item.kind].set(item.key, this.lastId);
    return this.lastId;
  }

  /** Adds a bare minifig for an alias, unless the number exists. */
  addNamed(key: string): void {
    if (this.get('minifig', key) !== null) return;
    this.bare.add(this.add({ kind: 'minifig', key, number: key }));
  }

  /** Marks an item as described. The first source decides how the number is spelled. */
  describe(id: number, number: string): void {
    if (!this.bare.delete(id)) return;
    const added = this.added.get(id);
    if (added) this.added.set(id, { ...added, number });
    else this.spelled.set(id, number);
  }

  *save(): db.Operation<void> {
    const spelled = Array.from(this.spelled, ([id, number]) => ({ id, number }));
    yield* db.insertRows(tables.item, [...this.added.values()]);
    yield* db.updateRows(tables.item, ['number'], spelled);
  }
}

export function* loadItems(rows: readonly MarketRow[]): db.Operation<Items> {
  const last = yield* db.first<{ id: number }>(
    'SELECT coalesce(max(id), 0)::float8 AS id FROM published.item',
  );
  const items = new Items(last?.id ?? 0);
  const keys = { set: new Set<string>(), minifig: new Set<string>() };
  for (const row of rows) {
    if (row.kind === 'sale') keys[row.sale.itemKind].add(row.sale.itemKey);
    else if (row.kind === 'offer') keys.set.add(row.offer.setKey);
    else if (row.kind === 'part_out') keys.set.add(row.partOut.setKey);
    else if (row.kind === 'listings') keys[row.listings.itemKind].add(row.listings.itemKey);
    else if (row.kind === 'set' || row.kind === 'minifig') {
      keys[row.kind].add(itemKey(row.kind, row.facts.number));
    }
  }
  yield* items.load('set', keys.set);
  yield* items.load('minifig', keys.minifig);
  return items;
}
