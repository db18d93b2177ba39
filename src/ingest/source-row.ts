/** What an adapter makes of one row of its file. */
import type { PrivateRow } from '../domain/account-store.ts';
import type { MarketRow } from '../domain/market-store.ts';

/** A row that can be applied, or the reason why it cannot. */
export type SourceRow = { readonly row: MarketRow | PrivateRow } | { readonly reason: string };

/** A row with its place in the file and its text, for the report. */
export interface PlacedRow {
  readonly where: string;
  readonly text: string;
  readonly source: SourceRow;
}
