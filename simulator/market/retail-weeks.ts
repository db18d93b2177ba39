/** Lowest prices of retailers themselves by week. */

import { weekOf } from '../../src/kernel/time.ts';
import { type Offer, ownPriceCents } from '../../src/market/source-rows/source-rows.ts';
import type { RetailWeek } from '../../src/market/values/estimator.ts';

/** Weeks with the set in stock, in order; offers may be in any order. */
export function retailWeeks(offers: readonly Offer[]): RetailWeek[] {
  const weeks = new Map<number, number>();
  for (const offer of offers) {
    const priceCents = ownPriceCents(offer);
    if (priceCents === null) continue;
    const week = weekOf(offer.observedAt);
    weeks.set(week, Math.min(weeks.get(week) ?? priceCents, priceCents));
  }
  return [...weeks]
    .map(([week, priceCents]) => ({ week, priceCents }))
    .sort((a, b) => a.week - b.week);
}
