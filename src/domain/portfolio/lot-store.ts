/** What the private side of a store tells about an account's lots. */
import type { Page, PageRange, RowsAfter } from '../kernel/page.ts';
import type { HeldLot } from './holdings.ts';
import type { LotFacts } from './lots.ts';
import type { Position } from './value-history.ts';

/** A lot as it was bought, sold out or not. */
export interface StoredLot extends LotFacts {
  /** How many of its units were sold. */
  readonly sold: number;
}

/** A lot as its owner sees it, sold out or not. */
export interface OwnLot extends StoredLot {
  readonly id: number;
  readonly brickfolioId: number;
  readonly setKey: string;
}

/** A lot as the inventory lists it, sold out or not. */
export type InventoryLot = Omit<OwnLot, 'sourceId' | 'brickfolio'>;

/** A row with its place in the order of recording. */
export type Recorded<T> = T & { readonly place: number };

/** The units of a set that are held, and what they cost together. */
export interface HeldCost {
  readonly setKey: string;
  readonly units: number;
  readonly costCents: number;
}

/** An account and a set that it holds. */
export interface HeldSet {
  readonly accountId: number;
  readonly setKey: string;
}

/** The same, and how many units of it. */
export interface HeldUnits extends HeldSet {
  readonly units: number;
}

/** What is counted over all accounts: how many hold a set, and how many units. */
export interface HeldSets {
  /** Which account holds which set, each pair once, in order, after a pair. */
  listHeldSets(after: HeldSet, limit: number): Promise<HeldUnits[]>;
}

/** Asks for whole sets after one that is known, until they have so many lots together. */
export interface SetsAfter {
  /** The lookup key of the last set that is known; empty for the first sets. */
  readonly after: string;
  readonly limit: number;
}

/** Reading lots. Every method is limited to one account: ids of others are as good as none. */
export interface LotStore {
  /** Lots with units left, newest purchase first; null when the collection is not the account's. */
  listEntries(
    accountId: number,
    page: PageRange & { readonly brickfolioId: number | null },
  ): Promise<Page<HeldLot> | null>;
  findLot(accountId: number, lotId: number): Promise<OwnLot | null>;
  /** The lots that have one of these source ids, by source id. */
  findLots(accountId: number, sourceIds: readonly string[]): Promise<Map<string, StoredLot>>;
  /** Lots, sold out or not, in the order in which they were recorded. */
  listLots(accountId: number, options: RowsAfter): Promise<Recorded<StoredLot>[]>;
  /** The same for the inventory: lots after an id, in the order of ids. */
  listInventory(accountId: number, options: RowsAfter): Promise<InventoryLot[]>;
  /** The latest purchases whose day is known, sold out or not, newest first. */
  listPurchases(accountId: number, limit: number): Promise<InventoryLot[]>;
  /** Lots of a set that have units left, oldest purchase first. */
  listLotsOfSet(accountId: number, setKey: string, limit: number): Promise<OwnLot[]>;
  /** Grows with every change of what an account has; 0 where there is no such account. */
  findPrivateVersion(accountId: number): Promise<number>;
  /** Lots ever bought with the sales from them, in order of set and condition. */
  listPositions(accountId: number, sets: SetsAfter): Promise<Position[]>;
  /** What is held of each set, or of those among some sets that are held. */
  listHeldCosts(accountId: number, setKeys?: readonly string[]): Promise<HeldCost[]>;
}
