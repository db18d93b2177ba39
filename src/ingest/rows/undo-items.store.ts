/** Removes items that have no records left after an import is undone. */

import { saveDeals } from '../../buying/deals/deals.store.ts';
import { nounText } from '../../kernel/format.ts';
import { logEvents } from '../../market/events/events.store.ts';
import { dealEvents } from '../../market/events/next-events.ts';
import { nextStamp, saveMeta } from '../../market/published/meta.store.ts';
import { noteAllRemoved } from '../../market/published/removed-documents.store.ts';
import * as db from '../../store/sql/operation.ts';
import { type Table, tables } from '../../store/sql/tables.ts';
import type { Item } from './items.store.ts';
import { UndoError } from './undo-error.store.ts';

/** An item without records. */
interface BareItem extends Item {
  readonly isNamed: boolean;
  readonly isTraded: boolean;
  readonly isTradedSince: boolean;
}

/** Items that lost catalog data. */
export interface Undescribed {
  /** Items that lost a record. */
  readonly undescribed: ReadonlySet<number>;
  /** Sets with a restored or removed record. */
  readonly sets: ReadonlySet<number>;
}

/** Source tables: an item is only removed if it has no rows in them. */
const sourceTables: readonly Table[] = [
  tables.alias,
  tables.catalogRecord,
  tables.sale,
  tables.offer,
  tables.listings,
  tables.partOut,
];

/** Published and derived rows of items. */
const publishedTables = Object.values(tables).filter(
  (table) => table.columns.some(({ name }) => name === 'item_id') && !sourceTables.includes(table),
);

/**
 * Removes items that only this import added; returns how many. Minifigs that still are or have an
 * alias, or that had sales before the import, stay without a description.
 */
export function* removeItems(
  { undescribed, sets }: Undescribed,
  {
    keys,
    since,
    at,
  }: { readonly keys: ReadonlySet<string>; readonly since: number; readonly at: number },
): db.Operation<number> {
  yield* checkNames([...sets]);
  const bare = yield* listBare([...undescribed], [...keys], since);
  const stranded = bare.filter(({ kind, isNamed, isTraded, isTradedSince }) =>
    kind === 'set' ? isTraded : isTradedSince && !isNamed,
  );
  const [example] = stranded;
  if (example) {
    const items = nounText(stranded.length, example.kind);
    throw new UndoError(
      `Sales or offers of ${items} that only this import describes were imported later, for ` +
        `example of ${example.kind} ${example.number}. Undo those imports first.`,
    );
  }
  const gone = bare.filter(({ isNamed, isTraded }) => !isNamed && !isTraded).map(({ id }) => id);
  yield* removePublished(bare.map(({ id }) => id));
  yield* endDeals(
    bare.flatMap(({ kind, key }) => (kind === 'set' ? [key] : [])),
    at,
  );
  yield* db.run('DELETE FROM published.item WHERE id = ANY($1::bigint[])', [gone]);
  yield* db.run(
    `UPDATE published.item SET number = key WHERE kind = 'minifig' AND id = ANY($1::bigint[])`,
    [bare.map(({ id }) => id)],
  );
  return gone.length;
}

/** A set must keep a source that names it. */
function* checkNames(sets: readonly number[]): db.Operation<void> {
  const nameless = yield* db.first<{ number: string }>(
    `SELECT i.number FROM published.item AS i WHERE i.id = ANY($1::bigint[])
       AND EXISTS (SELECT 1 FROM source.catalog_record c WHERE c.item_id = i.id)
       AND NOT EXISTS (SELECT 1 FROM source.catalog_record c WHERE c.item_id = i.id
         AND c.body::json ->> 'title' IS NOT NULL AND c.body::json ->> 'theme' IS NOT NULL)
     ORDER BY i.id LIMIT 1`,
    [sets],
  );
  if (nameless) {
    throw new UndoError(
      `Only this import names set ${nameless.number}, and another source added to it later. ` +
        'Undo that import first.',
    );
  }
}

function* listBare(
  ids: readonly number[],
  keys: readonly string[],
  since: number,
): db.Operation<BareItem[]> {
  const sql = (which: string) =>
    `SELECT i.id::float8 AS id, i.kind, i.key, i.number,
       (i.kind = 'minifig' AND EXISTS (SELECT 1 FROM published.alias a
         WHERE a.key = i.key OR a.item_id = i.id))::boolean AS "isNamed",
       (EXISTS (SELECT 1 FROM source.sale s WHERE s.item_id = i.id)
         OR EXISTS (SELECT 1 FROM source.offer o WHERE o.item_id = i.id)
         OR EXISTS (SELECT 1 FROM source.listings l WHERE l.item_id = i.id)
         OR EXISTS (SELECT 1 FROM source.part_out p WHERE p.item_id = i.id))::boolean AS "isTraded",
       EXISTS (SELECT 1 FROM source.sale s
         WHERE s.item_id = i.id AND s.ingested_at >= $2::bigint)::boolean AS "isTradedSince"
     FROM published.item AS i WHERE ${which}
       AND NOT EXISTS (SELECT 1 FROM source.catalog_record c WHERE c.item_id = i.id)`;
  const described = yield* db.query<BareItem>(sql('i.id = ANY($1::bigint[])'), [ids, since]);
  const named = yield* db.query<BareItem>(sql(`i.kind = 'minifig' AND i.key = ANY($1::text[])`), [
    keys,
    since,
  ]);
  return [...new Map([...described, ...named].map((item) => [item.id, item])).values()];
}

/** Ends the deals of removed sets, and logs their closing as events. */
function* endDeals(keys: readonly string[], at: number): db.Operation<void> {
  const ended = yield* saveDeals(keys.map((key) => ({ item: { at, deals: [] }, row: { key } })));
  yield* logEvents(
    ended.flatMap((deal) => {
      const item = { kind: 'set', key: deal.setKey } as const;
      return dealEvents(null, [deal]).map((event) => ({ at, item, event }));
    }),
  );
}

/** Deletes what is published of items, and records the removal for caches and followers. */
function* removePublished(ids: readonly number[]): db.Operation<void> {
  if (ids.length === 0) return;
  const stamp = yield* nextStamp();
  yield* noteAllRemoved(ids, stamp);
  for (const { target } of publishedTables) {
    yield* db.run(`DELETE FROM ${target} WHERE item_id = ANY($1::bigint[])`, [ids]);
  }
  yield* saveMeta('removed_stamp', stamp);
}
