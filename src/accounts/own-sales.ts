/** What an owner does to recorded sales, and what they add up to. */

import { type Proceeds, proceedsOf, type SaleAmounts } from '../domain/portfolio/ledger.ts';
import type { OwnSale, SaleSum } from '../domain/portfolio/ledger-store.ts';
import type { OwnLot } from '../domain/portfolio/lot-store.ts';
import type { LedgerSaleFacts } from '../domain/portfolio/lots.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { type ActionResult, applyAll, type OwnerAction, webSourceId } from './own-lots.ts';

/** What is said of a sale besides what was sold. */
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

/** Records a sale of units of a lot: of this very one, or of the oldest of its set. */
export function recordSale(
  action: OwnerAction,
  lot: OwnLot,
  options: { readonly terms: SaleTerms; readonly isFromLot: boolean; readonly formId: string },
): Promise<ActionResult> {
  const { terms, isFromLot, formId } = options;
  const named = isFromLot ? lot.sourceId : null;
  const sourceId = webSourceId(formId, { ...terms, lot: lot.id, named });
  const { setNumber, condition } = lot;
  const facts = { ...terms, sourceId, setNumber, condition, costCents: null, lot: named };
  return applyAll(action, [typedSale(action, facts)]);
}

/** Changes a sale. Its cost stays what it was, unless other units are sold. */
export function changeSale(
  action: OwnerAction,
  { facts }: OwnSale,
  change: SaleTerms & { readonly costCents: number | null },
): Promise<ActionResult> {
  return applyAll(action, [typedSale(action, { ...facts, ...change })]);
}

/** A sale that was typed, not imported: nobody sells what they have not bought yet. */
function typedSale(action: OwnerAction, facts: LedgerSaleFacts): PrivateRow {
  return { kind: 'ledger_sale', email: action.who.email, facts, checksPurchase: true };
}

/** Sales added up, with what they brought. */
export interface SalesTotal extends Proceeds, SaleAmounts {
  readonly sales: number;
  readonly units: number;
}

/** Adds sums up. Everything but the return on the cost is a plain sum, and exact to the cent. */
export function totalSales(sums: readonly SaleSum[]): SalesTotal {
  const add = (pick: (sum: SaleSum) => number) => sums.reduce((sum, each) => sum + pick(each), 0);
  const amounts = {
    grossCents: add((sum) => sum.grossCents),
    platformFeesCents: add((sum) => sum.platformFeesCents),
    paymentFeesCents: add((sum) => sum.paymentFeesCents),
    shippingCents: add((sum) => sum.shippingCents),
    costCents: add((sum) => sum.costCents),
  };
  const counts = { sales: add((sum) => sum.sales), units: add((sum) => sum.units) };
  return { ...counts, ...amounts, ...proceedsOf(amounts) };
}
