/** Filters and orders of the market list, for pages and for the API. */
import { compareText } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import { type DataTier, dataTiers } from '../evidence/evidence.ts';
import { belowValueOf, type MarketItem, pricePerPieceOf } from './market-item.ts';

type ReadNumber = (item: MarketItem) => number | null;

/** Numbers of items by name: years, cents, percentages; null: unknown. */
export const marketNumbers = {
  year: ({ year }) => year,
  pieces: ({ pieces }) => pieces,
  value: ({ valueCents }) => valueCents,
  change30: ({ change30 }) => change30,
  change90: ({ change90 }) => change90,
  change365: ({ change365 }) => change365,
  pricePerPiece: pricePerPieceOf,
  belowValue: belowValueOf,
  sellThrough: ({ sellThrough }) => sellThrough,
} as const satisfies Readonly<Record<string, ReadNumber>>;

export type MarketNumber = keyof typeof marketNumbers;

/** Inclusive; null: no limit on that side. */
export interface NumberRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Null does not filter. */
export interface MarketFilters {
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly statusId: StatusId | null;
  readonly tier: DataTier | null;
  /** Items with this tier or a better one. */
  readonly minTier: DataTier | null;
  /** An item without the number is in no range. */
  readonly ranges: Readonly<Partial<Record<MarketNumber, NumberRange>>>;
}

export const noFilters: MarketFilters = {
  theme: null,
  subtheme: null,
  statusId: null,
  tier: null,
  minTier: null,
  ranges: {},
};

export function isFiltered({ ranges, ...filters }: MarketFilters): boolean {
  return rangeTests(ranges).length > 0 || Object.values(filters).some((value) => value !== null);
}

/** The test that an item has to pass. */
export function filterOf(filters: MarketFilters): (item: MarketItem) => boolean {
  const { theme, subtheme, statusId, tier, minTier } = filters;
  const tests = rangeTests(filters.ranges);
  return (item) =>
    (theme === null || item.theme === theme) &&
    (subtheme === null || item.subtheme === subtheme) &&
    (statusId === null || item.statusId === statusId) &&
    (tier === null || item.tier === tier) &&
    (minTier === null || isAtLeast(item.tier, minTier)) &&
    tests.every((test) => test(item));
}

function rangeTests(ranges: MarketFilters['ranges']): ((item: MarketItem) => boolean)[] {
  return Object.entries(ranges).flatMap(([name, { from, to }]) => {
    if (from === null && to === null) return [];
    const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
    const read: ReadNumber = marketNumbers[name as MarketNumber];
    return (item: MarketItem) => {
      const value = read(item);
      return value !== null && value >= least && value <= most;
    };
  });
}

function isAtLeast(tier: DataTier | null, least: DataTier): boolean {
  return tier !== null && dataTiers.indexOf(tier) <= dataTiers.indexOf(least);
}

export type SortValue = string | number | null;

/** Where an item is in an order: the value that it is by, and the key, which decides ties. */
export interface SortKey {
  readonly by: SortValue;
  readonly key: string;
}

/** Unknown values come last in both directions; ties are ordered by key. */
export function compareBy(isDescending: boolean): (a: SortKey, b: SortKey) => number {
  const sign = isDescending ? -1 : 1;
  return (a, b) => sign * compare(a.by, b.by, sign) || compareText(a.key, b.key);
}

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return sign * (Number(a === null) - Number(b === null));
  return a < b ? -1 : a > b ? 1 : 0;
}
