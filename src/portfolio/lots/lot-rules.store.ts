/** The rules for lots: adding, changing and removing them. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { lotsMax } from '../../contract/limits.ts';
import { countText, dayText, nounText } from '../../kernel/format.ts';
import { conditionOfGrade } from '../../market/grades/grades.ts';
import { fieldsOf, isSameRow, tables as storedTables } from '../../store/sql/tables.ts';
import { detailLimits, ownValues } from './lot-details.ts';
import { type EditRefusal, editLot } from './lot-edits.ts';
import { type GivenLot, isSoldTooEarly, type LotFacts, writtenLot } from './lots.ts';
import { added, changedSince, refused, unchanged, updated } from './outcomes.store.ts';
import type { AccountOutcome, AccountRowOf } from './private-rows.ts';
import type { LotRow, LotValues, PrivateTables } from './private-tables.store.ts';

/** Adds a lot, or changes the one with its source id. */
export function applyLot(
  tables: PrivateTables,
  { facts: given, seen, prediction = null }: AccountRowOf<'holding'>,
): AccountOutcome {
  const old = tables.lots.find(given.sourceId);
  const facts = writtenLot(given, old);
  const brickfolio = tables.brickfolios.find(facts.brickfolio);
  if (!brickfolio)
    return refused(`there is no collection '${facts.brickfolio}'`, { missing: true });
  const values = lotValues(facts, brickfolio.id);
  if (seen && !isAsSeen(tables, old, seen)) return changedSince('lot');
  if (old && (seen === null || isSameLot(old, values))) return unchanged;
  const named = newOwnFields(tables, given);
  const fault =
    gradeFault(facts) ??
    ownFieldFault(tables.ownFields.rows.length, named) ??
    (old ? lotChangeFault(old, values) : lotCountFault(tables.lots.count));
  if (fault) return refused(fault);
  const soldOn = old && isDatedAnew(old, values) ? tables.firstSaleOf(old.id) : null;
  const isEarly = isSoldTooEarly(values, soldOn);
  if (isEarly && !tables.isFile) return soldEarlier(soldOn ?? '');
  // Imports create the fields that they name.
  const accountId = tables.account.id;
  for (const name of named) tables.ownFields.add({ accountId, name });
  if (!old) {
    tables.addLot({ sourceId: facts.sourceId, values, prediction });
    return added;
  }
  tables.lots.change(old.id, () => values);
  if (!isEarly) return updated;
  const warning = `units were sold on ${dayText(soldOn ?? '')}, before this purchase date`;
  return { ...updated, warning };
}

/** Whether a stored lot is as its owner saw it. */
function isAsSeen(tables: PrivateTables, old: LotRow | null, seen: LotFacts): boolean {
  const brickfolio = tables.brickfolios.find(seen.brickfolio);
  return old !== null && brickfolio !== null && isSameLot(old, lotValues(seen, brickfolio.id));
}

function isDatedAnew(old: LotRow, { purchaseDate, dateBasis }: LotValues): boolean {
  return purchaseDate !== old.purchaseDate || dateBasis !== old.dateBasis;
}

function soldEarlier(day: string): AccountOutcome {
  return refused(`units were sold on ${dayText(day)}. Enter that day or an earlier one`, {
    field: 'purchase_date',
    refusal: 'sold earlier',
  });
}

function lotCountFault(count: number): string | null {
  return count >= lotsMax ? `the limit of ${countText(lotsMax)} lots is reached` : null;
}

function gradeFault({ grade, condition }: LotFacts): string | null {
  const required = grade === null ? condition : conditionOfGrade(grade);
  return required === condition
    ? null
    : `the grade '${grade}' is for ${required}, not ${condition}`;
}

/** Names of own fields that the account does not have yet. */
function newOwnFields(tables: PrivateTables, { ownFields }: GivenLot): string[] {
  const names = Object.keys(ownValues(ownFields ?? null));
  return names.filter((name) => tables.ownFields.find(name) === null);
}

function ownFieldFault(count: number, named: readonly string[]): string | null {
  const { ownFields: max } = detailLimits;
  return named.length > 0 && count + named.length > max
    ? `the field '${named[0]}' is one too many: an account can have ${max} own fields`
    : null;
}

function lotValues(facts: LotFacts, brickfolioId: number): LotValues {
  const { sourceId: _, brickfolio: __, ...values } = facts;
  return { ...values, brickfolioId, key: itemKey(facts.kind, facts.number) };
}

/** Two lots are equal if these fields are equal; the spelling of the number does not count. */
const lotFields = fieldsOf(storedTables.lot, ['id', 'accountId', 'sourceId', 'number', 'sold']);

function isSameLot(old: LotRow, values: LotValues): boolean {
  return isSameRow(lotFields, old, values);
}

/** A change must not affect units that were already sold. */
function lotChangeFault(old: LotRow, values: LotValues): string | null {
  if (values.quantity < old.sold) {
    return `quantity ${values.quantity} is less than the ${old.sold} already sold from this lot`;
  }
  const isOtherItem = old.kind !== values.kind || old.key !== values.key;
  const isOtherThing = isOtherItem || old.condition !== values.condition;
  if (old.sold === 0 || !isOtherThing) return null;
  const sold = `${nounText(old.sold, 'unit')} already sold from this lot`;
  return `${old.kind} and condition cannot change: ${sold}`;
}

/** Changes some fields of a lot, as one of many. */
export function changeLot(
  tables: PrivateTables,
  { lotId, change }: AccountRowOf<'lot_change'>,
): AccountOutcome {
  const lot = tables.lots.findById(lotId);
  if (!lot) return refusedAs('missing');
  if (change.kind === 'move' && !tables.brickfolios.findById(change.brickfolioId)) {
    return refusedAs('no collection');
  }
  const fields = editLot({ ...lot, firstSale: tables.firstSaleOf(lotId) }, change);
  if (typeof fields === 'string') return refusedAs(fields);
  if (isSameRow(Object.keys(fields), lot, fields)) return unchanged;
  tables.lots.change(lotId, () => fields);
  return updated;
}

/** Removes a lot, unless units of it were sold. */
export function removeLot(
  tables: PrivateTables,
  { lotId, seen }: AccountRowOf<'lot_removal'>,
): AccountOutcome {
  const lot = tables.lots.findById(lotId);
  if (!lot) return refusedAs('missing');
  if (lot.sold > 0) return refusedAs('sold');
  if (seen && !isAsSeen(tables, lot, seen)) return changedSince('lot');
  tables.lots.remove(lotId);
  return updated;
}

const refusals: Readonly<Record<EditRefusal, string>> = {
  missing: 'there is no such lot',
  sold: 'units of it were sold meanwhile; check it and try again',
  'sold earlier': 'units were sold before this purchase date',
  'sold out': 'it has no units left',
  changed: 'it was changed since you opened it; check it and try again',
  'other condition': 'its condition does not have this grade',
  'no collection': 'there is no such collection',
};

function refusedAs(refusal: EditRefusal): AccountOutcome {
  return refused(refusals[refusal], { refusal });
}
