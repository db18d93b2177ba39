/** The rules for recorded sales: which units they take, and their frozen cost. */

import { salesMax } from '../../contract/limits.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { at } from '../../domain/kernel/at.ts';
import { countText, dayText, nounText } from '../../domain/kernel/format.ts';
import { shareOut } from '../../domain/kernel/money.ts';
import type { RowOutcome } from '../../domain/market/market-ingest.ts';
import {
  type Allocation,
  allocateUnits,
  type LedgerSaleFacts,
  type Settlement,
  type Take,
  type TakenUnits,
} from '../../domain/portfolio/lots.ts';
import type { PrivateRowOf } from '../../domain/portfolio/private-rows.ts';
import { added, refused, unchanged, updated } from './outcomes.ts';
import type { LotQuery, LotRow, PrivateTables, SaleRow, SaleValues } from './private-tables.ts';

type SaleWrite = Pick<PrivateRowOf<'ledger_sale'>, 'facts' | 'checksPurchase' | 'otherKeys'>;

/** Records a sale, or updates it if its line has changed. */
export function applyLedgerSale(
  tables: PrivateTables,
  accountId: number,
  row: SaleWrite,
): RowOutcome {
  const { facts } = row;
  // The settlement is not compared, because the same sale may be imported without it.
  const { settled: _, ...line } = facts;
  const given = JSON.stringify(line);
  const old = tables.findSale(accountId, facts.sourceId);
  if (old && lineText(JSON.parse(old.given)) === lineText(line)) return unchanged;
  if (!old && tables.countSales(accountId) >= salesMax) {
    return refused(`the limit of ${countText(salesMax)} sales is reached`);
  }
  const taken = old ? tables.listTakes(old.id) : [];
  // The cost stays frozen if only other fields change, such as a corrected fee.
  if (old && costTerms(JSON.parse(old.given)) === costTerms(facts)) {
    const early = refuseEarly(tables, row, { old, taken, takes: taken });
    if (early) return early;
    tables.changeSale(old.id, saleValues(facts, { given, costCents: old.costCents }));
    return updated;
  }
  const asBefore = (refusal: RowOutcome) => {
    tables.moveUnits(taken, 1);
    return refusal;
  };
  tables.moveUnits(taken, -1);
  const allocation = allocate(tables, accountId, row);
  if ('reason' in allocation) return asBefore(refused(allocation.reason));
  const early = refuseEarly(tables, row, { old, taken, takes: allocation.takes });
  if (early) return asBefore(early);
  const values = saleValues(facts, { given, costCents: allocation.costCents });
  if (old) tables.changeSale(old.id, values);
  const saleId = old?.id ?? tables.addSale(accountId, facts.sourceId, values);
  tables.saveTakes(saleId, allocation.takes);
  tables.moveUnits(allocation.takes, 1);
  return old ? updated : added;
}

/**
 * Rejects a sale before the purchase of its units. Units it already had are accepted as long as its
 * date is the same.
 */
function refuseEarly(
  tables: PrivateTables,
  { facts, checksPurchase = false }: SaleWrite,
  sale: {
    readonly old: SaleRow | null;
    readonly taken: readonly TakenUnits[];
    readonly takes: readonly TakenUnits[];
  },
): RowOutcome | null {
  if (!checksPurchase) return null;
  const known = sale.old?.saleDate === facts.saleDate ? sale.taken : [];
  const days = sale.takes
    .filter(({ lotId }) => !known.some((take) => take.lotId === lotId))
    .map(({ lotId }) => tables.lots.get(lotId))
    // Assumed dates prove nothing.
    .filter(({ dateBasis }) => dateBasis === 'known')
    .map(({ purchaseDate }) => purchaseDate);
  const first = days.find((day) => day > facts.saleDate);
  if (first === undefined) return null;
  return refused(`the lot bought on ${dayText(first)} cannot be sold before that day`, {
    field: 'sale_date',
  });
}

/** With sorted keys, because forms and files have different orders. */
function lineText(line: object): string {
  return JSON.stringify(line, Object.keys(line).sort());
}

/** All fields that the cost of a sale depends on. */
function costTerms(facts: LedgerSaleFacts): string {
  const { kind, number, condition, quantity, costCents, lot } = facts;
  return JSON.stringify([kind, number, condition, quantity, costCents, lot]);
}

type Allocated = Extract<Allocation, { costCents: number }>;

function allocate(
  tables: PrivateTables,
  accountId: number,
  row: SaleWrite,
): Allocated | { reason: string } {
  const { facts } = row;
  if (facts.costCents !== null) return { takes: [], costCents: facts.costCents };
  const options = lotQuery(row);
  if (facts.settled) {
    return takeSettled(tables, accountId, { facts, settled: facts.settled, options });
  }
  if (options.lot !== null && !findLotOf(tables, accountId, options.lot, options)) {
    return { reason: `there is no lot '${facts.lot}' of this ${facts.kind} and condition` };
  }
  // Every open lot has at least one unit, so this many lots are enough.
  const lots = tables.listOpenLots(accountId, { ...options, limit: facts.quantity });
  const allocation = allocateUnits(lots, facts.quantity);
  if (!('unitsLeft' in allocation)) return allocation;
  const where = facts.lot === null ? 'in all lots' : `in lot '${facts.lot}'`;
  const wanted = nounText(facts.quantity, `${facts.condition} unit`);
  return {
    reason:
      `the sale is for ${wanted} of ${facts.number}, ` +
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
  accountId: number,
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
    const wanted = nounText(facts.quantity, 'unit');
    return { reason: `the sale is for ${wanted}, but its lots add up to ${countText(units)}` };
  }
  if (new Set(takes.map((take) => take.lot)).size < takes.length) {
    return { reason: 'the sale names a lot twice' };
  }
  const taken: Take[] = [];
  for (const { lot: name, quantity, costCents: cost } of takes) {
    const lot = findLotOf(tables, accountId, name, options);
    if (!lot) return { reason: `there is no lot '${name}' of this ${facts.kind} and condition` };
    const left = lot.quantity - lot.sold;
    if (left < quantity) {
      const wanted = nounText(quantity, 'unit');
      return { reason: `the sale is for ${wanted}, but ${leftText(left)} left in lot '${name}'` };
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
  accountId: number,
  name: string,
  { kind, keys, condition }: LotQuery,
): LotRow | null {
  const lot = tables.findLot(accountId, name);
  const isMeant = lot?.kind === kind && keys.includes(lot.key) && lot.condition === condition;
  return isMeant ? lot : null;
}

function saleValues(
  facts: LedgerSaleFacts,
  made: { readonly given: string; readonly costCents: number },
): SaleValues {
  const { sourceId: _, lot: __, settled: ___, ...values } = facts;
  return { ...values, ...made, key: itemKey(facts.kind, facts.number) };
}
