/** Stored runs of offers as single looks, to compare them with one row per look. */
import { lookTimes, type OfferFacts } from '../../src/market/retail/offer-runs.ts';

/** The columns of a run. */
interface StoredRun {
  readonly observed_at: number;
  readonly last_at: number;
  readonly looks: number;
  readonly gaps: Uint8Array | null;
}

/** One row per look, of rows in order of item, retailer and time. */
export function asLooks(rows: readonly object[]): object[] {
  return rows.flatMap((row) => {
    const { observed_at: firstAt, last_at: lastAt, looks, gaps } = row as StoredRun;
    const times = lookTimes({ facts: {} as OfferFacts, firstAt, lastAt, looks, gaps });
    if (times.length !== looks || times.at(-1) !== lastAt)
      throw new Error('A run is inconsistent.');
    return times.map((at) => ({ ...row, observed_at: at, last_at: at, looks: 1, gaps: null }));
  });
}
