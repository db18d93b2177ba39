/** Rows with their places: what was read there, or the reason why it is no row. */
import { RowFault } from './fields.ts';
import type { PlacedRow, ReadRow } from './source-row.ts';

/** Where a row stands, and the row itself. */
export interface Place {
  readonly where: string;
  readonly text: string;
}

/** A row that cannot become anything, and why. */
export interface Refusal extends Place {
  readonly reason: string;
}

/** The row that is read, or the reason that reading throws. */
export function placed(place: Place, read: () => ReadRow): PlacedRow {
  try {
    const source = read();
    return {
      where: place.where,
      // Only rejected rows are shown: the text of the others is never made.
      get text() {
        return place.text;
      },
      source,
    };
  } catch (error) {
    if (error instanceof RowFault) return refused(place, error.message);
    throw error;
  }
}

/** A row that is rejected. */
export function refused({ where, text }: Place, reason: string): PlacedRow {
  return { where, text, source: { reason } };
}

/** The place of a JSON record. */
export function jsonPlace(where: string, value: unknown): Place {
  return {
    where,
    get text() {
      return JSON.stringify(value);
    },
  };
}
