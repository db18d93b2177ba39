/** The months of items: written with their documents, read with or without their provenance. */
import type { Database } from 'bun:sqlite';
import type { Provenance } from '../../domain/estimator.ts';
import {
  packPoints,
  packProvenance,
  type Series,
  unpackPoints,
  unpackProvenance,
} from '../../domain/history.ts';
import { type Condition, conditions } from '../../domain/market.ts';
import type { PublishedItem } from '../../domain/market-store.ts';

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
      const { firstMonth, points, revision } = months;
      save.run(id, condition, firstMonth, packPoints(points), revision, packedProvenance(months));
    }
  };
}

function packedProvenance({ points, provenance }: Series): Uint8Array | null {
  if (provenance.length !== points.length) {
    throw new Error(`${points.length} months have the provenance of ${provenance.length}.`);
  }
  return provenance.every((made) => made === null) ? null : packProvenance(provenance);
}

interface SeriesRow {
  readonly first_month: number;
  readonly points: Uint8Array;
  readonly revision: number;
  readonly provenance: Uint8Array | null;
}

/** Reads the stored months of an item, with what they were made from; null when there are none. */
export function seriesReader(
  db: Database,
): (itemId: number, condition: Condition) => Series | null {
  const find = db.query<SeriesRow, [number, Condition]>(
    `SELECT first_month, points, revision, provenance FROM series
     WHERE item_id = ? AND condition = ?`,
  );
  return (itemId, condition) => {
    const row = find.get(itemId, condition);
    return row && toSeries(row, (count) => readProvenance(row.provenance, count));
  };
}

/** Reads the stored months of an item for their points alone. */
export function pointsReader(
  db: Database,
): (itemId: number, condition: Condition) => Series | null {
  const find = db.query<Omit<SeriesRow, 'provenance'>, [number, Condition]>(
    'SELECT first_month, points, revision FROM series WHERE item_id = ? AND condition = ?',
  );
  return (itemId, condition) => {
    const row = find.get(itemId, condition);
    return row && toSeries(row, () => []);
  };
}

function readProvenance(packed: Uint8Array | null, count: number): (Provenance | null)[] {
  return packed ? unpackProvenance(packed, count) : Array.from({ length: count }, () => null);
}

function toSeries(
  row: Omit<SeriesRow, 'provenance'>,
  provenance: (count: number) => (Provenance | null)[],
): Series {
  const points = unpackPoints(row.points);
  return {
    firstMonth: row.first_month,
    points,
    revision: row.revision,
    provenance: provenance(points.length),
  };
}
