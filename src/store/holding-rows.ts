/** What rows about holdings and sales become, whichever engine they come from. */

import type { DaySpan } from '../domain/kernel/page.ts';
import { dayOf, parseDay, parseMonth } from '../domain/kernel/time.ts';
import type { OwnSale } from '../domain/portfolio/holding-edits.ts';
import type {
  PurchaseMonth,
  Recorded,
  SaleResult,
  StoredLedgerSale,
} from '../domain/portfolio/holding-store.ts';
import { proceedsOf, type SaleAmounts } from '../domain/portfolio/ledger.ts';
import type { NamedTake } from '../domain/portfolio/lots.ts';
import type { Position } from '../domain/portfolio/value-history.ts';

/** Every day that a date can be. */
export const allDays: DaySpan = { from: '0000-01-01', to: '9999-12-31' };

/** A month of purchases as it is added up: its month is YYYY-MM. */
export type PurchaseMonthRow = Omit<PurchaseMonth, 'month'> & { readonly month: string };

/** The month as a number. */
export function toPurchaseMonth(row: PurchaseMonthRow): PurchaseMonth {
  return { ...row, month: parseMonth(row.month) ?? 0 };
}

/** The recorded sales of a day, added up. */
export type SaleResultRow = SaleAmounts & {
  readonly saleDate: string;
  /** SQLite has numbers for booleans. */
  readonly isFromLots: boolean | number;
};

/** What the sales brought. */
export function toSaleResult(row: SaleResultRow): SaleResult {
  const { netCents, profitCents } = proceedsOf(row);
  const day = dayOf(parseDay(row.saleDate) ?? 0);
  return { day, netCents, profitCents, isFromLots: Boolean(row.isFromLots) };
}

/** A recorded sale as it is kept: the line that was given, and what became of it. */
export interface RecordedSaleRow {
  readonly place: number;
  readonly given: string;
  readonly costCents: number;
  readonly takes: readonly NamedTake[];
}

/** The sale with where its cost came from. */
export function toRecordedSale(row: RecordedSaleRow): Recorded<StoredLedgerSale> {
  const { place, costCents, takes } = row;
  return { ...JSON.parse(row.given), place, settled: { costCents, takes } };
}

type Exits = Position['exits'];

const noExits: Exits = [];

/** A lot that is about to become a position. */
export type PositionRow = Position & { readonly id: number; exits: Exits };

/** Units of a lot that were sold on a day. */
export type ExitRow = Exits[number] & { readonly lotId: number };

/** Lots with what was sold of them. There may be thousands: rows become positions in place. */
export function toPositions(lots: PositionRow[], takes: readonly ExitRow[]): Position[] {
  const exits = Map.groupBy(takes, (take) => take.lotId);
  for (const lot of lots) lot.exits = exits.get(lot.id) ?? noExits;
  return lots;
}

/** A recorded sale as it is kept: the line that was given, and the cost that was frozen. */
export interface OwnSaleRow {
  readonly id: number;
  readonly given: string;
  readonly costCents: number;
}

/** The sale as its owner sees it. */
export function toOwnSale({ id, given, costCents }: OwnSaleRow): OwnSale {
  return { id, facts: JSON.parse(given), costCents };
}
