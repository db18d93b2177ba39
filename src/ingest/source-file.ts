/** Opens source files: plain, `.gz`, `.zip`, or standard input as `-`. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openPromise } from 'yauzl';

/** A part of a file that is read from beginning to end. */
export interface SourcePart {
  /** How places in it are named. */
  readonly name: string;
  readonly stream: Readable;
}

/** Why a file cannot be read, in words for a person. */
export class SourceFileError extends Error {}

/** How many bytes the files hold, for the progress bar; null when that cannot be known. */
export function sourceBytes(paths: readonly string[]): number | null {
  if (paths.includes('-')) return null;
  return paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
}

/** The parts of a file: one, or one for each file inside a `.zip`. */
export async function* openSource(
  path: string,
  options: { readonly stdin: Readable; onBytes(count: number): void },
): AsyncGenerator<SourcePart> {
  if (path === '-') {
    yield { name: '-', stream: options.stdin };
    return;
  }
  if (!existsSync(path)) throw new SourceFileError(`There is no file '${path}'.`);
  if (statSync(path).isDirectory()) throw new SourceFileError(`'${path}' is a folder, not a file.`);
  if (/\.zip$/i.test(path)) {
    yield* openZip(path, options.onBytes);
    return;
  }
  const raw = counted(createReadStream(path), options.onBytes);
  yield { name: path, stream: /\.gz$/i.test(path) ? raw.pipe(forwardErrors(raw)) : raw };
}

/** A gunzip that fails when the file under it does. */
function forwardErrors(raw: Readable) {
  const gunzip = createGunzip();
  raw.on('error', (error) => gunzip.destroy(error));
  return gunzip;
}

async function* openZip(path: string, onBytes: (count: number) => void) {
  const zip = await openPromise(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const stream = await zip.openReadStreamPromise(entry);
      yield { name: `${path}/${entry.fileName}`, stream };
      onBytes(entry.compressedSize);
    }
  } finally {
    zip.close();
  }
}

function counted(stream: Readable, onBytes: (count: number) => void): Readable {
  return stream.on('data', (chunk: Buffer) => onBytes(chunk.length));
}
