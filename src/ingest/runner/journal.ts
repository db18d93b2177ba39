/** The import journal for operators: what was imported, what was rejected, and what was undone. */
import { dayMs } from '../../kernel/time.ts';
import type { RowOutcome } from '../../market/source-rows/market-ingest.ts';

/** A row, or a field of one, that an import rejected. */
export interface LoggedReject {
  readonly where: string;
  readonly reason: string;
}

/** An import, recorded when it ends. */
export interface ImportEntry {
  readonly format: string;
  /** File names without folders. */
  readonly files: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Items missing from a complete list of the source; null if the import had no complete list. */
  readonly gone: number | null;
  /** Rows that waited for an exchange rate when it ended; absent if there were none. */
  readonly waiting?: number;
  /** Why it ended early; null if it did not. */
  readonly error: string | null;
  /** When it was undone; absent if it was not. */
  readonly undoneAt?: number;
  /** Rows that the undo removed or restored; absent if there was none. */
  readonly takenBack?: number;
  /** The first rejects only. */
  readonly rejects: readonly LoggedReject[];
  /** Fields that were left out of accepted rows. */
  readonly warned: number;
  /** The first warnings only. */
  readonly warnings: readonly LoggedReject[];
}

export interface ListedImport extends Omit<ImportEntry, 'rejects' | 'warnings'> {
  readonly id: number;
}

export interface ShownImport extends ListedImport, Pick<ImportEntry, 'rejects' | 'warnings'> {}

/** Rows that a batch of an import has written. */
export type WrittenCounts = Partial<
  Pick<ImportEntry, 'added' | 'updated' | 'unchanged'> & { readonly gone: number }
>;

export function countOutcomes(outcomes: readonly RowOutcome[]): WrittenCounts {
  const count = (kind: RowOutcome['kind']) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  return { added: count('added'), updated: count('updated'), unchanged: count('unchanged') };
}

/** Waiting items are published within a day, unless no process publishes. */
const publishingLateMs = dayMs;

/** Whether items wait although nothing was published for long. */
export function isPublishingLate(state: {
  /** Null: never. */
  readonly publishedAt: number | null;
  readonly waiting: number;
  readonly at: number;
}): boolean {
  const { publishedAt, waiting, at } = state;
  return publishedAt !== null && at - publishedAt > publishingLateMs && waiting > 0;
}

/** The oldest entries are deleted first. */
export const importsKept = 1_000;

/** How long replaced rows are kept so that an import can be undone. */
export const undoableMs: number = 30 * dayMs;
