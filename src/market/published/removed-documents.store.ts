/**
 * Records removed documents, so that followers of changes remove them as well. It may record
 * documents that were never read.
 */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { type BulkType, bulkTypes, documentRank } from './bulk.ts';

export interface NumberedItem {
  readonly id: number;
  readonly kind: ItemKind;
  readonly number: string;
}

export const typesOfKind: Readonly<Record<ItemKind, readonly BulkType[]>> = {
  set: ['sets', 'months', 'retail'],
  minifig: ['minifigs'],
};

export function* noteRemoved(
  items: readonly NumberedItem[],
  types: readonly BulkType[],
  stamp: number,
): db.Operation<void> {
  const rows = items.flatMap(({ id, kind, number }) =>
    typesOfKind[kind]
      .filter((type) => types.includes(type))
      .map((type) => ({ type, number, stamp, place: documentRank(id, type, true) })),
  );
  yield* db.saveRows(tables.removedDocument, rows);
}

/** Records all documents of items as removed; must be called before their listings are deleted. */
export function* noteAllRemoved(ids: readonly number[], stamp: number): db.Operation<void> {
  yield* noteRemoved(yield* listPublished(ids), bulkTypes, stamp);
}

/** Marks remaining months as changed; where none are left, records them as removed. */
export function* noteFewerMonths(ids: readonly number[], stamp: number): db.Operation<void> {
  yield* markMonths(ids, stamp);
  const left = yield* db.query<{ id: number }>(
    'SELECT item_id::float8 AS id FROM published.series WHERE item_id = ANY($1::bigint[])',
    [ids],
  );
  const withMonths = new Set(left.map(({ id }) => id));
  const without = (yield* listPublished(ids)).filter(({ id }) => !withMonths.has(id));
  yield* noteRemoved(without, ['months'], stamp);
}

export function markMonths(ids: readonly number[], stamp: number): db.Operation<number> {
  const sql = 'UPDATE published.series SET stamp = $1::bigint WHERE item_id = ANY($2::bigint[])';
  return db.run(sql, [stamp, ids]);
}

function listPublished(ids: readonly number[]): db.Operation<NumberedItem[]> {
  return db.query<NumberedItem>(
    `SELECT item_id::float8 AS id, kind, number FROM published.listing
     WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
}
