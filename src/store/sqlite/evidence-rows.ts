/** What stands behind published values. */
import type { Database } from 'bun:sqlite';
import type { Evidence } from '../../domain/market/evidence.ts';
import type { ItemEvidence, MarketPublishing } from '../../domain/market/market-store.ts';
import { itemFinder } from './find-item.ts';

/** Writes the evidence of an item in place of what was there. */
export function evidenceWriter(db: Database): (itemId: number, evidence: Evidence) => void {
  const save = db.query<never, [number, string]>(
    'INSERT OR REPLACE INTO evidence (item_id, body) VALUES (?, ?)',
  );
  return (itemId, evidence) => {
    save.run(itemId, JSON.stringify(evidence));
  };
}

/** Reads the evidence of an item; null when nothing is published. */
export function evidenceReader(db: Database): (itemId: number) => Evidence | null {
  const find = db.query<{ body: string }, [number]>('SELECT body FROM evidence WHERE item_id = ?');
  return (itemId) => {
    const row = find.get(itemId);
    return row && JSON.parse(row.body);
  };
}

/** Finds the evidence of an item by its number, published or not. */
export function evidenceFinder(db: Database): MarketPublishing['findEvidence'] {
  const read = evidenceReader(db);
  return async (kind, key) => {
    const id = itemFinder(db)(kind, key);
    const item = id === null ? null : findItem(db, id);
    return item && { ...item, isStale: item.isStale === 1, evidence: read(item.id) };
  };
}

type ItemRow = Pick<ItemEvidence, 'id' | 'number' | 'name'> & { readonly isStale: number };

function findItem(db: Database, id: number): ItemRow | null {
  return db
    .query<ItemRow, [number]>(
      `SELECT i.id, i.number, l.name, i.version <> i.published_version AS isStale
       FROM item n JOIN item i ON i.id = coalesce(n.part_of, n.id)
       LEFT JOIN listing l ON l.item_id = i.id WHERE n.id = ?`,
    )
    .get(id);
}
