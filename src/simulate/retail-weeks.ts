/** Retailers' own lowest prices, week by week, from the offers of a set. */

import { weekOf } from '../domain/kernel/time.ts';
import type { RetailWeek } from '../domain/market/estimator.ts';
import { type Offer, ownPriceCents } from '../domain/market/source-rows.ts';

/** The weeks in which a retailer itself had the set in stock, in order; offers come in any. */
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
