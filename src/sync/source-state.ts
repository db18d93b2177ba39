/** The state of a source: one document, so that another process can continue with it. */

import type { ItemKind } from '../catalog/items/numbers.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { BudgetState } from './budget.ts';

export interface SourceState {
  /** The connector's bookmark, such as a page or an ETag; null: from the beginning. */
  readonly cursor: JsonValue;
  /** The source is not called before this instant; 0: at once, without a pause. */
  readonly nextAt: number;
  /** The settings it was last called with, as a hash; null or absent: unknown. */
  readonly settingsMark?: string | null;
  /** Consecutive failed calls. */
  readonly failures: number;
  readonly lastSuccessAt: number | null;
  /** When an answer last changed anything in the store. */
  readonly changedAt: number | null;
  /** Rows of the latest answer that were rejected because an item or exchange rate was missing. */
  readonly missing: number;
  readonly lastError: SyncError | null;
  readonly budget: BudgetState;
  /** Recent days, oldest first. */
  readonly days: readonly SyncDay[];
  /** Whether it is turned off, as the process that syncs saw last. */
  readonly isOff?: boolean;
  /** How recent the answers are; null if the source is not asked item by item. */
  readonly coverage: Coverage | null;
}

/** The latest error, worded for operators and without secrets. */
export interface SyncError {
  readonly at: number;
  readonly message: string;
  /** When the first of consecutive failures was; absent: unknown. */
  readonly since?: number;
  /** Whether retrying does not help: an operator must do what the message says. */
  readonly isStopped: boolean;
}

/** Totals of one UTC day. */
export interface SyncDay {
  /** Counted from 1970. */
  readonly day: number;
  readonly calls: number;
  readonly rows: number;
  readonly rejects: number;
}

/** How recent the answers about items are. */
export interface Coverage {
  /** The number of questions, and how many were never answered. */
  readonly questions: number;
  readonly neverAsked: number;
  /** The age of the oldest and the median answer, as instants; null without any. */
  readonly oldestAt: number | null;
  readonly medianAt: number | null;
}

export interface Question {
  readonly kind: ItemKind;
  readonly key: string;
  /** The name of a topic, such as `sold-new`. */
  readonly topic: string;
}

export interface NamedState {
  readonly source: string;
  readonly state: SourceState;
}

/** Whether calls were counted, or when the next ones fit into the budget. */
export type Spending =
  | { readonly isGranted: true }
  | { readonly isGranted: false; readonly nextAt: number };
