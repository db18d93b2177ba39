/** Bulk files: their chunks, the order of documents, and when they are made. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { until } from '../../../test/support/until.ts';
import { bulkTables } from '../../contract/plus/bulk-columns.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { hourMs } from '../../kernel/time.ts';
import {
  type BulkDocument,
  type BulkFile,
  type BulkFileType,
  type BulkFormat,
  bulkChunkBytes,
  bulkFileTypes,
  bulkFormats,
  bulkFreshMs,
} from '../../market/published/bulk.ts';
import type { BulkMaking } from './bulk.store.ts';
import { BulkMaker, makeBulkFiles, startBulkMaking } from './bulk-maker.work.ts';

let now = 0;
let files: BulkFile[];
let outdatedChunks: number;
let chunks: Map<number, Uint8Array[]>;
let finished: { readonly files: readonly unknown[]; readonly at: number }[];
let asked: string[];

beforeEach(() => {
  now = Date.UTC(2026, 10, 15);
  files = [];
  outdatedChunks = 0;
  chunks = new Map();
  finished = [];
  asked = [];
});

function idOf(type: BulkFileType, format: BulkFormat): number {
  return 1 + bulkFileTypes.indexOf(type) * bulkFormats.length + bulkFormats.indexOf(format);
}

const bytesOf = (type: BulkFileType, format: BulkFormat) =>
  Buffer.concat(chunks.get(idOf(type, format)) ?? []);

const textOf = (type: BulkFileType, format: 'jsonl' | 'csv' = 'jsonl') =>
  gunzipSync(bytesOf(type, format)).toString('utf8');

/** A store of documents by type. */
function storeOf(documents: Partial<Record<BulkFileType, readonly BulkDocument[]>>): BulkMaking {
  return {
    listBulkFiles: async () => files,
    pruneBulkChunks: async (limit) => {
      const removed = Math.min(limit, outdatedChunks);
      outdatedChunks -= removed;
      return removed;
    },
    startBulkFiles: async () =>
      bulkFileTypes.flatMap((type) =>
        bulkFormats.map((format) => ({ id: idOf(type, format), type, format })),
      ),
    listBulkDocuments: async (type, afterId, limit) => {
      asked.push(`${type} after ${afterId}, ${limit}`);
      return (documents[type] ?? []).filter(({ itemId }) => itemId > afterId).slice(0, limit);
    },
    addBulkChunk: async (id, place, body) => {
      const own = chunks.get(id) ?? [];
      expect(place).toBe(own.length);
      chunks.set(id, [...own, new Uint8Array(body)]);
    },
    finishBulkFiles: async (made, at) => {
      finished.push({ files: made, at });
    },
    saveBulkExport: async () => {},
  };
}

const documentsOf = (count: number, content: (id: number) => string): BulkDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    itemId: index + 1,
    number: `${index + 1}`,
    content: content(index + 1),
  }));

/** Text that cannot be compressed to less than half. */
function noise(id: number): string {
  let text = '';
  for (let part = 0; part < 300; part++) {
    text += createHash('sha256').update(`${id} ${part}`).digest('hex');
  }
  return JSON.stringify(text);
}

async function makeAll(maker: BulkMaker): Promise<void> {
  while (finished.length === 0) expect(await maker.step()).toBe(true);
}

test('every document is a line in the file of its type, in order', async () => {
  const sets = documentsOf(41, (id) => `{"set":${id}}`);
  const minifigs = documentsOf(1, () => '{}');
  await makeAll(new BulkMaker(storeOf({ sets, minifigs }), () => now));
  expect(textOf('sets')).toBe(sets.map(({ content }) => `${content}\n`).join(''));
  const others = (['minifigs', 'months', 'retail', 'retail_changes'] as const).map((type) =>
    textOf(type),
  );
  expect(others).toEqual(['{}\n', '', '', '']);
  expect(finished.map(({ at }) => at)).toEqual([now]);
  expect(asked).toEqual([
    'sets after 0, 20',
    'sets after 20, 20',
    'sets after 40, 20',
    'sets after 41, 20',
    'minifigs after 0, 20',
    'minifigs after 1, 20',
    'months after 0, 4',
    'retail after 0, 20',
    'retail_changes after 0, 4',
  ]);
});

test('tables have the same rows in the same order', async () => {
  const set = (id: number) => JSON.stringify({ set_number: `${id}`, title: 'A, "b"', pieces: id });
  await makeAll(new BulkMaker(storeOf({ sets: documentsOf(21, set) }), () => now));
  const { columns } = bulkTables.sets;
  const [header, ...rows] = parse(textOf('sets', 'csv'));
  expect(header).toEqual(columns.map(({ name }) => name));
  const { buffer: file } = new Uint8Array(bytesOf('sets', 'parquet'));
  const compressors = { ZSTD: (bytes: Uint8Array) => Bun.zstdDecompressSync(bytes) };
  const read = await parquetReadObjects({ file, compressors });
  expect(read.map((row) => Object.values(row).map((cell) => String(cell ?? '')))).toEqual(rows);
  expect(rows.map(([number]) => number)).toEqual(read.map((_, index) => `${index + 1}`));
});

test('a large file is split into chunks of one size, the last one shorter', async () => {
  const sets = documentsOf(60, noise);
  await makeAll(new BulkMaker(storeOf({ sets }), () => now));
  const own = chunks.get(1) ?? [];
  expect(own.length).toBeGreaterThan(2);
  expect(own.slice(0, -1).every(({ length }) => length === bulkChunkBytes)).toBe(true);
  expect(own.at(-1)?.length).toBeWithin(1, bulkChunkBytes);
  const whole = Buffer.concat(own);
  expect(gunzipSync(whole).toString()).toBe(sets.map(({ content }) => `${content}\n`).join(''));
  const sha256 = createHash('sha256').update(whole).digest('hex');
  expect(finished[0]?.files[0]).toEqual({ id: 1, bytes: whole.length, sha256 });
});

function fileMadeAt(createdAt: number): BulkFile {
  return { id: 9, type: 'sets', format: 'jsonl', stamp: 1, bytes: 1, sha256: '', createdAt };
}

describe('a maker', () => {
  test('first removes chunks of old files', async () => {
    outdatedChunks = 21;
    const maker = new BulkMaker(storeOf({}), () => now);
    files = [fileMadeAt(now)];
    expect([await maker.step(), outdatedChunks]).toEqual([true, 1]);
    expect([await maker.step(), outdatedChunks]).toEqual([true, 0]);
    expect(await maker.step()).toBe(false);
  });

  test('makes new files once the latest are a day old', async () => {
    files = [fileMadeAt(now - bulkFreshMs + 1)];
    await makeBulkFiles(storeOf({}), () => now);
    expect(finished).toEqual([]);
    now++;
    const maker = new BulkMaker(storeOf({}), () => now);
    expect(await maker.step()).toBe(true);
  });

  test('leaves an incomplete file behind after a failure, and the next one starts over', async () => {
    const store = storeOf({ sets: documentsOf(1, () => '{}') });
    let isBroken = true;
    const addBulkChunk: BulkMaking['addBulkChunk'] = async (id, place, body) => {
      if (isBroken) throw new Error('The disk is full.');
      await store.addBulkChunk(id, place, body);
    };
    const broken = { ...store, addBulkChunk };
    await expect(makeBulkFiles(broken, () => now)).rejects.toThrow('The disk is full.');
    isBroken = false;
    chunks.clear();
    await makeAll(new BulkMaker(broken, () => now));
    expect(textOf('sets')).toBe('{}\n');
  });
});

describe('a server', () => {
  /** Has files made, if they are due and it has the lease. */
  function start(given: { isHolder?: boolean; latest?: BulkFile; error?: Error } = {}) {
    const done: string[] = [];
    const { isHolder = true, latest, error = null } = given;
    const stop = startBulkMaking({
      store: {
        listBulkFiles: async () => {
          done.push('looked');
          return latest ? [latest] : [];
        },
        takeLease: async ({ name, until }) => {
          done.push(until > now ? `took ${name}` : `released ${name}`);
          return isHolder;
        },
      },
      clock: () => now,
      holder: 'me',
      make: async () => {
        done.push('made');
        if (error) throw error;
      },
      onFailure: (failure) => done.push(String(failure)),
    });
    return { done, stop };
  }

  test('has files made under a lease, which it gives back', async () => {
    const { done, stop } = start();
    await until(() => done.includes('released bulk'));
    await stop();
    expect(done).toEqual(['looked', 'took bulk', 'made', 'released bulk']);
  });

  test('makes nothing while files are current, or another process has the lease', async () => {
    const latest = fileMadeAt(now - hourMs);
    const [current, other] = [start({ latest }), start({ isHolder: false })];
    await until(() => other.done.includes('took bulk'));
    await Promise.all([current.stop(), other.stop()]);
    expect([current.done, other.done]).toEqual([['looked'], ['looked', 'took bulk']]);
  });

  test('reports a failure, unless an import is writing', async () => {
    const [failed, busy] = [
      start({ error: new Error('The disk is full.') }),
      start({ error: new StoreBusyError() }),
    ];
    await until(() => failed.done.length === 5 && busy.done.length === 4);
    await Promise.all([failed.stop(), busy.stop()]);
    expect(failed.done.at(-1)).toBe('Error: The disk is full.');
    expect(busy.done.at(-1)).toBe('released bulk');
  });

  test('reports nothing when it ends', async () => {
    const { done, stop } = start({ error: new Error('The process has ended.') });
    await stop();
    expect(done.join()).not.toContain('Error');
  });
});
