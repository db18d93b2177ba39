/** Deals that an account skipped: they come back at a lower price. */
import type { DealCandidate } from './deal.ts';

/** Skipped deals per account; beyond that, the oldest come back. */
export const skippedDealsMax = 500;

export interface SkippedDeal {
  readonly setKey: string;
  readonly priceCents: number;
  readonly skippedAt: number;
}

/** Whether an offer costs at least what was skipped, at any retailer. */
export function isSkipped(
  { setKey, offer }: Pick<DealCandidate, 'setKey' | 'offer'>,
  skipped: ReadonlyMap<string, number>,
): boolean {
  const priceCents = skipped.get(setKey);
  return priceCents !== undefined && offer.priceCents >= priceCents;
}

export function skippedPrices(deals: readonly SkippedDeal[]): ReadonlyMap<string, number> {
  return new Map(deals.map(({ setKey, priceCents }) => [setKey, priceCents]));
}
