/** The rows that learning across items reads for each item. */
import type { MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import type { SourceRecord } from '../../catalog/items/merge.ts';
import type { ItemRef } from '../../catalog/items/numbers.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import type { RetailWeek } from './estimator.ts';

export interface ItemName extends ItemRef {
  readonly id: number;
}

/** An item with at least one sale. */
export interface SoldItem extends ItemName {
  readonly firstSoldAt: number;
  readonly sales: number;
}

export interface LearningInputs extends ItemName {
  /** Each source's description, in order of source. */
  readonly records: readonly SourceRecord<SetDescription | MinifigFacts>[];
  /** Ordered by sale date, source and source ID; includes retracted sales. */
  readonly sales: readonly StoredSale[];
  /** The numbers of a set's minifigs, or of the sets that contain a minifig. */
  readonly related: readonly string[];
  /**
   * The lowest retail price per week, for all weeks that had started; empty for minifigs. A week is
   * complete: it may include offers that were observed after the requested instant.
   */
  readonly retailWeeks: readonly RetailWeek[];
}
