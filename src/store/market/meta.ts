/** Single numbers that the market keeps by name. */
import { first, type Operation, query, run } from '../sql/operation.ts';

/** The names of such numbers. */
type MetaName =
  | 'publish_stamp'
  | 'published_at'
  | 'removed_stamp'
  | 'sealed_at'
  | 'parameters_change'
  | 'parameters_changed_from'
  | 'parameters_learned'
  | 'event_position'
  | 'events_pruned'
  | 'bulk_files'
  | 'restored_from'
  | 'restored_to';

/** Reads all of them; those that are not there are undefined. */
export function* readMeta(): Operation<Map<MetaName, number>> {
  const rows = yield* query<{ name: MetaName; value: number }>(
    'SELECT name, value FROM published.meta',
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Writes one of them. */
export function* saveMeta(name: MetaName, value: number): Operation<void> {
  yield* run(
    `INSERT INTO published.meta VALUES ($1::text, $2::bigint)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}

/**
 * Every publication has a number of its own; caches compare it, and so do those who follow what
 * changes. It is never less than the time: a store that was set back gives no number again that
 * somebody may know from before.
 */
export function* nextStamp(): Operation<number> {
  const row = yield* first<{ value: number }>(
    `UPDATE published.meta SET value = greatest(value + 1, published.instant(NULL, 0))
     WHERE name = 'publish_stamp' RETURNING value`,
  );
  if (!row) throw new Error('The store has no publish stamp.');
  return row.value;
}
