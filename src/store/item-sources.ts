/** What sources say of one item, put in order: the same on both engines. */
import type { ItemSources } from '../domain/market/market-store.ts';
import { byKey, bySource } from './source-rows.ts';

/** A record with the item that it is of, and the item that this is a part of, or is. */
export interface ItemRecordRow {
  readonly whole: string;
  readonly isPart: boolean | number;
  readonly key: string;
  readonly number: string;
  readonly source: string;
  readonly body: string;
  readonly goneAt: number | null;
}

/** In order of source; of one source, what it says by the item's own number comes first. */
export function itemSources(rows: readonly ItemRecordRow[]): ItemSources | null {
  const [first] = rows;
  if (!first) return null;
  const ordered = [...rows]
    .sort((a, b) => Number(a.isPart) - Number(b.isPart) || byKey(a, b))
    .sort(bySource);
  return {
    number: first.whole,
    records: ordered.map(({ source, number, body, goneAt }) => ({
      source,
      number,
      goneAt,
      facts: JSON.parse(body),
    })),
  };
}

/** Selects the rows of the item that has a number; `schema` tells where each table is. */
export function itemRecordsSql(schema: { published: string; source: string }): string {
  const { published, source } = schema;
  return `SELECT w.number AS whole, p.id <> w.id AS "isPart", p.key, p.number, r.source, r.body,
      r.gone_at AS "goneAt"
    FROM ${published}item n JOIN ${published}item w ON w.id = coalesce(n.part_of, n.id)
    JOIN ${published}item p ON p.id IN (
      SELECT w.id UNION ALL SELECT m.id FROM ${published}item m WHERE m.part_of = w.id)
    JOIN ${source}catalog_record r ON r.item_id = p.id
    WHERE n.kind = $1 AND n.key = $2`;
}
