/** Named numbers of the market, such as the publish stamp. */
import * as db from '../../store/sql/operation.ts';

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

export function* readMeta(): db.Reading<Map<MetaName, number>> {
  const rows = yield* db.query<{ name: MetaName; value: number }>(
    'SELECT name, value FROM published.meta',
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export function* saveMeta(name: MetaName, value: number): db.Operation<void> {
  yield* db.run(
    `INSERT INTO published.meta VALUES ($1::text, $2::bigint)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}

/**
 * The number of a new publication. Caches and followers of changes compare it. It is at least the
 * current time, so a restored store never assigns a number again that a client may know.
 */
export function* nextStamp(): db.Operation<number> {
  const row = yield* db.runFirst<{ value: number }>(
    `UPDATE published.meta SET value = greatest(value + 1, published.instant(NULL, 0))
     WHERE name = 'publish_stamp' RETURNING value`,
  );
  if (!row) throw new Error('The store has no publish stamp.');
  return row.value;
}

export interface PublishStamp {
  /** Increases with every publication. Cheap: read on every turn of the event loop. */
  publishStamp(): number | Promise<number>;
}
