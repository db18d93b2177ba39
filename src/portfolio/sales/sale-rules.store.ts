/** The rules for recorded sales: which units they take, their frozen cost, and removing them. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { salesMax } from '../../contract/limits.ts';
import { at } from '../../kernel/at.ts';
import { countText, dayText, nounText } from '../../kernel/format.ts';
import { shareOut } from '../../kernel/money.ts';
import {
  type Allocation,
  allocateUnits,
  isSoldTooEarly,
  type LedgerSaleFacts,
  type Settlement,
  type Take,
  type TakenUnits,
} from '../lots/lots.ts';
import { added, changedSince, refused, unchanged, updated } from '../lots/outcomes.store.ts';
import type { AccountOutcome, AccountRowOf } from '../lots/private-rows.ts';
import type { LotQuery, LotRow, PrivateTables, SaleValues } from '../lots/private-tables.store.ts';

type SaleWrite = AccountRowOf<'ledger_sale'>;

/** Records a sale, or updates it if its line has changed. */
export function applySale(tables: PrivateTables, row: SaleWrite): AccountOutcome {
  const { facts, seen } = row;
  const old = tables.sales.find(facts.sourceId);
  const known = old && lineText(JSON.parse(old.given));
  if (seen && known !== lineText(seen)) return changedSince('sale');
  if (known === lineText(facts)) return unchanged;
  if (!old && tables.sales.count >= salesMax) {
    return refused(`the limit of ${countText(salesMax)} sales is reached`);
  }
  const taken = old ? tables.listTakes(old.id) : [];
  // The cost stays frozen if only other fields change, such as a corrected fee.
  const isFrozen = old !== null && costTerms(JSON.parse(old.given)) === costTerms(facts);
  const allocation = isFrozen
    ? { takes: taken, costCents: old.costCents }
    : allocateAgain(tables, row, taken);
  if ('reason' in allocation) return refused(allocation.reason);
  const { takes, costCents } = allocation;
  // Units it already had are accepted as long as its date is the same.
  const accepted = old?.saleDate === facts.saleDate ? taken : [];
  const day = laterPurchase(tables, facts, { takes, accepted });
  if (day !== null && !tables.isFile) return soldTooEarly(day);
  const values = saleValues(facts, costCents);
  if (old) tables.sales.change(old.id, () => values);
  const saleId = old?.id ?? tables.addSale(facts.sourceId, values);
  if (!isFrozen) {
    tables.saveTakes(saleId, takes);
    tables.moveUnits(taken, -1);
    tables.moveUnits(takes, 1);
  }
  const outcome = old ? updated : added;
  if (day === null) return outcome;
  return { ...outcome, warning: `the lot was bought on ${dayText(day)}, after this sale` };
}

/** The day of a purchase after the sale of its units; null if there is none. */
function laterPurchase(
  tables: PrivateTables,
  { saleDate }: LedgerSaleFacts,
  { takes, accepted }: Readonly<Record<'takes' | 'accepted', readonly TakenUnits[]>>,
): string | null {
  const lot = takes
    .filter(({ lotId }) => !accepted.some((take) => take.lotId === lotId))
    .map(({ lotId }) => tables.lots.get(lotId))
    .find((each) => isSoldTooEarly(each, saleDate));
  return lot?.purchaseDate ?? null;
}

function soldTooEarly(day: string): AccountOutcome {
  return refused(`the lot bought on ${dayText(day)} cannot be sold before that day`, {
    field: 'sale_date',
  });
}

/** Removes a sale and returns its units to their lots. */
export function removeSale(
  tables: PrivateTables,
  { saleId }: AccountRowOf<'sale_removal'>,
): AccountOutcome {
  const sale = tables.sales.findById(saleId);
  if (!sale) return unchanged;
  tables.moveUnits(tables.listTakes(saleId), -1);
  tables.removeSale(saleId);
  return updated;
}

/** The line that a sale is compared by, which may be imported without its settlement. */
function lineOf({ settled: _, ...line }: LedgerSaleFacts) {
  return line;
}

/** With sorted keys, because forms and files have different orders. */
function lineText(facts: LedgerSaleFacts): string {
  const line = lineOf(facts);
  return JSON.stringify(line, Object.keys(line).sort());
}

/** All fields that the cost of a sale depends on. */
function costTerms(facts: LedgerSaleFacts): string {
  const { kind, number, condition, quantity, costCents, lot } = facts;
  return JSON.stringify([kind, number, condition, quantity, costCents, lot]);
}

type Allocated = Extract<Allocation, { costCents: number }>;

/** Allocates the units of a sale while those that it has are free. */
function allocateAgain(
  tables: PrivateTables,
  row: SaleWrite,
  taken: readonly TakenUnits[],
): Allocated | { reason: string } {
  tables.moveUnits(taken, -1);
  const allocation = allocate(tables, row);
  tables.moveUnits(taken, 1);
  return allocation;
}

function allocate(tables: PrivateTables, row: SaleWrite): Allocated | { reason: string } {
  const { facts } = row;
  if (facts.costCents !== null) return { takes: [], costCents: facts.costCents };
  const options = lotQuery(row);
  if (facts.settled) {
    return takeSettled(tables, { facts, settled: facts.settled, options });
  }
  if (options.lot !== null && !findLotOf(tables, options.lot, options)) {
    return { reason: `there is no lot '${facts.lot}' of this ${facts.kind} and condition` };
  }
  // Every open lot has at least one unit, so this many lots are enough.
  const lots = tables.listOpenLots({ ...options, limit: facts.quantity });
  const allocation = allocateUnits(lots, facts.quantity);
  if (!('unitsLeft' in allocation)) return allocation;
  // The source ID of a lot means nothing on a page.
  const named = tables.isFile ? `in lot '${facts.lot}'` : 'in this lot';
  const where = facts.lot === null ? 'in all lots' : named;
  const sold = nounText(facts.quantity, `${facts.condition} unit`);
  return {
    reason:
      `the sale is for ${sold} of ${facts.number}, ` +
      `but ${leftText(allocation.unitsLeft)} left ${where}`,
  };
}

function leftText(units: number): string {
  if (units === 0) return 'none are';
  return units === 1 ? 'only 1 is' : `only ${countText(units)} are`;
}

/** Takes the units of the settlement, at their cost then. */
function takeSettled(
  tables: PrivateTables,
  sale: {
    readonly facts: LedgerSaleFacts;
    readonly settled: Settlement;
    readonly options: LotQuery;
  },
): Allocated | { reason: string } {
  const { facts, options } = sale;
  const { takes, costCents } = sale.settled;
  const units = takes.reduce((sum, take) => sum + take.quantity, 0);
  if (units !== facts.quantity) {
    const sold = nounText(facts.quantity, 'unit');
    return { reason: `the sale is for ${sold}, but its lots add up to ${countText(units)}` };
  }
  if (new Set(takes.map((take) => take.lot)).size < takes.length) {
    return { reason: 'the sale names a lot twice' };
  }
  const taken: Take[] = [];
  for (const { lot: name, quantity, costCents: cost } of takes) {
    const lot = findLotOf(tables, name, options);
    if (!lot) return { reason: `there is no lot '${name}' of this ${facts.kind} and condition` };
    const left = lot.quantity - lot.sold;
    if (left < quantity) {
      const sold = nounText(quantity, 'unit');
      return { reason: `the sale is for ${sold}, but ${leftText(left)} left in lot '${name}'` };
    }
    // A file may omit the cost by lot; then the current price is used.
    taken.push({ lotId: lot.id, quantity, costCents: cost ?? quantity * lot.priceCents });
  }
  const costs = shareOut(
    costCents,
    taken.map((take) => take.costCents),
  );
  return {
    takes: taken.map((take, index) => ({ ...take, costCents: at(costs, index) })),
    costCents,
  };
}

function lotQuery({ facts, otherKeys = [] }: SaleWrite): LotQuery {
  const { kind, number, condition, lot } = facts;
  return { kind, keys: [itemKey(kind, number), ...otherKeys], condition, lot };
}

/** A lot by its source id; null if there is none of this item and condition. */
function findLotOf(
  tables: PrivateTables,
  name: string,
  { kind, keys, condition }: LotQuery,
): LotRow | null {
  const lot = tables.lots.find(name);
  const isSameItem = lot?.kind === kind && keys.includes(lot.key) && lot.condition === condition;
  return isSameItem ? lot : null;
}

function saleValues(facts: LedgerSaleFacts, costCents: number): SaleValues {
  const { sourceId: _, lot: __, ...values } = lineOf(facts);
  const given = JSON.stringify(lineOf(facts));
  return { ...values, given, costCents, key: itemKey(facts.kind, facts.number) };
}
