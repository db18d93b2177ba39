/** What the kinds of rows in one batch share. */
import type { Changes } from './changes.ts';
import type { Items } from './items.ts';
import type { SalesAtHand } from './sales-at-hand.ts';
import type { UndoLog } from './undo-log.ts';

/** The batch at hand. */
export interface Batch {
  /** The instant at which it comes in. */
  readonly at: number;
  readonly items: Items;
  readonly sales: SalesAtHand;
  readonly changes: Changes;
  readonly members: MemberChanges;
  /** What it replaces. */
  readonly undo: UndoLog;
}

/** What a batch changed of minifigs. */
export interface MemberChanges {
  /** The numbers whose aliases, or whose item, came or went. */
  readonly keys: Set<string>;
  /** The items whose facts changed. */
  readonly described: Set<number>;
}
