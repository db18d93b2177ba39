/** Finds items by number, remembering what it found for the length of a batch. */
import type { Database } from 'bun:sqlite';
import type { ItemKind } from '../../domain/catalog/numbers.ts';

/** The id of the item of a number; null when there is none, or nobody knows it any more. */
export type FindItem = (kind: ItemKind, key: string) => number | null;

/** A finder for one batch; what is missing is asked for again, because it may still arrive. */
export function itemFinder(db: Database): FindItem {
  const find = db.query<{ id: number; isDescribed: number; isNamed: number }, [ItemKind, string]>(
    `SELECT id, EXISTS (SELECT 1 FROM catalog_record WHERE item_id = id) AS isDescribed,
       EXISTS (SELECT 1 FROM alias WHERE alias.key = item.key) AS isNamed
     FROM item WHERE kind = ? AND key = ?`,
  );
  const known = { set: new Map<string, number>(), minifig: new Map<string, number>() };
  return (kind, key) => {
    const before = known[kind].get(key);
    if (before !== undefined) return before;
    const row = find.get(kind, key);
    if (!row) return null;
    // What is described stays so; an alias may be taken back within the batch.
    if (row.isDescribed === 1) known[kind].set(key, row.id);
    return row.isDescribed === 1 || row.isNamed === 1 ? row.id : null;
  };
}
