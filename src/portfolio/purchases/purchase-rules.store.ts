/** The rules for purchases of several items; their lots have rows of their own. */
import { fullPlan } from '../../accounts/keys/quota.ts';
import { isAsSeen } from '../../buying/boxes/saved-boxes.store.ts';
import { countText } from '../../kernel/format.ts';
import { added, changedSince, refused, unchanged, updated } from '../lots/outcomes.store.ts';
import type { AccountOutcome, AccountRowOf } from '../lots/private-rows.ts';
import type { LotRow, PrivateTables } from '../lots/private-tables.store.ts';
import { type PurchaseRow, parsedPurchase } from './purchases.store.ts';
import {
  fixedReason,
  type Purchase,
  type PurchaseFacts,
  purchaseLimits,
  purchaseOfLot,
} from './purchases.ts';

/** Adds a purchase, or replaces its facts if it is as its owner saw it and can still change. */
export function applyPurchase(
  tables: PrivateTables,
  row: AccountRowOf<'purchase'>,
): AccountOutcome {
  const { facts, seen, box } = row;
  const old = tables.purchases.find(facts.sourceId);
  if (old && seen === null) return unchanged;
  if (!Bun.deepEquals(old && withoutAccount(old), seen)) return changedSince('purchase');
  const fault = seen ? changeFault(tables, row, seen) : countFault(tables.purchases.count);
  if (fault) return refused(fault);
  if (box && tables.account.plan !== fullPlan)
    return refused('boxes are part of the Reseller plan');
  const known = box && tables.boxes.get(box.seen.id);
  if (box && !(known && known.boughtAs === box.seen.boughtAs && isAsSeen(known, box.seen))) {
    return refused('this box was changed or bought in another window');
  }
  if (box) tables.markBought(box, facts.sourceId);
  const { prices, returns, ...terms } = facts;
  const values = { ...terms, prices: JSON.stringify(prices), returns: JSON.stringify(returns) };
  const id = old?.id ?? tables.addPurchase(values);
  if (old) tables.purchases.change(id, () => values);
  if (row.returned) tables.addReturn(id, row.returned);
  return old ? updated : added;
}

function countFault(count: number): string | null {
  const { purchases: max } = purchaseLimits;
  return count >= max ? `the limit of ${countText(max)} purchases is reached` : null;
}

/** Why a purchase may not be changed, or have another return. */
function changeFault(
  tables: PrivateTables,
  { facts, returned }: AccountRowOf<'purchase'>,
  seen: Purchase,
): string | null {
  if (!returned) return fixedReason(seen, lotsOf(tables, seen)) ?? totalFault(facts, seen);
  const { returns: max } = purchaseLimits;
  return seen.returns.length >= max ? `a purchase can have ${max} returns` : null;
}

function totalFault(
  { totalCents, taxCents, shippingCents }: PurchaseFacts,
  seen: Purchase,
): string | null {
  return totalCents !== seen.totalCents && totalCents < taxCents + shippingCents
    ? 'the total of the receipt would be less than the tax and shipping in it'
    : null;
}

function lotsOf(tables: PrivateTables, { sourceId }: Pick<Purchase, 'sourceId'>): LotRow[] {
  return tables.lots.rows.filter((lot) => purchaseOfLot(lot.sourceId) === sourceId);
}

function withoutAccount({ accountId: _, ...row }: PurchaseRow) {
  return parsedPurchase(row);
}

/** Removes a purchase with its lots, unless units of them were sold. Its box is not bought then. */
export function removePurchase(
  tables: PrivateTables,
  { purchaseId }: AccountRowOf<'purchase_removal'>,
): AccountOutcome {
  const purchase = tables.purchases.findById(purchaseId);
  if (!purchase) return refused('there is no such purchase', { refusal: 'missing' });
  const lots = lotsOf(tables, purchase);
  const sold = fixedReason({ returns: [] }, lots);
  if (sold) return refused(sold, { refusal: 'sold' });
  for (const { id } of lots) tables.lots.remove(id);
  tables.removePurchase(purchaseId);
  return updated;
}
