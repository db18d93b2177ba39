/** What the private side of a store tells about an account's own collections, lots and sales. */

import type { DaySpan, Page, PageRange, RowsAfter } from '../kernel/page.ts';
import type { Month } from '../kernel/time.ts';
import type { HeldLot, Stake } from './holdings.ts';
import type { LedgerSale } from './ledger.ts';
import type { LedgerSaleFacts, LotFacts, Settlement } from './lots.ts';
import type { Position } from './value-history.ts';

/** A collection. */
export interface Brickfolio {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly isDefault: boolean;
  readonly createdAt: number;
}

/** What was bought in one month and is still held. */
export interface PurchaseMonth {
  readonly month: Month;
  readonly lots: number;
  readonly units: number;
  readonly costCents: number;
}

/** Everything that is held, seen at one instant. */
export interface Holdings {
  readonly brickfolios: readonly Brickfolio[];
  readonly stakes: readonly (Stake & { readonly brickfolioId: number })[];
  /** Oldest first. */
  readonly purchases: readonly PurchaseMonth[];
}

/** What the recorded sales of a day brought: those from lots, or the others. */
export interface SaleResult {
  readonly day: number;
  readonly netCents: number;
  readonly profitCents: number;
  /** Whether they were sold from lots; false where their cost was given instead. */
  readonly isFromLots: boolean;
}

/** The units of a set that are held, and what they cost together. */
export interface HeldCost {
  readonly setKey: string;
  readonly units: number;
  readonly costCents: number;
}

/** A lot as it was bought, sold out or not. */
export interface StoredLot extends LotFacts {
  /** How many of its units were sold. */
  readonly sold: number;
}

/** A sale as it was recorded, with what it took and cost. */
export interface StoredLedgerSale extends Omit<LedgerSaleFacts, 'settled'> {
  readonly settled: Settlement;
}

/** A row with its place in the order of recording. */
export type Recorded<T> = T & { readonly place: number };

/** Reading what belongs to one account. Every method is limited to it. */
export interface HoldingStore {
  /** Whether the account has more lots and sales, taken together, than so many. */
  hasMoreRows(accountId: number, rows: number): Promise<boolean>;
  findHoldings(accountId: number): Promise<Holdings>;
  /** Lots with units left, newest purchase first; null when the collection is not the account's. */
  listEntries(
    accountId: number,
    page: PageRange & { readonly brickfolioId: number | null },
  ): Promise<Page<HeldLot> | null>;
  /** The lots that have one of these source ids, by source id. */
  findLots(accountId: number, sourceIds: readonly string[]): Promise<Map<string, StoredLot>>;
  /** Lots, sold out or not, in the order in which they were recorded. */
  listLots(accountId: number, options: RowsAfter): Promise<Recorded<StoredLot>[]>;
  /** Sales with where their cost came from, in the order in which they were recorded. */
  listRecordedSales(accountId: number, options: RowsAfter): Promise<Recorded<StoredLedgerSale>[]>;
  /** All lots ever bought with the sales from them, in order of set and condition. */
  listPositions(accountId: number): Promise<Position[]>;
  /** Recorded sales, newest first; all of them, or those of a span of days. */
  listSales(
    accountId: number,
    page: PageRange & { readonly span?: DaySpan | undefined },
  ): Promise<Page<LedgerSale>>;
  /** What recorded sales brought, by day, in no order. */
  listSaleResults(accountId: number): Promise<SaleResult[]>;
  /** What is held of each set, or of those among some sets that are held. */
  listHeldCosts(accountId: number, setKeys?: readonly string[]): Promise<HeldCost[]>;
}
