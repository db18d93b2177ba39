/** Which files are offered, and the maximum length of a page of changes. */
import { describe, expect, test } from 'bun:test';
import { dataIn } from '../../../test/support/handled.ts';
import { countTurns } from '../../../test/support/turns.ts';
import {
  type BulkChange,
  type BulkFile,
  type BulkFormat,
  type BulkPosition,
  type BulkType,
  bulkTypes,
} from '../../market/published/bulk.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { bulkHandlers, readChanges } from './bulk.ts';

/** A store with changes of a given length, which records its queries. */
function storeOf(count: number, characters: number, first = 1) {
  const asked: number[] = [];
  const all = Array.from(
    { length: count },
    (_, index): BulkChange => ({
      position: { stamp: 5, rank: index + 1 },
      type: 'sets',
      number: String(index + first),
      content: JSON.stringify('x'.repeat(characters - 2)),
      successor: null,
    }),
  );
  return {
    asked,
    findBulkBounds: async () => ({ stamp: 5, lost: null }),
    listBulkChanges: async (after: BulkPosition, _: unknown, limit: number) => {
      asked.push(limit);
      const { rank } = after;
      const changes = all.slice(rank, rank + limit);
      const next = changes.at(-1)?.position ?? after;
      return { changes, next, hasMore: rank + limit < all.length };
    },
  };
}

const read = async (store: ReturnType<typeof storeOf>, limit: number) => {
  const text = await readChanges(store, { after: '5-0', types: ['sets'], limit });
  const { changes, next, has_more } = JSON.parse(text);
  return { count: changes.length, next, has_more };
};

test('a page has the requested number, and says whether there are more', async () => {
  const store = storeOf(50, 10);
  expect(await read(store, 49)).toEqual({ count: 49, next: '5-49', has_more: true });
  expect(Math.max(...store.asked)).toBe(20);
  expect(await read(store, 50)).toEqual({ count: 50, next: '5-50', has_more: false });
  expect(await read(store, 51)).toEqual({ count: 50, next: '5-50', has_more: false });
});

test('a page ends after a million characters, and the rest follows in the next', async () => {
  const store = storeOf(100, 30_000);
  expect(await read(store, 1000)).toEqual({ count: 40, next: '5-40', has_more: true });
});

test('a page of few long changes says whether there are more', async () => {
  expect(await read(storeOf(40, 30_000), 1000)).toMatchObject({ count: 40, has_more: false });
  // Twenty changes with a million characters in total, or one less.
  const { length } = '{"type":"sets","number":"101","document":,"replaced_by":null}';
  expect(await read(storeOf(50, 50_000 - length, 101), 1000)).toMatchObject({ count: 20 });
  expect(await read(storeOf(50, 50_000 - length, 99), 1000)).toMatchObject({ count: 40 });
});

test('other requests get a turn after each full slice', async () => {
  expect(await countTurns(() => read(storeOf(50, 10), 1000))).toBe(2);
});

test('changes after a position that is not known are refused', async () => {
  const store = storeOf(0, 10);
  const after = (position: string | null) =>
    readChanges(store, { after: position, types: ['sets'], limit: 1 });
  await expect(after('7-0')).rejects.toThrow("Changes since '7-0' are not known here;");
  expect(JSON.parse(await after('6-0'))).toMatchObject({ changes: [], next: '6-0' });
  // Without a position, they start after the latest publication.
  expect(JSON.parse(await after(null))).toMatchObject({ next: '6-0', has_more: false });
});

describe('files', () => {
  const fileOf = (
    id: number,
    type: BulkType,
    stamp: number,
    format: BulkFormat = 'jsonl',
  ): BulkFile => ({
    id,
    type,
    format,
    stamp,
    bytes: 10 * id,
    sha256: `hash ${id}`,
    createdAt: 0,
  });
  const table = fileOf(5, 'sets', 8, 'parquet');
  const files = [table, fileOf(4, 'sets', 8), fileOf(2, 'sets', 7)];
  const gone = fileOf(1, 'retail', 7);

  function handlers(kept: readonly BulkFile[] = [...files, gone], isOffered = true) {
    const asked: unknown[] = [];
    const store = {
      listBulkFiles: async () => kept,
      findBulkBounds: async () => ({ stamp: 8, lost: null }),
      listBulkChanges: async (position: BulkPosition, types: unknown, limit: number) => {
        asked.push({ position, types, limit });
        return { changes: [], next: position, hasMore: false };
      },
    };
    const find = async (file: BulkFile) => (file === gone ? null : `/copies/${file.id}`);
    const bulk = isOffered ? { cost: 25, find, close: () => {} } : null;
    const deps = { market: { store }, bulk } as unknown as HandlerDeps;
    const handlers: Pick<Handlers, keyof ReturnType<typeof bulkHandlers>> = bulkHandlers(deps);
    return { ...handlers, asked };
  }

  const nobody = [{} as never, { used: 0, at: 0 }] as const;

  test('of the latest publication are listed', async () => {
    const listed = async (kept: readonly BulkFile[], format: BulkFormat = 'jsonl') => {
      const work = handlers(kept).listBulkFiles({ params: {}, query: { format }, body: null });
      const list = dataIn(await work.read(...nobody));
      return list.files.map(({ type, bytes }: BulkFile) => [type, bytes]);
    };
    expect(await listed([...files, fileOf(3, 'retail', 8)])).toEqual([
      ['sets', 40],
      ['retail', 30],
    ]);
    expect(await listed(files, 'parquet')).toEqual([['sets', 50]]);
    expect(await listed(files, 'csv')).toEqual([]);
    expect(await listed([])).toEqual([]);
  });

  test.each<[BulkType, string | undefined, string]>([
    ['sets', undefined, 'hash 4'],
    ['retail', undefined, 'The file of retail has not been made yet.'],
    ['sets', '9-0', 'hash 4'],
    ['sets', '8-0', 'hash 2'],
    ['retail', '8-0', "There is no file of retail at position '8-0' any more; GET /bulk lists"],
    ['sets', '7-0', "There is no file of sets at position '7-0' any more; GET /bulk lists them."],
  ])('answers a call for %s at %p with %s', async (type, position, found) => {
    const query = { format: 'jsonl', ...(position && { position }) } as const;
    const work = handlers().getBulkFile({ params: { type }, query, body: null });
    expect(work.cost).toBe(25);
    const answer: unknown = await work.read(...nobody).catch(({ message }) => message);
    if (!found.startsWith('hash')) expect(answer).toStartWith(found);
    else expect(answer).toMatchObject({ headers: { ETag: `"${found}"` } });
  });

  test.each([
    [{ format: 'parquet' }, 'application/vnd.apache.parquet', 'sets.parquet'],
    [{ format: 'jsonl', position: '9-0' }, 'application/gzip', 'sets.jsonl.gz'],
  ] as const)('asked for by %j are %s, called %s', async (query, type, name) => {
    const work = handlers().getBulkFile({ params: { type: 'sets' }, query, body: null });
    expect(await work.read(...nobody)).toMatchObject({
      headers: {
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="${name}"`,
      },
    });
  });

  test('that are not offered cost nothing', async () => {
    const off = handlers(files, false);
    const bare = { params: {}, query: { format: 'jsonl' }, body: null } as const;
    const file = off.getBulkFile({ ...bare, params: { type: 'sets' } });
    expect(file.cost).toBe(0);
    const changes = off.listBulkChanges({ ...bare, query: { limit: 1 } });
    for (const work of [file, changes, off.listBulkFiles(bare)]) {
      await expect(work.read(...nobody)).rejects.toMatchObject({ code: 'NotFound' });
    }
  });

  test('are followed by changes of the requested types, by default of all', async () => {
    const { listBulkChanges, asked } = handlers();
    for (const query of [{ limit: 5 }, { after: '8-3', types: 'sets,retail', limit: 1 }]) {
      await listBulkChanges({ params: {}, query, body: null }).read(...nobody);
    }
    expect(asked).toEqual([
      { position: { stamp: 9, rank: 0 }, types: bulkTypes, limit: 5 },
      { position: { stamp: 8, rank: 3 }, types: ['sets', 'retail'], limit: 1 },
    ]);
  });
});
