/** What an adapter makes of its file: rows with their locations, and what goes with them. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { MarketRow } from '../domain/market/market-ingest.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { RowError } from './fields.ts';

/** Where a row stands in its file, and its text. */
export interface Location {
  readonly where: string;
  readonly text: string;
}

/** A minifig that somebody owns: collections do not hold it, but a box that is valued may. */
export interface OwnedMinifig {
  readonly number: string;
  readonly quantity: number;
  readonly condition: Condition;
}

/** What a file does not say of a lot, or not clearly: its owner is asked. */
export interface LotGaps {
  readonly hasNoDate: boolean;
  readonly hasNoPrice: boolean;
  /** The day as it is written, where it could be read both ways and nothing says which is meant. */
  readonly unclearDay: string | null;
}

/** A row that was rejected before anything was looked up, and why. */
export interface Rejection extends Location {
  readonly reason: string;
  readonly minifig?: OwnedMinifig;
}

/** Whether a draft was rejected. */
export function isRejection<T extends object>(draft: T | Rejection): draft is Rejection {
  return 'reason' in draft;
}

/** A row that can be applied, or the reason why it cannot be. */
export type RowResult = GoodRow | BadRow;

/** A row that can be applied. */
export interface GoodRow {
  readonly row: MarketRow | PrivateRow;
  /**
   * Whether what it refers to may come later in the same file. Rows that wait for it are held, so
   * only those do whose format has such things; the others are refused at once.
   */
  readonly mayWait?: true;
  /** Fields of it that could not be used, each in words. */
  readonly warnings?: readonly string[];
  readonly gaps?: LotGaps;
}

/** A row that cannot be applied. */
export interface BadRow {
  readonly reason: string;
  /** Whether it belongs to an account, as far as it could be read. */
  readonly isPrivate?: boolean;
  /** What it says, where that is a minifig. */
  readonly minifig?: OwnedMinifig;
  readonly gaps?: LotGaps;
}

/** A row with its location in the file, for the report. */
export interface LocatedRow extends Location {
  readonly result: RowResult;
}

/** Everything of one kind that a source has now: what it had before and is not here has gone. */
export interface Census {
  readonly source: string;
  readonly itemKind: ItemKind;
  /** Lookup keys. */
  readonly keys: ReadonlySet<string>;
}

/** Something that the rows after it stand on, such as their collection; it counts as no row. */
export interface Prerequisite {
  readonly prerequisite: PrivateRow;
}

/** Something about the files as a whole that whoever imports them should know; a sentence. */
export interface Note {
  readonly note: string;
}

/** What comes out of a file, in order. A census follows the rows that it speaks of. */
export type SourceItem = LocatedRow | Census | Prerequisite | Note;

/** The row that is read, or the reason that reading throws. */
export function readLocated(location: Location, read: () => GoodRow): LocatedRow {
  try {
    const result = read();
    return {
      where: location.where,
      // Only rejected rows are shown: the text of the others is never made.
      get text() {
        return location.text;
      },
      result,
    };
  } catch (error) {
    if (error instanceof RowError) return rejectedRow(location, error.message);
    throw error;
  }
}

/** A row that is rejected. */
export function rejectedRow({ where, text }: Location, reason: string): LocatedRow {
  return { where, text, result: { reason } };
}

/** A row that was rejected as it was read. */
export function rejectionRow({ where, text, reason, minifig }: Rejection): LocatedRow {
  return { where, text, result: { reason, ...(minifig && { minifig }) } };
}

/** The location of a JSON record. */
export function jsonLocation(where: string, value: unknown): Location {
  return {
    where,
    get text() {
      return JSON.stringify(value);
    },
  };
}
