/** What the private side of a store tells about recorded sales, and the lots they took from. */

import type { ChargedLedgerSale } from '../buying/fee-audit.ts';
import type { Platform } from '../fees/platforms.ts';
import type { DaySpan, Page, PageRange, RowsAfter } from '../kernel/page.ts';
import type { LedgerSale, SaleAmounts } from './ledger.ts';
import type { Recorded } from './lot-store.ts';
import type { DateBasis, LedgerSaleFacts, Settlement } from './lots.ts';
import type { LotTake } from './sold-lots.ts';

/** A sale as it was recorded, with what it took and cost. */
export interface StoredLedgerSale extends Omit<LedgerSaleFacts, 'settled'> {
  readonly settled: Settlement;
}

/** A sale as it was recorded, and the cost that was frozen with it. */
export interface OwnSale {
  readonly id: number;
  readonly facts: LedgerSaleFacts;
  readonly costCents: number;
}

/** What the recorded sales of a day brought: those from lots, or the others. */
export interface SaleResult {
  readonly day: number;
  readonly netCents: number;
  readonly profitCents: number;
}

/** The sales of one month on one platform, added up. */
export interface SaleSum extends SaleAmounts {
  /** As YYYY-MM. */
  readonly month: string;
  readonly platform: Platform;
  readonly sales: number;
  readonly units: number;
}

/** Units of a lot that a sale took, seen from the lot. */
export interface LotSale {
  readonly saleId: number;
  readonly saleDate: string;
  readonly platform: Platform;
  readonly quantity: number;
}

/** Units of a lot that a sale took, seen from the sale. */
export interface SaleLot {
  readonly lotId: number;
  readonly purchaseDate: string;
  readonly dateBasis: DateBasis;
  /** The collection that it is in, by name. */
  readonly brickfolio: string;
  readonly quantity: number;
}

/** Which recorded sales are meant; what is left out, or null, is any. */
export interface SaleFilter {
  readonly span?: DaySpan | undefined;
  readonly platform?: Platform | null;
  /** Sales of these sets alone. */
  readonly setKeys?: readonly string[] | null;
}

/** What recorded sales can be sorted by. */
export const saleOrders = [
  'date',
  'set',
  'platform',
  'quantity',
  'gross',
  'fees',
  'shipping',
  'net',
  'cost',
  'profit',
  'roi',
] as const;

/** An order of sales. Those that are alike in it are listed newest first. */
export interface SaleOrder {
  readonly by: (typeof saleOrders)[number];
  readonly isDescending: boolean;
}

/** Reading sales. Every method is limited to one account: ids of others are as good as none. */
export interface LedgerStore {
  /** Recorded sales, newest first unless another order is asked for. */
  listSales(
    accountId: number,
    page: PageRange & SaleFilter & { readonly order?: SaleOrder },
  ): Promise<Page<LedgerSale>>;
  findSale(accountId: number, saleId: number): Promise<OwnSale | null>;
  /** The ids of the sales that have one of these source ids, by source id. */
  findSaleIds(accountId: number, sourceIds: readonly string[]): Promise<Map<string, number>>;
  /** The sets that units were sold of, each once, in order. */
  listSoldSets(accountId: number): Promise<string[]>;
  /** Sales with where their cost came from, in the order in which they were recorded. */
  listRecordedSales(accountId: number, options: RowsAfter): Promise<Recorded<StoredLedgerSale>[]>;
  /** What recorded sales brought, by day, in no order. */
  listSaleResults(accountId: number): Promise<SaleResult[]>;
  /**
   * Sales whose fees came with an order, newest first. Left out are those without any fee, and
   * those that were typed into a page: their fees may be presets.
   */
  listChargedSales(accountId: number, limit: number): Promise<ChargedLedgerSale[]>;
  /** Newest month first, then by platform. */
  listSaleSums(accountId: number, filter?: SaleFilter): Promise<SaleSum[]>;
  /** Sales that took units of a lot, newest first. */
  listLotSales(accountId: number, lotId: number, limit: number): Promise<LotSale[]>;
  /** Lots that a sale took units of, oldest purchase first. */
  listSaleLots(accountId: number, saleId: number, limit: number): Promise<SaleLot[]>;
  /** What sales took of lots, oldest purchase first; sales without lots are left out. */
  listTakes(accountId: number, saleIds: readonly number[]): Promise<Map<number, LotTake[]>>;
}
