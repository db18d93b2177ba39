/**
 * The maximum price for something to be resold. All amounts are rounded to cents at each step, so
 * that the result can be checked with a pocket calculator.
 */

/** Costs of buying in addition to the price. `BasisPoints` are hundredths of a percent. */
export interface BuyingCosts {
  /** Sales tax on the price; 0 with a resale certificate. */
  readonly taxBasisPoints: number;
  /** Cashback on the price, below 100 %. */
  readonly cashbackBasisPoints: number;
  /** The cost of getting one unit home. */
  readonly inboundCents: number;
}

const daysPerYear = 365;

/** For a reseller with a resale certificate and without shipping costs. */
export const noBuyingCosts: BuyingCosts = {
  taxBasisPoints: 0,
  cashbackBasisPoints: 0,
  inboundCents: 0,
};

/** The landed cost of a unit: price and tax, less cashback, plus inbound shipping. */
export function costOf(priceCents: number, costs: BuyingCosts): number {
  const { taxCents, cashbackCents } = priceShares(priceCents, costs);
  return priceCents + taxCents - cashbackCents + costs.inboundCents;
}

/** The parts of the cost that are proportional to the price. */
export function priceShares(
  priceCents: number,
  costs: BuyingCosts,
): { readonly taxCents: number; readonly cashbackCents: number } {
  return {
    taxCents: Math.round((priceCents * costs.taxBasisPoints) / 10_000),
    cashbackCents: Math.floor((priceCents * costs.cashbackBasisPoints) / 10_000),
  };
}

/** The net proceeds needed: the cost plus the margin on it. */
export function netNeeded(costCents: number, marginBasisPoints: number): number {
  return Math.ceil((costCents * (10_000 + marginBasisPoints)) / 10_000);
}

/** The cost of capital until the sale, at a yearly rate for whole days. */
export function moneyCents(
  costCents: number,
  { moneyBasisPoints, waitDays }: { moneyBasisPoints: number; waitDays: number | null },
): number {
  const days = Math.round(waitDays ?? 0);
  return Math.round((costCents * moneyBasisPoints * days) / (10_000 * daysPerYear));
}

/** Requirements of a purchase. */
export interface MarginTerms {
  readonly costs: BuyingCosts;
  /** On cost. */
  readonly marginBasisPoints: number;
  /** The yearly cost of capital; 0 for capital that would otherwise be idle. */
  readonly moneyBasisPoints: number;
}

/**
 * The highest price at which the net proceeds cover cost, margin and capital; null if even 0 is too
 * high. An unknown wait costs nothing.
 */
export function maxBuyCents(
  netCents: number,
  { costs, marginBasisPoints, moneyBasisPoints }: MarginTerms,
  waitDays: number | null = null,
): number | null {
  const isEnough = (priceCents: number) => {
    const cost = costOf(priceCents, costs);
    const money = moneyCents(cost, { moneyBasisPoints, waitDays });
    return netCents >= netNeeded(cost, marginBasisPoints) + money;
  };
  if (!isEnough(0)) return null;
  // Cost increases monotonically with the price, so the limit is found by bisection.
  let enough = 0;
  let tooMuch = 1;
  while (isEnough(tooMuch)) {
    enough = tooMuch;
    tooMuch *= 2;
  }
  while (tooMuch - enough > 1) {
    const middle = Math.floor((enough + tooMuch) / 2);
    if (isEnough(middle)) enough = middle;
    else tooMuch = middle;
  }
  return enough;
}
