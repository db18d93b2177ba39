/**
 * How often an item sells, and how long your unit takes. The sales rate is uncertain: a Gamma
 * distribution from the observed sales and a prior from similar items. Units of all sellers queue
 * for the buyers of a channel; cheaper ones go first.
 */
import { dayMs, dayOf } from '../../kernel/time.ts';
import type { SalesRate, Season } from '../evidence/evidence.ts';
import { calendarDays } from './season.ts';

const daysPerMonth = 365.25 / 12;

/** The mean of the rate, in all channels together. */
export function salesPerMonth(rate: SalesRate): number {
  return monthly(posterior(rate, rate.sales));
}

/** The same from the sales that count in waits, so that one seller does not shorten them. */
export function countedPerMonth(rate: SalesRate): number {
  return monthly(posterior(rate));
}

function monthly({ sales, days }: { readonly sales: number; readonly days: number }): number {
  return (sales / days) * daysPerMonth;
}

function posterior(rate: SalesRate, sales = rate.countedSales ?? rate.sales) {
  const { days, priorSales, priorDays, seasonIndex = 1 } = rate;
  return { sales: priorSales + sales, days: priorDays + days * seasonIndex };
}

/** The place of a unit among those for sale in its channel. */
export interface Queue {
  /** Of the item's sales, those in the channel: above 0, up to 1. */
  readonly share: number;
  /** Units of other sellers. */
  readonly rivals: number;
  /** The share of rivals that are cheaper. */
  readonly cheaper: number;
}

/**
 * The median days until the nth unit of one seller is sold, over all possible rates. In the middle
 * of the queue, each buyer takes any unit with the same probability; the cheapest unit is taken by
 * the next buyer.
 */
export function medianWaitDays(
  rate: SalesRate,
  { share, rivals, cheaper }: Queue,
  unit = 1,
): number {
  const { sales, days } = posterior(rate);
  const first = days * (2 ** (1 / sales) - 1);
  const buyersPerUnit = (rivals + 1) ** (2 * cheaper);
  // Several units on offer at once share the queue: n + r(1/2 + … + 1/n) buyers for n units.
  const moreBuyers = unit - 1 + (buyersPerUnit - 1) * Math.log(unit);
  return (first * buyersPerUnit + moreBuyers * (days / sales)) / share;
}

/** Days of an average season as days of the calendar, the same throughout a day. */
export function inSeason(days: number, season: Season | null, at: number): number {
  return season ? calendarDays(season, dayOf(at) * dayMs, days) : days;
}
