/** Records and changes sales of an account, and totals them. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import {
  type OwnSale,
  type Proceeds,
  proceedsOf,
  type SaleAmounts,
  type SaleSum,
  sumAmounts,
} from '../domain/portfolio/ledger.ts';
import {
  allocateUnits,
  type LedgerSaleFacts,
  type LotUnits,
  type OwnLot,
} from '../domain/portfolio/lots.ts';
import type { PrivateRowOf } from '../domain/portfolio/private-rows.ts';
import type { LotTake } from '../domain/portfolio/sold-lots.ts';
import { type ActionResult, applyAll, type OwnerAction, webSourceId } from './own-lots.ts';

export type SaleTerms = Pick<
  LedgerSaleFacts,
  | 'platform'
  | 'saleDate'
  | 'quantity'
  | 'grossCents'
  | 'platformFeesCents'
  | 'paymentFeesCents'
  | 'shippingCents'
>;

/** A lot, or the oldest lots of an item in a condition. */
export interface SaleOrigin {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  /** Null: first in, first out. */
  readonly lot: OwnLot | null;
}

export interface SaleDraft extends SaleOrigin {
  readonly terms: SaleTerms;
}

/** The IDs of the sales; or the rejected draft, and why. */
export type RecordResult =
  | { readonly ok: true; readonly saleIds: readonly number[] }
  | {
      readonly ok: false;
      readonly draft: SaleDraft;
      readonly reason: string;
      readonly field?: string;
    };

/** All or nothing. Submitting the same form twice records the sales once. */
export async function recordSales(
  action: OwnerAction,
  drafts: readonly SaleDraft[],
  formId: string,
): Promise<RecordResult> {
  const { accounts, who, at } = action;
  const rows = drafts.map(({ terms, kind, number, condition, lot }) => {
    const named = lot?.sourceId ?? null;
    const sold = { ...terms, kind, number, condition };
    const sourceId = webSourceId(formId, { ...sold, named });
    const facts = { ...sold, sourceId, costCents: null, lot: named };
    return typedSale(action, facts);
  });
  const outcomes = await accounts.applyTogether(rows, at);
  for (const [index, draft] of drafts.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind !== 'rejected') continue;
    // The source ID of a lot means nothing on a page.
    const reason = outcome.reason.replace(` in lot '${draft.lot?.sourceId}'`, ' in this lot');
    return { ok: false, draft, reason, ...(outcome.field && { field: outcome.field }) };
  }
  const sourceIds = rows.map(({ facts }) => facts.sourceId);
  const ids = await accounts.findSaleIds(who.accountId, sourceIds);
  return { ok: true, saleIds: sourceIds.flatMap((sourceId) => ids.get(sourceId) ?? []) };
}

/** The cost of the units of a sale; null: not enough units. */
export function costOfSale(
  { quantity, condition, lot }: SaleOrigin & Pick<SaleTerms, 'quantity'>,
  openLots: readonly OwnLot[],
): number | null {
  const lots = openLots.filter((each) => (lot ? each.id === lot.id : each.condition === condition));
  return costOfUnits(lots.map(unitsOf), quantity);
}

/**
 * The cost of a recorded sale with another quantity; null: not enough units. Its own units are
 * available again, at their current cost.
 */
export function costOfChange(
  { facts }: OwnSale,
  quantity: number,
  held: { readonly openLots: readonly OwnLot[]; readonly takes: readonly LotTake[] },
): number | null {
  const open = held.openLots
    .filter((lot) =>
      facts.lot === null ? lot.condition === facts.condition : lot.sourceId === facts.lot,
    )
    .map(unitsOf);
  const taken = held.takes.map((take): LotUnits => ({ ...take, unitsLeft: take.quantity }));
  const units = Map.groupBy([...open, ...taken], ({ lotId }) => lotId);
  const lots = [...units.values()].flatMap(([first, second]) => {
    return first ? [{ ...first, unitsLeft: first.unitsLeft + (second?.unitsLeft ?? 0) }] : [];
  });
  return costOfUnits(lots, quantity);
}

function unitsOf({ id, purchaseDate, priceCents, quantity, sold }: OwnLot): LotUnits {
  return { lotId: id, purchaseDate, priceCents, unitsLeft: quantity - sold };
}

function costOfUnits(lots: readonly LotUnits[], quantity: number): number | null {
  const allocation = allocateUnits(lots, quantity);
  return 'unitsLeft' in allocation ? null : allocation.costCents;
}

/** The cost stays the same unless the units change. */
export async function changeSale(
  action: OwnerAction,
  { id, facts }: OwnSale,
  change: SaleTerms & { readonly costCents: number | null },
): Promise<ChangeResult> {
  const { accounts, who, at } = action;
  const [recorded] = await accounts.listRecordedSales(who.accountId, { after: id - 1, limit: 1 });
  const after = { ...facts, ...change };
  const result = await applyAll(action, [typedSale(action, after)]);
  if (!result.ok || recorded?.sequence !== id) return result;
  const { sequence: _, ...before } = recorded;
  return { ok: true, editId: await accounts.keepSaleEdit(who.accountId, { before, after }, at) };
}

/** With the ID to undo the change. */
export type ChangeResult = ActionResult & { readonly editId?: number };

/** The sale gets its previous units and their cost back, unless it was changed again since. */
export async function undoSaleChange(
  action: OwnerAction,
  editId: number,
): Promise<'done' | 'missing' | 'changed'> {
  const { accounts, who, at } = action;
  const edit = await accounts.findSaleEdit(who.accountId, editId, at);
  if (!edit) return 'missing';
  const { sourceId } = edit.before;
  const id = (await accounts.findSaleIds(who.accountId, [sourceId])).get(sourceId);
  const now = id === undefined ? null : await accounts.findSale(who.accountId, id);
  if (!now || !Bun.deepEquals(now.facts, edit.after)) return 'changed';
  const row = { kind: 'ledger_sale', email: who.email, facts: edit.before } as const;
  return (await applyAll(action, [row])).ok ? 'done' : 'changed';
}

/** A typed sale, unlike an imported one, cannot be before the purchase. */
function typedSale(action: OwnerAction, facts: LedgerSaleFacts): PrivateRowOf<'ledger_sale'> {
  return { kind: 'ledger_sale', email: action.who.email, facts, checksPurchase: true };
}

export interface SalesTotal extends Proceeds, SaleAmounts {
  readonly sales: number;
  readonly units: number;
}

/** All fields except the return on cost are plain sums, exact to the cent. */
export function totalSales(sums: readonly SaleSum[]): SalesTotal {
  const add = (pick: (sum: SaleSum) => number) => sums.reduce((sum, each) => sum + pick(each), 0);
  const amounts = sumAmounts(sums);
  const counts = { sales: add((sum) => sum.sales), units: add((sum) => sum.units) };
  return { ...counts, ...amounts, ...proceedsOf(amounts) };
}
