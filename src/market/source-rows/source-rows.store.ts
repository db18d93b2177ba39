/** Sort orders of source rows, and the records of items. */

import { compareText } from '../../catalog/items/numbers.ts';
import { groupValues } from '../../store/sql/group-values.ts';
import * as db from '../../store/sql/operation.ts';
import type { LearningInputs } from '../values/learning-inputs.ts';
import type { StoredSale } from './source-rows.ts';

/** By time of sale, source and source id. */
export function bySale(a: StoredSale, b: StoredSale): number {
  return (
    a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId)
  );
}

/** By source; stable within one source. */
export function bySource(a: { readonly source: string }, b: { readonly source: string }): number {
  return compareText(a.source, b.source);
}

export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareText(a.key, b.key);
}

/** Each source's description of items, by item id. */
export function* loadRecords(
  ids: readonly number[],
): db.Reading<Map<number, LearningInputs['records'][number][]>> {
  const rows = yield* db.query<{ id: number; source: string; body: string }>(
    `SELECT item_id::float8 AS id, source, body FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
  const records = rows.map(({ id, source, body }) => {
    return { id, record: { source, facts: JSON.parse(body) } };
  });
  return groupValues(records, 'id', 'record');
}
