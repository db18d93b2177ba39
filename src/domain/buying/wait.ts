/**
 * How long something takes to sell. Sales come at a rate that is not known exactly: what is known
 * is how many there were, and how often things like it sell (a Gamma distribution of the rate).
 */
import type { SalesRate } from '../market/evidence.ts';

/** Days in a month, on average. */
const daysPerMonth = 365.25 / 12;

/** Sales a month, as a mean. */
export function salesPerMonth({ sales, days, priorSales, priorDays }: SalesRate): number {
  return ((priorSales + sales) / (priorDays + days)) * daysPerMonth;
}

/**
 * Half of those who wait, wait no longer than this, in days: the median of the time to the next
 * sale over all rates that are possible. Whoever stands in line with others waits for them, too.
 * Units of one item sell one after another: each waits longer than the one before it by the time
 * between two sales.
 */
export function medianWaitDays(
  rate: SalesRate,
  { sellersAhead = 0, unit = 1 }: { readonly sellersAhead?: number; readonly unit?: number } = {},
): number {
  const [sales, days] = [rate.priorSales + rate.sales, rate.priorDays + rate.days];
  const first = days * (2 ** (1 / sales) - 1);
  return (first + ((unit - 1) * days) / sales) * (sellersAhead + 1);
}
