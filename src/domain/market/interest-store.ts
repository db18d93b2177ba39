/** What is kept of how much items are wanted: totals over all accounts, and no account. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { Holders } from '../search/interest.ts';

/** How often an item was looked up. */
export interface LookUpCount {
  readonly kind: ItemKind;
  readonly key: string;
  readonly times: number;
}

/** How many accounts hold a set, and how many units together. */
export interface HolderCount extends Holders {
  readonly key: string;
}

/** Counts that processes add to; search reads them with its entries. */
export interface InterestStore {
  /** Adds look-ups of a day. */
  addLookUps(counts: readonly LookUpCount[], day: number): Promise<void>;
  /** The sets that are held, as they were counted last. */
  listHolders(): Promise<HolderCount[]>;
  /** Writes how many accounts hold sets, counted on a day. */
  saveHolders(counts: readonly HolderCount[], day: number): Promise<void>;
}
