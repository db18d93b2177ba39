/** Changes to many lots at once, and undoing them; undo data of changed sales. */
import { lotsMax } from '../../contract/limits.ts';
import type { LotPrediction } from '../../domain/buying/prediction.ts';
import type { SaleEdit } from '../../domain/portfolio/ledger.ts';
import {
  type EditableLot,
  type EditedFields,
  type EditRefusal,
  type EditResult,
  editedLotIds,
  editLotsMax,
  editsKept,
  editsKeptMs,
  type FoundEdit,
  type LotEdit,
  lotEditor,
  type StoredEdit,
} from '../../domain/portfolio/lot-edits.ts';
import {
  deleteRows,
  type Engine,
  first,
  insertRow,
  insertRows,
  methods,
  type Operation,
  query,
  run,
  runEach,
  updateRows,
} from '../sql/operation.ts';
import { columnsOf, fieldsOf, isSameRow, tables } from '../sql/tables.ts';
import { accountMethods, changeAccount } from './account-methods.ts';
import { isOwnBrickfolio, raiseVersion } from './holding-edits.ts';
import { listPhotosOf, type PhotoOfLot } from './photos.ts';
import type { LotRow } from './private-tables.ts';

export function lotEdits(engine: Engine) {
  return {
    ...methods(engine.run, { findSaleEdit, listEdits }),
    ...accountMethods(engine, {
      editLots,
      undoEdit,
    }),
    /** A change that can still be undone; null if it is too old or already undone. */
    findEdit: (accountId: number, editId: number, at: number) =>
      engine.run(() => findWithItems(accountId, editId, at)),
    /** Stores the undo data of a change; returns its id. */
    keepSaleEdit: (accountId: number, edit: SaleEdit, at: number) => {
      const row = { kind: saleKind, changed: 1, refused: {}, at } as const;
      return changeAccount(engine, accountId, () => keepEdit(accountId, row, edit));
    },
  };
}

function* findWithItems(
  accountId: number,
  editId: number,
  at: number,
): Operation<FoundEdit | null> {
  const found = yield* findEdit(accountId, editId, at);
  if (!found) return null;
  const { undo: stored, refused, ...edit } = found;
  const undo: Undo = JSON.parse(stored);
  const lots =
    undo.kind === 'delete'
      ? undo.lots
      : yield* findLots(
          accountId,
          undo.lots.map(({ id }) => id),
        );
  const items = new Map(
    lots.map(({ kind, key, number }) => [`${kind} ${key}`, { kind, key, number }]),
  );
  return { ...edit, refused: JSON.parse(refused), items: [...items.values()] };
}

/** A change that can still be undone; null if it is too old. */
function* findSaleEdit(accountId: number, editId: number, at: number): Operation<SaleEdit | null> {
  const found = yield* findRow(accountId, editId, at);
  return found?.kind === saleKind ? JSON.parse(found.undo) : null;
}

/** The kinds of sale edits and of returns, which are in the same table. */
const saleKind = 'sale';
export const returnKind = 'return';

type PredictionRow = LotPrediction & { readonly lotId: number; readonly accountId: number };

/** Undo data of deleted lots. */
export interface DeletedLots {
  readonly kind: 'delete';
  readonly lots: readonly LotRow[];
  readonly predictions: readonly PredictionRow[];
  /** Undefined in changes from before there were photos. */
  readonly photos?: readonly PhotoOfLot[];
}

/** Undo data: lots before and after the change. */
type Undo =
  | {
      readonly kind: 'change';
      readonly lots: readonly {
        readonly id: number;
        readonly before: EditedFields;
        readonly after: EditedFields;
        /** The date of the first sale at the time of the change. */
        readonly firstSale: string | null;
      }[];
    }
  | DeletedLots;

/**
 * Changes lots and counts those that cannot be changed. The id is null if nothing changed. `no
 * collection`: the target collection does not exist.
 */
function* editLots(
  accountId: number,
  edit: LotEdit,
  at: number,
): Operation<(EditResult & { readonly id: number | null }) | 'no collection'> {
  const ids = editedLotIds(edit);
  if (ids.length > editLotsMax) throw new Error(`More than ${editLotsMax} lots at once.`);
  if (edit.kind === 'move' && !(yield* isOwnBrickfolio(accountId, edit.brickfolioId))) {
    return 'no collection';
  }
  const lots = yield* findLots(accountId, ids);
  const firstSales = edit.kind === 'date' ? yield* findFirstSales(ids) : new Map<number, string>();
  const { changes, refused } = planEdit(lots, firstSales, edit);
  if (lots.length < ids.length) refused.missing = ids.length - lots.length;
  const result = { kind: edit.kind, changed: changes.length, refused };
  if (changes.length === 0) return { ...result, id: null };
  const undo =
    edit.kind === 'delete'
      ? yield* deleteLots(changes.map(({ lot }) => lot))
      : yield* changeLots(changes, firstSales);
  yield* raiseVersion([accountId]);
  const id = yield* keepEdit(accountId, { ...result, at }, undo);
  return { ...result, id };
}

interface LotChange {
  readonly lot: LotRow;
  readonly fields: EditedFields;
}

/** Lots that already have the new values are neither changed nor refused. */
function planEdit(
  lots: readonly LotRow[],
  firstSales: ReadonlyMap<number, string>,
  edit: LotEdit,
): { changes: LotChange[]; refused: Partial<Record<EditRefusal, number>> } {
  const apply = lotEditor(edit);
  const refused: Partial<Record<EditRefusal, number>> = {};
  const changes: LotChange[] = [];
  for (const lot of lots) {
    const editable: EditableLot = { ...lot, firstSale: firstSales.get(lot.id) ?? null };
    const fields = apply(editable);
    if (typeof fields === 'string') refused[fields] = (refused[fields] ?? 0) + 1;
    else if (edit.kind === 'delete' || !isSameRow(Object.keys(fields), lot, fields)) {
      changes.push({ lot, fields });
    }
  }
  return { changes, refused };
}

export function findLots(accountId: number, ids: readonly number[]): Operation<LotRow[]> {
  return query<LotRow>(
    `SELECT ${columnsOf(tables.lot, 'l')} FROM private.lot l
     WHERE l.account_id = $1::bigint AND l.id = ANY($2::bigint[]) ORDER BY l.id`,
    [accountId, ids],
  );
}

function* findFirstSales(ids: readonly number[]): Operation<Map<number, string>> {
  const rows = yield* query<{ lotId: number; saleDate: string }>(
    `SELECT t.lot_id::float8 AS "lotId", min(s.sale_date) AS "saleDate"
     FROM private.ledger_take t JOIN private.ledger_sale s ON s.id = t.sale_id
     WHERE t.lot_id = ANY($1::bigint[]) GROUP BY t.lot_id`,
    [ids],
  );
  return new Map(rows.map(({ lotId, saleDate }) => [lotId, saleDate]));
}

/** All lots of a change have the same changed fields. */
function* changeLots(
  changes: readonly LotChange[],
  firstSales: ReadonlyMap<number, string>,
): Operation<Undo> {
  const names = Object.keys(changes[0]?.fields ?? {}) as (keyof EditedFields)[];
  yield* updateRows(
    tables.lot,
    names,
    changes.map(({ lot, fields }) => ({ id: lot.id, ...fields })),
  );
  const before = (lot: LotRow) => Object.fromEntries(names.map((name) => [name, lot[name]]));
  return {
    kind: 'change',
    lots: changes.map(({ lot, fields }) => ({
      id: lot.id,
      before: before(lot),
      after: fields,
      firstSale: firstSales.get(lot.id) ?? null,
    })),
  };
}

/** Predictions are deleted and restored with their lots; photos stay, without them. */
export function* deleteLots(lots: readonly LotRow[]): Operation<DeletedLots> {
  const ids = lots.map(({ id }) => id);
  const predictions = yield* query<PredictionRow>(
    `SELECT ${columnsOf(tables.lotPrediction, 'p')} FROM private.lot_prediction p
     WHERE p.lot_id = ANY($1::bigint[])`,
    [ids],
  );
  const photos = yield* listPhotosOf(ids);
  yield* run('DELETE FROM private.lot WHERE id = ANY($1::bigint[])', [ids]);
  return { kind: 'delete', lots, predictions, photos };
}

interface EditRow extends Omit<StoredEdit, 'refused' | 'kind'> {
  readonly kind: LotEdit['kind'] | typeof saleKind | typeof returnKind;
  readonly refused: string;
  readonly undo: string;
}

type LotEditRow = EditRow & Pick<StoredEdit, 'kind'>;

/** Keeps only the latest changes. */
export function* keepEdit(
  accountId: number,
  edit: Pick<StoredEdit, 'at' | 'changed' | 'refused'> & Pick<EditRow, 'kind'>,
  undo: object & Pick<DeletedLots, 'photos'>,
): Operation<number> {
  const row = {
    ...edit,
    accountId,
    refused: JSON.stringify(edit.refused),
    undo: JSON.stringify(undo),
  };
  const id = yield* insertRow(tables.lotEdit, row);
  const photoIds = (undo.photos ?? []).map((photo) => photo.id);
  yield* run('UPDATE private.photo SET edit_id = $1::bigint WHERE id = ANY($2::bigint[])', [
    id,
    photoIds,
  ]);
  yield* run(
    `DELETE FROM private.lot_edit WHERE account_id = $1::bigint AND id NOT IN (
       SELECT id FROM private.lot_edit WHERE account_id = $1::bigint
       ORDER BY lot_edit.id DESC LIMIT ${editsKept})`,
    [accountId],
  );
  return id;
}

/** Changes that are kept to undo them, as they are stored, latest first. */
function listEdits(
  accountId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Operation<Pick<EditRow, 'id' | 'at' | 'kind' | 'changed' | 'undo'>[]> {
  const fields = ['id', 'at', 'kind', 'changed', 'undo'];
  return query(
    `SELECT ${columnsOf(tables.lotEdit, 'e', fields)} FROM private.lot_edit e
     WHERE e.account_id = $1::bigint AND ($2::bigint IS NULL OR e.id < $2::bigint)
     ORDER BY e.id DESC LIMIT $3::bigint`,
    [accountId, before, limit],
  );
}

function* findEdit(accountId: number, editId: number, at: number): Operation<LotEditRow | null> {
  const row = yield* findRow(accountId, editId, at);
  return row && isOfLots(row) ? row : null;
}

function isOfLots(row: EditRow): row is LotEditRow {
  return row.kind !== saleKind && row.kind !== returnKind;
}

export function findRow(accountId: number, editId: number, at: number): Operation<EditRow | null> {
  const fields = fieldsOf(tables.lotEdit, ['accountId']);
  return first<EditRow>(
    `SELECT ${columnsOf(tables.lotEdit, 'e', fields)} FROM private.lot_edit e
     WHERE e.account_id = $1::bigint AND e.id = $2::bigint AND e.at > $3::bigint`,
    [accountId, editId, editAge(at)],
  );
}

/** Changes from before can no longer be undone. */
export function editAge(at: number): number {
  return at - editsKeptMs;
}

/**
 * Undoes a change completely or not at all: `changed` if one of its lots or their collections has
 * changed since. Otherwise returns how many lots were restored.
 */
function* undoEdit(
  accountId: number,
  editId: number,
  at: number,
): Operation<number | 'missing' | 'changed'> {
  const edit = yield* findEdit(accountId, editId, at);
  if (!edit) return 'missing';
  const undo: Undo = JSON.parse(edit.undo);
  const isDone =
    undo.kind === 'delete'
      ? yield* restoreLots(accountId, undo)
      : yield* changeBack(accountId, undo.lots);
  if (!isDone) return 'changed';
  yield* deleteRows(tables.lotEdit, { id: editId });
  yield* raiseVersion([accountId]);
  return undo.lots.length;
}

/** Restores the lots; false if one of them has changed since. */
function* changeBack(
  accountId: number,
  lots: Extract<Undo, { kind: 'change' }>['lots'],
): Operation<boolean> {
  const found = yield* findLots(
    accountId,
    lots.map(({ id }) => id),
  );
  const now = new Map(found.map((lot) => [lot.id, lot]));
  const isAsLeft = ({ id, after }: (typeof lots)[number]) => {
    const lot = now.get(id);
    return lot !== undefined && isSameRow(Object.keys(after), lot, after);
  };
  if (!lots.every(isAsLeft)) return false;
  const places = lots.flatMap(({ before }) => before.brickfolioId ?? []);
  if (!(yield* arePlaces(accountId, places))) return false;
  if (yield* wouldBeSoldEarly(lots)) return false;
  const names = Object.keys(lots[0]?.before ?? {}) as (keyof EditedFields)[];
  yield* updateRows(
    tables.lot,
    names,
    lots.map(({ id, before }) => ({ id, ...before })),
  );
  return true;
}

/** Whether a unit was sold since, before the purchase date to be restored. */
function* wouldBeSoldEarly(lots: Extract<Undo, { kind: 'change' }>['lots']): Operation<boolean> {
  const dated = lots.filter(({ before }) => before.purchaseDate && before.dateBasis === 'known');
  if (dated.length === 0) return false;
  const now = yield* findFirstSales(dated.map(({ id }) => id));
  return dated.some(({ id, before, firstSale }) => {
    const soldOn = now.get(id) ?? null;
    return soldOn !== null && soldOn !== firstSale && soldOn < (before.purchaseDate ?? '');
  });
}

/** Restores deleted lots; false if an import has added one of them again. */
export function* restoreLots(
  accountId: number,
  { lots, predictions, photos = [] }: Omit<DeletedLots, 'kind'>,
): Operation<boolean> {
  const existing = yield* first(
    `SELECT 1 FROM private.lot
     WHERE account_id = $1::bigint AND source_id = ANY($2::text[]) LIMIT 1`,
    [accountId, lots.map(({ sourceId }) => sourceId)],
  );
  const places = lots.map(({ brickfolioId }) => brickfolioId);
  if (existing || !(yield* arePlaces(accountId, places))) return false;
  const counted = yield* first<{ n: number }>(
    'SELECT count(*)::int AS n FROM private.lot WHERE account_id = $1::bigint',
    [accountId],
  );
  if ((counted?.n ?? 0) + lots.length > lotsMax) return false;
  yield* insertRows(tables.lot, fieldsOf(tables.lot) as (keyof LotRow)[], lots);
  yield* insertRows(
    tables.lotPrediction,
    fieldsOf(tables.lotPrediction) as (keyof PredictionRow)[],
    predictions,
  );
  yield* runEach(
    `UPDATE private.photo AS p SET lot_id = r."lotId", edit_id = NULL FROM {rows}
     WHERE p.id = r.id`,
    { types: { id: 'bigint', lotId: 'bigint' }, rows: photos },
  );
  return true;
}

function* arePlaces(accountId: number, ids: readonly number[]): Operation<boolean> {
  for (const id of new Set(ids)) if (!(yield* isOwnBrickfolio(accountId, id))) return false;
  return true;
}
