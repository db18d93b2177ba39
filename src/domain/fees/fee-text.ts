/** A platform's fees in words, made from the same row that they are charged by. */
import type { FeeBase, OrderStep, PaymentFee, PlatformFees, ShareStep } from './fee-table.ts';

const bases: Readonly<Record<FeeBase, string>> = {
  items: 'the items',
  with_shipping: 'items and shipping',
  with_tax: 'the total with shipping and sales tax',
};

/** What a platform takes, as a phrase. */
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

/** The fee of an ordinary order first, then what smaller ones are charged. */
function orderText(steps: readonly OrderStep[]): string {
  const [last, ...others] = [...steps].reverse();
  const smaller = others.map(
    ({ upToCents, feeCents }) => `${dollars(feeCents)} up to ${dollars(upToCents ?? 0)}`,
  );
  const aside = smaller.length > 0 ? ` (${smaller.join(', ')})` : '';
  return `${dollars(last?.feeCents ?? 0)} per order${aside}`;
}

function paymentText({ name, basisPoints, feeCents }: PaymentFee): string {
  return `${name} ${percent(basisPoints)} + ${dollars(feeCents)}`;
}

function percent(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

function dollars(cents: number): string {
  const whole = Math.floor(cents / 100).toLocaleString('en-US');
  return cents % 100 === 0 ? `$${whole}` : `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}
