/**
 * How a retailer's price moved, in steps: the lowest price of each month, then every published
 * change that the log still has. Never a single look, which is the source's.
 */
import { type Month, monthOf, monthStart } from '../kernel/time.ts';
import { eventsKeptMs, type LoggedEvent } from './events.ts';
import type { RetailMonth } from './retail-state.ts';

/** A published change of a price, or of whether there is any stock. */
export interface RetailChange extends Pick<LoggedEvent, 'at' | 'before' | 'after'> {
  readonly retailer: NonNullable<LoggedEvent['retailer']>;
}

/** A price from an instant on; null while there is no offer. */
export interface PriceStep {
  readonly at: number;
  readonly cents: number | null;
}

/** What is published of a set at one retailer. */
export interface PricePast {
  readonly months: readonly RetailMonth[];
  /** Oldest first. */
  readonly changes: readonly RetailChange[];
  /** What is asked now; null without an offer in stock. */
  readonly priceCents: number | null;
}

/** The steps up to an instant, oldest first. */
export function priceSteps(past: PricePast, at: number): PriceStep[] {
  const { months, changes, priceCents } = past;
  const first = changes[0]?.at;
  // The price before the first change is taken back to the beginning of its month, and no further
  // than the log goes.
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

/** A price that is out of stock is none, and is the same when it is back. */
function loggedSteps({ changes, priceCents }: PricePast, from: number): PriceStep[] {
  if (changes.length === 0) return [];
  const before = changes.map((change) => change.before);
  let price = before.find((told) => told.priceCents !== undefined)?.priceCents ?? priceCents;
  let inStock = before.find((told) => told.inStock !== undefined)?.inStock ?? true;
  const steps: PriceStep[] = [{ at: from, cents: inStock ? price : null }];
  for (const { at, after } of changes) {
    price = after.priceCents ?? price;
    inStock = after.inStock ?? inStock;
    // One publication may tell of both.
    if (steps.at(-1)?.at === at) steps.pop();
    steps.push({ at, cents: inStock ? price : null });
  }
  return steps;
}

/** The steps of several retailers side by side: what each asks at every step of any of them. */
export function stepsTogether(
  all: readonly (readonly PriceStep[])[],
): { readonly at: number; readonly cents: readonly (number | null)[] }[] {
  const instants = [...new Set(all.flat().map(({ at }) => at))].sort((a, b) => a - b);
  return instants.map((at) => ({
    at,
    cents: all.map((steps) => steps.findLast((step) => step.at <= at)?.cents ?? null),
  }));
}
