/** Which items a batch changed: their documents are stale afterwards. */
import type { Database } from 'bun:sqlite';

/** Items to be made stale when the batch is done. */
export type Touched = Set<number>;

/** Moves the touched items ahead of what is published. */
export function markStale(db: Database, touched: Touched): void {
  const bump = db.query<never, [number]>('UPDATE item SET version = version + 1 WHERE id = ?');
  for (const id of [...touched].sort((a, b) => a - b)) bump.run(id);
}
