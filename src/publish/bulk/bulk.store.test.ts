/** Bulk files, and changes from a position on, not from the start of a publication. */

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSeries,
  minifigRow as minifig,
  setRow as set,
} from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import {
  type BulkPosition,
  type BulkType,
  bulkFileTypes,
  bulkFormats,
  bulkTypes,
} from '../../market/published/bulk.ts';
import type { PublishedItem } from '../../market/published/publishing.ts';
import { scriptsIn } from '../../store/sql/migrations.ts';
import { toSqlite } from '../../store/sqlite/dialect.ts';
import { marketMigrations } from '../../store/sqlite/schema.ts';
import { changesOfType } from './bulk.store.ts';
import { notExported } from './bulk-export.ts';

const shared = shareStore();

/** Publishes items by key, each with its own facts. */
async function publish(facts: Readonly<Record<string, Partial<PublishedItem>>>): Promise<void> {
  const { market } = shared.store;
  const sql = 'SELECT id, key, version FROM item';
  const items = await onTables<{ id: number; key: string; version: number }>(shared.folder, sql);
  const made = items.flatMap(({ id, key, version }) =>
    facts[key] ? [aPublishedItem({ ...facts[key], id: Number(id), version: Number(version) })] : [],
  );
  expect(await market.publish(made)).toBe(Object.keys(facts).length);
}

test('a change is listed once, in order, and after its position no more', async () => {
  const { market } = shared.store;
  const months = (cents: number) =>
    aSeries(24_000, [
      { valueCents: cents, lowCents: null, highCents: null, salesCount: 1, event: null },
    ]);
  const retail = {
    asinKey: null,
    upcKey: null,
    eanKey: null,
    changedAt: now,
    body: '"shop"',
    newStates: [],
    months: { retailer_a: [], retailer_b: [] },
  };
  await market.applyRows([...['a', 'b', 'c'].map(set), minifig('f')], now);
  await publish({
    a: { series: { sealed: months(1), used: months(2) }, retail, body: '"a"' },
    b: { series: { sealed: null, used: months(3) } },
    f: { body: '"f"' },
  });
  const first = Number(await market.publishStamp());
  const list = async (after: BulkPosition, types: readonly BulkType[] = bulkTypes, limit = 99) =>
    (await market.listBulkChanges(after, types, limit)).changes.map((change) => ({
      ...change,
      name: `${change.type} ${change.number}${change.content === null ? ' removed' : ''}`,
    }));
  const namesOf = async (...asked: Parameters<typeof list>) =>
    (await list(...asked)).map(({ name }) => name);
  const start = { stamp: 0, rank: 0 };
  const all = await list(start);
  const published = ['sets a', 'months a', 'retail a', 'sets b', 'months b', 'minifigs f'];
  expect(all.map(({ name }) => name)).toEqual(published);
  const bare = (cents: number) => ({ ...months(cents), provenance: [] });
  expect(all.map(({ content }) => content)).toEqual([
    '"a"',
    { sealed: bare(1), used: bare(2) },
    '"shop"',
    '{}',
    { sealed: null, used: bare(3) },
    '"f"',
  ]);
  for (const [index, { position }] of all.entries()) {
    expect(position.stamp).toBe(first);
    expect(await namesOf(position)).toEqual(published.slice(index + 1));
    expect(await namesOf(position, bulkTypes, 2)).toEqual(published.slice(index + 1, index + 3));
  }
  expect(await namesOf(start, ['months', 'minifigs'])).toEqual([
    'months a',
    'months b',
    'minifigs f',
  ]);
  // Set a loses its retail document, and set b gets another series.
  await publish({ a: { series: { sealed: months(1), used: months(2) }, body: '"a"' } });
  await publish({ b: { series: { sealed: months(4), used: months(3) } }, c: {} });
  const later = ['retail a removed', 'sets a', 'sets b', 'months b', 'sets c'];
  expect(await namesOf({ stamp: first + 1, rank: 0 })).toEqual(later);
  expect(await namesOf({ stamp: first + 1, rank: 0 }, ['retail'])).toEqual(later.slice(0, 1));
  const rest = await list(all.at(-1)?.position ?? start);
  expect(rest.map(({ name }) => name)).toEqual(later);
  for (const [index, { position }] of rest.entries()) {
    expect(await namesOf(position)).toEqual(later.slice(index + 1));
  }
});

test('documents are listed in pages, in order of their items', async () => {
  const { market } = shared.store;
  const list = async (type: BulkType, after: string | null, limit = 9) => {
    const [item] = await onTables<{ id: number }>(
      shared.folder,
      'SELECT id FROM item WHERE key = ?',
      [after],
    );
    const found = await market.listBulkDocuments(type, Number(item?.id ?? 0), limit);
    return found.map(({ number }) => number);
  };
  expect(await list('sets', null)).toEqual(['a', 'b', 'c']);
  expect(await list('sets', 'a', 1)).toEqual(['b']);
  expect(await list('minifigs', null)).toEqual(['f']);
  expect(await list('months', null)).toEqual(['a', 'b']);
  expect(await list('months', null, 1)).toEqual(['a']);
  expect(await list('months', 'a')).toEqual(['b']);
  expect(await list('retail', null)).toEqual([]);
});

test('files are listed when all are finished, and kept for two editions', async () => {
  const { market } = shared.store;
  const listed = async () => (await market.listBulkFiles()).map(({ id }) => id);
  const chunksOf = async (id: number) => {
    const chunks = await Promise.all([0, 1, 2].map((place) => market.readBulkChunk(id, place)));
    return chunks.map((chunk) => chunk && [...chunk]);
  };
  const names = bulkFileTypes.flatMap((type) => bulkFormats.map((format) => `${type} ${format}`));
  const chunkCount = 2 * names.length;
  /** Files with two chunks each. */
  const start = async () => {
    const files = await market.startBulkFiles();
    expect(files.map(({ type, format }) => `${type} ${format}`)).toEqual(names);
    for (const { id } of files) {
      for (const place of [0, 1]) {
        await market.addBulkChunk(id, place, new Uint8Array([id, place]));
      }
    }
    return files.map(({ id }) => id);
  };
  const finish = (ids: readonly number[], createdAt: number) =>
    market.finishBulkFiles(
      ids.map((id) => ({ id, bytes: id * 10, sha256: `of ${id}` })),
      createdAt,
    );
  const busy = 'Another process makes the files by now.';
  const interrupted = await start();
  const [lost = 0] = interrupted;
  const first = await start();
  await expect(market.addBulkChunk(lost, 2, new Uint8Array(1))).rejects.toThrow(busy);
  await expect(finish(interrupted, now)).rejects.toThrow(busy);
  expect(await listed()).toEqual([]);
  await finish(first, now);
  expect(await listed()).toEqual(first);
  const [id = 0] = first;
  expect((await market.listBulkFiles())[0]).toEqual({
    id,
    type: 'sets',
    format: 'jsonl',
    bytes: id * 10,
    sha256: `of ${id}`,
    createdAt: now,
    stamp: Number(await market.publishStamp()),
  });
  await expect(finish(first, now)).rejects.toThrow(busy);
  // Only the chunks of the interrupted files are outdated, and of those the first three go first.
  expect(await market.pruneBulkChunks(3)).toBe(3);
  expect(await market.pruneBulkChunks(chunkCount)).toBe(chunkCount - 3);
  expect(await chunksOf(lost)).toEqual([null, null, null]);
  await publish({ a: {} });
  const second = await start();
  expect(await market.pruneBulkChunks(9)).toBe(0);
  expect(new Set([...interrupted, ...first, ...second]).size).toBe(3 * names.length);
  await finish(second, now + 1);
  expect(await listed()).toEqual([...second, ...first]);
  expect(await market.pruneBulkChunks(9)).toBe(0);
  const third = await start();
  await finish(third, now + 2);
  expect(await chunksOf(id)).toEqual([[id, 0], [id, 1], null]);
  // Files stay until their last chunk is removed.
  expect(await market.pruneBulkChunks(chunkCount)).toBe(chunkCount);
  // If nothing was published in between, only the latest files are listed.
  expect(await listed()).toEqual([...third, ...first]);
  expect(await market.pruneBulkChunks(8)).toBe(0);
  expect(await listed()).toEqual(third);
  expect(await chunksOf(id)).toEqual([null, null, null]);
  expect((await chunksOf(second[3] ?? 0))[1]).toEqual([second[3] ?? 0, 1]);
});

test('documents are found by stamp and item id with an index, sets and minifigs separately', () => {
  using db = new Database(':memory:');
  for (const sql of scriptsIn(marketMigrations)) db.run(sql);
  const plans = bulkTypes.flatMap(changesOfType).map((sought) => {
    const sql = `EXPLAIN QUERY PLAN ${toSqlite(sought)}`;
    const [first, ...others] = db.query<{ detail: string }, number[]>(sql).all(5, 0, 20);
    expect(others.filter(({ detail }) => detail.includes('TEMP B-TREE'))).toEqual([]);
    return first?.detail.replace(/^.* INDEX /, '');
  });
  expect(plans).toEqual([
    'document_changed (kind=? AND stamp=? AND item_id>?)',
    'document_changed (kind=? AND stamp>?)',
    'document_changed (kind=? AND stamp=? AND item_id>?)',
    'document_changed (kind=? AND stamp>?)',
    'series_changed (stamp=? AND item_id>?)',
    'series_changed (stamp>?)',
    'retail_changed (stamp=? AND item_id>?)',
    'retail_changed (stamp>?)',
  ]);
});

test('the copies of one target are remembered at a time', async () => {
  const { market } = shared.store;
  expect(await market.findBulkExport()).toBeNull();
  const failed = { ...notExported('/srv/bulk'), failures: 2, failedAt: now, error: 'It is full.' };
  await market.saveBulkExport(failed);
  expect(await market.findBulkExport()).toEqual(failed);
  const done = { ...notExported('s3://market/'), edition: '20261115T000000000Z', exportedAt: now };
  await market.saveBulkExport(done);
  expect(await market.findBulkExport()).toEqual(done);
  await market.saveBulkExport(null);
  expect(await market.findBulkExport()).toBeNull();
});
