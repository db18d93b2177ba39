/** Writes finished documents with their derived rows, many at a time. */

import { saveDeals } from '../buying/deals/deals.store.ts';
import { type LoggedItem, logItemEvents } from '../market/events/events.store.ts';
import { saveEvidence } from '../market/evidence/evidence.store.ts';
import { nextDayValues, packDayValues, unpackDayValues } from '../market/history/day-values.ts';
import { saveSeries } from '../market/history/series.store.ts';
import { bulkTypes } from '../market/published/bulk.ts';
import { packNextSetValues } from '../market/published/listing.store.ts';
import { nextStamp, saveMeta } from '../market/published/meta.store.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import {
  markMonths,
  type NumberedItem,
  noteRemoved,
} from '../market/published/removed-documents.store.ts';
import { retailFoldVersion } from '../market/retail/retail-state.ts';
import { saveCheckpoints } from '../market/values/checkpoints.store.ts';
import { unitTiers } from '../market/values/tiers.ts';
import { keepOutlook } from '../market/values/uncertainty.ts';
import * as db from '../store/sql/operation.ts';
import { tables } from '../store/sql/tables.ts';
import { linesOf } from './search-entries.store.ts';

/**
 * Writes documents of items that have not changed meanwhile; changed items stay stale. Must run in
 * the exclusive market transaction.
 */
export function* publishItems(items: readonly PublishedItem[]): db.Operation<number> {
  const [stamp, claims] = yield* db.together([nextStamp(), findClaims(items)]);
  const claimed = items.flatMap((item) => {
    const row = claims.get(item.id);
    return row?.version === item.version ? [{ item, row }] : [];
  });
  const written = claimed.map(({ item }) => item);
  // If two processes publish the same rows, only the first adds scores.
  const outdated = claimed.flatMap(({ item, row }) => (row.isOutdated ? [item] : []));
  const scores = outdated.flatMap((item) => item.scores);
  const dealScores = outdated.flatMap((item) => item.dealScores);
  yield* db.together([
    saveVersions(written),
    saveDocuments(claimed, stamp),
    saveListings(claimed),
    saveSeries(written, stamp),
    saveRetail(claimed, stamp),
    saveDealsAndEvents(claimed),
    saveEvidence(written),
    saveCheckpoints(written),
    saveOutlooks(claimed),
    notePublished(items),
    removeParts(claimed, stamp),
    db.addCounts(tables.score, scores),
    db.addCounts(tables.dealScore, dealScores),
  ]);
  yield* noteRenamed(claimed, stamp);
  return written.length;
}

/** The current state of an item and its publication before. */
type ClaimRow = LoggedItem['row'] & {
  readonly id: number;
  readonly number: string;
  /** The number of its publication before; null if there was none. */
  readonly listedNumber: string | null;
  readonly version: number;
  readonly isOutdated: boolean;
  readonly packed: Uint8Array | null;
  readonly packedDays: Uint8Array | null;
};

interface Claimed {
  readonly item: PublishedItem;
  readonly row: ClaimRow;
}

function* findClaims(items: readonly PublishedItem[]): db.Operation<Map<number, ClaimRow>> {
  const rows = yield* db.query<ClaimRow>(
    `SELECT i.id::float8 AS id, i.kind, i.key, i.number, i.version::float8 AS version,
       (i.version <> i.published_version)::boolean AS "isOutdated", l.set_values AS packed,
       l.day_values AS "packedDays", l.number AS "listedNumber",
       l.new_cents::float8 AS "newCents", l.used_cents::float8 AS "usedCents", s.body AS "lastBody",
       s.is_undone::boolean AS "isUndone"
     FROM published.item i LEFT JOIN published.listing l ON l.item_id = i.id
     LEFT JOIN published.event_state s ON s.item_id = i.id
     WHERE i.id = ANY($1::bigint[])`,
    [items.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function saveVersions(items: readonly PublishedItem[]): db.Operation<void> {
  return db.updateRows(
    tables.item,
    ['publishedVersion', 'dueAt'],
    items.map(({ id, version, dueAt }) => ({ id, publishedVersion: version, dueAt })),
  );
}

function saveDocuments(claimed: readonly Claimed[], stamp: number): db.Operation<void> {
  return db.saveRows(
    tables.document,
    claimed.map(({ item: { id, body }, row: { kind, key } }) => ({
      itemId: id,
      kind,
      key,
      stamp,
      body,
    })),
  );
}

function saveListings(claimed: readonly Claimed[]): db.Operation<void> {
  const rows = claimed.map(({ item, row: { kind, key, number, packed, packedDays } }) => ({
    ...item,
    itemId: item.id,
    kind,
    key,
    number,
    ...unitTiers(kind, item.evidence),
    setValues: packNextSetValues(packed, item),
    year: item.search.year,
    otherNames: linesOf(item.search.otherNames),
    subthemes: linesOf(item.search.subthemes),
    themes: linesOf(item.search.themes),
    interest: item.search.interest,
    dayValues: packDayValues(nextDayValues(unpackDayValues(packedDays), item)),
  }));
  return db.saveRows(tables.listing, rows);
}

function* saveRetail(claimed: readonly Claimed[], stamp: number): db.Operation<void> {
  const sets = claimed.filter(({ row }) => row.kind === 'set');
  const without = sets.flatMap(({ item, row }) => (item.retail === null ? [row] : []));
  const saved = sets.flatMap(({ item: { id, retail }, row: { key } }) => {
    if (retail === null) return [];
    return [{ ...retail, itemId: id, key, months: JSON.stringify(retail.months), stamp }];
  });
  const states = sets.flatMap(({ item: { id, retail } }) =>
    (retail?.newStates ?? []).map((state) => ({
      itemId: id,
      retailer: state.retailer,
      foldVersion: retailFoldVersion,
      checkedAt: state.latest.at,
      state: JSON.stringify(state),
    })),
  );
  const dropped = yield* db.run('DELETE FROM published.retail WHERE item_id = ANY($1::bigint[])', [
    without.map(({ id }) => id),
  ]);
  if (dropped > 0) yield* noteRemoved(without, ['retail'], stamp);
  yield* db.saveRows(tables.retail, saved, ['stamp']);
  yield* db.saveRows(tables.retailState, states);
}

/** Deals first, because their opening and closing are events. */
function* saveDealsAndEvents(claimed: readonly Claimed[]): db.Operation<void> {
  const deals = yield* saveDeals(claimed.filter(({ row }) => row.kind === 'set'));
  yield* logItemEvents(claimed, deals);
}

function* notePublished(items: readonly PublishedItem[]): db.Operation<void> {
  if (items.length > 0) yield* saveMeta('published_at', Math.max(...items.map(({ at }) => at)));
}

/** Records documents under an old number as removed. */
function* noteRenamed(claimed: readonly Claimed[], stamp: number): db.Operation<void> {
  const renamed = claimed.flatMap(({ row: { id, kind, number, listedNumber } }) =>
    listedNumber === null || listedNumber === number ? [] : [{ id, kind, number: listedNumber }],
  );
  if (renamed.length === 0) return;
  yield* noteRemoved(renamed, bulkTypes, stamp);
  const ids = renamed.map(({ id }) => id);
  yield* markMonths(ids, stamp);
}

/** Removes documents of minifigs that became parts of others. */
function* removeParts(claimed: readonly Claimed[], stamp: number): db.Operation<void> {
  const ids = claimed.flatMap(({ item, row }) => (row.kind === 'minifig' ? [item.id] : []));
  if (ids.length === 0) return;
  const parts = 'SELECT id FROM published.item WHERE part_of = ANY($1::bigint[])';
  const listed = yield* db.query<NumberedItem>(
    `SELECT item_id::float8 AS id, kind, number FROM published.listing WHERE item_id IN (${parts})`,
    [ids],
  );
  yield* noteRemoved(listed, bulkTypes, stamp);
  const tablesOfParts = [
    'published.document',
    'published.listing',
    'published.event_state',
    'published.evidence',
    'source.uncertainty',
  ];
  const removed = yield* db.together(
    tablesOfParts.map((table) => db.run(`DELETE FROM ${table} WHERE item_id IN (${parts})`, [ids])),
  );
  if (removed.some((count) => count > 0)) yield* saveMeta('removed_stamp', stamp);
}

/** Saves the uncertainty of items, for planning. */
function* saveOutlooks(claimed: readonly Claimed[]): db.Operation<void> {
  const rows = claimed.map(({ item: { id, outlook }, row: { kind, key } }) => ({
    itemId: id,
    kind,
    key,
    ...keepOutlook(outlook),
  }));
  yield* db.saveRows(tables.uncertainty, rows);
}
