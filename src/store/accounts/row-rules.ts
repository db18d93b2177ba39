/** Applies the rows of a change to the tables in memory, each by the rules of its noun. */
import { brickfoliosMax } from '../../contract/limits.ts';
import { takenName } from '../../domain/portfolio/brickfolios.ts';
import type {
  AccountOutcome,
  AccountRow,
  AccountRowOf,
} from '../../domain/portfolio/private-rows.ts';
import { countText } from '../../kernel/format.ts';
import { applyLot, changeLot, removeLot } from './lot-rules.ts';
import { added, refused, unchanged, updated } from './outcomes.ts';
import type { PrivateTables } from './private-tables.ts';
import { applyPurchase, removePurchase } from './purchase-rules.ts';
import { applySale, removeSale } from './sale-rules.ts';

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
