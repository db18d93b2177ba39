/**
 * Fees that are charged to no sale, because they depend on how the seller works, not on the item.
 * They are named wherever the fees of their channels are shown. Sources: Amazon's pages 'Pricing'
 * and 'FBA inbound placement service fee', as of January 15, 2026.
 */
import type { Platform } from './platforms.ts';

export const leftOutFees = ['selling_plan', 'inbound_placement'] as const;
export type LeftOutFee = (typeof leftOutFees)[number];

/** In the order of `leftOutFees`. */
export function leftOutOf(channel: Platform | 'fba'): readonly LeftOutFee[] {
  if (channel === 'fba') return leftOutFees;
  return channel === 'amazon' ? ['selling_plan'] : [];
}

/** A sentence about each, with its amount. */
export const leftOutTexts: Readonly<Record<LeftOutFee, string>> = {
  selling_plan: "Amazon's selling plan is not included: $39.99 a month, or $0.99 per item sold.",
  inbound_placement:
    "Amazon's inbound placement fee is not included: about $0.20 to $0.70 for a standard-size " +
    'unit sent to one warehouse.',
};
