/** Describes a platform's fees in words, from the same row that fees are computed by. */
import type { FeeBase, OrderStep, PaymentFee, PlatformFees, ShareStep } from './fee-table.ts';

const bases: Readonly<Record<FeeBase, string>> = {
  items: 'the items',
  with_shipping: 'items and shipping',
  with_tax: 'the total with shipping and sales tax',
};

export function feeText(fees: PlatformFees | null): string {
  if (fees === null) return 'No fees';
  const least = fees.minCents > 0 ? `, at least ${dollars(fees.minCents)}` : '';
  const order = fees.perOrder.length > 0 ? `, plus ${orderText(fees.perOrder)}` : '';
  const [payment] = fees.payments;
  const paid = payment ? `; ${paymentText(payment)}` : '';
  const pause = fees.steps.length > 1 ? ',' : '';
  return `${shareText(fees.steps)}${pause} of ${bases[fees.base]}${least}${order}${paid}`;
}

function shareText(steps: readonly ShareStep[]): string {
  return steps
    .map(({ upToCents, basisPoints }, index) => {
      if (upToCents !== null) return `${percent(basisPoints)} up to ${dollars(upToCents)}`;
      return index === 0 ? percent(basisPoints) : `${percent(basisPoints)} above that`;
    })
    .join(', ');
}

/** The fee of a regular order first, then those of smaller ones. */
function orderText(steps: readonly OrderStep[]): string {
  const [regular, ...smaller] = steps.toReversed().map(({ upToCents, feeCents }, index) => {
    const fee = dollars(feeCents);
    return index === 0 ? `${fee} per order` : `${fee} up to ${dollars(upToCents ?? 0)}`;
  });
  const aside = smaller.length > 0 ? ` (${smaller.join(', ')})` : '';
  return `${regular}${aside}`;
}

function paymentText({ name, base, basisPoints, feeCents }: PaymentFee): string {
  return `${name} ${percent(basisPoints)} of ${bases[base]} + ${dollars(feeCents)}`;
}

function percent(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

function dollars(cents: number): string {
  const whole = Math.floor(cents / 100).toLocaleString('en-US');
  return cents % 100 === 0 ? `$${whole}` : `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}
