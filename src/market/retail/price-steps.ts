/**
 * A retailer's price over time as steps: the lowest price of each month, then every published
 * change. Single observations belong to the source and are not shown.
 */
import { type Month, monthOf, monthStart } from '../../kernel/time.ts';
import type { PastOffer } from './retail-history.ts';
import type { RetailMonth } from './retail-state.ts';

/** A price from an instant on; null without an offer. */
export interface PriceStep {
  readonly at: number;
  readonly cents: number | null;
}

/** The published price history of a set at one retailer. */
export interface PricePast {
  readonly months: readonly RetailMonth[];
  /** Oldest first. */
  readonly changes: readonly PastOffer[];
  /** The current price; null without an offer in stock. */
  readonly priceCents: number | null;
}

/** A price extends back to the start of its month, whose low may be a later one. */
function startOf({ at, cents }: PriceStep): number {
  return cents === null ? at : monthStart(monthOf(at));
}

/** The steps up to an instant, oldest first. */
export function priceSteps(past: PricePast, at: number): PriceStep[] {
  const { months, changes, priceCents } = past;
  const [first, ...more] = changes.filter(({ isCorrected }) => !isCorrected).map(stepOf);
  const from = first ? startOf(first) : at;
  return [
    ...monthSteps(months, from),
    ...(first ? [{ ...first, at: from }, ...more] : []),
    ...(first || months.length > 0 ? [{ at, cents: priceCents }] : []),
  ];
}

function monthSteps(months: readonly RetailMonth[], until: number): PriceStep[] {
  const [first] = months[0] ?? [];
  if (first === undefined) return [];
  const lowest = new Map(months);
  const steps: PriceStep[] = [];
  for (let month: Month = first; monthStart(month) < until; month++) {
    steps.push({ at: monthStart(month), cents: lowest.get(month) ?? null });
  }
  return steps;
}

/** Out of stock, there is no price. */
function stepOf({ at, priceCents, inStock }: PastOffer): PriceStep {
  return { at, cents: inStock === false ? null : priceCents };
}
