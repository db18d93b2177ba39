/**
 * Spreadsheet links: addresses that a spreadsheet reads a CSV file from where it cannot send a key.
 * A link is signed with a secret that lies outside the store, so that nobody who reads the store or
 * a backup can make one; and it names a row of the store, so that it ends when the row is gone.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link can show, which is also the name of its file. */
export const sheetContents = ['values', 'holdings', 'sales', 'retail-watch'] as const;
export type SheetContent = (typeof sheetContents)[number];

/** Links of an account. */
export const sheetLinksMax = 20;

/** Where all links are. */
export const sheetPrefix = '/csv/';

/** What a link says of itself. */
export interface SheetTarget {
  /** Random; finds the row. */
  readonly handle: string;
  readonly content: SheetContent;
}

/** How many random bytes a handle is made of. */
export const sheetHandleBytes = 16;

/** Half of the bytes of a SHA-256: as hard to guess as the handle. */
const signatureBytes = 16;

/** Signs links, and reads those that it has signed. */
export interface SheetSigner {
  /** The path of a link. */
  pathOf(target: SheetTarget): string;
  /** Null: it is no link, or it was signed with another secret or for something else. */
  read(path: string): SheetTarget | null;
}

const pathForm = /^\/csv\/([\w-]{22})\.([\w-]{22})\/([a-z-]+)\.csv$/;

/** A signer with a key of 32 bytes. */
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
      // The texts are compared: some other texts stand for the same bytes.
      const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(target)));
      return isOurs ? target : null;
    },
  };
}

/** A handle from random bytes. */
export function makeSheetHandle(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}
