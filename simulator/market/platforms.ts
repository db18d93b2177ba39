/** Platforms on which the demo account sells, with their fees. */

import { formatDay } from '../../src/kernel/time.ts';
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { saleFees } from '../../src/market/fees/platform-fees.ts';
import type { Platform } from '../../src/market/fees/platforms.ts';
import type { LedgerSaleFacts } from '../../src/portfolio/lots/lots.ts';
import type { Random } from './random.ts';

export type SaleTerms = Pick<
  LedgerSaleFacts,
  'platform' | 'grossCents' | 'platformFeesCents' | 'paymentFeesCents' | 'shippingCents'
>;

interface PlatformRow {
  readonly platform: Platform;
  readonly weight: number;
  readonly isShipped: boolean;
  /** Chance that the buyer pays shipping separately. */
  readonly chargesShipping: number;
}

const rows: readonly PlatformRow[] = [
  { platform: 'ebay', weight: 38, isShipped: true, chargesShipping: 0.5 },
  { platform: 'bricklink', weight: 22, isShipped: true, chargesShipping: 1 },
  { platform: 'amazon', weight: 13, isShipped: true, chargesShipping: 0 },
  { platform: 'facebook', weight: 10, isShipped: true, chargesShipping: 0.5 },
  { platform: 'local', weight: 9, isShipped: false, chargesShipping: 0 },
  { platform: 'brick_owl', weight: 6, isShipped: true, chargesShipping: 1 },
  { platform: 'other', weight: 2, isShipped: false, chargesShipping: 0 },
];

export interface SoldGoods {
  readonly goodsCents: number;
  readonly weightLbs: number;
  readonly quantity: number;
  readonly at: number;
}

export function drawTerms(random: Random, goods: SoldGoods): SaleTerms {
  const { platform, isShipped, chargesShipping } = random.pickWeighted(rows);
  const shippingCents = isShipped ? postageCents(random, goods.weightLbs) : 0;
  const charged = random.chance(chargesShipping) ? shippingCents : 0;
  const grossCents = Math.round(goods.goodsCents) + charged;
  const fees = saleFees(builtInFees, {
    platform,
    day: formatDay(goods.at),
    paidCents: grossCents,
    shippingCents: charged,
    quantity: goods.quantity,
    payment: null,
  });
  return { platform, grossCents, ...fees, shippingCents };
}

/** By weight. */
function postageCents(random: Random, weightLbs: number): number {
  return Math.round((480 + 95 * weightLbs) * random.between(0.85, 1.25));
}
