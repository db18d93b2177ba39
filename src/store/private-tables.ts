/** What the rules for private rows ask of the tables that those rows go into. */

import type { RowOutcome } from '../domain/market/market-store.ts';
import type { BrickfolioFacts, LotFacts, LotUnits, Take } from '../domain/portfolio/lots.ts';

/** A collection as it is stored. */
export interface BrickfolioRow {
  readonly id: number;
  readonly description: string | null;
  readonly isDefault: boolean;
}

/** What a lot is written with: its facts, with collection and set as they are referred to. */
export interface LotValues extends Omit<LotFacts, 'sourceId' | 'brickfolio'> {
  readonly brickfolioId: number;
  readonly setKey: string;
}

/** A lot as it is stored. */
export interface LotRow extends Omit<LotValues, 'setNumber'> {
  readonly id: number;
  readonly sold: number;
}

/** A recorded sale as it is stored. */
export interface SaleRow {
  readonly id: number;
  /** The line as it was given. */
  readonly given: string;
  readonly costCents: number;
}

/** What a recorded sale is written with. */
export interface SaleValues {
  readonly setKey: string;
  readonly setNumber: string;
  readonly condition: string;
  readonly platform: string;
  readonly saleDate: string;
  readonly quantity: number;
  readonly grossCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  readonly shippingCents: number;
  readonly costCents: number;
  readonly given: string;
}

/** Which lots a sale may take units from. */
export interface LotQuery {
  readonly setKey: string;
  readonly condition: string;
  /** The lot's source id, when it is named. */
  readonly lot: string | null;
}

/**
 * The private tables within one transaction. Nothing here is awaited: SQLite answers at once, and
 * for PostgreSQL everything that a batch can ask for is in memory before the first row.
 */
export interface PrivateTables {
  /** By the form in which e-mail addresses are compared. */
  findAccount(emailKey: string): number | null;
  /** What the account holds has changed: answers made from it before are stale. */
  raiseVersion(emailKey: string): void;

  countBrickfolios(accountId: number): number;
  findBrickfolio(accountId: number, name: string): BrickfolioRow | null;
  addBrickfolio(accountId: number, facts: BrickfolioFacts): void;
  changeBrickfolio(id: number, facts: Omit<BrickfolioFacts, 'name'>): void;
  /** No collection of the account is its default any more. */
  clearDefault(accountId: number): void;

  countLots(accountId: number): number;
  findLot(accountId: number, sourceId: string): LotRow | null;
  addLot(accountId: number, sourceId: string, values: LotValues): void;
  changeLot(id: number, values: LotValues): void;
  /** The oldest lots with units left, `limit` at most. */
  listOpenLots(accountId: number, options: LotQuery & { readonly limit: number }): LotUnits[];
  /** Counts units as sold (1), or as there again (-1). */
  moveUnits(takes: readonly Take[], sign: 1 | -1): void;

  countSales(accountId: number): number;
  findSale(accountId: number, sourceId: string): SaleRow | null;
  /** The id of the new sale. */
  addSale(accountId: number, sourceId: string, values: SaleValues): number;
  changeSale(id: number, values: SaleValues): void;
  listTakes(saleId: number): readonly Take[];
  /** In place of the takes that the sale had. Units are not counted. */
  saveTakes(saleId: number, takes: readonly Take[]): void;
}

/** The outcomes that say no more than their name. */
export const added: RowOutcome = { kind: 'added' };
export const updated: RowOutcome = { kind: 'updated' };
export const unchanged: RowOutcome = { kind: 'unchanged' };

/** A row that cannot be applied; `missing` when what it refers to may still arrive. */
export function refused(reason: string, missing = false): RowOutcome {
  return { kind: 'rejected', reason, missing };
}
