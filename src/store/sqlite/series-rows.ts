/** The months of items: written with their documents, read with or without their provenance. */
import type { Database } from 'bun:sqlite';
import type { Series } from '../../domain/market/history.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { type SeriesRow, toBareSeries, toSeries, toSeriesRow } from '../series.ts';

/** Writes the series of an item; those that it no longer has are dropped. */
export function seriesWriter(db: Database): (item: PublishedItem) => void {
  const save = db.query<never, [number, string, number, Uint8Array, number, Uint8Array | null]>(
    `INSERT OR REPLACE INTO series
       (item_id, condition, first_month, points, revision, provenance)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const drop = db.query<never, [number, string]>(
    'DELETE FROM series WHERE item_id = ? AND condition = ?',
  );
  return ({ id, series }) => {
    for (const condition of conditions) {
      const months = series[condition];
      if (months === null) {
        drop.run(id, condition);
        continue;
      }
      const { firstMonth, points, revision, provenance } = toSeriesRow(months);
      save.run(id, condition, firstMonth, points, revision, provenance);
    }
  };
}

/** Reads the stored months of an item, with what they were made from; null when there are none. */
export function seriesReader(
  db: Database,
): (itemId: number, condition: Condition) => Series | null {
  const find = db.query<SeriesRow, [number, Condition]>(
    `SELECT first_month AS firstMonth, points, revision, provenance FROM series
     WHERE item_id = ? AND condition = ?`,
  );
  return (itemId, condition) => {
    const row = find.get(itemId, condition);
    return row && toSeries(row);
  };
}

/** Reads the stored months of an item for their points alone. */
export function pointsReader(
  db: Database,
): (itemId: number, condition: Condition) => Series | null {
  const find = db.query<Omit<SeriesRow, 'provenance'>, [number, Condition]>(
    `SELECT first_month AS firstMonth, points, revision FROM series
     WHERE item_id = ? AND condition = ?`,
  );
  return (itemId, condition) => {
    const row = find.get(itemId, condition);
    return row && toBareSeries(row);
  };
}
