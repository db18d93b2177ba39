/** The months of items: written with their documents, read with what they were made from. */
import type { Series } from '../../domain/market/history.ts';
import type { ItemInputs, PublishedItem } from '../../domain/market/market-store.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { type SeriesRow, toSeries, toSeriesRow } from '../series.ts';
import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { type Statement, withRows } from './statement.ts';

/** Writes the series of items; those that they no longer have are dropped. */
export function saveSeries(items: readonly PublishedItem[]): Statement[] {
  const all = items.flatMap(({ id, series }) =>
    conditions.map((condition) => ({ id, condition, months: series[condition] })),
  );
  const dropped = all.filter(({ months }) => months === null);
  const saved = all.flatMap(({ months, ...place }) =>
    months ? [{ ...place, ...toSeriesRow(months) }] : [],
  );
  return [
    ...withRows(dropped, () => [
      `DELETE FROM published.series s USING unnest($1::bigint[], $2::text[]) AS d (id, condition)
       WHERE s.item_id = d.id AND s.condition = d.condition`,
      [dropped.map(({ id }) => id), dropped.map(({ condition }) => condition)],
    ]),
    ...withRows(saved, save),
  ];
}

type SavedRow = SeriesRow & { readonly id: number; readonly condition: Condition };

/** The months of a row lie in `bytes` from `start` on, and right behind them their provenance. */
function save(saved: readonly SavedRow[]): Statement {
  let end = 0;
  const rows = saved.map(({ points, provenance, ...row }) => {
    const lengths = { points: points.length, provenance: provenance?.length ?? null };
    const start = end + 1;
    end += points.length + (provenance?.length ?? 0);
    return { ...row, ...lengths, start };
  });
  const bytes = Buffer.concat(saved.flatMap((row) => [row.points, row.provenance ?? nothing]));
  return [saveSql, [jsonRows(rows), bytes]];
}

const nothing = new Uint8Array();

/**
 * Bytes are slow to send as text, so those of all rows are one value. Months are final: most of
 * the time nothing has changed, and nothing is written.
 */
const saveSql = `
  INSERT INTO published.series AS s
    (item_id, condition, first_month, points, revision, provenance)
  SELECT id, condition, "firstMonth", substr($2::bytea, start, points), revision,
    substr($2::bytea, start + points, provenance)
  FROM json_to_recordset($1::text::json) AS r (id bigint, condition text, "firstMonth" integer,
    points integer, revision bigint, provenance integer, start integer)
  ON CONFLICT (item_id, condition) DO UPDATE SET first_month = excluded.first_month,
    points = excluded.points, revision = excluded.revision, provenance = excluded.provenance
  WHERE (s.first_month, s.points, s.revision, s.provenance) IS DISTINCT FROM
    (excluded.first_month, excluded.points, excluded.revision, excluded.provenance)`;

/** Reads the stored months of items, with what they were made from; null when there are none. */
export async function loadSeries(
  client: Connection,
  ids: readonly number[],
): Promise<(itemId: number) => ItemInputs['series']> {
  const rows = await client.query<SeriesRow & { id: number; condition: Condition }>(
    `SELECT item_id::float8 AS id, condition, first_month AS "firstMonth", points,
       revision::float8 AS revision, provenance
     FROM published.series WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
  const found = { sealed: new Map<number, Series>(), used: new Map<number, Series>() };
  for (const row of rows) found[row.condition].set(row.id, toSeries(row));
  return (itemId) => ({
    sealed: found.sealed.get(itemId) ?? null,
    used: found.used.get(itemId) ?? null,
  });
}
