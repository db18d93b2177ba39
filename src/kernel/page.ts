/** Pagination. */

export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

export interface RequestedRange {
  readonly limit: number;
  readonly offset: RequestedInteger;
}

/** An integer of any size, as text if a number cannot represent it. */
export type RequestedInteger = number | string;

/** The requested range; offsets beyond any list are clamped. */
export function rangeOf({ limit, offset }: RequestedRange): PageRange {
  return { limit, offset: typeof offset === 'number' ? offset : Number.MAX_SAFE_INTEGER };
}

/** A page and the total length of the list. */
export interface Page<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

/** Requests rows after a known one, in order of recording. */
export interface RowsAfter {
  /** The position of the last known row; 0 for the first rows. */
  readonly after: number;
  readonly limit: number;
}

/** Days from one to another, both included, as YYYY-MM-DD. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

export const allDays: DaySpan = { from: '0000-01-01', to: '9999-12-31' };
