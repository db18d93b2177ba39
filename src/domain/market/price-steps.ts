/**
 * A retailer's price over time as steps: the lowest price of each month, then every published
 * change that is still in the log. Single observations belong to the source and are not shown.
 */
import { type Month, monthOf, monthStart } from '../kernel/time.ts';
import { eventsKeptMs, type LoggedEvent } from './events.ts';
import type { RetailMonth } from './retail-state.ts';

/** A published change of a price or of availability. */
export interface RetailChange extends Pick<LoggedEvent, 'at' | 'before' | 'after'> {
  readonly retailer: NonNullable<LoggedEvent['retailer']>;
}

/** A price from an instant on; null without an offer. */
export interface PriceStep {
  readonly at: number;
  readonly cents: number | null;
}

/** The published price history of a set at one retailer. */
export interface PricePast {
  readonly months: readonly RetailMonth[];
  /** Oldest first. */
  readonly changes: readonly RetailChange[];
  /** The current price; null without an offer in stock. */
  readonly priceCents: number | null;
}

/** The steps up to an instant, oldest first. */
export function priceSteps(past: PricePast, at: number): PriceStep[] {
  const { months, changes, priceCents } = past;
  const first = changes[0]?.at;
  // The price before the first logged change extends back to the start of its month, but no further
  // than the log.
  const from = first === undefined ? at : Math.max(monthStart(monthOf(first)), at - eventsKeptMs);
  return [
    ...monthSteps(months, from),
    ...loggedSteps(past, from),
    ...(months.length + changes.length > 0 ? [{ at, cents: priceCents }] : []),
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

/** Out of stock is a null price; the price resumes when it is back in stock. */
function loggedSteps({ changes, priceCents }: PricePast, from: number): PriceStep[] {
  if (changes.length === 0) return [];
  const before = changes.map((change) => change.before);
  let price = before.find((details) => details.priceCents !== undefined)?.priceCents ?? priceCents;
  let inStock = before.find((details) => details.inStock !== undefined)?.inStock ?? true;
  const steps: PriceStep[] = [{ at: from, cents: inStock ? price : null }];
  for (const { at, after } of changes) {
    price = after.priceCents ?? price;
    inStock = after.inStock ?? inStock;
    // One publication may report both changes.
    if (steps.at(-1)?.at === at) steps.pop();
    steps.push({ at, cents: inStock ? price : null });
  }
  return steps;
}
