/** Writes finished documents and all that goes with them, many at a time. */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import { retailFoldVersion } from '../../domain/market/retail-state.ts';
import { packNextSetValues } from '../listing.ts';
import type { Connection } from './client.ts';
import { saveEvidence } from './evidence-rows.ts';
import { notePublished } from './journal.ts';
import { jsonBytes, jsonRows } from './json-rows.ts';
import { nextStamp } from './meta.ts';
import { addScores } from './score-rows.ts';
import { saveSeries } from './series-rows.ts';
import { runAll, type Statement, withRows } from './statement.ts';

/** Writes what is still current; an item that moved on meanwhile is left for the next round. */
export async function publishItems(
  tx: Connection,
  items: readonly PublishedItem[],
): Promise<number> {
  const [stamp, claims] = await Promise.all([nextStamp(tx), claim(tx, items)]);
  const claimed = items.flatMap((item) => {
    const row = claims.get(item.id);
    return row ? [{ item, row }] : [];
  });
  const written = claimed.map(({ item }) => item);
  await runAll(tx, [
    ...saveDocuments(claimed, stamp),
    ...saveListings(claimed),
    ...saveSeries(written),
    ...saveRetail(claimed),
    ...saveEvidence(written),
    ...notePublished(items),
    ...removeParts(claimed, stamp),
    // Of two processes that publish the same rows, only the first has found new sales.
    ...addScores(claimed.flatMap(({ item, row }) => (row.hasNews ? item.scores : []))),
  ]);
  return written.length;
}

interface ClaimRow {
  readonly id: number;
  readonly kind: ItemKind;
  readonly key: string;
  readonly number: string;
  readonly hasNews: boolean;
  /** The values that were published before. */
  readonly packed: Uint8Array | null;
}

interface Claimed {
  readonly item: PublishedItem;
  readonly row: ClaimRow;
}

async function claim(
  tx: Connection,
  items: readonly PublishedItem[],
): Promise<Map<number, ClaimRow>> {
  const rows = await tx.query<ClaimRow>(
    `UPDATE published.item i SET published_version = w.version, due_at = w.due_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (id, version, due_at)
     JOIN published.item old ON old.id = w.id
     LEFT JOIN published.listing l ON l.item_id = w.id
     WHERE i.id = w.id AND i.version = w.version
     RETURNING i.id, i.kind, i.key, i.number, old.version <> old.published_version AS "hasNews",
       l.set_values AS packed`,
    [
      items.map(({ id }) => id),
      items.map(({ version }) => version),
      items.map(({ dueAt }) => dueAt),
    ],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function saveDocuments(claimed: readonly Claimed[], stamp: number): Statement[] {
  const rows = claimed.map(({ item: { id, body }, row: { kind, key } }) => ({
    id,
    kind,
    key,
    body,
  }));
  return withRows(rows, () => [
    `INSERT INTO published.document (item_id, kind, key, stamp, body)
     SELECT id, kind, key, $2, body FROM json_to_recordset($1::text::json)
       AS r (id bigint, kind text, key text, body text)
     ON CONFLICT (item_id) DO UPDATE SET stamp = excluded.stamp, body = excluded.body`,
    [jsonRows(rows), stamp],
  ]);
}

function saveListings(claimed: readonly Claimed[]): Statement[] {
  const rows = claimed.map(({ item, row: { kind, key, number, packed } }) => {
    const { id, name, theme, newCents, usedCents, searchRow, upcKey, eanKey } = item;
    const setValues = kind === 'set' ? jsonBytes(packNextSetValues(packed, item)) : null;
    return {
      id,
      kind,
      key,
      number,
      name,
      theme,
      newCents,
      usedCents,
      searchRow,
      setValues,
      upcKey,
      eanKey,
    };
  });
  return withRows(rows, () => [
    `INSERT INTO published.listing
       (item_id, kind, key, number, name, theme, new_cents, used_cents, search_row, set_values,
        upc_key, ean_key)
     SELECT id, kind, key, number, name, theme, "newCents", "usedCents", "searchRow",
       decode("setValues", 'base64'), "upcKey", "eanKey"
     FROM json_to_recordset($1::text::json) AS r (id bigint, kind text, key text, number text,
       name text, theme text, "newCents" bigint, "usedCents" bigint, "searchRow" text,
       "setValues" text, "upcKey" text, "eanKey" text)
     ON CONFLICT (item_id) DO UPDATE SET number = excluded.number, name = excluded.name,
       theme = excluded.theme, new_cents = excluded.new_cents, used_cents = excluded.used_cents,
       search_row = excluded.search_row, set_values = excluded.set_values,
       upc_key = excluded.upc_key, ean_key = excluded.ean_key`,
    [jsonRows(rows)],
  ]);
}

/** Removes what was published of the parts of minifigs before they became parts of them. */
function removeParts(claimed: readonly Claimed[], stamp: number): Statement[] {
  const ids = claimed.flatMap(({ item, row }) => (row.kind === 'minifig' ? [item.id] : []));
  const parts = 'SELECT id FROM published.item WHERE part_of = ANY($1::bigint[])';
  return withRows(ids, () => [
    `WITH gone AS (DELETE FROM published.document WHERE item_id IN (${parts}) RETURNING 1),
       listings AS (DELETE FROM published.listing WHERE item_id IN (${parts})),
       evidence AS (DELETE FROM source.evidence WHERE item_id IN (${parts}))
     INSERT INTO published.meta (name, value)
     SELECT 'removed_stamp', $2::bigint WHERE EXISTS (SELECT 1 FROM gone)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [ids, stamp],
  ]);
}

/** The retail rows of sets, and the states that went on with them. */
function saveRetail(claimed: readonly Claimed[]): Statement[] {
  const sets = claimed.filter(({ row }) => row.kind === 'set');
  const dropped = sets.flatMap(({ item }) => (item.retail === null ? [item.id] : []));
  const saved = sets.flatMap(({ item: { id, retail }, row: { key } }) => {
    if (retail === null) return [];
    const { asinKey, upcKey, eanKey, changedAt, body } = retail;
    const months = JSON.stringify(retail.months);
    return [{ id, key, asinKey, upcKey, eanKey, changedAt, body, months }];
  });
  const states = sets.flatMap(({ item: { id, retail } }) =>
    (retail?.newStates ?? []).map((state) => {
      const { retailer, latest } = state;
      return { id, retailer, checkedAt: latest.at, state: JSON.stringify(state) };
    }),
  );
  return [
    ...withRows(dropped, () => [
      'DELETE FROM published.retail WHERE item_id = ANY($1::bigint[])',
      [dropped],
    ]),
    ...withRows(saved, () => [saveRetailSql, [jsonRows(saved)]]),
    ...withRows(states, () => [saveStatesSql, [jsonRows(states), retailFoldVersion]]),
  ];
}

const saveRetailSql = `
  INSERT INTO published.retail (item_id, key, asin_key, upc_key, ean_key, changed_at, body,
    months)
  SELECT id, key, "asinKey", "upcKey", "eanKey", "changedAt", body, months
  FROM json_to_recordset($1::text::json) AS r (id bigint, key text, "asinKey" text,
    "upcKey" text, "eanKey" text, "changedAt" bigint, body text, months text)
  ON CONFLICT (item_id) DO UPDATE SET asin_key = excluded.asin_key, upc_key = excluded.upc_key,
    ean_key = excluded.ean_key, changed_at = excluded.changed_at, body = excluded.body,
    months = excluded.months`;

const saveStatesSql = `
  INSERT INTO source.retail_state (item_id, retailer, fold_version, checked_at, state)
  SELECT id, retailer, $2, "checkedAt", state
  FROM json_to_recordset($1::text::json) AS r (id bigint, retailer text, "checkedAt" bigint,
    state text)
  ON CONFLICT (item_id, retailer) DO UPDATE SET fold_version = excluded.fold_version,
    checked_at = excluded.checked_at, state = excluded.state`;
