/**
 * The way in which lots, sales and purchases of an account change: by forms, bulk edits, deletions,
 * returns, devices, files and undoing. A change is one transaction. The account is locked;
 * everything that the change can touch is read at once, the rules run in memory, and all changes
 * are written at once.
 *
 * Three operations write lots in slices instead, because they can concern all lots of an account,
 * and go around no rule: `removeBrickfolio` moves lots, which any lot may, and removes those
 * without sales; `changeOwnField` renames a field in the lots that have it; erasing an account
 * removes everything. They raise the version. What they changed cannot be undone, and undoing an
 * earlier change does not bring back a collection or a field that is gone.
 */

import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { tables as stored } from '../../store/sql/tables.ts';
import { findSentForm, rememberForm, sentFormFault } from '../forms/sent-forms.store.ts';
import { loadRows, type Needs } from './load-rows.store.ts';
import { refused } from './outcomes.store.ts';
import {
  type AccountChange,
  type AccountRow,
  type ChangeResult,
  isRejected,
} from './private-rows.ts';
import { type LockedAccount, PrivateTables } from './private-tables.store.ts';
import { applyRow } from './row-rules.store.ts';
import { type EditRef, findStoredEdit, keepEdit, nounOf } from './undo-log.store.ts';
import { applyUndo, type Undo } from './undo-rules.store.ts';

export function privateRows(engine: db.Engine, clock: StoreClock) {
  return {
    change: (accountId: number, change: AccountChange, at: number): Promise<ChangeResult> =>
      engine.transaction(() => applyChange({ accountId, at, clock }, change)),
    /**
     * Undoes a change of some kind completely or not at all: `changed` if something that it changed
     * has changed since. Otherwise returns how many rows it had changed.
     */
    undoEdit: (accountId: number, edit: EditRef, at: number) =>
      engine.transaction(() => undoEdit({ accountId, at, clock }, edit)),
  };
}

interface ChangeContext {
  readonly accountId: number;
  readonly at: number;
  readonly clock: StoreClock;
}

function* applyChange(context: ChangeContext, change: AccountChange): db.Operation<ChangeResult> {
  const { accountId, at } = context;
  const { rows, sent, isFile = false, isPartial = isFile, undoAs } = change;
  const account = yield* lockAccount(context);
  if (!account) return refusedAll(rows, 'the account does not exist');
  const known = sent ? yield* findSentForm(accountId, sent) : null;
  const fault = sent && !known ? yield* sentFormFault(accountId, sent, at) : null;
  if (fault) return refusedAll(rows, fault);
  const tables = new PrivateTables(account, isFile);
  yield* loadRows(tables, needsOf(rows));
  if (known) {
    // A device that sends an entry again only wants to know that it arrived.
    const isForm = sent?.madeAt === undefined;
    if (isForm && (known.isOver || isRemoved(tables, rows))) return refusedAll(rows, nothingLeft);
    return { outcomes: [], editId: known.editId, wasApplied: true };
  }
  const outcomes = rows.map((row) => applyRow(tables, row));
  if (!isPartial && outcomes.some(isRejected)) return { outcomes, editId: null, wasApplied: false };
  const isChanged = outcomes.some(({ kind }) => kind === 'added' || kind === 'updated');
  const editId = isChanged && undoAs ? yield* keepEdit(tables, undoAs, outcomes) : null;
  if (isChanged) yield* tables.save(editId);
  // A form of which nothing was accepted may be sent again.
  const isAccepted = !outcomes.every(isRejected);
  if (sent && isAccepted) yield* rememberForm(accountId, sent, { editId, at });
  return { outcomes, editId, wasApplied: false };
}

const nothingLeft =
  'this was submitted before, and what it did was undone or removed since; open the page again';

/** Whether what a form added is gone. Its last row is what it is about; others lead up to that. */
function isRemoved(tables: PrivateTables, rows: readonly AccountRow[]): boolean {
  const row = rows.at(-1);
  switch (row?.kind) {
    case 'brickfolio':
      return tables.brickfolios.find(row.facts.name) === null;
    case 'holding':
      return !row.seen && tables.lots.find(row.facts.sourceId) === null;
    case 'ledger_sale':
      return !row.seen && tables.sales.find(row.facts.sourceId) === null;
    case 'purchase':
      return !row.seen && tables.purchases.find(row.facts.sourceId) === null;
    default:
      return false;
  }
}

function refusedAll(rows: readonly AccountRow[], reason: string): ChangeResult {
  return { outcomes: rows.map(() => refused(reason)), editId: null, wasApplied: false };
}

function* undoEdit(
  context: ChangeContext,
  { editId, of }: EditRef,
): db.Operation<number | 'missing' | 'changed'> {
  const { accountId, at } = context;
  const account = yield* lockAccount(context);
  const edit = account && (yield* findStoredEdit(accountId, editId, at));
  if (!edit || nounOf(edit.kind) !== of) return 'missing';
  const undo: Undo = JSON.parse(edit.undo);
  // Dates that were accepted once are accepted again.
  const tables = new PrivateTables(account, true);
  yield* loadRows(tables, needsOfUndo(undo));
  const outcome = applyUndo(tables, undo, editId);
  if (outcome.kind === 'rejected') {
    return outcome.refusal === 'missing' ? 'missing' : 'changed';
  }
  yield* tables.save(null);
  yield* db.deleteRows(stored.edit, { id: editId });
  return edit.changed;
}

function lockAccount({ accountId, at, clock }: ChangeContext): db.Operation<LockedAccount | null> {
  return db.runFirst<LockedAccount>(
    `SELECT id, published.instant($1::bigint, $2::bigint) AS at, plan
     FROM private.account WHERE id = $3::bigint FOR NO KEY UPDATE`,
    [...clock(at), accountId],
  );
}

const nothing: Needs = {
  lotNames: [],
  lotIds: [],
  sales: [],
  saleIds: [],
  purchaseNames: [],
  purchaseIds: [],
  boxIds: [],
  hasOwnFields: false,
  hasDates: false,
};

function needsOf(rows: readonly AccountRow[]): Needs {
  const of = <Kind extends AccountRow['kind']>(kind: Kind) =>
    rows.filter((row): row is Extract<AccountRow, { kind: Kind }> => row.kind === kind);
  const lots = of('holding');
  const changes = of('lot_change');
  const purchases = of('purchase');
  return {
    lotNames: lots.map(({ facts }) => facts.sourceId),
    lotIds: [...changes, ...of('lot_removal')].map(({ lotId }) => lotId),
    sales: of('ledger_sale'),
    saleIds: of('sale_removal').map(({ saleId }) => saleId),
    purchaseNames: purchases.map(({ facts }) => facts.sourceId),
    purchaseIds: [
      ...of('purchase_removal').map(({ purchaseId }) => purchaseId),
      ...purchases.flatMap(({ seen }) => seen?.id ?? []),
    ],
    boxIds: purchases.flatMap(({ box }) => box?.seen.id ?? []),
    hasOwnFields: lots.some(({ facts }) => (facts.ownFields ?? null) !== null),
    hasDates: lots.length > 0 || changes.some(({ change }) => change.kind === 'date'),
  };
}

function needsOfUndo({ changed, removed, sales, returnOf }: Undo): Needs {
  return {
    ...nothing,
    lotNames: removed.lots.map(({ sourceId }) => sourceId),
    lotIds: changed.map(({ id }) => id),
    sales: sales.map(({ before }) => ({ facts: before })),
    purchaseNames: returnOf === null ? [] : [returnOf],
    hasOwnFields: true,
    hasDates: true,
  };
}
