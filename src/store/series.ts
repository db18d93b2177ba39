/** The months of items as rows: packed the same way on every engine. */
import type { Provenance } from '../domain/market/estimator.ts';
import {
  packPoints,
  packProvenance,
  type Series,
  unpackPoints,
  unpackProvenance,
} from '../domain/market/history.ts';

/** The months of one item in one condition, packed. */
export interface SeriesRow {
  readonly firstMonth: number;
  readonly points: Uint8Array;
  readonly revision: number;
  readonly provenance: Uint8Array | null;
}

/** Packs a series; what each month was made from only where some of that is known. */
export function toSeriesRow({ firstMonth, points, revision, provenance }: Series): SeriesRow {
  if (provenance.length !== points.length) {
    throw new Error(`${points.length} months have the provenance of ${provenance.length}.`);
  }
  const isUnknown = provenance.every((made) => made === null);
  return {
    firstMonth,
    points: packPoints(points),
    revision,
    provenance: isUnknown ? null : packProvenance(provenance),
  };
}

/** Unpacks a series with what its months were made from. */
export function toSeries(row: SeriesRow): Series {
  const series = toBareSeries(row);
  return { ...series, provenance: readProvenance(row.provenance, series.points.length) };
}

/** Unpacks a series for its points alone. */
export function toBareSeries(row: Omit<SeriesRow, 'provenance'>): Series {
  const { firstMonth, points, revision } = row;
  return { firstMonth, points: unpackPoints(points), revision, provenance: [] };
}

function readProvenance(packed: Uint8Array | null, count: number): (Provenance | null)[] {
  return packed ? unpackProvenance(packed, count) : Array.from({ length: count }, () => null);
}
