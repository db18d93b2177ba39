/**
 * Spreadsheet links: URLs of CSV files for spreadsheets, which cannot send a key. A link is signed
 * with a secret outside the store, so it cannot be made from the store or a backup, and it refers
 * to a row, so it ends when the row is removed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyHash } from '../keys/keys.ts';

/** The contents of links, which are also the file names. */
export const sheetContents = ['values', 'holdings', 'sales', 'retail-watch'] as const;
export type SheetContent = (typeof sheetContents)[number];

export const sheetLinksMax = 20;

export const sheetPrefix = '/csv/';

export interface SheetTarget {
  /** Random; identifies the row. */
  readonly handle: string;
  readonly content: SheetContent;
}

export const sheetHandleBytes = 16;

/** Half of a SHA-256: as hard to guess as the handle. */
const signatureBytes = 16;

export interface SheetSigner {
  pathOf(target: SheetTarget): string;
  /** Null if the path is not a valid link signed with this key. */
  read(path: string): SheetTarget | null;
}

const pathForm = /^\/csv\/([\w-]{22})\.([\w-]{22})\/([a-z-]+)\.csv$/;

/** The key has 32 bytes. */
export function makeSheetSigner(key: Uint8Array): SheetSigner {
  const sign = ({ handle, content }: SheetTarget) =>
    createHmac('sha256', key)
      .update(`${content} ${handle}`)
      .digest()
      .subarray(0, signatureBytes)
      .toString('base64url');
  return {
    pathOf: (target) => `${sheetPrefix}${target.handle}.${sign(target)}/${target.content}.csv`,
    read: (path) => {
      const [, handle = '', signature = '', name] = pathForm.exec(path) ?? [];
      const content = sheetContents.find((each) => each === name);
      if (!content) return null;
      const target = { handle, content };
      // Compared as text, because several texts decode to the same bytes.
      const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(target)));
      return isOurs ? target : null;
    },
  };
}

export function makeSheetHandle(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

export interface SheetLink extends SheetTarget {
  readonly id: number;
  readonly name: string;
  /** The key that is charged; the link ends with it. */
  readonly keyId: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** The day of its last use, in days since 1970 (UTC), and the usage on that day. */
  readonly usedDay: number;
  readonly used: number;
}

export interface NewSheetLink {
  readonly accountId: number;
  readonly keyId: number;
  readonly name: string;
  readonly content: SheetContent;
  readonly handle: string;
  readonly at: number;
}

export interface SheetKey {
  readonly linkId: number;
  readonly keyHash: KeyHash;
}
