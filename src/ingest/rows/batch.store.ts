/** State that all kinds of rows of a batch share. */
import type { Changes } from './changes.store.ts';
import type { Items } from './items.store.ts';
import type { SalesAtHand } from './sales-at-hand.store.ts';
import type { UndoLog } from './undo-log.store.ts';

export interface Batch {
  /** Time of the import. */
  readonly at: number;
  readonly items: Items;
  readonly sales: SalesAtHand;
  readonly changes: Changes;
  readonly members: MemberChanges;
  /** Currencies of changed rows and rates, whose waiting rows must be counted again. */
  readonly waiting: Set<string>;
  /** Replaced data, for undoing the import. */
  readonly undo: UndoLog;
}

/** Changes that may regroup minifigs, or value them as other sets. */
export interface MemberChanges {
  /** Keys with added or removed aliases, or with a new record. */
  readonly keys: Set<string>;
  /** Minifigs with changed facts. */
  readonly described: Set<number>;
  /** Sets with changed facts, or with a minifig that changed. */
  readonly sets: Set<number>;
}

export function newMemberChanges(keys: readonly string[] = []): MemberChanges {
  return { keys: new Set(keys), described: new Set(), sets: new Set() };
}
