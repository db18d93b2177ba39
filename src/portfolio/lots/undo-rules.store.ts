/** Undoing a change: all or nothing, and only if the same values were not changed since. */
import { lotsMax } from '../../contract/limits.ts';
import { isSameRow } from '../../store/sql/tables.ts';
import type { PurchaseReturn } from '../purchases/purchases.ts';
import { applySale } from '../sales/sale-rules.store.ts';
import { ownValues } from './lot-details.ts';
import { isSoldTooEarly, type LedgerSaleFacts } from './lots.ts';
import { changedSince, refused, updated } from './outcomes.store.ts';
import type { AccountOutcome } from './private-rows.ts';
import type { LotRow, PrivateTables, RemovedLots } from './private-tables.store.ts';

/** The values that a change wrote, and those before it. */
export interface Undo {
  readonly changed: readonly ChangedLot[];
  readonly removed: RemovedLots;
  readonly sales: readonly ChangedSale[];
  /** The source ID of the purchase that the change added a return to; null if none. */
  readonly returnOf: string | null;
}

interface ChangedSale {
  readonly before: LedgerSaleFacts;
  readonly after: LedgerSaleFacts;
  /** Those of the lots that it was sold from; a minifig may have several. */
  readonly otherKeys: readonly string[];
}

interface ChangedLot {
  readonly id: number;
  readonly before: Partial<LotRow>;
  /** The lot must still have these values. */
  readonly after: Partial<LotRow>;
  /** The date of the first sale at the time of the change. */
  readonly firstSale: string | null;
}

/** Values that the units of a lot depend on: only the same units come back. */
const identity = ['kind', 'number', 'condition', 'priceCents'] as const;

/** The data to undo the changes of the tables, without photos and predictions. */
export function undoOf(tables: PrivateTables): Omit<Undo, 'removed'> {
  return {
    changed: tables.lots.changed.flatMap((lot) => changedLot(tables, lot)),
    sales: tables.sales.changed.map(({ before, after }) => ({
      before: settledFacts(tables, before),
      after: JSON.parse(after.given),
      otherKeys: tables.listStoredTakes(before.id).map(({ lotId }) => tables.lots.get(lotId).key),
    })),
    returnOf: tables.returnedPurchase,
  };
}

type Changed = PrivateTables['lots']['changed'][number];

/** Units sold are counted by their sales. */
function changedLot(tables: PrivateTables, { before, after, fields }: Changed): ChangedLot[] {
  const names = [...fields].filter(
    (name) => name !== 'sold' && !isSameRow([name], before, after),
  ) as (keyof LotRow)[];
  if (names.length === 0) return [];
  const compared = names.includes('quantity') ? [...names, ...identity] : names;
  const pick = (row: LotRow) => Object.fromEntries(compared.map((name) => [name, row[name]]));
  const firstSale = tables.firstSaleOf(after.id);
  return [{ id: after.id, before: pick(before), after: pick(after), firstSale }];
}

/** A sale as it was, with its units and their cost. */
function settledFacts(
  tables: PrivateTables,
  { id, given, costCents }: { readonly id: number; readonly given: string; costCents: number },
): LedgerSaleFacts {
  const takes = tables.listStoredTakes(id).map(({ lotId, quantity, costCents: cost }) => {
    return { lot: tables.lots.get(lotId).sourceId, quantity, costCents: cost };
  });
  return { ...JSON.parse(given), settled: { costCents, takes } };
}

export function applyUndo(
  tables: PrivateTables,
  { changed, removed, sales, returnOf }: Undo,
  editId: number,
): AccountOutcome {
  if (!changed.every((lot) => canChangeBack(tables, lot)) || !canRestore(tables, removed)) {
    return changedSince('lot');
  }
  if (returnOf !== null && !removeReturn(tables, returnOf, editId)) {
    return refused('this return was undone', { refusal: 'missing' });
  }
  for (const { before: facts, after: seen, otherKeys } of sales) {
    const outcome = applySale(tables, { kind: 'ledger_sale', facts, seen, otherKeys });
    if (outcome.kind === 'rejected') return changedSince('sale');
  }
  for (const { id, before } of changed) tables.lots.change(id, () => before);
  tables.restoreLots(removed);
  return updated;
}

function canChangeBack(tables: PrivateTables, { id, before, after, firstSale }: ChangedLot) {
  const lot = tables.lots.findById(id);
  if (!lot || !isSameRow(Object.keys(after), lot, after)) return false;
  const restored = { ...lot, ...before };
  if (!canHold(tables, restored)) return false;
  // A unit may have been sold since, before the purchase date to be restored.
  const soldOn = tables.firstSaleOf(id);
  return soldOn === firstSale || !('purchaseDate' in before) || !isSoldTooEarly(restored, soldOn);
}

/** False if an import has added one of the lots again, or there is no room for them. */
function canRestore(tables: PrivateTables, { lots }: RemovedLots): boolean {
  return (
    tables.lots.count + lots.length <= lotsMax &&
    lots.every(({ sourceId }) => tables.lots.find(sourceId) === null) &&
    lots.every((lot) => canHold(tables, lot))
  );
}

/** Whether the collection and the own fields of a lot still exist. */
function canHold(tables: PrivateTables, { brickfolioId, ownFields }: LotRow): boolean {
  const names = Object.keys(ownValues(ownFields));
  const hasFields = names.every((name) => tables.ownFields.find(name) !== null);
  return hasFields && tables.brickfolios.findById(brickfolioId) !== null;
}

/** False if the purchase does not have the return. */
function removeReturn(tables: PrivateTables, sourceId: string, editId: number): boolean {
  const purchase = tables.purchases.find(sourceId);
  const returns: PurchaseReturn[] = JSON.parse(purchase?.returns ?? '[]');
  const left = returns.filter((each) => each.editId !== editId);
  if (!purchase || left.length === returns.length) return false;
  tables.purchases.change(purchase.id, () => ({ returns: JSON.stringify(left) }));
  return true;
}
