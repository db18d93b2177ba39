/** A place that bulk files are copied to: a folder, or a bucket of an S3 server. */
import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { S3Client, type S3File } from 'bun';
import { minuteMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { startTimer } from '../../kernel/timer.ts';
import { type BulkTargetSettings, targetText } from './bulk-export.ts';

/** Names have slashes. A file appears, or replaces the one before it, when it is complete. */
export interface BulkTarget {
  /** In words, without secrets. */
  readonly name: string;
  /** Null if there is no such file. */
  read(name: string): Promise<string | null>;
  write(name: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /** The names of all files. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

export function targetOf(settings: BulkTargetSettings): BulkTarget {
  const name = targetText(settings);
  const files = settings.kind === 'folder' ? folderOf(settings.path) : bucketOf(settings);
  return { name, ...files };
}

type Files = Omit<BulkTarget, 'name'>;

function folderOf(folder: string): Files {
  return {
    read: (name) => readFile(join(folder, name), 'utf8').catch(nullIfMissing),
    write: async (name, parts) => {
      const { mode } = await stat(folder).catch(explainMissing);
      const path = join(folder, name);
      // Readable by everyone with access to the folder, unlike the server's own files.
      if (await mkdir(dirname(path), { recursive: true })) await chmod(dirname(path), mode);
      await writeSynced(`${path}.part`, parts);
      await chmod(`${path}.part`, mode & fileModes);
      await rename(`${path}.part`, path);
    },
    list: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    },
    remove: async (name) => {
      const path = join(folder, name);
      await rm(path, { force: true });
      // Fails unless it was the last file of its folder.
      await rmdir(dirname(path)).catch(() => {});
    },
  };
}

/** A missing folder is not created: its disk may not be mounted. */
function explainMissing(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  throw new Error('The folder does not exist; create it, or mount its disk.');
}

/** Reading and writing, not executing. */
const fileModes = 0o666;

function nullIfMissing(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

async function writeSynced(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'w');
  for await (const part of parts) await file.appendFile(part);
  await file.sync();
}

/** The smallest part that S3 accepts, and one at a time, so that memory stays small. */
const uploadOptions = { partSize: 5 * 1024 * 1024, queueSize: 1, retry: 3 };

/** A server that does not answer for this long fails. */
const answerMsMax = minuteMs;

type BucketSettings = Extract<BulkTargetSettings, { kind: 'bucket' }>;

function bucketOf({ bucket, prefix, endpoint, region, ...secrets }: BucketSettings): Files {
  const client = new S3Client({
    ...secrets,
    bucket,
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
  });
  return {
    read: (name) => answered(client.file(prefix + name).text()).catch(nullIfNoKey),
    write: (name, parts) => upload(client.file(prefix + name), parts),
    list: async () => {
      const names: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await answered(
          client.list({ prefix, ...(after !== undefined && { startAfter: after }) }),
        );
        const keys = (page.contents ?? []).map(({ key }) => key);
        names.push(...keys.map((key) => key.slice(prefix.length)));
        after = keys.at(-1);
        if (!page.isTruncated || after === undefined) return names;
      }
    },
    remove: (name) => answered(client.delete(prefix + name)),
  };
}

/** If the parts end with an error, Bun aborts the upload, so that nothing of it stays. */
async function upload(file: S3File, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const stalled = Promise.withResolvers<never>();
  let isStalled = false;
  let stop = () => {};
  const wait = () => {
    stop = startTimer(() => {
      isStalled = true;
      stalled.reject(new Error(notAnswered));
    }, answerMsMax);
  };
  async function* taken() {
    for await (const part of parts) {
      wait();
      yield part;
      stop();
      if (isStalled) throw new Error(notAnswered);
    }
    wait();
  }
  // TypeScript does not know that the body of a response can be an iterator.
  const body = taken() as unknown as BodyInit;
  const sent = file.write(new Response(body), uploadOptions);
  await Promise.race([sent, stalled.promise]).finally(() => stop());
}

const notAnswered = 'The S3 server did not answer.';

function answered<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, answerMsMax, () => new Error(notAnswered));
}

function nullIfNoKey(error: unknown): null {
  if ((error as { code?: unknown }).code === 'NoSuchKey') return null;
  throw error;
}
