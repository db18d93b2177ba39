/**
 * How often an item sells: its own sales in a window, and what is known of items like it before
 * they showed it. Groups of items are alike in kind, condition and age.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import type { SalesRate } from '../../domain/market/evidence.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { usualRates } from '../../domain/market/uncertainty.ts';
import type { SaleTrack } from './sale-track.ts';

/** What items of a group are known by: as if each had been sold so often in so many days. */
export interface RatePrior {
  readonly sales: number;
  readonly days: number;
}

/** What was learned of how often things sell. */
export interface RateTable {
  /** Sales were seen from this instant on, by kind of item; null where there were none. */
  readonly since: Readonly<Record<ItemKind, number | null>>;
  /** By group; what is missing is looked for in wider groups. */
  readonly priors: Readonly<Record<string, RatePrior>>;
}

/** An item in one condition, at an instant. */
export interface SellingItem {
  readonly kind: ItemKind;
  readonly condition: Condition;
  readonly releasedAt: number | null;
  readonly at: number;
  readonly track: SaleTrack;
}

/** Sales are counted over so many days: as many as price guides tell of. */
const windowMs = 180 * dayMs;

/** Before anything is learned, rates of like items differ as if each had sold this often. */
const usualSales = 0.7;

const yearMs = 365.25 * dayMs;

/** Groups of ages begin at so many years. */
const ageYears = [0, 1, 2, 3, 6, 11, 21] as const;

/** The groups that an item is in, the narrowest first. */
export function rateGroups({ kind, condition, releasedAt, at }: SellingItem): readonly string[] {
  const all = `${kind} ${condition}`;
  if (releasedAt === null) return [all];
  const years = Math.max(0, (at - releasedAt) / yearMs);
  return [`${all} ${ageYears.findLast((from) => from <= years)}`, all];
}

/** The sales within the window, of which only days count on which sales could be seen. */
export function salesInWindow(
  { releasedAt, at, track }: SellingItem,
  since: number | null,
): Pick<SalesRate, 'sales' | 'days'> {
  const out = releasedAt ?? 0;
  // Nothing can be sold before it is released; where something was, the date is wrong.
  const couldSellFrom = (track.times[0] ?? out) < out ? 0 : out;
  const from = Math.max(at - windowMs, since ?? 0, couldSellFrom);
  // Whole days: nobody shall read the moment of a first sale from it.
  const days = Math.ceil(Math.max(0, at - from) / dayMs);
  return { sales: days === 0 ? 0 : track.countSince(from), days };
}

/** How often an item sells; without a table, items like it are known from public averages. */
export function rateOf(item: SellingItem, rates: RateTable | undefined): SalesRate {
  const counted = salesInWindow(item, rates?.since[item.kind] ?? null);
  const { sales, days } = learnedPrior(item, rates) ?? usualPrior(item);
  return { ...counted, priorSales: sales, priorDays: days };
}

function learnedPrior(item: SellingItem, rates: RateTable | undefined): RatePrior | null {
  for (const name of rateGroups(item)) {
    const found = rates?.priors[name];
    if (found) return found;
  }
  return null;
}

function usualPrior(item: SellingItem): RatePrior {
  const salesPerDay = usualRates(item, item.at)[item.condition];
  return { sales: usualSales, days: Math.round(usualSales / salesPerDay) };
}
