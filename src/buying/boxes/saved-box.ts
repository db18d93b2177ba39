/** Saved boxes: what an account evaluates before it buys. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Grade } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { BuyTerms } from './quotes.ts';

export const boxLimits = {
  boxes: 200,
  name: 80,
  rows: 1_000,
  /** Characters of text that can be pasted at once. */
  text: 20_000,
  /** Characters of the text of a row. */
  line: 200,
  /** Characters of the stored rows of all boxes of an account. */
  stored: 4_000_000,
} as const;

export interface BoxRow {
  /** As it was typed; the number if it was not. */
  readonly text: string;
  readonly kind: ItemKind;
  /** Null if the text could not be read. */
  readonly number: string | null;
  /** Why the text could not be read; null if it could. */
  readonly problem: string | null;
  /** Null if it is not known yet. */
  readonly condition: Condition | null;
  readonly grade: Grade | null;
  readonly quantity: number;
  /** The price of one unit; null if there is only one for the box. */
  readonly priceCents: number | null;
  /** The owner's own limit for one unit; null: the computed one. */
  readonly maxCents: number | null;
  /** Words of the text that were not used. */
  readonly ignored: string;
}

export interface BoxTerms extends BuyTerms {
  /** Whether the bid includes values that are not supported by sales. */
  readonly withModeled: boolean;
}

export interface BoxFacts {
  readonly name: string;
  readonly rows: readonly BoxRow[];
  /** The asking price of the whole box; null if there is none. */
  readonly askCents: number | null;
  readonly terms: BoxTerms;
  /** The market value when it was last saved; null if nothing has a value. */
  readonly valueCents: number | null;
  /** The maximum bid when it was last saved; null if there is none. */
  readonly maxCents: number | null;
}

export interface SavedBox extends BoxFacts {
  readonly id: number;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The source ID of the purchase that it became; null if it was not bought. */
  readonly boughtAs: string | null;
}

/** A box that is bought: as its owner saw it, and what it is worth now. */
export interface BoughtBox extends Pick<BoxFacts, 'valueCents' | 'maxCents'> {
  readonly seen: SavedBox;
}

export type ListedBox = Omit<SavedBox, 'rows' | 'terms'>;

/** A row that is complete and can be valued. */
export interface ReadyRow extends BoxRow {
  readonly number: string;
  readonly condition: Condition;
}

export function isReady(row: BoxRow): row is ReadyRow {
  return row.number !== null && row.condition !== null;
}
