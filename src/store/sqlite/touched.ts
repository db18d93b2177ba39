/** Which items a batch changed: their documents are stale afterwards. */
import type { Database } from 'bun:sqlite';

/** Items to be made stale when the batch is done. */
export type Touched = Set<number>;

/** Moves the touched items, and the minifigs that they are parts of, ahead of what is published. */
export function markStale(db: Database, touched: Touched): void {
  const bump = db.query<{ partOf: number | null }, [number]>(
    'UPDATE item SET version = version + 1 WHERE id = ? RETURNING part_of AS partOf',
  );
  const wholes = new Set<number>();
  for (const id of [...touched].sort((a, b) => a - b)) {
    const partOf = bump.get(id)?.partOf ?? null;
    if (partOf !== null && !touched.has(partOf)) wholes.add(partOf);
  }
  for (const id of wholes) bump.get(id);
}
