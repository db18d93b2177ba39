/** Opens source files: plain, `.gz`, `.zip`, or standard input as `-`. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** A part of a file that is read from beginning to end. */
export interface SourcePart {
  /** How places in it are named. */
  readonly name: string;
  readonly stream: Readable;
}

/** Why a file cannot be read, for people to read. */
export class SourceFileError extends Error {}

/** Data does not shrink more than this; what does is made to fill a machine. */
const unpackRatioMax = 200;

/** So much may come out of even the smallest file. */
const unpackBytesFree = 64 * 1024 * 1024;

/** How many bytes the files hold, for the progress bar; null when that cannot be known. */
export function sourceBytes(paths: readonly string[]): number | null {
  if (paths.includes('-')) return null;
  const files = paths.filter((path) => existsSync(path)).flatMap((path) => listFiles(path));
  const sizes = files.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * A file itself, whatever its name; or the files of a folder that fit, in order of name. Folders
 * inside are left out, and so are pipes, and links that lead nowhere.
 */
export function listFiles(path: string, pattern = /^/): string[] {
  if (path === '-') return [path];
  if (!existsSync(path)) throw new SourceFileError(`There is no file '${path}'.`);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith('.') && pattern.test(name))
    .sort()
    .map((name) => join(path, name))
    .filter((inside) => existsSync(inside) && statSync(inside).isFile());
}

/** How much may be unpacked where it is not the operator who brings the file. */
export interface UnpackLimits {
  /** Over all that is inside one file. */
  readonly bytesMax: number;
  readonly membersMax: number;
  /** Ends it, because it takes too long or nobody waits any more. */
  readonly signal: AbortSignal;
}

/** What files are opened with. */
export interface OpenOptions {
  readonly stdin: Readable;
  onBytes(count: number): void;
  /** Whether a file inside a `.zip` is to be opened; all are, unless it is said. */
  wants?(name: string): boolean;
  readonly unpacking?: UnpackLimits;
}

/** The parts of files, and of the files of folders that fit, one after the other. */
export async function* openSources(
  paths: readonly string[],
  options: OpenOptions,
  pattern?: RegExp,
): AsyncGenerator<SourcePart> {
  const files = paths.flatMap((path) => listFiles(path, pattern));
  for (const file of files) yield* openSource(file, options);
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
  const stream = /\.gz$/i.test(path) ? gunzipped(raw, path, options) : piped(path, [raw]);
  yield { name: path, stream };
}

/** Unpacks, and fails when the file under it does. */
function gunzipped(raw: Readable, path: string, { unpacking }: OpenOptions): Readable {
  let packed = 0;
  raw.on('data', (chunk: Buffer) => {
    packed += chunk.length;
  });
  const budget = { unpacked: 0, packed: () => packed, unpacking };
  return piped(path, [raw, createGunzip(), unpackGuard(path, budget)]);
}

async function* openZip(path: string, { onBytes, wants = () => true, unpacking }: OpenOptions) {
  const zip = await openArchive(path);
  // All that is inside shares it: the same bytes can be named as many members.
  const budget = { unpacked: 0, packed: () => statSync(path).size, unpacking };
  try {
    if (unpacking && zip.entryCount > unpacking.membersMax) {
      throw new SourceFileError(`${path} has more than ${unpacking.membersMax} files inside.`);
    }
    for await (const entry of zip.eachEntry()) {
      if (isIgnored(entry.fileName) || !wants(entry.fileName)) continue;
      const name = `${path}/${entry.fileName}`;
      checkUnpackable(name, entry);
      const packed = await zip.openReadStreamPromise(entry);
      const stream = piped(name, [packed, unpackGuard(name, budget)]);
      try {
        yield { name, stream };
      } finally {
        // A reader may have read enough, or not even started.
        stream.destroy();
      }
      onBytes(entry.compressedSize);
    }
  } catch (error) {
    throw unpackError(path, error);
  } finally {
    zip.close();
  }
}

/** Folders, and what systems put into archives for themselves. */
function isIgnored(name: string): boolean {
  return name.endsWith('/') || /(^|\/)(\.|__MACOSX\/)/.test(name);
}

/**
 * Reads an archive by streams of their own, which may be given up at any time. With the one
 * descriptor that yauzl would share among them, that ends the process (TypeError in fd-slicer).
 */
class ArchiveFile extends RandomAccessReader {
  constructor(
    private readonly path: string,
    readonly size: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (end > this.size) {
      const error = new Error('it points beyond its end');
      return new Readable({ read: (): void => {} }).destroy(error);
    }
    return createReadStream(this.path, { start, end: end - 1 });
  }
}

async function openArchive(path: string): Promise<ZipFile> {
  try {
    const file = new ArchiveFile(path, statSync(path).size);
    return await fromRandomAccessReaderPromise(file, file.size);
  } catch (error) {
    throw unpackError(path, error);
  }
}

function checkUnpackable(name: string, entry: Entry): void {
  if (entry.isEncrypted()) {
    throw new SourceFileError(`${name} is encrypted; pack it without a password.`);
  }
  if (!entry.canDecodeFileData()) {
    const method = `with an unsupported method (${entry.compressionMethod})`;
    throw new SourceFileError(`${name} is packed ${method}; pack it with 'deflate'.`);
  }
}

/** What unpacking throws at a file, in words; what the disk has to say stays as it is. */
function unpackError(name: string, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof SourceFileError || /^E[A-Z]+$/.test(code ?? '')) return error;
  return new SourceFileError(`${name} cannot be unpacked (${message}). Is it complete?`);
}

/** What has come out of a file so far, and what it was packed in. */
interface UnpackBudget {
  unpacked: number;
  packed(): number;
  readonly unpacking: UnpackLimits | undefined;
}

/** Lets bytes through as long as they are not absurdly many for what they were packed in. */
function unpackGuard(name: string, budget: UnpackBudget): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      budget.unpacked += chunk.length;
      const problem = budgetProblem(budget);
      done(problem === null ? null : new SourceFileError(`${name} ${problem}`), chunk);
    },
  });
}

function budgetProblem({ unpacked, packed, unpacking }: UnpackBudget): string | null {
  if (unpacking?.signal.aborted) return 'takes too long to unpack; split it.';
  if (unpacking && unpacked > unpacking.bytesMax) {
    return `unpacks to more than ${unpacking.bytesMax / 1024 / 1024} MB; split it.`;
  }
  const isBomb = unpacked > unpackBytesFree && unpacked > unpackRatioMax * packed();
  return isBomb ? `unpacks to more than ${unpackRatioMax} times its size; use another file.` : null;
}

/**
 * One stream out of several: each fails when the one before it does, and all of them end with the
 * last, so that no file stays open behind a reader that has seen enough.
 */
function piped(name: string, streams: readonly (Readable | Transform)[]): Readable {
  const last = streams.reduce((from, to) => {
    from.on('error', (error) => to.destroy(unpackError(name, error) as Error));
    return from.pipe(to as Transform);
  }) as Readable;
  // Whoever reads gets the error; before anybody does, it must not end the process.
  last.on('error', () => {});
  last.on('close', () => {
    for (const stream of streams) stream.destroy();
  });
  return last;
}
