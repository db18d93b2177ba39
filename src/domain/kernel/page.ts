/** Parts of lists: which part is asked for, and what comes back. */

/** A part of a list. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list as it was asked for. */
export interface AskedRange {
  readonly limit: number;
  readonly offset: AskedInteger;
}

/** A whole number, however large: its digits where a number does not hold it exactly. */
export type AskedInteger = number | string;

/** The part of a list that is asked for: behind the end of every list, all places are one. */
export function rangeOf({ limit, offset }: AskedRange): PageRange {
  return { limit, offset: typeof offset === 'number' ? offset : Number.MAX_SAFE_INTEGER };
}

/** A part of a list, and how long the whole is. */
export interface Page<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

/** Asks for rows after one that is known, in the order in which they were recorded. */
export interface RowsAfter {
  /** The position of the last row that is known; 0 for the first rows. */
  readonly after: number;
  readonly limit: number;
}

/** Days from one to another, both included, as YYYY-MM-DD. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}
