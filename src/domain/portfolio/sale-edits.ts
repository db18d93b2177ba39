/** Changes to recorded sales, kept for a day so that they can be undone. */
import type { StoredLedgerSale } from './ledger-store.ts';
import type { LedgerSaleFacts } from './lots.ts';

/** A sale before and after a change. */
export interface SaleEdit {
  /** With the units that it took, and what they cost. */
  readonly before: StoredLedgerSale;
  readonly after: LedgerSaleFacts;
}

/** Keeping changes of sales. Ids of others are as good as none. */
export interface SaleEdits {
  /** Keeps a change that was made; its id. */
  keepSaleEdit(accountId: number, edit: SaleEdit, at: number): Promise<number>;
  /** A change that can still be undone; null when it is too old, or not the account's. */
  findSaleEdit(accountId: number, editId: number, at: number): Promise<SaleEdit | null>;
}
