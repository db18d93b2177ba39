/** What the private side of a store knows of spreadsheet links. */
import type { KeyHash } from './keys.ts';
import type { SheetContent, SheetTarget } from './sheet-link.ts';

/** A link as its owner sees it. */
export interface SheetLink extends SheetTarget {
  readonly id: number;
  readonly name: string;
  /** The key whose allowance it spends; it ends with the key. */
  readonly keyId: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** What was spent through it on the day of its last use, in days since 1970, UTC. */
  readonly usedDay: number;
  readonly used: number;
}

/** A link to be. */
export interface NewSheetLink {
  readonly accountId: number;
  readonly keyId: number;
  readonly name: string;
  readonly content: SheetContent;
  readonly handle: string;
  readonly at: number;
}

/** The key that a link spends from. */
export interface SheetKey {
  readonly linkId: number;
  readonly keyHash: KeyHash;
}

/** Spreadsheet links. Nothing of their signatures is kept. */
export interface SheetLinkStore {
  /** The new link's id, or why there is none; a key that has ended is none. */
  addSheetLink(link: NewSheetLink): Promise<{ readonly id: number } | 'no key' | 'too many'>;
  /** The newest first. */
  listSheetLinks(accountId: number): Promise<SheetLink[]>;
  /** Ends a link at once, for every process; false when the account has no such link. */
  removeSheetLink(accountId: number, linkId: number): Promise<boolean>;
  /** Null when there is no such link; whether the key is still good, its admission tells. */
  findSheetKey(target: SheetTarget): Promise<SheetKey | null>;
  /** Notes what was spent through a link, for its owner to see; the key has paid already. */
  noteSheetUse(linkId: number, use: { readonly cost: number; readonly at: number }): Promise<void>;
}
