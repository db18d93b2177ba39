/** A published item of the market list, with the numbers that lists filter and sort by. */

import { type ItemClass, ranksLast } from '../../catalog/items/item-class.ts';
import type { ItemRef } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import { minifigTheme } from '../../catalog/items/themes.ts';
import { percentOf } from '../../kernel/money.ts';
import type { DataTier } from '../evidence/evidence.ts';
import { fillKnownValues } from '../history/daily-values.ts';
import type { RecentMonths } from '../values/set-values.ts';

/** An item as the store lists it. */
export interface MarketRecord extends ItemRef {
  /** The canonical number. */
  readonly number: string;
  readonly name: string;
  /** The theme of a set; the category of a minifig, which may be a path. */
  readonly theme: string | null;
  /** Null for minifigs. */
  readonly subtheme: string | null;
  readonly year: number | null;
  /** Null for minifigs. */
  readonly pieces: number | null;
  readonly statusId: StatusId | null;
  readonly itemClass: ItemClass | null;
  /** A measure of how much the item is traded; higher values are listed first. */
  readonly interest: number;
  /** How well sales support the value; in the list, null if there is no value. */
  readonly tier: DataTier | null;
  /** The value of a sealed set, or of a used minifig. */
  readonly valueCents: number | null;
  /** The values of a sealed set at the ends of recent months. */
  readonly months: RecentMonths | null;
  /** The day of the value, in days since 1970; null if it was never computed. */
  readonly day: number | null;
  /** The list price of a set. */
  readonly msrpCents: number | null;
  /** The lowest price at a retailer that has the set in stock. */
  readonly priceCents: number | null;
  /** Units sold in 90 days of those that were for sale, in percent; null if not known. */
  readonly sellThrough: number | null;
  readonly soldPerMonth: number | null;
  /** Distinct sellers in 90 days. */
  readonly sellers: number | null;
}

export interface MarketItem extends Omit<MarketRecord, 'itemClass' | 'months' | 'day'> {
  readonly ranksLast: boolean;
  /** The change up to the day of the value, in percent; null unless sales support both values. */
  readonly change30: number | null;
  readonly change90: number | null;
  readonly change365: number | null;
}

export function toMarketItem(record: MarketRecord): MarketItem {
  const { itemClass, months, day, ...item } = record;
  const { kind, theme, valueCents } = item;
  const changes = item.tier === 'modeled' ? null : changesOf(record);
  return {
    ...item,
    theme: kind === 'set' || theme === null ? theme : minifigTheme(theme),
    tier: valueCents === null ? null : item.tier,
    ranksLast: ranksLast(itemClass, item.name),
    change30: changes?.change30 ?? null,
    change90: changes?.change90 ?? null,
    change365: changes?.change365 ?? null,
  };
}

function changesOf({ months, valueCents, day }: MarketRecord) {
  if (months === null || valueCents === null || day === null) return null;
  const values = new Float64Array(4).fill(Number.NaN);
  const days = Int32Array.of(day - 365, day - 90, day - 30, day);
  fillKnownValues(values, { months, liveCents: valueCents }, days);
  const since = (before = Number.NaN) =>
    before > 0 ? percentOf(valueCents - before, before) : null;
  return { change365: since(values[0]), change90: since(values[1]), change30: since(values[2]) };
}

/**
 * The list price of a set divided by its pieces, in cents with two decimals, as it is shown: limits
 * and ties mean that number. Null if either is unknown.
 */
export function pricePerPieceOf({
  msrpCents,
  pieces,
}: Pick<MarketItem, 'msrpCents' | 'pieces'>): number | null {
  if (msrpCents === null || pieces === null || pieces === 0) return null;
  return Math.round((100 * msrpCents) / pieces) / 100;
}

/** How far the lowest price at a retailer is below the value, in percent. */
export function belowValueOf({
  valueCents,
  priceCents,
}: Pick<MarketItem, 'valueCents' | 'priceCents'>): number | null {
  if (valueCents === null || priceCents === null) return null;
  return percentOf(valueCents - priceCents, valueCents);
}
