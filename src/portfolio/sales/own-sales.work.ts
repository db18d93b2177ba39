/** Records and changes sales of an account, and totals them. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { allocateUnits, type LotUnits, type OwnLot } from '../lots/lots.ts';
import {
  type ActionResult,
  applyAll,
  applyOnce,
  type OwnerAction,
  pageSourceId,
} from '../lots/own-lots.work.ts';
import { type AccountRowOf, isRejected } from '../lots/private-rows.ts';
import { type OwnSale, type Proceeds, type SaleAmounts, type SaleSum, sumSales } from './ledger.ts';
import type { SaleTerms } from './sale-fields.ts';
import type { LotTake } from './sold-lots.ts';

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
): Promise<RecordResult> {
  const rows = drafts.map(({ terms, kind, number, condition, lot }, index): SaleRow => {
    const sourceId = pageSourceId(action.formId, index);
    const origin = { sourceId, costCents: null, lot: lot?.sourceId ?? null };
    return { kind: 'ledger_sale', facts: { ...terms, kind, number, condition, ...origin } };
  });
  const { outcomes } = await applyOnce(action, { rows });
  for (const [index, draft] of drafts.entries()) {
    const outcome = outcomes[index];
    if (!outcome || !isRejected(outcome)) continue;
    const { reason } = outcome;
    return { ok: false, draft, reason, ...(outcome.field && { field: outcome.field }) };
  }
  return { ok: true, saleIds: await findRecorded(action, drafts.length) };
}

/** The IDs of the sales that a form recorded. */
export async function findRecorded(
  { accounts, accountId, formId }: OwnerAction,
  count: number,
): Promise<number[]> {
  const sourceIds = Array.from({ length: count }, (_, index) => pageSourceId(formId, index));
  const ids = await accounts.findSaleIds(accountId, sourceIds);
  return sourceIds.flatMap((sourceId) => ids.get(sourceId) ?? []);
}

type SaleRow = AccountRowOf<'ledger_sale'>;

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

/**
 * Changes a sale if it is as its owner saw it; returns the ID to undo that. The cost stays the same
 * unless the units change.
 */
export function changeSale(
  action: OwnerAction,
  { facts: seen }: OwnSale,
  change: SaleTerms & { readonly costCents: number | null },
): Promise<ActionResult> {
  const row = { kind: 'ledger_sale', facts: { ...seen, ...change }, seen } as const;
  return applyAll(action, { rows: [row], undoAs: 'sale' });
}

export interface SalesTotal extends Proceeds, SaleAmounts {
  readonly sales: number;
  readonly units: number;
}

/** All fields except the return on cost are plain sums, exact to the cent. */
export function totalSales(sums: readonly SaleSum[]): SalesTotal {
  const add = (pick: (sum: SaleSum) => number) => sums.reduce((sum, each) => sum + pick(each), 0);
  const counts = { sales: add((sum) => sum.sales), units: add((sum) => sum.units) };
  return { ...counts, ...sumSales(sums) };
}
