/** Copies of bulk files in a folder and a bucket: complete or not at all, and kept by a rule. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '../../../test/support/s3-server.ts';
import { until } from '../../../test/support/until.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs, minuteMs } from '../../kernel/time.ts';
import type { BulkFile, BulkFormat } from '../../market/published/bulk.ts';
import { type BulkExport, manifestName, notExported } from './bulk-export.ts';
import { BulkExporter, startBulkExport } from './bulk-export.work.ts';
import { type BulkTarget, targetOf } from './bulk-target.work.ts';

const day = Date.UTC(2026, 10, 15);
const editionAt = (days: number) => `202611${15 + days}T000000000Z`;

/** The files of a day, with two chunks each. */
function editionOf(days: number, formats: readonly BulkFormat[] = ['jsonl', 'parquet']) {
  return formats.map((format, index) => {
    const chunks = ['first', 'second'].map((part) => Buffer.from(`${part} ${format} ${days}`));
    const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
    const bytes = Buffer.concat(chunks).length;
    const createdAt = day + days * dayMs;
    const id = days * 10 + index;
    const file: BulkFile = { id, type: 'sets', format, stamp: days, bytes, sha256, createdAt };
    return { ...file, chunks };
  });
}

/** An exporter with the files of one day after the other. */
function start(target: BulkTarget) {
  const world = { now: day, files: editionOf(0), state: null as BulkExport | null };
  const failures: string[] = [];
  const work = {
    store: {
      listBulkFiles: async () => world.files,
      readBulkChunk: async (id: number, place: number) =>
        world.files.find((file) => file.id === id)?.chunks[place] ?? null,
      findBulkExport: async () => world.state,
      saveBulkExport: async (state: BulkExport | null) => {
        world.state = state;
      },
      takeLease: async () => true,
    },
    clock: () => world.now,
    holder: 'me',
    onFailure: (error: unknown) => failures.push(String(error)),
  };
  const exporter = new BulkExporter({ ...work, target });
  const publish = (days: number) => {
    world.files = editionOf(days);
    world.now = day + days * dayMs;
  };
  return { world, work, failures, exporter, publish, step: () => exporter.step() };
}

async function* textOf(text: string) {
  yield Buffer.from(text);
}

const folders: string[] = [];
let s3: Awaited<ReturnType<typeof startS3>>;

beforeAll(async () => {
  s3 = await startS3('daily/');
});
afterAll(async () => {
  await s3.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function aFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'brickmark-target-'));
  folders.push(path);
  return path;
}

describe.each(['folder', 'bucket'] as const)('a %s', (kind) => {
  const newTarget = () => targetOf(kind === 'folder' ? { kind, path: aFolder() } : s3.settings);

  test('has complete files, the latest manifest, and the edition before it', async () => {
    const target = newTarget();
    await target.write('README.txt', textOf('not ours'));
    await target.write('20261101T000000000Z/sets.parquet', textOf('of a killed process'));
    const { publish, step, failures } = start(target);
    for (const days of [0, 1, 2]) {
      publish(days);
      await step();
      const { files, ...manifest } = JSON.parse((await target.read(manifestName)) ?? '');
      expect(manifest).toEqual({
        edition: editionAt(days),
        position: `${days + 1}-0`,
        created_at: `2026-11-${15 + days}T00:00:00.000Z`,
      });
      for (const [index, file] of editionOf(days).entries()) {
        const { type, format, bytes, sha256, chunks } = file;
        const ending = format === 'jsonl' ? 'jsonl.gz' : format;
        const path = `${editionAt(days)}/sets.${ending}`;
        expect(files[index]).toEqual({ type, format, path, bytes, sha256 });
        expect(await target.read(path)).toBe(Buffer.concat(chunks).toString());
      }
      const kept = [days, days - 1].filter((each) => each >= 0).map(editionAt);
      const names = kept.flatMap((name) => [`${name}/sets.jsonl.gz`, `${name}/sets.parquet`]);
      expect((await target.list()).sort()).toEqual(['README.txt', manifestName, ...names].sort());
    }
    expect(failures).toEqual([]);
    for (const name of await target.list()) await target.remove(name);
  });

  test('keeps its manifest until the new files are complete', async () => {
    const target = newTarget();
    const { world, publish, step, failures } = start(target);
    await step();
    const before = await target.read(manifestName);
    publish(1);
    // The second file is replaced in the store while it is copied.
    const [first, second] = world.files;
    if (first && second) world.files = [first, { ...second, chunks: second.chunks.slice(1) }];
    await step();
    expect(await target.read(manifestName)).toBe(before);
    expect(failures).toEqual(['Error: The file of sets was replaced.']);
    expect(world.state).toMatchObject({ edition: editionAt(0), failures: 1 });
    for (const name of await target.list()) await target.remove(name);
  });
});

test('a file of several parts is uploaded to a bucket as it is', async () => {
  const target = targetOf(s3.settings);
  const parts = Array.from({ length: 27 }, (_, index) => Buffer.alloc(256 * 1024, index));
  await target.write(
    'large',
    (async function* () {
      yield* parts;
    })(),
  );
  const read = await s3.client.file('daily/large').bytes();
  expect(Buffer.compare(read, Buffer.concat(parts))).toBe(0);
  await target.remove('large');
  expect(await target.read('large')).toBeNull();
});

test('an upload that fails is aborted', async () => {
  const asked: string[] = [];
  const name = 'InitiateMultipartUploadResult';
  const started = `<${name}><UploadId>7</UploadId></${name}>`;
  // The server of other tests cannot abort uploads.
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      await request.bytes();
      const { searchParams } = new URL(request.url);
      asked.push(`${request.method} ${[...searchParams.keys()].join(' ')}`);
      const isStart = searchParams.has('uploads');
      return new Response(isStart ? started : '', {
        headers: { ETag: '"t"' },
      });
    },
  });
  const target = targetOf({ ...s3.settings, endpoint: server.url.href } as typeof s3.settings);
  const gone = new Error('gone');
  const part = Buffer.alloc(256 * 1024);
  const parts = (async function* () {
    for (let count = 0; count < 21; count++) yield part;
    throw gone;
  })();
  expect(await target.write('large', parts).catch((error) => error)).toBe(gone);
  // At once: collecting garbage would abort it later, unless the process ends before.
  for (let count = 0; count < 3; count++) await fetch(`${server.url}?other`);
  const sent = asked.filter((each) => each !== 'GET other');
  expect(sent).toEqual(['POST uploads', 'PUT partNumber uploadId x-id', 'DELETE uploadId']);
  await server.stop(true);
});

test.each([0o755, 0o700])('who may read a folder of mode %o may read its files', async (mode) => {
  const path = aFolder();
  chmodSync(path, mode);
  const before = process.umask(0o077);
  try {
    await start(targetOf({ kind: 'folder', path })).step();
  } finally {
    process.umask(before);
  }
  const modeOf = (name: string) => statSync(join(path, name)).mode & 0o777;
  expect(modeOf(editionAt(0))).toBe(mode);
  for (const name of [manifestName, `${editionAt(0)}/sets.parquet`]) {
    expect(modeOf(name)).toBe(mode & 0o666);
  }
});

describe('a target that fails', () => {
  const missing = join(tmpdir(), 'brickmark-no-such-folder');

  test('is tried again after a minute, then less often, and its state says why', async () => {
    const { world, step, failures } = start(targetOf({ kind: 'folder', path: missing }));
    const error = 'The folder does not exist; create it, or mount its disk.';
    const waits = [1, 2, 4, 8, 16, 32, 60, 60];
    for (const [index, minutes] of waits.entries()) {
      await step();
      const failedAt = world.now;
      expect(world.state).toEqual({
        ...notExported(missing),
        failures: index + 1,
        failedAt,
        error,
      });
      world.now = failedAt + minutes * minuteMs - 1;
      await step();
      expect(failures).toHaveLength(index + 1);
      world.now = failedAt + minutes * minuteMs;
    }
  });

  test('is named with the code of the S3 server', async () => {
    const settings = { ...s3.settings, bucket: 'other' } as typeof s3.settings;
    const { world, step } = start(targetOf(settings));
    await step();
    expect(world.state).toMatchObject({
      target: 's3://other/daily/',
      error: 'NoSuchBucket: The specified bucket does not exist',
    });
  });

  test('is named with the error of the system', async () => {
    const path = join(aFolder(), 'file');
    await Bun.write(path, '');
    const { world, step } = start(targetOf({ kind: 'folder', path }));
    await step();
    expect(world.state?.error).toMatch(/^ENOTDIR: not a directory/);
  });

  test('is forgotten when another one is set, or none', async () => {
    const { world, work, step } = start(targetOf({ kind: 'folder', path: aFolder() }));
    world.state = { ...notExported(missing), failures: 9, failedAt: day, error: 'away' };
    await step();
    expect(world.state).toMatchObject({ failures: 0, edition: editionAt(0), exportedAt: day });
    await startBulkExport(null, work)();
    expect(world.state).toBeNull();
  });
});

test('nothing is copied twice, before there are files, or without the lease', async () => {
  const { world, work, exporter } = start(targetOf({ kind: 'folder', path: aFolder() }));
  const { files } = world;
  world.files = [];
  await exporter.step();
  expect(world.state).toBeNull();
  world.files = files;
  work.store.takeLease = async () => false;
  await exporter.step();
  expect(world.state).toBeNull();
  work.store.takeLease = async () => true;
  await exporter.step();
  const saved = world.state;
  expect(saved).toMatchObject({ exportedAt: day });
  world.now += minuteMs;
  await exporter.step();
  expect(world.state).toBe(saved);
});

test('while an import is writing, a copy goes on, and is recorded afterwards', async () => {
  const { world, work, exporter, failures } = start(targetOf({ kind: 'folder', path: aFolder() }));
  const { saveBulkExport } = work.store;
  let busy = 1;
  work.store.saveBulkExport = async (state) => {
    if (busy-- > 0) throw new StoreBusyError();
    await saveBulkExport(state);
  };
  // The lease is due to be renewed after each part.
  let taken = 0;
  work.store.takeLease = async () => {
    if (taken++ === 2) throw new StoreBusyError();
    return true;
  };
  const { readBulkChunk } = work.store;
  work.store.readBulkChunk = async (id, place) => {
    world.now += minuteMs;
    return readBulkChunk(id, place);
  };
  await exporter.step();
  expect(taken).toBeGreaterThan(4);
  expect([failures, world.state?.edition]).toEqual([[], editionAt(0)]);
});

test('a stopping process ends its copy, which is no failure', async () => {
  const target = targetOf({ kind: 'folder', path: aFolder() });
  const { world, work, failures } = start(target);
  const reached = Promise.withResolvers<void>();
  const { readBulkChunk } = work.store;
  let isHeld = true;
  work.store.readBulkChunk = async (id, place) => {
    reached.resolve();
    await until(() => !isHeld);
    return readBulkChunk(id, place);
  };
  const stop = startBulkExport(target, work);
  await reached.promise;
  const stopped = stop();
  isHeld = false;
  await stopped;
  expect([failures, await target.read(manifestName)]).toEqual([[], null]);
  expect(world.state).toEqual(notExported(target.name));
});
