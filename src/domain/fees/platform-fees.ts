/** What a platform and the payment take from a sale, by a table of fees. */
import { type FeeBase, type FeeTable, feesOn, type ShareStep } from './fee-table.ts';
import type { Platform } from './platforms.ts';

/** A sale as fees are charged for it. */
export interface ChargedSale {
  readonly platform: Platform;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** What the buyer paid for all units, with shipping and without tax. */
  readonly paidCents: number;
  /** How much of that was for shipping. */
  readonly shippingCents: number;
  readonly quantity: number;
  /** How the buyer paid, by name; null: the usual way on the platform. */
  readonly payment: string | null;
}

/** What a platform and the payment take. */
export interface Fees {
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
}

const noFees: Fees = { platformFeesCents: 0, paymentFeesCents: 0 };

/** The fees of a sale. */
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
        : Math.round((baseCents(table, payment.base, sale) * payment.basisPoints) / 10_000) +
          payment.feeCents,
  };
}

/** What a share is taken of. */
function baseCents(
  { taxBasisPoints }: FeeTable,
  base: FeeBase,
  { paidCents, shippingCents }: ChargedSale,
): number {
  if (base === 'items') return Math.max(paidCents - shippingCents, 0);
  if (base === 'with_shipping') return paidCents;
  return paidCents + Math.round((paidCents * taxBasisPoints) / 10_000);
}

/** The shares of all steps, in ten-thousandths of a cent so that they are rounded once. */
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
