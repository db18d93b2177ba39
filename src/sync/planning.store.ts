/** Reads for planning automatic imports: narrow rows of all items. */
import type { ItemKind } from '../catalog/items/numbers.ts';
import { keepUncertainty, salesDays, unknownUncertainty } from '../market/values/uncertainty.ts';
import { groupValues } from '../store/sql/group-values.ts';
import * as db from '../store/sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../store/sql/tables.ts';
import type {
  AskedQuestion,
  InterestOfItem,
  ItemQuestion,
  Need,
  PlannedItem,
  SourceNames,
} from './planning.ts';

export function marketPlanning(engine: Pick<db.Engine, 'run'>) {
  return db.methods(engine.run, {
    listPlanned,
    findNumbers,
    listAsked,
    listWanted,
    findNames,
    listQuestions,
  });
}

export interface PlanningStore extends ReturnType<typeof marketPlanning> {}

/** Questions to a source, grouped by item. */
function listAsked(source: string, kind: ItemKind): db.Reading<AskedQuestion[]> {
  const fields = ['key', 'topic', 'askedAt', 'retryAt', 'isKnown'];
  return db.listRows(tables.syncItem, { source, kind }, { order: 't.key, t.topic', fields });
}

/** Items that any account holds or looks up. */
function listWanted(kind: ItemKind): db.Reading<InterestOfItem[]> {
  const columns = columnsOf(tables.interest, 'w');
  return db.query(`SELECT ${columns} FROM published.interest w WHERE w.kind = $1::text`, [kind]);
}

/** The names under which sources know items, by key. */
function findNames(kind: ItemKind, keys: readonly string[]) {
  return kind === 'set' ? findSetNames(keys) : findMinifigNames(keys);
}

/** Questions about an item, in order of source and topic. */
function listQuestions(kind: ItemKind, key: string): db.Reading<ItemQuestion[]> {
  const fields = ['source', 'topic', 'askedAt', 'retryAt', 'isKnown', 'failures'];
  return db.listRows(tables.syncItem, { kind, key }, { order: 't.source, t.topic', fields });
}

const plannedFields = fieldsOf(tables.uncertainty, ['kind', 'isTraded', 'hasBarcode']);

/** All items with the identifiers that a question needs; unpublished ones last. */
function* listPlanned(kind: ItemKind, needs: Need): db.Reading<PlannedItem[]> {
  const hasIdentifier = needs === 'bricklink-number' ? 'AND u.is_traded' : 'AND u.has_barcode';
  const published = yield* db.query<PlannedItem>(
    `SELECT ${columnsOf(tables.uncertainty, 'u', plannedFields)} FROM source.uncertainty u
     WHERE u.kind = $1::text ${needs === null ? '' : hasIdentifier} ORDER BY u.item_id`,
    [kind],
  );
  return published.concat(yield* listUnpublished(kind, needs));
}

/** Unpublished items only have a number. */
function* listUnpublished(kind: ItemKind, needs: Need): db.Reading<PlannedItem[]> {
  if (needs === 'asin-or-barcode') return [];
  const items = yield* db.query<{ itemId: number; key: string }>(
    `SELECT i.id::float8 AS "itemId", i.key FROM published.item i
     WHERE i.version <> i.published_version AND i.part_of IS NULL AND i.published_version = 0
       AND i.kind = $1::text ${needs === null ? '' : "AND i.key NOT LIKE 'fig-%'"}
     ORDER BY i.id`,
    [kind],
  );
  return items.map((item) => ({ ...item, ...nothingKnown }));
}

/** About one sale in half a year. */
const unknown = unknownUncertainty(1 / salesDays);

const nothingKnown = keepUncertainty({ sealed: unknown, used: unknown });

/** Canonical numbers by id. */
function* findNumbers(ids: readonly number[]): db.Reading<ReadonlyMap<number, string>> {
  const rows = yield* db.query<{ id: number; number: string }>(
    'SELECT i.id::float8 AS id, i.number FROM published.item i WHERE i.id = ANY($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

interface SetNameRow {
  readonly key: string;
  readonly number: string;
  readonly asinKey: string | null;
  readonly upcKey: string | null;
  readonly eanKey: string | null;
}

function* findSetNames(keys: readonly string[]): db.Reading<ReadonlyMap<string, SourceNames>> {
  const rows = yield* db.query<SetNameRow>(
    `SELECT i.key, i.number, r.asin_key AS "asinKey", l.upc_key AS "upcKey",
       l.ean_key AS "eanKey"
     FROM published.item i LEFT JOIN published.listing l ON l.item_id = i.id
     LEFT JOIN published.retail r ON r.item_id = i.id
     WHERE i.kind = 'set' AND i.key = ANY($1::text[])`,
    [keys],
  );
  return new Map(
    rows.map(({ key, number, asinKey: asin, upcKey, eanKey }) => [
      key,
      { bricklink: [number], asin, barcodes: [upcKey, eanKey].filter((code) => code !== null) },
    ]),
  );
}

/** Includes numbers of the parts of a minifig, without those of Rebrickable. */
function* findMinifigNames(keys: readonly string[]): db.Reading<ReadonlyMap<string, SourceNames>> {
  const rows = yield* db.query<{ key: string; number: string }>(
    `SELECT w.key, p.number FROM published.item w
     JOIN published.item p ON p.id IN (
       SELECT w.id UNION ALL SELECT m.id FROM published.item m WHERE m.part_of = w.id)
     WHERE w.kind = 'minifig' AND w.key = ANY($1::text[]) AND p.key NOT LIKE 'fig-%'
     ORDER BY p.id = w.id DESC, p.key`,
    [keys],
  );
  const numbers = groupValues(rows, 'key', 'number');
  return new Map(
    keys.map((key) => [key, { bricklink: numbers.get(key) ?? [], asin: null, barcodes: [] }]),
  );
}
