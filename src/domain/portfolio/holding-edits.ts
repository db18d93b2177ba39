/** What an account's owner does to collections, lots and sales besides recording them. */

import type { PrivateRow } from '../account/account-store.ts';
import type { Platform } from '../fees/platforms.ts';
import type { RowOutcome } from '../market/market-store.ts';
import type { StoredLot } from './holding-store.ts';
import type { SaleAmounts } from './ledger.ts';
import type { LedgerSaleFacts } from './lots.ts';

/** A lot as its owner sees it, sold out or not. */
export interface OwnLot extends StoredLot {
  readonly id: number;
  readonly brickfolioId: number;
  readonly setKey: string;
}

/** A sale as it was recorded, and the cost that was frozen with it. */
export interface OwnSale {
  readonly id: number;
  readonly facts: LedgerSaleFacts;
  readonly costCents: number;
}

/** The sales of one month on one platform, added up. */
export interface SaleSum extends SaleAmounts {
  /** As YYYY-MM. */
  readonly month: string;
  readonly platform: Platform;
  readonly sales: number;
  readonly units: number;
}

/** How many lots a collection has, those included that are sold out. */
export interface LotCount {
  readonly lots: number;
  /** Those from which units were sold. */
  readonly withSales: number;
}

/** What becomes of the lots of a collection that is removed. */
export interface LotsFate {
  /** Move all of them, or remove those from which nothing was sold and move the others. */
  readonly lots: 'move' | 'remove';
  /** The collection that lots are moved to. */
  readonly to: number | null;
}

/** Where rows of one account are tried; nothing of it lasts. */
export interface OwnRehearsal {
  /** What `applyRows` would make of rows, after those that were tried before. */
  applyRows(rows: readonly PrivateRow[], at: number): Promise<RowOutcome[]>;
  close(): Promise<void>;
}

/**
 * Changes by the owner. Ids of others are as good as none. Every change makes what was answered
 * before stale.
 */
export interface HoldingEdits {
  findLot(accountId: number, lotId: number): Promise<OwnLot | null>;
  findSale(accountId: number, saleId: number): Promise<OwnSale | null>;
  /** Newest month first, then by platform. */
  listSaleSums(accountId: number): Promise<SaleSum[]>;
  /** Null when the collection is not the account's. */
  countLots(accountId: number, brickfolioId: number): Promise<LotCount | null>;

  /** Applies private rows like `applyRows`, but nothing at all when one of them is rejected. */
  applyTogether(rows: readonly PrivateRow[], at: number): Promise<RowOutcome[]>;

  /** A place to try rows of the account in, and of no other. */
  rehearse(accountId: number): Promise<OwnRehearsal>;

  /** Names and describes a collection anew; a name is taken when another collection has it. */
  changeBrickfolio(
    accountId: number,
    brickfolioId: number,
    facts: { readonly name: string; readonly description: string | null },
  ): Promise<'done' | 'missing' | 'taken'>;
  /** Makes a collection the default in place of the one that was. */
  setDefault(accountId: number, brickfolioId: number): Promise<boolean>;
  /**
   * Removes a collection. Lots from which units were sold are never removed with it, because their
   * sales would be left without what they sold: without a collection to move them to, nothing is
   * done. If it was the default, the one that lots are moved to is, else the oldest.
   */
  removeBrickfolio(
    accountId: number,
    brickfolioId: number,
    fate: LotsFate,
  ): Promise<'done' | 'missing' | 'lots left'>;
  /** Removes a lot, unless units were sold from it: sales stay with what they took. */
  removeLot(accountId: number, lotId: number): Promise<'done' | 'missing' | 'sold'>;
  /** Removes a sale; its units are in their lots again. */
  removeSale(accountId: number, saleId: number): Promise<boolean>;
}
