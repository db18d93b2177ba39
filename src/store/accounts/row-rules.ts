/** The rules for changes of collections, lots and recorded sales, by imports and by pages. */

import { brickfoliosMax, lotsMax } from '../../contract/limits.ts';
import { noAccount } from '../../domain/account/email.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { countText, nounText } from '../../domain/kernel/format.ts';
import { conditionOfGrade } from '../../domain/market/grades.ts';
import type { RowOutcome } from '../../domain/market/market-ingest.ts';
import { detailLimits, ownValues } from '../../domain/portfolio/lot-details.ts';
import {
  type BrickfolioFacts,
  type GivenLot,
  type LotFacts,
  writtenLot,
} from '../../domain/portfolio/lots.ts';
import type { PrivateRow, PrivateRowOf } from '../../domain/portfolio/private-rows.ts';
import { fieldsOf, isSameRow, tables as storedTables } from '../sql/tables.ts';
import { added, refused, unchanged, updated } from './outcomes.ts';
import type { LotRow, LotValues, PrivateTables } from './private-tables.ts';
import { applyLedgerSale } from './sale-rules.ts';

export function applyPrivateRows(tables: PrivateTables, rows: readonly PrivateRow[]): RowOutcome[] {
  return rows.map((row) => {
    const accountId = tables.findAccount(row.email);
    if (accountId === null) return refused(`there is ${noAccount(row.email)}`);
    const outcome = applyRow(tables, accountId, row);
    if (outcome.kind === 'added' || outcome.kind === 'updated') tables.raiseVersion(accountId);
    return outcome;
  });
}

export function hasRejected(outcomes: readonly RowOutcome[]): boolean {
  return outcomes.some((outcome) => outcome.kind === 'rejected');
}

function applyRow(tables: PrivateTables, accountId: number, row: PrivateRow): RowOutcome {
  if (row.kind === 'brickfolio') return applyBrickfolio(tables, accountId, row.facts);
  return row.kind === 'holding'
    ? applyLot(tables, accountId, row)
    : applyLedgerSale(tables, accountId, row);
}

function applyBrickfolio(
  tables: PrivateTables,
  accountId: number,
  facts: BrickfolioFacts,
): RowOutcome {
  const found = tables.findBrickfolio(accountId, facts.name);
  // A collection stays the default until another one becomes it.
  const count = tables.countBrickfolios(accountId);
  const makeDefault = facts.isDefault || count === 0;
  if (found && found.description === facts.description && (found.isDefault || !makeDefault)) {
    return unchanged;
  }
  if (!found && count >= brickfoliosMax) {
    return refused(`the limit of ${countText(brickfoliosMax)} collections is reached`);
  }
  if (makeDefault) tables.clearDefault(accountId);
  if (found) {
    const isDefault = makeDefault || found.isDefault;
    tables.changeBrickfolio(found.id, { description: facts.description, isDefault });
    return updated;
  }
  tables.addBrickfolio(accountId, { ...facts, isDefault: makeDefault });
  return added;
}

type LotWrite = Pick<PrivateRowOf<'holding'>, 'facts' | 'seen' | 'prediction'>;

function applyLot(
  tables: PrivateTables,
  accountId: number,
  { facts: given, seen, prediction = null }: LotWrite,
): RowOutcome {
  const old = tables.findLot(accountId, given.sourceId);
  const facts = writtenLot(given, old);
  const brickfolio = tables.findBrickfolio(accountId, facts.brickfolio);
  if (!brickfolio)
    return refused(`there is no collection '${facts.brickfolio}'`, { missing: true });
  const values = lotValues(facts, brickfolio.id);
  if (seen) {
    const place = tables.findBrickfolio(accountId, seen.brickfolio);
    const isAsSeen = old && place && isSameLot(old, lotValues(seen, place.id));
    if (!isAsSeen)
      return refused('the lot was changed since you opened it; check it and try again');
  }
  if (old && isSameLot(old, values)) return unchanged;
  const named = newOwnFields(tables, accountId, given);
  const fault =
    gradeFault(facts) ??
    ownFieldFault(tables.ownFields.of(accountId).length, named) ??
    (old ? lotChangeFault(old, values) : lotCountFault(tables.countLots(accountId)));
  if (fault) return refused(fault);
  // Imports create the fields that they name.
  for (const name of named) tables.ownFields.add({ accountId, name });
  if (!old) {
    tables.addLot(accountId, { sourceId: facts.sourceId, values, prediction });
    return added;
  }
  tables.changeLot(old.id, values);
  return updated;
}

function lotCountFault(count: number): string | null {
  return count >= lotsMax ? `the limit of ${countText(lotsMax)} lots is reached` : null;
}

function gradeFault({ grade, condition }: LotFacts): string | null {
  const meant = grade === null ? condition : conditionOfGrade(grade);
  return meant === condition ? null : `the grade '${grade}' is for ${meant}, not ${condition}`;
}

/** Names of own fields that the account does not have yet. */
function newOwnFields(tables: PrivateTables, accountId: number, { ownFields }: GivenLot): string[] {
  const names = Object.keys(ownValues(ownFields ?? null));
  return names.filter((name) => tables.ownFields.find(accountId, name) === null);
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
