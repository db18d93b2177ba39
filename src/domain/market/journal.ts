/** What operators look back on: what was imported, what was rejected, and when it was published. */

/** A row that an import did not take. */
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
  /** The first of the rejects. */
  readonly rejects: readonly LoggedReject[];
}

/** An import as a list shows it. */
export interface ListedImport extends Omit<ImportEntry, 'rejects'> {
  readonly id: number;
}

/** Imports that are remembered; the oldest are forgotten first. */
export const importsKept = 500;

/** Looking back. It is in the published half, where servers may read and imports may write. */
export interface Journal {
  logImport(entry: ImportEntry): Promise<void>;
  /** Newest first. */
  listImports(limit: number): Promise<ListedImport[]>;
  /** One import with its rejects; null when there is none, or it is forgotten. */
  findImport(id: number): Promise<(ListedImport & Pick<ImportEntry, 'rejects'>) | null>;
  /** The moment that the latest publication speaks of; null when there was none. */
  findPublishedAt(): Promise<number | null>;
}
