/**
 * A retailer's price over time as steps: the lowest price of each month, then every published
 * change. Single observations belong to the source and are not shown.
 */
import { type Month, monthStart } from '../kernel/time.ts';
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

/** The steps up to an instant, oldest first. */
export function priceSteps(past: PricePast, at: number): PriceStep[] {
  const { months, changes, priceCents } = past;
  const known = changes.filter(({ isCorrected }) => !isCorrected);
  return [
    ...monthSteps(months, known[0]?.at ?? at),
    ...known.map(stepOf),
    ...(months.length + known.length > 0 ? [{ at, cents: priceCents }] : []),
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
