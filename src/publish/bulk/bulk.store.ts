/** Bulk files of everything published, and changes since a publication. */

import { type SeriesRow, toBareSeries } from '../../market/history/series.store.ts';
import {
  type BulkBounds,
  type BulkChange,
  type BulkChanges,
  type BulkDocument,
  type BulkFile,
  type BulkFileType,
  type BulkMonths,
  type BulkPosition,
  type BulkType,
  bulkFileTypes,
  bulkFormats,
  bulkPositionAfter,
  bulkTypes,
  documentAtRank,
  documentRank,
  isFollowed,
  type OpenBulkFile,
  ranksPerItem,
} from '../../market/published/bulk.ts';
import { readMeta, saveMeta } from '../../market/published/meta.store.ts';
import type { PastOffer } from '../../market/retail/retail-history.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, columnsOf, tables } from '../../store/sql/tables.ts';
import type { BulkExport } from './bulk-export.ts';

/** Never read from a replica: it may be behind, and reject positions that clients already have. */
export function bulkReading(engine: Pick<db.Engine, 'run' | 'snapshot'>) {
  return {
    ...db.methods(engine.run, { findBulkBounds, listBulkFiles, readBulkChunk, findBulkExport }),
    ...db.methods(engine.snapshot, { listBulkChanges }),
  };
}

export interface BulkReading extends ReturnType<typeof bulkReading> {}

/** A chunk of a file, counted from 0; null after the last one, or if the file was removed. */
function* readBulkChunk(fileId: number, place: number): db.Reading<Uint8Array | null> {
  const sql =
    'SELECT body FROM published.bulk_chunk WHERE file_id = $1::bigint AND place = $2::bigint';
  const found = yield* db.first<{ body: Uint8Array }>(sql, [fileId, place]);
  return found?.body ?? null;
}

export function bulkMaking(
  engine: Pick<db.Engine, 'run'>,
  writing: Pick<db.Engine, 'transaction'>,
) {
  return {
    ...db.methods(engine.run, { listBulkFiles, listBulkDocuments }),
    ...db.methods(writing.transaction, {
      startBulkFiles,
      finishBulkFiles,
      pruneBulkChunks,
      addBulkChunk,
      saveBulkExport,
    }),
  };
}

export interface BulkMaking extends ReturnType<typeof bulkMaking> {}

/** In order of item ids. */
function listBulkDocuments(type: BulkFileType, afterId: number, limit: number) {
  if (type === 'retail_changes') return listOffers(afterId, limit);
  return listDocuments(type, 'd.item_id > $1::bigint', [afterId, limit]);
}

function* findBulkBounds(): db.Reading<BulkBounds> {
  const meta = yield* readMeta();
  const [after, before] = [meta.get('restored_from'), meta.get('restored_to')];
  return {
    stamp: meta.get('publish_stamp') ?? 0,
    lost: after === undefined || before === undefined ? null : { after, before },
  };
}

/**
 * Newest first, the latest of each publication. Without files that no changes can follow, which a
 * second restore may bring back.
 */
function* listBulkFiles(): db.Reading<BulkFile[]> {
  const files = yield* db.query<BulkFile>(
    `SELECT ${columnsOf(tables.bulkFile, 'f')} FROM published.bulk_file AS f WHERE f.id IN (
       SELECT max(id) FROM published.bulk_file WHERE sha256 IS NOT NULL
       GROUP BY type, format, stamp)
     ORDER BY f.stamp DESC, f.id`,
  );
  // Read last, so that no file is ahead of the bounds.
  const bounds = yield* findBulkBounds();
  return files.filter(({ stamp }) => isFollowed(bulkPositionAfter(stamp), bounds));
}

/** The tables of each type; months have a row for each condition. */
const sources: Readonly<Record<BulkType, { readonly table: string; readonly where: string }>> = {
  sets: { table: 'document', where: "d.kind = 'set'" },
  minifigs: { table: 'document', where: "d.kind = 'minifig'" },
  months: { table: 'series', where: 'true' },
  retail: { table: 'retail', where: 'true' },
};

/** Documents of a type that match a condition, in order of item ids. */
function* listDocuments(
  type: BulkType,
  condition: string,
  values: readonly [number | readonly number[], number],
): db.Reading<BulkDocument[]> {
  const { table, where } = sources[type];
  const of = `FROM published.${table} d JOIN published.listing l ON l.item_id = d.item_id`;
  const named = 'd.item_id::float8 AS "itemId", l.number';
  const order = 'ORDER BY d.item_id LIMIT $2::bigint';
  if (type !== 'months') {
    const sql = `SELECT ${named}, d.body AS content ${of} WHERE ${where} AND ${condition} ${order}`;
    return yield* db.query<BulkDocument>(sql, values);
  }
  const rows = yield* db.query<MonthsRow>(
    `SELECT ${named}, d.condition, d.first_month AS "firstMonth", d.points,
       d.revision::float8 AS revision ${of}
     WHERE d.item_id IN (SELECT DISTINCT d.item_id ${of} WHERE ${where} AND ${condition}
       ${order})
     ORDER BY d.item_id`,
    values,
  );
  return [...Map.groupBy(rows, ({ itemId }) => itemId).values()].map(toMonths);
}

type MonthsRow = Omit<SeriesRow, 'provenance'> & {
  readonly itemId: number;
  readonly number: string;
  readonly condition: Condition;
};

function toMonths(rows: readonly MonthsRow[]): BulkDocument {
  const read = (condition: Condition) => {
    const row = rows.find((each) => each.condition === condition);
    return row ? toBareSeries(row) : null;
  };
  const { itemId = 0, number = '' } = rows[0] ?? {};
  const content: BulkMonths = { sealed: read('sealed'), used: read('used') };
  return { itemId, number, content };
}

/** The changes of sets at their retailers, in order of item ids. */
function* listOffers(afterId: number, limit: number): db.Reading<BulkDocument[]> {
  const columns = columnsBut(tables.retailChange, 'c', ['setKey']);
  const rows = yield* db.query<PastOffer & Pick<BulkDocument, 'itemId' | 'number'>>(
    `SELECT l.item_id::float8 AS "itemId", l.number, ${columns}
     FROM published.listing l JOIN published.retail_change c ON c.set_key = l.key
     WHERE l.item_id IN (SELECT o.item_id FROM published.listing o
       WHERE o.kind = 'set' AND o.item_id > $1::bigint AND EXISTS (
         SELECT 1 FROM published.retail_change AS one WHERE one.set_key = o.key)
       ORDER BY o.item_id LIMIT $2::bigint)
     ORDER BY l.item_id, c.at, c.retailer`,
    [afterId, limit],
  );
  return [...Map.groupBy(rows, ({ itemId }) => itemId)].map(([itemId, content]) => {
    return { itemId, number: content[0]?.number ?? '', content };
  });
}

/** A changed document, or a removed one, which has a number here. */
interface ChangeRow extends BulkPosition {
  readonly number: string | null;
}

/** One row of months is enough for both conditions. */
const isOnlyRow = `(d.condition = 'sealed' OR NOT EXISTS (SELECT 1 FROM published.series o
  WHERE o.item_id = d.item_id AND o.condition = 'sealed' AND o.stamp = d.stamp))`;

/**
 * Changed documents of a type, in two queries: the rest of the publication of a position, and later
 * ones. Each uses an index, however many documents a publication has.
 */
export function changesOfType(type: BulkType): string[] {
  const { table, where } = sources[type];
  const offset = bulkTypes.length + bulkTypes.indexOf(type);
  const itemId = `($2::bigint - ${offset}) / ${ranksPerItem}`;
  return [`d.stamp = $1::bigint AND d.item_id > ${itemId}`, 'd.stamp > $1::bigint'].map(
    (sought) => `SELECT d.stamp, d.item_id * ${ranksPerItem} + ${offset} AS rank, NULL AS number
      FROM published.${table} d
      WHERE ${type === 'months' ? isOnlyRow : where} AND ${sought}
      ORDER BY d.stamp, d.item_id LIMIT $3::bigint`,
  );
}

/** SQLite would otherwise prefer the types, the first column of the key, and sort all removals. */
const removedChanges = `SELECT d.stamp, d.place AS rank, d.number
  FROM published.removed_document d
  WHERE (d.type = ANY($4::text[])) IS TRUE AND (d.stamp, d.place) > ($1::bigint, $2::bigint)
  ORDER BY d.stamp, d.place LIMIT $3::bigint`;

/** Up to `limit` changes after a position. A document without a listing is left out. */
function* listBulkChanges(
  after: BulkPosition,
  types: readonly BulkType[],
  limit: number,
): db.Reading<BulkChanges> {
  const parts = [...new Set(types)].flatMap(changesOfType);
  const all = [...parts, removedChanges].map((sql) => `SELECT * FROM (${sql}) AS part`);
  const found = yield* db.query<ChangeRow>(
    `SELECT c.stamp::float8 AS stamp, c.rank::float8 AS rank, c.number
     FROM (${all.join(' UNION ALL ')}) AS c ORDER BY 1, 2 LIMIT $3::bigint`,
    [after.stamp, after.rank, limit + 1, types],
  );
  const rows = found.slice(0, limit).map(({ stamp, rank, number }) => ({
    position: { stamp, rank },
    number,
    ...documentAtRank(rank),
  }));
  const contents = new Map<number, BulkDocument>();
  for (const [type, some] of Map.groupBy(rows, (row) => row.type)) {
    const ids = some.flatMap(({ itemId, number }) => (number === null ? [itemId] : []));
    const found = yield* listDocuments(type, 'd.item_id = ANY($1::bigint[])', [ids, limit]);
    for (const each of found) contents.set(documentRank(each.itemId, type, false), each);
  }
  const removed = rows.filter(({ number }) => number !== null).map(({ itemId }) => itemId);
  const shown = yield* findShownNumbers(removed);
  const changes = rows.flatMap(({ position, type, itemId, number }): BulkChange[] => {
    if (number !== null) {
      const now = shown.get(itemId) ?? number;
      return [{ position, type, number, content: null, successor: now === number ? null : now }];
    }
    const found = contents.get(position.rank);
    const successor = null;
    return found
      ? [{ position, type, number: found.number, content: found.content, successor }]
      : [];
  });
  return { changes, next: rows.at(-1)?.position ?? after, hasMore: found.length > limit };
}

/** The published numbers of items, each of which may be part of another by now. */
function* findShownNumbers(ids: readonly number[]): db.Reading<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = yield* db.query<{ id: number; number: string }>(
    `SELECT i.id::float8 AS id, l.number FROM published.item i
     JOIN published.listing l ON l.item_id = coalesce(i.part_of, i.id)
     WHERE i.id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Starts files of all types and formats, which are invisible until they are finished. */
function* startBulkFiles(): db.Operation<OpenBulkFile[]> {
  // Files of a process that was interrupted; if it still runs, its next chunk fails.
  yield* db.run('UPDATE published.bulk_file SET bytes = -1 WHERE sha256 IS NULL');
  const meta = yield* readMeta();
  const [stamp = 0, given = 0] = [meta.get('publish_stamp'), meta.get('bulk_files')];
  const files = bulkFileTypes
    .flatMap((type) => bulkFormats.map((format) => ({ type, format, stamp })))
    .map((file, index) => ({ id: given + 1 + index, ...file }));
  yield* db.insertRows(tables.bulkFile, files);
  yield* saveMeta('bulk_files', given + files.length);
  return files;
}

const isOpen = 'sha256 IS NULL AND bytes IS NULL';

/** Adds a chunk to a file; throws if another process is creating files now. */
function* addBulkChunk(fileId: number, place: number, body: Uint8Array): db.Operation<void> {
  const added = yield* db.run(
    `INSERT INTO published.bulk_chunk (file_id, place, body)
     SELECT id, $2::bigint, $3::bytea FROM published.bulk_file WHERE id = $1::bigint AND ${isOpen}`,
    [fileId, place, body],
  );
  if (added === 0) throw new Error('Another process makes the files by now.');
}

type FinishedFile = Pick<BulkFile, 'id' | 'bytes' | 'sha256'>;

/** Makes the files the current ones, all at once. */
function* finishBulkFiles(files: readonly FinishedFile[], createdAt: number): db.Operation<void> {
  for (const { id, bytes, sha256 } of files) {
    const finished = yield* db.run(
      `UPDATE published.bulk_file SET bytes = $2::bigint, sha256 = $3::text,
         created_at = $4::bigint WHERE id = $1::bigint AND ${isOpen}`,
      [id, bytes, sha256, createdAt],
    );
    if (finished === 0) throw new Error('Another process makes the files by now.');
  }
}

/** The current files and the ones before them stay, so that downloads can finish. */
const editionsKept = 2;

/** Removes chunks of files that are neither current, previous nor in progress; returns how many. */
function* pruneBulkChunks(limit: number): db.Operation<number> {
  const outdated = `SELECT id FROM published.bulk_file WHERE bytes = -1 OR sha256 IS NOT NULL
    AND created_at NOT IN (SELECT created_at FROM published.bulk_file WHERE sha256 IS NOT NULL
      GROUP BY created_at ORDER BY created_at DESC LIMIT ${editionsKept})`;
  const removed = yield* db.run(
    `DELETE FROM published.bulk_chunk WHERE (file_id, place) IN (
       SELECT file_id, place FROM published.bulk_chunk WHERE file_id IN (${outdated})
       LIMIT $1::bigint)`,
    [limit],
  );
  if (removed < limit) yield* db.run(`DELETE FROM published.bulk_file WHERE id IN (${outdated})`);
  return removed;
}

/** The copies in a folder or bucket; null: none were ever made. */
function findBulkExport(): db.Reading<BulkExport | null> {
  return db.first<BulkExport>(
    `SELECT ${columnsOf(tables.bulkExport, 'e')} FROM published.bulk_export AS e`,
  );
}

/** Replaces the state, also that of another target; null: files are no longer copied. */
function* saveBulkExport(state: BulkExport | null): db.Operation<void> {
  yield* db.run('DELETE FROM published.bulk_export');
  yield* db.insertRows(tables.bulkExport, state === null ? [] : [state]);
}
