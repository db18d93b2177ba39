/**
 * What is kept of a source between two calls. It is one document, so that a process that takes over
 * goes on where another one stopped.
 */
import type { JsonValue } from '../kernel/json.ts';
import type { BudgetState } from './budget.ts';

/** The state of a source, as the store keeps it. */
export interface SourceState {
  /** The connector's own bookmark, such as a page or an ETag; null: from the beginning. */
  readonly cursor: JsonValue;
  /** It is not called before this instant. */
  readonly nextAt: number;
  /** Calls that failed in a row. */
  readonly failures: number;
  readonly lastSuccessAt: number | null;
  /** When an answer last changed anything in the store. */
  readonly changedAt: number | null;
  /** Rows of the latest answer that were rejected because an item or a rate was missing. */
  readonly missing: number;
  readonly lastError: SyncError | null;
  readonly budget: BudgetState;
  /** What was fetched on the last days, oldest first. */
  readonly days: readonly SyncDay[];
  /** How recent what was fetched is; null where a source is not asked item by item. */
  readonly coverage: Coverage | null;
}

/** The latest thing that went wrong, in words for an operator and without a secret. */
export interface SyncError {
  readonly at: number;
  readonly message: string;
  /** Whether trying again will not help: somebody has to do what the message says. */
  readonly isStopped: boolean;
}

/** What one UTC day brought. */
export interface SyncDay {
  /** Counted from 1970. */
  readonly day: number;
  readonly calls: number;
  readonly rows: number;
  readonly rejects: number;
}

/** How recent the answers about items are. */
export interface Coverage {
  /** What can be asked, and what never was. */
  readonly questions: number;
  readonly neverAsked: number;
  /** When the oldest and the median of those that were asked were asked; null without any. */
  readonly oldestAt: number | null;
  readonly medianAt: number | null;
}
