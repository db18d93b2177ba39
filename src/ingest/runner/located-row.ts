/** The output of adapters: rows with their locations, and censuses, prerequisites and notes. */

import type { MarketRow, StoredCensus } from '../../market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { MissingError, readOr } from './fields.ts';

export interface Location {
  readonly where: string;
  readonly text: string;
}

/** Facts of a row that may be unclear or wrong; the owner is asked. */
export interface LotGaps {
  readonly hasNoDate: boolean;
  readonly hasNoPrice: boolean;
  /** An ambiguous date, as written. */
  readonly unclearDay: string | null;
  /** The name of the set in the file; null if it has none. */
  readonly name: string | null;
}

/** A row rejected before any lookup. */
export interface Rejection extends Location {
  readonly reason: string;
  readonly isMissing?: boolean;
}

export function isRejection<T extends object>(draft: T | Rejection): draft is Rejection {
  return 'reason' in draft;
}

export type RowResult = GoodRow | BadRow;

export interface GoodRow {
  readonly row: MarketRow | PrivateRow;
  /**
   * Whether the row may be deferred because it refers to something later in the file. Only for
   * formats with such references, since deferred rows are held in memory.
   */
  readonly mayWait?: true;
  /** Fields that were dropped, and why. */
  readonly warnings?: readonly string[];
  readonly gaps?: LotGaps;
}

export interface BadRow {
  readonly reason: string;
  /** Whether it belongs to an account, as far as it could be read. */
  readonly isPrivate?: boolean;
  /** Whether the row can be imported once an exchange rate has been. */
  readonly isMissing?: boolean;
  readonly gaps?: LotGaps;
}

export interface LocatedRow extends Location {
  readonly result: RowResult;
}

/** All items of one kind that a source has; items missing from it are marked as gone. */
export type Census = Omit<StoredCensus, 'at'>;

/** Must exist before the rows after it, such as their collection; not counted as a row. */
export interface Prerequisite {
  readonly prerequisite: PrivateRow;
}

/** A sentence about the files, for the report. */
export interface Note {
  readonly note: string;
}

/** In order; a census follows its rows. */
export type SourceItem = LocatedRow | Census | Prerequisite | Note;

/** Turns a `RowError` into a reject. */
export function readLocated(location: Location, read: () => GoodRow): LocatedRow {
  return readOr(
    () => ({
      where: location.where,
      result: read(),
      // Lazy, because only the text of rejected rows is needed.
      get text() {
        return location.text;
      },
    }),
    (reason, error) => {
      const { where, text } = location;
      return rejectionRow({ where, text, reason, isMissing: error instanceof MissingError });
    },
  );
}

export function rejectedRow({ where, text }: Location, reason: string): LocatedRow {
  return { where, text, result: { reason } };
}

export function rejectionRow(rejection: Rejection): LocatedRow {
  const { where, text, reason, isMissing } = rejection;
  return { where, text, result: { reason, ...(isMissing && { isMissing }) } };
}

/** The text of a long record in reports, truncated. */
export function shortJson(value: unknown): string {
  return JSON.stringify(value).slice(0, 4_000);
}

export function jsonLocation(where: string, value: unknown): Location {
  return {
    where,
    get text() {
      return JSON.stringify(value);
    },
  };
}
