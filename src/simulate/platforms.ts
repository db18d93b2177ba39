/** What platforms keep of a sale, about as they do in life. */
import type { Platform } from '../domain/fees/platforms.ts';
import type { LedgerSaleFacts } from '../domain/portfolio/lots.ts';
import type { Random } from './random.ts';

/** The money side of a sale. */
export type SaleTerms = Pick<
  LedgerSaleFacts,
  'platform' | 'grossCents' | 'platformFeesCents' | 'paymentFeesCents' | 'shippingCents'
>;

interface PlatformRow {
  readonly platform: Platform;
  readonly weight: number;
  /** Shares of the gross, and cents on top. */
  readonly fee: number;
  readonly feeCents: number;
  readonly payment: number;
  readonly paymentCents: number;
  readonly isShipped: boolean;
  /** How often the buyer pays for shipping on top. */
  readonly chargesShipping: number;
}

const none = { fee: 0, feeCents: 0, payment: 0, paymentCents: 0, chargesShipping: 0 };
const card = { payment: 0.029, paymentCents: 30 };

const rows: readonly PlatformRow[] = [
  {
    ...none,
    platform: 'ebay',
    weight: 38,
    fee: 0.136,
    feeCents: 40,
    isShipped: true,
    chargesShipping: 0.5,
  },
  {
    ...none,
    ...card,
    platform: 'bricklink',
    weight: 22,
    fee: 0.03,
    isShipped: true,
    chargesShipping: 1,
  },
  { ...none, platform: 'amazon', weight: 13, fee: 0.15, isShipped: true },
  { ...none, platform: 'facebook', weight: 10, fee: 0.1, isShipped: true, chargesShipping: 0.5 },
  { ...none, platform: 'local', weight: 9, isShipped: false },
  {
    ...none,
    ...card,
    platform: 'brick_owl',
    weight: 6,
    fee: 0.025,
    isShipped: true,
    chargesShipping: 1,
  },
  { ...none, platform: 'other', weight: 2, isShipped: false },
];

/** Where goods are sold, and what the seller pays for it. */
export function drawTerms(
  random: Random,
  goods: { readonly goodsCents: number; readonly weightLbs: number },
): SaleTerms {
  const row = random.pickWeighted(rows);
  const shippingCents = row.isShipped ? postageCents(random, goods.weightLbs) : 0;
  const charged = random.chance(row.chargesShipping) ? shippingCents : 0;
  const grossCents = Math.round(goods.goodsCents) + charged;
  return {
    platform: row.platform,
    grossCents,
    platformFeesCents: Math.round(grossCents * row.fee) + row.feeCents,
    paymentFeesCents: Math.round(grossCents * row.payment) + row.paymentCents,
    shippingCents,
  };
}

/** Postage for a parcel of some weight. */
function postageCents(random: Random, weightLbs: number): number {
  return Math.round((480 + 95 * weightLbs) * random.between(0.85, 1.25));
}
