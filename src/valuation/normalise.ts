/** A sale as a comparable price: what one complete unit cost its buyer, delivered, in dollars. */
import type { StoredSale } from '../domain/market.ts';

/** A sale that counts. */
export interface Observation {
  readonly at: number;
  /** Natural logarithm of the unit price in US cents: ratios are what is compared. */
  readonly log: number;
  /** How much it says: 1 for an ordinary sale, less where it had to be adjusted. */
  readonly weight: number;
  readonly knownAt: number;
  readonly retractedAt: number | null;
}

/** Shipping above this share of the price, and above this amount, is not the real shipping. */
const shippingShareMax = 0.25;
const shippingUsdMax = 25;

/** Buying several saves about 3 % per doubling-or-so; more than five is a wholesale price. */
const bulkDiscountLog = 0.03;
const bulkQuantityMax = 5;

/** The observation that a sale makes, or null when it cannot be compared with others. */
export function normalise(sale: StoredSale): Observation | null {
  const condition = conditionAdjustment(sale);
  if (condition === null || sale.usdPerUnit <= 0) return null;
  const unitCents = ((sale.priceCents + fairShipping(sale)) / sale.quantity) * sale.usdPerUnit;
  if (unitCents < 1) return null;
  const bulk = Math.log(Math.min(sale.quantity, bulkQuantityMax)) * bulkDiscountLog;
  return {
    at: sale.soldAt,
    log: Math.log(unitCents) + bulk + condition.log,
    weight: condition.weight * (sale.quantity > bulkQuantityMax ? 0.5 : 1),
    knownAt: sale.ingestedAt,
    retractedAt: sale.retractedAt,
  };
}

function fairShipping(sale: StoredSale): number {
  const shareMax = sale.priceCents * shippingShareMax;
  const amountMax = (shippingUsdMax * 100) / sale.usdPerUnit;
  return sale.shippingCents > Math.max(shareMax, amountMax) ? 0 : sale.shippingCents;
}

/** What to add to the logarithm so that the unit counts as complete; null: it never can. */
function conditionAdjustment(sale: StoredSale): { log: number; weight: number } | null {
  switch (sale.completeness) {
    case 'incomplete':
      return null;
    case 'damaged_box':
      return sale.condition === 'sealed' ? { log: 0.1, weight: 0.5 } : { log: 0, weight: 1 };
    case 'no_box':
    case 'no_instructions':
      return { log: 0.05, weight: 0.67 };
    case 'unknown':
    case null:
      return { log: 0, weight: sale.condition === 'used' ? 0.5 : 1 };
    case 'complete':
      return { log: 0, weight: 1 };
  }
}
