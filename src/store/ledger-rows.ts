/** Recorded sales: which units they take, and the cost that is frozen with them. */
import { type Allocation, allocateUnits, type LedgerSaleFacts } from '../domain/lots.ts';
import type { RowOutcome } from '../domain/market-store.ts';
import { itemKey } from '../domain/numbers.ts';
import {
  added,
  type LotWish,
  type PrivateTables,
  refused,
  type SaleValues,
  unchanged,
  updated,
} from './private-tables.ts';

/** Records a sale, or records it again where its line has changed. */
export function applyLedgerSale(
  tables: PrivateTables,
  accountId: number,
  facts: LedgerSaleFacts,
): RowOutcome {
  const given = JSON.stringify(facts);
  const old = tables.findSale(accountId, facts.sourceId);
  if (old?.given === given) return unchanged;
  // The cost stays frozen while nothing that decides it has changed: a fee may be corrected.
  if (old && costWish(JSON.parse(old.given)) === costWish(facts)) {
    tables.changeSale(old.id, saleValues(facts, { given, costCents: old.costCents }));
    return updated;
  }
  if (old) tables.moveUnits(tables.listTakes(old.id), -1);
  const allocation = allocate(tables, accountId, facts);
  if ('reason' in allocation) {
    if (old) tables.moveUnits(tables.listTakes(old.id), 1);
    return refused(allocation.reason);
  }
  const values = saleValues(facts, { given, costCents: allocation.costCents });
  if (old) tables.changeSale(old.id, values);
  const saleId = old?.id ?? tables.addSale(accountId, facts.sourceId, values);
  tables.saveTakes(saleId, allocation.takes);
  tables.moveUnits(allocation.takes, 1);
  return old ? updated : added;
}

/** Everything that the cost of a sale depends on. */
function costWish(facts: LedgerSaleFacts): string {
  const { setNumber, condition, quantity, costCents, lot } = facts;
  return JSON.stringify([setNumber, condition, quantity, costCents, lot]);
}

type Allocated = Extract<Allocation, { costCents: number }>;

function allocate(
  tables: PrivateTables,
  accountId: number,
  facts: LedgerSaleFacts,
): Allocated | { reason: string } {
  if (facts.costCents !== null) return { takes: [], costCents: facts.costCents };
  const wish = lotWish(facts);
  if (wish.lot !== null && !isLotOf(tables, accountId, wish)) {
    return { reason: `there is no lot '${facts.lot}' of this set and condition` };
  }
  // Each of the oldest open lots has one unit at least, so as many as are sold will do.
  const lots = tables.listOpenLots(accountId, { ...wish, limit: facts.quantity });
  const allocation = allocateUnits(lots, facts.quantity);
  if (!('unitsLeft' in allocation)) return allocation;
  const where = facts.lot === null ? 'in all lots' : `in lot '${facts.lot}'`;
  return {
    reason:
      `only ${allocation.unitsLeft} ${facts.condition} units of ${facts.setNumber} are left ` +
      `${where}; the sale is of ${facts.quantity}`,
  };
}

/** The lots that a sale may take units from. */
function lotWish({ setNumber, condition, lot }: LedgerSaleFacts): LotWish {
  return { setKey: itemKey('set', setNumber), condition, lot };
}

function isLotOf(tables: PrivateTables, accountId: number, wish: LotWish): boolean {
  const lot = tables.findLot(accountId, wish.lot ?? '');
  return lot?.setKey === wish.setKey && lot.condition === wish.condition;
}

function saleValues(
  facts: LedgerSaleFacts,
  made: { readonly given: string; readonly costCents: number },
): SaleValues {
  const { sourceId: _, lot: __, ...values } = facts;
  return { ...values, ...made, setKey: itemKey('set', facts.setNumber) };
}
