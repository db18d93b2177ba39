/** What the private side of a store tells about an account's collections, and all they hold. */
import type { Month } from '../kernel/time.ts';
import type { Stake } from './holdings.ts';

/** A collection. */
export interface Brickfolio {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly isDefault: boolean;
  readonly createdAt: number;
}

/** The name of the collection that is made for an account without one. */
export const firstBrickfolio = 'My collection';

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

/** How many lots a collection has, those included that are sold out. */
export interface LotCount {
  readonly lots: number;
  /** Those from which units were sold. */
  readonly withSales: number;
}

/** Reading collections. Every method is limited to one account. */
export interface BrickfolioStore {
  /** Whether the account has more lots and sales, taken together, than so many. */
  hasMoreRows(accountId: number, rows: number): Promise<boolean>;
  /** In the order in which they were made. */
  listBrickfolios(accountId: number): Promise<Brickfolio[]>;
  findHoldings(accountId: number): Promise<Holdings>;
  /** Null when the collection is not the account's. */
  countLots(accountId: number, brickfolioId: number): Promise<LotCount | null>;
}
