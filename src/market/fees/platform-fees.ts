/**
 * Computes the platform and payment fees of a sale from a fee table. Amounts are rounded to cents,
 * half a cent up, in the order in which they are charged: first the sales tax, as on the buyer's
 * receipt, then the sum of all percentages of a fee.
 */
import { type FeeBase, type FeeTable, feesOn, type ShareStep } from './fee-table.ts';
import type { Platform } from './platforms.ts';

export interface ChargedSale {
  readonly platform: Platform;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** The amount the buyer paid for all units, with shipping and without tax. */
  readonly paidCents: number;
  readonly shippingCents: number;
  readonly quantity: number;
  /** The name of the payment method; null: the platform's default. */
  readonly payment: string | null;
}

export interface Fees {
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
}

const noFees: Fees = { platformFeesCents: 0, paymentFeesCents: 0 };

export function saleFees(table: FeeTable, sale: ChargedSale): Fees {
  const fees = feesOn(table, sale.platform, sale.day);
  if (fees === null || sale.paidCents === 0) return noFees;
  const base = baseCents(table, fees.base, sale);
  const parts = fees.stepsPer === 'unit' ? sale.quantity : 1;
  const shares = parts * shareOf(fees.steps, base / parts);
  const order = fees.perOrder.find(({ upToCents }) => upToCents === null || base <= upToCents);
  const charged = Math.round(shares / 10_000) + (order?.feeCents ?? 0);
  const payment =
    fees.payments.find(({ name }) => name === sale.payment) ?? fees.payments[0] ?? null;
  return {
    platformFeesCents: Math.max(charged, fees.minCents),
    paymentFeesCents:
      payment === null
        ? 0
        : shareCents(baseCents(table, payment.base, sale), payment.basisPoints) + payment.feeCents,
  };
}

export function feeTotal({ platformFeesCents, paymentFeesCents }: Fees): number {
  return platformFeesCents + paymentFeesCents;
}

function baseCents(
  { taxBasisPoints }: FeeTable,
  base: FeeBase,
  { paidCents, shippingCents }: ChargedSale,
): number {
  if (base === 'items') return Math.max(paidCents - shippingCents, 0);
  if (base === 'with_shipping') return paidCents;
  return paidCents + shareCents(paidCents, taxBasisPoints);
}

function shareCents(cents: number, basisPoints: number): number {
  return Math.round((cents * basisPoints) / 10_000);
}

/** The sum over all steps in ten-thousandths of a cent, so that it is rounded only once. */
function shareOf(steps: readonly ShareStep[], cents: number): number {
  let from = 0;
  let sum = 0;
  for (const { upToCents, basisPoints } of steps) {
    const to = Math.min(cents, upToCents ?? cents);
    if (to > from) sum += (to - from) * basisPoints;
    from = Math.max(from, to);
  }
  return sum;
}
