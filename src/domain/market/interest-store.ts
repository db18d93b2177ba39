/** What is kept of how much items are wanted: totals over all accounts, and no account. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { Holders } from '../search/interest.ts';

/** How often an item was looked up. */
export interface LookUpCount {
  readonly kind: ItemKind;
  readonly key: string;
  readonly times: number;
}

/** How many accounts hold an item, and how many units they hold or watch together. */
export interface HolderCount extends Holders {
  readonly kind: ItemKind;
  readonly key: string;
}

/** Counts that processes add to; search reads them with its entries. */
export interface InterestStore {
  /** Adds look-ups of a day. */
  addLookUps(counts: readonly LookUpCount[], day: number): Promise<void>;
  /** What is held or watched, as it was counted last. */
  listHolders(): Promise<HolderCount[]>;
  /** Writes how many accounts hold and watch items, counted on a day. */
  saveHolders(counts: readonly HolderCount[], day: number): Promise<void>;
}
