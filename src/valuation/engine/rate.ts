/**
 * How often an item sells: its own sales in a window, and what is known of items that have sold
 * like it. A Gamma distribution of the rate follows from both.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import type { SalesRate } from '../../domain/market/evidence.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { usualRates } from '../../domain/market/uncertainty.ts';
import { type Support, supportOf } from './range.ts';

/** What items of a group are known by: as if each had been sold so often in so many days. */
export interface RatePrior {
  readonly sales: number;
  readonly days: number;
}

/** What was learned of how often things sell. */
export interface RateTable {
  /** Sales were seen from this instant on, by kind of item; null where there were none. */
  readonly since: Readonly<Record<ItemKind, number | null>>;
  /** By group; what is missing is looked for in the nearest group, and then in that of all. */
  readonly priors: Readonly<Record<string, RatePrior>>;
}

/** An item in one condition, and when it was sold, in order. */
export interface SellingItem {
  readonly kind: ItemKind;
  readonly condition: Condition;
  readonly releasedAt: number | null;
  readonly times: readonly number[];
}

/** Items that have sold alike, those most like them, and all items of their kind and condition. */
export interface RateGroup {
  readonly name: string;
  readonly nearest: string;
  readonly all: string;
}

/** The sales that count, and the group that they make an item belong to. */
export interface SalesSeen {
  readonly sales: number;
  readonly days: number;
  /** Sales up to the instant, ever. */
  readonly known: number;
  readonly group: RateGroup;
}

/**
 * Sales are counted over half a year: as far back as price guides reach, so that an item which a
 * source was asked about for the first time today has as many as one that was asked about daily.
 */
const windowMs = 180 * dayMs;

/** What was not sold for so long is told from what was. */
const longMs = 365 * dayMs;

/** Before anything is learned, rates of like items differ as if each had sold this often. */
const usualSales = 0.7;

/**
 * The sales within the window before an instant, of which only days count on which sales could be
 * seen. Later sales do not count.
 */
export function salesSeen(item: SellingItem, at: number, since: number | null): SalesSeen {
  const { kind, condition, releasedAt, times } = item;
  const out = releasedAt ?? 0;
  // Nothing can be sold before it is released; where something was, the date is wrong.
  const couldSellFrom = (times[0] ?? out) < out ? 0 : out;
  const from = Math.max(at - windowMs, since ?? 0, couldSellFrom);
  // Whole days: nobody shall read the moment of a sale from it.
  const days = Math.ceil(Math.max(0, at - from) / dayMs);
  const known = countUntil(times, at);
  const sales = days === 0 ? 0 : known - countUntil(times, from);
  const group = groups[kind][condition][howSold(sales, times[known - 1], at)];
  return { sales, days, known, group };
}

/** How an item has sold lately. */
type HowSold = Support | 'never' | 'long ago';

function howSold(sales: number, latest: number | undefined, at: number): HowSold {
  if (latest === undefined) return 'never';
  return latest < at - longMs ? 'long ago' : supportOf(sales);
}

/** Made once: learning asks for every item. */
const groups = {
  set: { sealed: groupsOf('set sealed'), used: groupsOf('set used') },
  minifig: { sealed: groupsOf('minifig sealed'), used: groupsOf('minifig used') },
};

function groupsOf(all: string): Readonly<Record<HowSold, RateGroup>> {
  const of = (how: HowSold, near = how) => ({
    name: `${all} ${how}`,
    nearest: `${all} ${near}`,
    all,
  });
  return {
    never: of('never', '0'),
    'long ago': of('long ago', '0'),
    '0': of('0'),
    '1-2': of('1-2'),
    '3-9': of('3-9'),
    '10+': of('10+'),
  };
}

/** How many of some instants, in order, are not later than one. */
export function countUntil(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How often an item sells; without a table, items like it are known from public averages. */
export function rateOf(item: SellingItem, at: number, rates: RateTable | undefined): SalesRate {
  const { sales, days, group } = salesSeen(item, at, rates?.since[item.kind] ?? null);
  const priors = rates?.priors ?? {};
  const learned = priors[group.name] ?? priors[group.nearest] ?? priors[group.all];
  const prior = learned ?? usualPrior(item, at);
  return { sales, days, priorSales: prior.sales, priorDays: prior.days };
}

function usualPrior(item: SellingItem, at: number): RatePrior {
  const salesPerDay = usualRates(item, at)[item.condition];
  return { sales: usualSales, days: Math.round(usualSales / salesPerDay) };
}
