/** Recorded sales: what they brought. The cost was frozen when the sale was recorded. */
import type { Platform } from './lots.ts';
import { percentOf } from './money.ts';

/** A sale as it is recorded. */
export interface LedgerSale {
  readonly id: number;
  readonly setKey: string;
  readonly setNumber: string;
  readonly platform: Platform;
  readonly saleDate: string;
  readonly quantity: number;
  readonly grossCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  readonly shippingCents: number;
  readonly costCents: number;
}

/** What a sale brought. */
export interface Proceeds {
  readonly netCents: number;
  readonly profitCents: number;
  /** In percent of the cost; null when that is 0. */
  readonly roiPct: number | null;
}

/** Net of fees and shipping, and what is left of that after the cost. */
export function proceedsOf(
  sale: Omit<LedgerSale, 'id' | 'setKey' | 'setNumber' | 'platform' | 'saleDate' | 'quantity'>,
): Proceeds {
  const netCents =
    sale.grossCents - sale.platformFeesCents - sale.paymentFeesCents - sale.shippingCents;
  const profitCents = netCents - sale.costCents;
  const roiPct = sale.costCents === 0 ? null : percentOf(profitCents, sale.costCents);
  return { netCents, profitCents, roiPct };
}
