/**
 * Uploaded files before their import, and for a while their results, so that previews have a URL
 * that can be reloaded, on any node.
 */
import { hourMs } from '../../kernel/time.ts';

/** Drafts kept per account; the oldest are removed. */
export const importDraftsMax = 3;

/** How long a draft is kept, and its result after the import. */
export const importDraftMs = hourMs;

export interface ImportDraft {
  /** The file name, safe for every file system. */
  readonly name: string;
  /** Compressed with gzip. */
  readonly content: Uint8Array;
  /** The result as JSON; null before the import. */
  readonly result: string | null;
  /** The owner's corrections of rows as JSON; null if there are none. */
  readonly corrections: string | null;
}

export interface NewDraft extends Pick<ImportDraft, 'name' | 'content'> {
  /** The page that imports it; the ID of the draft follows. */
  readonly path: string;
  readonly at: number;
}

/** A draft without its file. */
export interface ListedDraft extends Pick<NewDraft, 'name' | 'path'> {
  readonly id: number;
  readonly expiresAt: number;
  /** Whether it was imported. */
  readonly isDone: boolean;
}
