/** Opens source files: plain, `.gz`, `.zip`, or standard input as `-`. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
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

/** Data does not shrink more than this; what does is made to fill a machine. */
const unpackRatioMax = 200;

/** So much may come out of even the smallest file. */
const unpackBytesFree = 64 * 1024 * 1024;

/** How many bytes the files hold, for the progress bar; null when that cannot be known. */
export function sourceBytes(paths: readonly string[]): number | null {
  if (paths.includes('-')) return null;
  const files = paths.filter((path) => existsSync(path)).flatMap((path) => listFiles(path));
  return files.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** The files of a folder, in order of name; a file is alone. Folders inside are left out. */
export function listFiles(path: string): string[] {
  if (path === '-') return [path];
  if (!existsSync(path)) throw new SourceFileError(`There is no file '${path}'.`);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(path, name))
    .filter((inside) => !statSync(inside).isDirectory());
}

/** What files are opened with. */
export interface OpenOptions {
  readonly stdin: Readable;
  onBytes(count: number): void;
  /** Whether a file inside a `.zip` is to be opened; all are, unless it is said. */
  wants?(name: string): boolean;
}

/** The parts of a file: one, or one for each file inside a `.zip`. */
export async function* openSource(path: string, options: OpenOptions): AsyncGenerator<SourcePart> {
  if (path === '-') {
    yield { name: '-', stream: options.stdin };
    return;
  }
  if (!existsSync(path)) throw new SourceFileError(`There is no file '${path}'.`);
  if (statSync(path).isDirectory()) throw new SourceFileError(`'${path}' is a folder, not a file.`);
  if (/\.zip$/i.test(path)) {
    yield* openZip(path, options);
    return;
  }
  const raw = createReadStream(path);
  raw.on('data', (chunk) => options.onBytes(chunk.length));
  yield { name: path, stream: /\.gz$/i.test(path) ? gunzipped(raw, path) : raw };
}

/** Unpacks, and fails when the file under it does. */
function gunzipped(raw: Readable, path: string): Readable {
  let packed = 0;
  raw.on('data', (chunk: Buffer) => {
    packed += chunk.length;
  });
  const unpacked = piped([raw, createGunzip(), unpackGuard(path, () => packed)]);
  // A reader may have seen enough.
  unpacked.on('close', () => raw.destroy());
  return unpacked;
}

async function* openZip(path: string, { onBytes, wants = () => true }: OpenOptions) {
  const zip = await openPromise(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || !wants(entry.fileName)) continue;
      const name = `${path}/${entry.fileName}`;
      const packed = await zip.openReadStreamPromise(entry);
      yield { name, stream: piped([packed, unpackGuard(name, () => entry.compressedSize)]) };
      onBytes(entry.compressedSize);
    }
  } finally {
    zip.close();
  }
}

/** Lets bytes through as long as they are not absurdly many for what they were packed in. */
function unpackGuard(name: string, packedBytes: () => number): Transform {
  let unpacked = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      const isBomb = unpacked > unpackBytesFree && unpacked > unpackRatioMax * packedBytes();
      const fault = `${name} unpacks to more than ${unpackRatioMax} times its size; it is refused.`;
      done(isBomb ? new SourceFileError(fault) : null, chunk);
    },
  });
}

/** One stream out of several: each fails when the one before it does. */
function piped(streams: readonly (Readable | Transform)[]): Readable {
  return streams.reduce((from, to) => {
    from.on('error', (error) => to.destroy(error));
    return from.pipe(to as Transform);
  }) as Readable;
}
