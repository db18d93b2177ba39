/** The month series of items: written with their documents, read with their provenance. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { ItemInputs, PublishedItem } from '../published/publishing.ts';
import { noteFewerMonths } from '../published/removed-documents.store.ts';
import { type Condition, conditions } from '../source-rows/source-rows.ts';
import {
  packPoints,
  packProvenance,
  type Series,
  unpackPoints,
  unpackProvenance,
} from './history.ts';

/** A packed series of one item in one condition. */
export interface SeriesRow {
  readonly firstMonth: number;
  readonly points: Uint8Array;
  readonly revision: number;
  readonly provenance: Uint8Array;
}

/** Writes the series of items, and deletes those that items no longer have. */
export function* saveSeries(items: readonly PublishedItem[], stamp: number): db.Operation<void> {
  const all = items.flatMap(({ id, series }) =>
    conditions.map((condition) => ({ itemId: id, condition, months: series[condition] })),
  );
  const dropped = all.filter(({ months }) => months === null);
  const saved = all.flatMap(({ months, ...key }) =>
    months ? [{ ...key, ...toSeriesRow(months), stamp }] : [],
  );
  const isLess = (yield* dropSeries(dropped)) > 0;
  yield* db.saveRows(tables.series, saved, ['stamp']);
  const ids = [...new Set(dropped.map(({ itemId }) => itemId))];
  if (isLess) yield* noteFewerMonths(ids, stamp);
}

/** Returns how many series were deleted. */
export function* dropSeries(
  series: readonly { readonly itemId: number; readonly condition: string }[],
): db.Operation<number> {
  let dropped = 0;
  for (const condition of conditions) {
    const ids = series.flatMap((each) => (each.condition === condition ? [each.itemId] : []));
    if (ids.length === 0) continue;
    dropped += yield* db.run(
      'DELETE FROM published.series WHERE condition = $1::text AND item_id = ANY($2::bigint[])',
      [condition, ids],
    );
  }
  return dropped;
}

export function* loadSeries(
  items: readonly { readonly id: number }[],
): db.Reading<Map<number, ItemInputs['series']>> {
  const groups = yield* db.queryGroups<SeriesRow & { condition: Condition }>(
    `SELECT condition, first_month AS "firstMonth", points, revision::float8 AS revision, provenance
     FROM published.series WHERE item_id = r.id`,
    db.givenRows(tables.item, ['id'], items),
  );
  const seriesOf = (rows: readonly (SeriesRow & { condition: Condition })[]) => {
    const read = (condition: Condition) => {
      const row = rows.find((some) => some.condition === condition);
      return row ? toSeries(row) : null;
    };
    return { sealed: read('sealed'), used: read('used') };
  };
  return new Map(items.map(({ id }, index) => [id, seriesOf(groups[index] ?? [])]));
}

function toSeriesRow({ firstMonth, points, revision, provenance }: Series): SeriesRow {
  if (provenance.length !== points.length) {
    throw new Error(`${points.length} months have the provenance of ${provenance.length}.`);
  }
  return {
    firstMonth,
    points: packPoints(points),
    revision,
    provenance: packProvenance(provenance),
  };
}

function toSeries(row: SeriesRow): Series {
  const series = toBareSeries(row);
  return { ...series, provenance: unpackProvenance(row.provenance, series.points.length) };
}

export function toBareSeries(row: Omit<SeriesRow, 'provenance'>): Series {
  const { firstMonth, points, revision } = row;
  return { firstMonth, points: unpackPoints(points), revision, provenance: [] };
}
