/** Recorded sales: what they brought. The cost was frozen when the sale was recorded. */

import { percentOf } from '../kernel/money.ts';
import type { LedgerSaleFacts } from './lots.ts';

/** A sale as it is recorded: its cost is known. */
export interface LedgerSale
  extends Omit<LedgerSaleFacts, 'sourceId' | 'condition' | 'lot' | 'costCents'> {
  readonly id: number;
  readonly setKey: string;
  readonly costCents: number;
}

/** What a sale brought. */
export interface Proceeds {
  readonly netCents: number;
  readonly profitCents: number;
  /** In percent of the cost; null when that is 0. */
  readonly roiPct: number | null;
}

/** What the proceeds of a sale are made of. */
export type SaleAmounts = Pick<
  LedgerSale,
  'grossCents' | 'platformFeesCents' | 'paymentFeesCents' | 'shippingCents' | 'costCents'
>;

/** Net of fees and shipping, and what is left of that after the cost. */
export function proceedsOf(sale: SaleAmounts): Proceeds {
  const netCents =
    sale.grossCents - sale.platformFeesCents - sale.paymentFeesCents - sale.shippingCents;
  const profitCents = netCents - sale.costCents;
  const roiPct = sale.costCents === 0 ? null : percentOf(profitCents, sale.costCents);
  return { netCents, profitCents, roiPct };
}
