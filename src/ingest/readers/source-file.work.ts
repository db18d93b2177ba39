/** Opens source files: plain, `.gz`, `.zip`, or standard input as `-`. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** A file, or a member of an archive. */
export interface SourcePart {
  /** The prefix of locations in messages. */
  readonly name: string;
  readonly stream: Readable;
}

/** Why a file cannot be read, as a message for users. */
export class SourceFileError extends Error {}

/** A higher compression ratio is a decompression bomb. */
const unpackRatioMax = 200;

/** Allowed at any compression ratio. */
const unpackBytesFree = 64 * 1024 * 1024;

/** Total size for the progress bar; null if standard input is read. */
export function sourceBytes(paths: readonly string[]): number | null {
  if (paths.includes('-')) return null;
  const files = paths.filter((path) => existsSync(path)).flatMap((path) => listFiles(path));
  const sizes = files.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The file, or matching files of a folder by name; no subfolders, pipes and broken links. */
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

/** Limits for files that are not from the operator. */
export interface UnpackLimits {
  /** In total per file. */
  readonly bytesMax: number;
  readonly membersMax: number;
  /** Aborts on timeout or when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface OpenOptions {
  readonly stdin: Readable;
  onBytes(count: number): void;
  /** Filters the members of archives; all by default. */
  wants?(name: string): boolean;
  /** Set if the file is not from the operator. */
  readonly unpacking?: UnpackLimits;
}

export async function* openSources(
  paths: readonly string[],
  options: OpenOptions,
  pattern?: RegExp,
): AsyncGenerator<SourcePart> {
  const files = paths.flatMap((path) => listFiles(path, pattern));
  for (const file of files) yield* openSource(file, options);
}

/** One part, or one per member of an archive. */
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
  // Shared by all members, because several may refer to the same bytes.
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
        // The consumer may have stopped early, or not even started.
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

/** Folders and files that operating systems add to archives. */
function isIgnored(name: string): boolean {
  return name.endsWith('/') || /(^|\/)(\.|__MACOSX\/)/.test(name);
}

/**
 * Opens a separate stream per member, which can be destroyed at any time. With yauzl's shared
 * descriptor, destroying one crashes the process (TypeError in fd-slicer).
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

/** Explains errors of unpacking; system errors are returned as they are. */
function unpackError(name: string, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof SourceFileError || /^E[A-Z]+$/.test(code ?? '')) return error;
  return new SourceFileError(`${name} cannot be unpacked (${message}). Is it complete?`);
}

interface UnpackBudget {
  unpacked: number;
  packed(): number;
  readonly unpacking: UnpackLimits | undefined;
}

/** Fails as soon as more is unpacked than allowed. */
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
 * Pipes streams: errors are passed on, and closing the last stream closes all, so no file stays
 * open when the consumer stops early.
 */
function piped(name: string, streams: readonly (Readable | Transform)[]): Readable {
  const last = streams.reduce((from, to) => {
    from.on('error', (error) => to.destroy(unpackError(name, error) as Error));
    return from.pipe(to as Transform);
  }) as Readable;
  // The consumer gets the error; without a listener, it would end the process before that.
  last.on('error', () => {});
  last.on('close', () => {
    for (const stream of streams) stream.destroy();
  });
  return last;
}
