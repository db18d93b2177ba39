/** What stands behind published values. */
import type {
  ItemEvidence,
  MarketPublishing,
  PublishedItem,
} from '../../domain/market/market-store.ts';
import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { type Statement, withRows } from './statement.ts';

/** Writes the evidence of items in place of what was there. */
export function saveEvidence(items: readonly PublishedItem[]): Statement[] {
  const rows = items.map(({ id, evidence }) => ({ id, body: JSON.stringify(evidence) }));
  return withRows(rows, () => [
    `INSERT INTO source.evidence (item_id, body)
     SELECT id, body FROM json_to_recordset($1::text::json) AS r (id bigint, body text)
     ON CONFLICT (item_id) DO UPDATE SET body = excluded.body`,
    [jsonRows(rows)],
  ]);
}

type Row = Omit<ItemEvidence, 'evidence'> & { readonly body: string | null };

/** Finds the evidence of an item by its number, published or not. */
export function evidenceFinder(client: Connection): MarketPublishing['findEvidence'] {
  return async (kind, key) => {
    const [row] = await client.query<Row>(
      `SELECT i.id, i.number, l.name, i.version <> i.published_version AS "isStale", e.body
       FROM published.item n JOIN published.item i ON i.id = coalesce(n.part_of, n.id)
       LEFT JOIN published.listing l ON l.item_id = i.id
       LEFT JOIN published.evidence e ON e.item_id = i.id
       WHERE n.kind = $1 AND n.key = $2`,
      [kind, key],
    );
    if (!row) return null;
    const { body, ...item } = row;
    return { ...item, evidence: body === null ? null : JSON.parse(body) };
  };
}
