/** Undoes the rows of an import, last one first: restores the previous state or deletes the row. */
import type { MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dropSeries } from '../../market/history/series.store.ts';
import { nextStamp } from '../../market/published/meta.store.ts';
import { noteFewerMonths } from '../../market/published/removed-documents.store.ts';
import type { OfferFacts } from '../../market/retail/offer-runs.ts';
import { loadOfferWeeks } from '../../market/retail/offer-weeks.store.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { never } from './changes.store.ts';
import { loadItems } from './items.store.ts';
import {
  type LatestKind,
  type LatestRow,
  latestListings,
  latestPartOuts,
} from './latest-rows.store.ts';
import { type CatalogRow, loadLinks } from './link-rows.store.ts';
import { forgetStates } from './offer-rows.store.ts';
import { convertAgain, loadWindows } from './rate-rows.store.ts';
import { loadConversion, loadRetailWeeks, unpriced } from './retail-weeks.store.ts';
import { changingFields, identity, type SaleRow } from './sale-rows.store.ts';
import { UndoError } from './undo-error.store.ts';
import type { Undescribed } from './undo-items.store.ts';
import type { UndoEntries, UndoKind } from './undo-log.store.ts';

type UndoBatch = Omit<Batch, 'items' | 'sales'>;

export interface TakenBack extends Undescribed {
  readonly removed: number;
  readonly restored: number;
}

/** Counts rows, and collects what must be checked after all of them. */
class UndoProgress implements TakenBack {
  removed = 0;
  restored = 0;
  readonly undescribed = new Set<number>();
  readonly sets = new Set<number>();

  constructor(readonly batch: UndoBatch) {}

  count(entries: { readonly removed: readonly unknown[]; readonly restored: readonly unknown[] }) {
    this.removed += entries.removed.length;
    this.restored += entries.restored.length;
  }
}

/** Undoes the rows of an import, from the last to the first. */
export function* takeBackRows(importId: number, batch: UndoBatch): db.Operation<TakenBack> {
  const progress = new UndoProgress(batch);
  let beforeId = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const row = yield* db.first<{ id: number; kind: UndoKind; body: string }>(
      `SELECT id::float8 AS id, kind, body FROM source.import_undo
       WHERE import_id = $1::bigint AND import_undo.id < $2::bigint
       ORDER BY import_undo.id DESC LIMIT 1`,
      [importId, beforeId],
    );
    if (!row) return progress;
    beforeId = row.id;
    yield* undoByKind[row.kind](JSON.parse(row.body), progress);
  }
}

const undoByKind: {
  readonly [Kind in UndoKind]: (
    entries: readonly UndoEntries[Kind][],
    progress: UndoProgress,
  ) => db.Operation<void>;
} = {
  record: takeBackRecords,
  gone: takeBackMarks,
  sale: takeBackSales,
  offer: takeBackOffers,
  listings: (entries, progress) => takeBackLatest(latestListings, entries, progress),
  part_out: (entries, progress) => takeBackLatest(latestPartOuts, entries, progress),
  rate: takeBackRates,
  series: removeSeries,
};

interface TakenRecord {
  readonly itemId: number;
  readonly source: string;
  /** Null if there was none. */
  readonly body: string | null;
  readonly goneAt: number | null;
}

function* takeBackRecords(
  entries: readonly UndoEntries['record'][],
  progress: UndoProgress,
): db.Operation<void> {
  const records: TakenRecord[] = entries.map(([itemId, source, body = null, goneAt = null]) => {
    return { itemId, source, body, goneAt };
  });
  const removed = records.filter(({ body }) => body === null);
  const restored = records.filter(({ body }) => body !== null);
  progress.count({ removed, restored });
  yield* db.deleteEach(tables.catalogRecord, removed);
  yield* db.updateRows(tables.catalogRecord, ['body', 'goneAt'], restored);
  yield* takeBackLinks(records, progress);
}

/** Set contents and aliases are derived from records; those of a removed record become empty. */
function* takeBackLinks(
  records: readonly TakenRecord[],
  progress: UndoProgress,
): db.Operation<void> {
  const { batch, undescribed, sets } = progress;
  const found = yield* db.query<{ id: number; kind: ItemKind; number: string }>(
    'SELECT id::float8 AS id, kind, number FROM published.item WHERE id = ANY($1::bigint[])',
    [records.map(({ itemId }) => itemId)],
  );
  const items = new Map(found.map((item) => [item.id, item]));
  const described = records.flatMap(({ itemId, source, body }) => {
    const item = items.get(itemId);
    return item ? [{ itemId, row: catalogRow(item, source, body) }] : [];
  });
  const rows = described.map(({ row }) => row);
  const part = { ...batch, items: yield* loadItems(rows) };
  const links = yield* loadLinks({ rows, changing: rows }, part);
  for (const { itemId, row } of described) {
    batch.changes.touch(itemId);
    batch.changes.addFacts(itemId);
    if (row.kind === 'minifig') batch.members.described.add(itemId);
    else {
      sets.add(itemId);
      batch.members.sets.add(itemId);
    }
    links.apply(itemId, row);
  }
  for (const { itemId, body } of records) if (body === null) undescribed.add(itemId);
  yield* part.items.save();
  yield* links.save();
}

function catalogRow(
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
  source: string,
  body: string | null,
): CatalogRow {
  const facts = body === null ? { number, minifigs: [], aliases: [] } : JSON.parse(body);
  return kind === 'set'
    ? { kind, source, facts: facts as SetDescription }
    : { kind, source, facts: facts as MinifigFacts };
}

function* takeBackMarks(entries: readonly UndoEntries['gone'][]): db.Operation<void> {
  const records = entries.map(([itemId, source, goneAt]) => ({ itemId, source, goneAt }));
  yield* db.updateRows(tables.catalogRecord, ['goneAt'], records);
}

function* takeBackSales(
  entries: readonly UndoEntries['sale'][],
  progress: UndoProgress,
): db.Operation<void> {
  const { changes, waiting } = progress.batch;
  const names = entries.map(([source, sourceId]) => ({ source, sourceId }));
  const current = yield* db.queryEach<Pick<SaleRow, 'itemId' | 'soldAt' | 'currency'>>(
    `SELECT ${columnsOf(tables.sale, 's', ['itemId', 'soldAt', 'currency'])} FROM source.sale AS s
     WHERE s.source = r.source AND s.source_id = r."sourceId"`,
    db.givenRows(tables.sale, identity, names),
  );
  const removed = entries.flatMap(([source, sourceId, old]) => (old ? [] : [{ source, sourceId }]));
  const restored = entries.flatMap(([, , old]) => (old ? [old as SaleRow] : []));
  for (const { itemId, soldAt, currency } of [...current, ...restored]) {
    changes.touchSale(itemId, soldAt);
    waiting.add(currency);
  }
  progress.count({ removed, restored });
  yield* checkItems(restored.map(({ itemId }) => itemId));
  yield* db.deleteEach(tables.sale, removed, identity);
  yield* db.updateRows(tables.sale, changingFields, restored, identity);
}

/** A sale that is restored to another item needs that item. */
function* checkItems(ids: readonly number[]): db.Operation<void> {
  const distinct = [...new Set(ids)];
  const found = yield* db.first<{ count: number }>(
    'SELECT count(*) AS count FROM published.item WHERE id = ANY($1::bigint[])',
    [distinct],
  );
  if ((found?.count ?? 0) === distinct.length) return;
  throw new UndoError('Some sales belong to an item that is gone. Import that item again first.');
}

function* takeBackOffers(
  entries: readonly UndoEntries['offer'][],
  progress: UndoProgress,
): db.Operation<void> {
  const { changes, waiting } = progress.batch;
  const looks = entries.map(([itemId, retailer, observedAt, old]) => ({
    itemId,
    retailer: retailer as Retailer,
    observedAt,
    old: (old ?? null) as OfferFacts | null,
  }));
  const removed = looks.filter(({ old }) => old === null);
  const restored = looks.flatMap(({ old, ...name }) => (old ? [{ ...old, ...name }] : []));
  progress.count({ removed, restored });
  const stored = yield* loadOfferWeeks(looks);
  for (const { currency } of restored) waiting.add(currency);
  for (const look of looks) {
    const { currency } = stored.find(look) ?? {};
    if (currency !== undefined) waiting.add(currency);
    stored.set(look, look.old);
  }
  const weeks = yield* loadRetailWeeks(looks, looks);
  const convert = yield* loadConversion(restored);
  for (const look of looks) {
    const { itemId, retailer, observedAt, old } = look;
    const priced = old ? convert({ ...old, retailer, observedAt }) : unpriced(look);
    changes.touchOffer(itemId, observedAt, weeks.replace(itemId, priced));
  }
  yield* stored.save();
  yield* forgetStates(looks);
  yield* weeks.save();
}

function* takeBackLatest<Row extends LatestRow>(
  { table, place }: LatestKind<Row>,
  entries: readonly UndoEntries['listings'][],
  progress: UndoProgress,
): db.Operation<void> {
  const removed = entries.flatMap(([itemId, condition, key, old]) =>
    old ? [] : [{ itemId, condition, [place]: key }],
  );
  const restored = entries.flatMap(([, , , old]) => (old ? [old as Row] : []));
  progress.count({ removed, restored });
  for (const [itemId] of entries) progress.batch.changes.touch(itemId, never);
  yield* db.deleteEach(table, removed);
  yield* db.saveRows(table, restored);
}

function* takeBackRates(
  entries: readonly UndoEntries['rate'][],
  progress: UndoProgress,
): db.Operation<void> {
  const rates = entries.map(([currency, date, usdPerUnit = null]) => {
    return { currency, date, usdPerUnit };
  });
  const removed = rates.filter(({ usdPerUnit }) => usdPerUnit === null);
  const restored = rates.filter(({ usdPerUnit }) => usdPerUnit !== null);
  progress.count({ removed, restored });
  const windows = yield* loadWindows(rates);
  yield* db.deleteEach(tables.fx, removed);
  yield* db.updateRows(tables.fx, ['usdPerUnit'], restored);
  yield* convertAgain(windows, progress.batch);
}

function* removeSeries(entries: readonly UndoEntries['series'][]): db.Operation<void> {
  const series = entries.map(([itemId, condition]) => ({ itemId, condition }));
  if ((yield* dropSeries(series)) === 0) return;
  const ids = [...new Set(series.map(({ itemId }) => itemId))];
  yield* noteFewerMonths(ids, yield* nextStamp());
}
