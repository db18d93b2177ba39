/** Finds items by number, remembering what it found for the length of a batch. */
import type { Database } from 'bun:sqlite';
import type { ItemKind } from '../../domain/numbers.ts';

/** The id of an item, by key or, for minifigs, by alias; null when there is none. */
export type FindItem = (kind: ItemKind, key: string) => number | null;

/** A finder for one batch; what is missing is asked for again, because it may still arrive. */
export function itemFinder(db: Database): FindItem {
  const byKey = db.query<{ id: number }, [ItemKind, string]>(
    'SELECT id FROM item WHERE kind = ? AND key = ?',
  );
  const byAlias = db.query<{ id: number }, [string]>(
    'SELECT item_id AS id FROM alias WHERE key = ? ORDER BY item_id LIMIT 1',
  );
  const known = { set: new Map<string, number>(), minifig: new Map<string, number>() };
  return (kind, key) => {
    const before = known[kind].get(key);
    if (before !== undefined) return before;
    const row = byKey.get(kind, key) ?? (kind === 'minifig' ? byAlias.get(key) : null);
    if (!row) return null;
    known[kind].set(key, row.id);
    return row.id;
  };
}
