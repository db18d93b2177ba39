/** What operators look back on: what was imported, what was rejected, and when it was published. */
import { dayMs } from '../kernel/time.ts';

/** A row, or a field of one, that an import did not take. */
export interface LoggedReject {
  readonly where: string;
  readonly reason: string;
}

/** An import, as it is written down when it ends. */
export interface ImportEntry {
  readonly format: string;
  /** The names of the files, without their folders. */
  readonly files: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Items that the source no longer has; null where it did not tell of all that it has. */
  readonly gone: number | null;
  /** Why it ended early; null when it did not. */
  readonly error: string | null;
  /** When it was undone; left out when it was not. */
  readonly undoneAt?: number;
  /** The first of the rejects. */
  readonly rejects: readonly LoggedReject[];
  /** Fields that were left out of rows that were taken. */
  readonly warned: number;
  /** The first of them. */
  readonly warnings: readonly LoggedReject[];
}

/** An import as a list shows it. */
export interface ListedImport extends Omit<ImportEntry, 'rejects' | 'warnings'> {
  readonly id: number;
}

/** An import with the first of what it did not take. */
export interface ShownImport extends ListedImport, Pick<ImportEntry, 'rejects' | 'warnings'> {}

/** Imports that are remembered; the oldest are forgotten first. */
export const importsKept = 1_000;

/** How long it is kept what an import replaced, so that it can be undone. */
export const undoableMs: number = 30 * dayMs;

/** Looking back. It is in the published half, where servers may read and imports may write. */
export interface Journal {
  /** Writes an import down; its id. */
  logImport(entry: ImportEntry): Promise<number>;
  /** Writes down how an import that was logged when it began has ended. */
  updateImport(id: number, entry: ImportEntry): Promise<void>;
  /** Newest first. */
  listImports(limit: number): Promise<ListedImport[]>;
  /** One import with its rejects and warnings; null when there is none, or it is forgotten. */
  findImport(id: number): Promise<ShownImport | null>;
  /** The moment that the latest publication speaks of; null when there was none. */
  findPublishedAt(): Promise<number | null>;
}
