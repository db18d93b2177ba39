/** What learning across items needs of each. */
import type { MinifigFacts, SetDescription } from '../catalog/catalog.ts';
import type { ItemKind } from '../catalog/numbers.ts';
import type { RetailWeek } from './estimator.ts';
import type { StoredSale } from './source-rows.ts';

/** Names an item. */
export interface ItemName {
  readonly id: number;
  readonly kind: ItemKind;
  readonly key: string;
}

/** An item that was sold. */
export interface SoldItem extends ItemName {
  readonly firstSoldAt: number;
  /** How many sales of it are known. */
  readonly sales: number;
}

/** What is learned from, of one item. */
export interface LearningInputs extends ItemName {
  /** What each source says, in order of source. */
  readonly records: readonly {
    readonly source: string;
    readonly facts: SetDescription | MinifigFacts;
  }[];
  /** In order of sale, source and source id; retracted ones included. */
  readonly sales: readonly StoredSale[];
  /** Numbers of the minifigs in a set, or of the sets a minifig is in. */
  readonly related: readonly string[];
  /**
   * The lowest prices at the retailers, week by week, of the weeks that had started; empty for
   * minifigs. A week is whole: it may include offers that were made later in it.
   */
  readonly retailWeeks: readonly RetailWeek[];
}
