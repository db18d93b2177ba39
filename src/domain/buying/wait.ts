/**
 * The time to sale. The sales rate is uncertain: a Gamma distribution from the observed sales and a
 * prior from similar items.
 */
import type { SalesRate } from '../market/evidence.ts';

const daysPerMonth = 365.25 / 12;

/** The mean of the rate. */
export function salesPerMonth({ sales, days, priorSales, priorDays }: SalesRate): number {
  return ((priorSales + sales) / (priorDays + days)) * daysPerMonth;
}

/**
 * The median time to the next sale in days, over all possible rates. Competing sellers are assumed
 * to sell first. Units of one item sell one after another: each waits longer than the previous one
 * by the mean time between two sales.
 */
export function medianWaitDays(
  rate: SalesRate,
  { sellersAhead = 0, unit = 1 }: { readonly sellersAhead?: number; readonly unit?: number } = {},
): number {
  const [sales, days] = [rate.priorSales + rate.sales, rate.priorDays + rate.days];
  const first = days * (2 ** (1 / sales) - 1);
  return (first + ((unit - 1) * days) / sales) * (sellersAhead + 1);
}
