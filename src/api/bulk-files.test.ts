/** Copies of bulk files on disk: made once, removed when outdated or abandoned. */
import { afterEach, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BulkFile } from '../market/published/bulk.ts';
import { type BulkOffer, offerBulk } from './bulk-files.ts';

const offers: BulkOffer[] = [];

afterEach(() => {
  for (const offer of offers.splice(0)) offer.close();
});

/** A file of a few chunks. */
function aFile(id: number): BulkFile & { readonly chunks: readonly Uint8Array[] } {
  const chunks = ['one', 'two', 'three'].map((text) => Buffer.from(`${text} of ${id}`));
  const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
  return { id, type: 'sets', format: 'jsonl', stamp: 1, bytes: 0, sha256, createdAt: 0, chunks };
}

/** Offers the files of a store that counts reads of chunks. */
function offer(files: readonly ReturnType<typeof aFile>[]) {
  const store = { files, reads: 0 };
  const made = offerBulk(
    {
      listBulkFiles: async () => [...store.files],
      readBulkChunk: async (id, place) => {
        store.reads++;
        return store.files.find((file) => file.id === id)?.chunks[place] ?? null;
      },
    },
    10,
  );
  if (made === null) throw new Error('Files are offered.');
  offers.push(made);
  return { store, find: made.find };
}

test('a file is read once, chunk by chunk, for all callers', async () => {
  const file = aFile(1);
  const { store, find } = offer([file]);
  const [path, same] = await Promise.all([find(file), find(file)]);
  expect([same, await find(file)]).toEqual([path, path]);
  expect(readFileSync(path ?? '', 'utf8')).toBe('one of 1two of 1three of 1');
  // The last read returns null.
  expect(store.reads).toBe(4);
});

test('files that the store has removed are not found, and their copies are deleted', async () => {
  const [first, second] = [aFile(1), aFile(2)];
  const { store, find } = offer([first, second]);
  const path = (await find(first)) ?? '';
  const abandoned = join(dirname(path), `${aFile(3).sha256}.part`);
  writeFileSync(abandoned, '');
  store.files = [second];
  expect(await find(second)).not.toBeNull();
  expect([existsSync(path), existsSync(abandoned)]).toEqual([false, false]);
  expect(await Promise.all([find(first), find(first)])).toEqual([null, null]);
});

test.if(existsSync('/dev/full'))(
  'a copy that fails on a full disk fails for all callers, and can be retried',
  async () => {
    const [first, second] = [aFile(1), aFile(2)];
    const { find } = offer([first, second]);
    const partial = join(dirname((await find(first)) ?? ''), `${second.sha256}.part`);
    symlinkSync('/dev/full', partial);
    const failed = await Promise.allSettled([find(second), find(second), find(second)]);
    expect(failed).toMatchObject(
      failed.map(() => ({ status: 'rejected', reason: { code: 'ENOSPC' } })),
    );
    rmSync(partial);
    expect(await find(second)).not.toBeNull();
  },
);

test('nothing is offered without a cost', () => {
  expect(offerBulk({} as never, null)).toBeNull();
});

test('copies are removed at the end, and folders of killed processes at the start', async () => {
  const abandoned = mkdtempSync(join(tmpdir(), 'brickmark-bulk-99999999-'));
  const { find } = offer([aFile(1)]);
  const path = (await find(aFile(1))) ?? '';
  expect([existsSync(path), existsSync(abandoned)]).toEqual([true, false]);
  for (const each of offers) each.close();
  expect(existsSync(dirname(path))).toBe(false);
  // A second end does no harm.
  for (const each of offers) each.close();
});

test('a file is copied again after its folder was cleaned up', async () => {
  const { find } = offer([aFile(1)]);
  const path = (await find(aFile(1))) ?? '';
  rmSync(dirname(path), { recursive: true });
  const again = (await find(aFile(1))) ?? '';
  expect(readFileSync(again, 'utf8')).toBe('one of 1two of 1three of 1');
});

test('a file is not copied while the store cannot be read', async () => {
  const made = offerBulk(
    {
      listBulkFiles: () => Promise.reject(new Error('away')),
      readBulkChunk: async () => null,
    },
    10,
  );
  if (made) offers.push(made);
  await expect(made?.find(aFile(1))).rejects.toThrow('away');
});
