/** Stores the checkpoints of items with many sales. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { PublishedItem } from '../published/publishing.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The time of the latest usable checkpoint of `item` up to the time `until`; null for none. */
export const checkpointAtSql = (until: string) =>
  `(SELECT max(c.at) FROM source.checkpoint AS c WHERE c.item_id = item.id
     AND c.version = item.version AND c.at <= ${until})`;

/** An item that is valued from a checkpoint. */
interface ItemFrom {
  readonly id: number;
  /** Null: from the first row. */
  readonly checkpointAt: number | null;
}

export function* loadCheckpoints(items: readonly ItemFrom[]): db.Reading<Map<number, Checkpoint>> {
  const rows = items.flatMap(({ id, checkpointAt: at }) => (at === null ? [] : [{ id, at }]));
  if (rows.length === 0) return new Map();
  const groups = yield* db.queryGroups<Checkpoint>(
    `SELECT c.at::float8 AS at, c.key, c.state FROM source.checkpoint AS c
     WHERE c.item_id = r.id AND c.at = r.at`,
    { types: { id: 'bigint', at: 'bigint' }, rows },
  );
  return new Map(
    rows.flatMap(({ id }, index) => (groups[index] ?? []).map((found) => [id, found] as const)),
  );
}

/** Adds new checkpoints, and removes those that cannot be used or are not needed any more. */
export function* saveCheckpoints(items: readonly PublishedItem[]): db.Operation<void> {
  const { checkpointTimes = [] } = items[0] ?? {};
  yield* db.run(
    `DELETE FROM source.checkpoint AS c WHERE c.item_id = ANY($1::bigint[])
       AND NOT (c.at = ANY($2::bigint[]) AND c.version = (
         SELECT i.version FROM published.item AS i WHERE i.id = c.item_id))`,
    [items.map(({ id }) => id), checkpointTimes],
  );
  const rows = items.flatMap(({ id, version, checkpoints }) =>
    checkpoints.map((checkpoint) => ({ itemId: id, version, ...checkpoint })),
  );
  yield* db.saveRows(tables.checkpoint, rows);
}

/** An item, and the time from which its rows have changed. */
export interface ChangedFrom {
  readonly id: number;
  readonly from: number;
}

/**
 * Lets checkpoints follow the raised versions of their items, as far as the change does not affect
 * them. The others can never be used again.
 */
export function* carryCheckpoints(changed: readonly ChangedFrom[]): db.Operation<void> {
  yield* db.runEach(
    `UPDATE source.checkpoint AS c SET version = c.version + 1 FROM {rows}
     WHERE c.item_id = r.id AND c.at <= r."from"`,
    { types: { id: 'bigint', from: 'bigint' }, rows: changed },
  );
}
