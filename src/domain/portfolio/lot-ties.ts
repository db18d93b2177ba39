/** What ties lots and sales together: which lot was sold when, and which sale took what. */
import type { Platform } from '../fees/platforms.ts';
import type { DaySpan, Page, PageRange } from '../kernel/page.ts';
import type { OwnLot } from './holding-edits.ts';

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
  /** The collection that it is in, by name. */
  readonly brickfolio: string;
  readonly quantity: number;
}

/** Reading for owners. Ids of others are as good as none. */
export interface LotTies {
  /** Lots of a collection that have no units left, newest purchase first. */
  listSoldOut(
    accountId: number,
    page: PageRange & { readonly brickfolioId: number },
  ): Promise<Page<OwnLot>>;
  /** Lots of a set that have units left, oldest purchase first. */
  listLotsOfSet(accountId: number, setKey: string, limit: number): Promise<OwnLot[]>;
  /** Sales that took units of a lot, newest first. */
  listLotSales(accountId: number, lotId: number, limit: number): Promise<LotSale[]>;
  /** Lots that a sale took units of, oldest purchase first. */
  listSaleLots(accountId: number, saleId: number, limit: number): Promise<SaleLot[]>;
  /** When the units of sales were bought, first to last; sales without lots are left out. */
  findPurchaseSpans(accountId: number, saleIds: readonly number[]): Promise<Map<number, DaySpan>>;
}
