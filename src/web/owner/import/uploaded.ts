/**
 * Files that people send, to be looked at before they are imported. Between the two, a file stays
 * with the browser, packed into the form that confirms it: nothing is left behind here, and any
 * node can go on.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';

/** How large a file may be, and how large what the browser keeps of it. */
export const uploadBytesMax = 4 * 1024 * 1024;
const packedLengthMax = 3 * 1024 * 1024;

/** What is wrong with a file that is larger. */
export const tooLarge = `The file is larger than ${uploadBytesMax / 1024 / 1024} MB; split it.`;

const unzip: (packed: Uint8Array, limits: ZlibOptions) => Promise<Uint8Array> = promisify(gunzip);

/** A file by its name and content. */
export interface Uploaded {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A name that is safe on every disk, with the ending that tells what is in it. */
export function safeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return (
    base
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(-80) || 'file'
  );
}

/** The content as text; null when it is too much for a form. */
export async function packed({ bytes }: Uploaded): Promise<string | null> {
  const text = (await promisify(gzip)(bytes)).toString('base64');
  return text.length > packedLengthMax ? null : text;
}

/** The content again; null when it is not what `packed` made. */
export async function unpacked(name: string, text: string): Promise<Uploaded | null> {
  try {
    const limits = { maxOutputLength: uploadBytesMax };
    const bytes = await unzip(Buffer.from(text, 'base64'), limits);
    return { name: safeName(name), bytes };
  } catch {
    return null;
  }
}

/** Lets something read the file from a folder of its own, which is gone afterwards. */
export async function withFile<T>(
  { name, bytes }: Uploaded,
  use: (path: string, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-upload-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes, { mode: 0o600 });
    return await use(path, `${folder}/`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
