/** Undoing returns of purchases, which is kept with the changes of lots, for a day. */
import type { LotFacts, OwnLot } from '../../domain/portfolio/lots.ts';
import type { PrivateRow } from '../../domain/portfolio/private-rows.ts';
import type { Purchase } from '../../domain/portfolio/purchases.ts';
import {
  deleteRows,
  type Engine,
  methods,
  type Operation,
  query,
  updateRows,
} from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';
import { accountMethods } from './account-methods.ts';
import { raiseVersion } from './holding-edits.ts';
import {
  type DeletedLots,
  deleteLots,
  editAge,
  findLots,
  findRow,
  keepEdit,
  restoreLots,
  returnKind,
} from './lot-edits.ts';
import { findPurchase, findPurchaseId, listPurchaseLots, writePurchase } from './purchases.ts';

export function purchaseReturns(engine: Engine) {
  return {
    ...methods(engine.run, { listReturnEdits }),
    ...accountMethods(engine, { undoReturn }),
  };
}

/** Undo data: the lots that were removed, and those that units were taken out of. */
interface ReturnUndo extends Omit<DeletedLots, 'kind'> {
  readonly purchase: string;
  readonly taken: readonly { readonly before: LotFacts; readonly after: number }[];
}

/** Removes the lots that were returned as a whole, and stores how to undo the return. */
export function* keepReturn(
  accountId: number,
  returned: {
    readonly purchase: string;
    readonly removedIds: readonly number[];
    /** Changes of the lots that stay. */
    readonly rows: readonly PrivateRow[];
  },
  at: number,
): Operation<number> {
  const { purchase, removedIds, rows } = returned;
  const { kind: _, ...deleted } = yield* deleteLots(yield* findLots(accountId, removedIds));
  const taken = rows.flatMap((row) =>
    row.kind === 'holding' && row.seen ? [{ before: row.seen, after: row.facts.quantity }] : [],
  );
  const changed = deleted.lots.length + taken.length;
  const undo: ReturnUndo = { purchase, ...deleted, taken };
  return yield* keepEdit(accountId, { kind: returnKind, changed, refused: {}, at }, undo);
}

/** The IDs of the returns that can still be undone. */
function* listReturnEdits(accountId: number, at: number): Operation<number[]> {
  const rows = yield* query<{ id: number }>(
    `SELECT id::float8 AS id FROM private.lot_edit
     WHERE account_id = $1::bigint AND kind = $2::text AND at > $3::bigint`,
    [accountId, returnKind, editAge(at)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Undoes a return completely or not at all: `changed` if one of its lots is not as it left them.
 * Otherwise returns how many lots have their units back.
 */
function* undoReturn(
  accountId: number,
  editId: number,
  at: number,
): Operation<number | 'missing' | 'changed'> {
  const edit = yield* findRow(accountId, editId, at);
  if (edit?.kind !== returnKind) return 'missing';
  const undo: ReturnUndo = JSON.parse(edit.undo);
  const purchase = yield* findReturned(accountId, undo.purchase, editId);
  if (!purchase) return 'missing';
  const found = yield* listPurchaseLots(accountId, undo.purchase);
  const now = new Map(found.map((lot) => [lot.sourceId, lot]));
  const back = undo.taken.flatMap((taken) => {
    const lot = now.get(taken.before.sourceId);
    return lot && isAsLeft(lot, taken) ? [{ id: lot.id, quantity: taken.before.quantity }] : [];
  });
  if (back.length < undo.taken.length) return 'changed';
  if (undo.lots.length > 0 && !(yield* restoreLots(accountId, undo))) return 'changed';
  yield* updateRows(tables.lot, ['quantity'], back);
  const { id: _, createdAt, ...facts } = purchase;
  const returns = facts.returns.filter((each) => each.editId !== editId);
  yield* writePurchase(accountId, { ...facts, returns }, createdAt);
  yield* deleteRows(tables.lotEdit, { id: editId });
  yield* raiseVersion([accountId]);
  return edit.changed;
}

/** The purchase that has the return of an edit; null if there is none. */
function* findReturned(
  accountId: number,
  sourceId: string,
  editId: number,
): Operation<Purchase | null> {
  const id = yield* findPurchaseId(accountId, sourceId);
  const purchase = id === null ? null : yield* findPurchase(accountId, id);
  return purchase?.returns.some((each) => each.editId === editId) ? purchase : null;
}

/** Cost and identity of a lot must be unchanged, so that the same units are restored. */
function isAsLeft(lot: OwnLot, { before, after }: ReturnUndo['taken'][number]): boolean {
  return (
    lot.quantity === after &&
    lot.priceCents === before.priceCents &&
    lot.kind === before.kind &&
    lot.number === before.number &&
    lot.condition === before.condition
  );
}
