/**
 * Files that owners have sent and not imported yet, and for a while what became of those they did:
 * so a preview has an address that can be reloaded and gone back to, on any node.
 */
import { hourMs } from '../kernel/time.ts';

/** The newest of an account that are kept; an older one makes room. */
export const importDraftsMax = 3;

/** How long one is kept, and its result after the import. */
export const importDraftMs = hourMs;

/** A file as it was sent. */
export interface ImportDraft {
  /** The name of the file, safe on every disk. */
  readonly name: string;
  /** Its bytes, packed with gzip. */
  readonly content: Uint8Array;
  /** What came of the import, as JSON; null until it is imported. */
  readonly result: string | null;
}

/** Keeping files between two pages. Ids of other accounts are as good as none. */
export interface ImportDraftStore {
  /** The id of the new draft; null when there is no such account. */
  addImportDraft(
    accountId: number,
    file: Pick<ImportDraft, 'name' | 'content'> & { readonly at: number },
  ): Promise<number | null>;
  /** Null when there is none, or it has expired. */
  findImportDraft(accountId: number, id: number, at: number): Promise<ImportDraft | null>;
  /**
   * Keeps what came of the import, and the file for as long again. False when another request kept
   * something else meanwhile: what is there is no longer what it is to replace.
   */
  finishImportDraft(
    accountId: number,
    id: number,
    outcome: { readonly result: string; readonly replaces: string | null; readonly at: number },
  ): Promise<boolean>;
}
