/** Applies the rows of a change to the tables in memory, each by the rules of its noun. */
import { brickfoliosMax } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import { applyPurchase, removePurchase } from '../purchases/purchase-rules.store.ts';
import { applySale, removeSale } from '../sales/sale-rules.store.ts';
import { takenName } from './brickfolios.ts';
import { applyLot, changeLot, removeLot } from './lot-rules.store.ts';
import { added, refused, unchanged, updated } from './outcomes.store.ts';
import type { AccountOutcome, AccountRow, AccountRowOf } from './private-rows.ts';
import type { PrivateTables } from './private-tables.store.ts';

export function applyRow(tables: PrivateTables, row: AccountRow): AccountOutcome {
  switch (row.kind) {
    case 'brickfolio':
      return applyBrickfolio(tables, row);
    case 'holding':
      return applyLot(tables, row);
    case 'lot_change':
      return changeLot(tables, row);
    case 'lot_removal':
      return removeLot(tables, row);
    case 'ledger_sale':
      return applySale(tables, row);
    case 'sale_removal':
      return removeSale(tables, row);
    case 'purchase':
      return applyPurchase(tables, row);
    case 'purchase_removal':
      return removePurchase(tables, row);
  }
}

function applyBrickfolio(
  tables: PrivateTables,
  { facts, seen }: AccountRowOf<'brickfolio'>,
): AccountOutcome {
  const found = tables.brickfolios.find(facts.name);
  if (found && seen === null) return refused(takenName);
  // A collection stays the default until another one becomes it.
  const count = tables.brickfolios.rows.length;
  const makeDefault = facts.isDefault || count === 0;
  if (found && found.description === facts.description && (found.isDefault || !makeDefault)) {
    return unchanged;
  }
  if (!found && count >= brickfoliosMax) {
    return refused(`the limit of ${countText(brickfoliosMax)} collections is reached`);
  }
  if (makeDefault) tables.clearDefault();
  if (found) {
    const isDefault = makeDefault || found.isDefault;
    const { description } = facts;
    tables.brickfolios.change(found.id, () => ({ description, isDefault }));
    return updated;
  }
  tables.addBrickfolio({ ...facts, isDefault: makeDefault });
  return added;
}
