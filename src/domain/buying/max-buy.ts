/**
 * The most that one may pay for something that is to be sold again. All in whole cents, so that a
 * person with a pocket calculator comes to the same.
 */

/** What buying costs besides the price. Shares are in hundredths of a percent. */
export interface BuyingCosts {
  /** Sales tax on the price; 0 for whoever has a reseller's certificate. */
  readonly taxBasisPoints: number;
  /** What comes back of the price, below 100 %. */
  readonly cashbackBasisPoints: number;
  /** What it costs to get one unit home. */
  readonly inboundCents: number;
}

const daysPerYear = 365;

/** What a reseller pays who has a certificate and drives there anyway. */
export const noBuyingCosts: BuyingCosts = {
  taxBasisPoints: 0,
  cashbackBasisPoints: 0,
  inboundCents: 0,
};

/** What a unit has cost once it is there: price and tax, less cashback, plus getting it home. */
export function costOf(priceCents: number, costs: BuyingCosts): number {
  const { taxCents, cashbackCents } = priceShares(priceCents, costs);
  return priceCents + taxCents - cashbackCents + costs.inboundCents;
}

/** The parts of the cost that are shares of the price. */
export function priceShares(
  priceCents: number,
  costs: BuyingCosts,
): { readonly taxCents: number; readonly cashbackCents: number } {
  return {
    taxCents: Math.round((priceCents * costs.taxBasisPoints) / 10_000),
    cashbackCents: Math.floor((priceCents * costs.cashbackBasisPoints) / 10_000),
  };
}

/** What must be left of a sale: the cost and the margin on it. */
export function netNeeded(costCents: number, marginBasisPoints: number): number {
  return Math.ceil((costCents * (10_000 + marginBasisPoints)) / 10_000);
}

/** What the money in a cost costs until it comes back: a yearly share for whole days of waiting. */
export function moneyCents(
  costCents: number,
  { moneyBasisPoints, waitDays }: { moneyBasisPoints: number; waitDays: number | null },
): number {
  const days = Math.round(waitDays ?? 0);
  return Math.round((costCents * moneyBasisPoints * days) / (10_000 * daysPerYear));
}

/** What is asked of a purchase besides its costs. */
export interface MarginTerms {
  readonly costs: BuyingCosts;
  /** On cost. */
  readonly marginBasisPoints: number;
  /** What money costs a year; 0 for one's own that would lie idle. */
  readonly moneyBasisPoints: number;
}

/**
 * The largest price at which enough is left of a sale that one waits for; null when not even 0 is
 * low enough. Nothing is charged for a wait that nobody knows.
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
  // Cost never falls as the price rises, so the prices that are low enough end somewhere.
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
