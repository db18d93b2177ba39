/** Allots what was paid for several items to each of them, to the cent. */
import { at } from '../../kernel/at.ts';
import { shareOut } from '../../kernel/money.ts';
import { type BoxPart, splitCost } from './split-cost.ts';

export interface PricedPart extends BoxPart {
  /** The price of one unit on the receipt; null if it has none. */
  readonly priceCents: number | null;
}

export interface Receipt {
  /** Everything paid; null: the prices, tax and shipping. */
  readonly totalCents: number | null;
  readonly taxCents: number;
  readonly shippingCents: number;
}

/** The cost of each part, which add up to the total; or why they cannot. */
export type Allotment =
  | { readonly totalCents: number; readonly costs: readonly number[] }
  | { readonly problem: 'no total' | 'prices above total' | 'tax above total' };

/**
 * Parts with a price have it; the others share the rest of the total in proportion to their value.
 * Tax, shipping and discounts are then in proportion to these amounts.
 */
export function allotCost(receipt: Receipt, parts: readonly PricedPart[]): Allotment {
  const { taxCents, shippingCents } = receipt;
  const priced = parts.map(({ quantity, priceCents }) =>
    priceCents === null ? null : quantity * priceCents,
  );
  const pricedCents = priced.reduce<number>((sum, cents) => sum + (cents ?? 0), 0);
  const isAllPriced = parts.length > 0 && priced.every((cents) => cents !== null);
  const extraCents = taxCents + shippingCents;
  const totalCents = receipt.totalCents ?? (isAllPriced ? pricedCents + extraCents : null);
  if (totalCents === null) return { problem: 'no total' };
  const itemsCents = totalCents - extraCents;
  if (itemsCents < 0) return { problem: 'tax above total' };
  if (isAllPriced && pricedCents > 0) {
    return {
      totalCents,
      costs: shareOut(
        totalCents,
        priced.map((cents) => cents ?? 0),
      ),
    };
  }
  const restCents = itemsCents - pricedCents;
  // Something without a price is not free.
  if (restCents < 0 || (restCents === 0 && pricedCents > 0)) {
    return { problem: 'prices above total' };
  }
  const amounts = fillIn(priced, restCents, parts);
  const isFree = amounts.every((cents) => cents === 0);
  return {
    totalCents,
    costs: isFree ? splitCost(totalCents, parts) : shareOut(totalCents, amounts),
  };
}

/** The amounts of priced parts, and the shares of the others. */
function fillIn(
  priced: readonly (number | null)[],
  restCents: number,
  parts: readonly BoxPart[],
): number[] {
  const open = parts.filter((_, index) => priced[index] === null);
  const shares = splitCost(restCents, open);
  let next = 0;
  return priced.map((cents) => cents ?? at(shares, next++));
}
