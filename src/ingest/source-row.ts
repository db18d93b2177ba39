/** What an adapter makes of its file. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { MarketRow } from '../domain/market/market-store.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';

/** A row that can be applied, or the reason why it cannot. */
export type SourceRow = ReadRow | RefusedRow;

/** A row that can be applied. */
export interface ReadRow {
  readonly row: MarketRow | PrivateRow;
  /**
   * Whether what it refers to may come later in the same file. Rows that wait for it are held, so
   * only those do whose format has such things; the others are refused at once.
   */
  readonly mayWait?: true;
}

/** A row that cannot be applied. */
export interface RefusedRow {
  readonly reason: string;
  /** Whether it belongs to an account, as far as it could be read. */
  readonly isPrivate?: boolean;
}

/** A row with its place in the file and its text, for the report. */
export interface PlacedRow {
  readonly where: string;
  readonly text: string;
  readonly source: SourceRow;
}

/** Everything of one kind that a source has now: what it had before and is not here has gone. */
export interface Census {
  readonly source: string;
  readonly itemKind: ItemKind;
  /** Lookup keys. */
  readonly keys: ReadonlySet<string>;
}

/** Something that the rows after it stand on, such as their collection; it counts as no row. */
export interface Groundwork {
  readonly groundwork: PrivateRow;
}

/** What comes out of a file, in order. A census follows the rows that it speaks of. */
export type SourceItem = PlacedRow | Census | Groundwork;
