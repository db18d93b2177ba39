/** The profit of recorded sales by theme, period, platform, where units were bought, and age. */

import { compareText } from '../../catalog/items/numbers.ts';
import { sumOf } from '../../kernel/sum.ts';
import { dayOf, parseDay } from '../../kernel/time.ts';
import { platformNames } from '../../market/fees/platforms.ts';
import { type LedgerSale, type Proceeds, type SaleAmounts, sumSales } from './ledger.ts';
import type { SoldLot } from './sold-lots.ts';

export const profitGroupings = [
  'theme',
  'year',
  'month',
  'platform',
  'bought_at',
  'time_held',
] as const;

export type ProfitGrouping = (typeof profitGroupings)[number];

/** The units that a sale took from one lot. */
export interface SoldUnits {
  readonly sale: LedgerSale;
  readonly part: SoldLot;
  /** Empty if the item is not in the catalog. */
  readonly theme: string;
}

/** The sales of a group. */
export interface ProfitRow extends SaleAmounts, Proceeds {
  /** Sorts the groups of a grouping in their usual order. */
  readonly key: string;
  readonly name: string;
  readonly sales: number;
  readonly units: number;
  /** The mean of the units with a known purchase date; null if there is none. */
  readonly daysHeld: number | null;
}

type Group = Pick<ProfitRow, 'key' | 'name'>;

/** A time held: up to this many days, inclusive. */
const timesHeld: readonly { readonly daysMax: number; readonly name: string }[] = [
  { daysMax: 30, name: 'Up to 30 days' },
  { daysMax: 90, name: '31 to 90 days' },
  { daysMax: 180, name: '91 to 180 days' },
  { daysMax: 365, name: '181 days to 1 year' },
  { daysMax: 2 * 365, name: '1 to 2 years' },
  { daysMax: 5 * 365, name: '2 to 5 years' },
  { daysMax: Number.POSITIVE_INFINITY, name: 'More than 5 years' },
];

/** Sorts after every other key. */
const lastKey = '\uffff';

const groupOf: Readonly<Record<ProfitGrouping, (units: SoldUnits) => Group>> = {
  theme: ({ theme }) => named(theme, 'Not in the catalog'),
  year: ({ sale }) => named(sale.saleDate.slice(0, 4)),
  month: ({ sale }) => named(sale.saleDate.slice(0, 7)),
  platform: ({ sale }) => named(platformNames[sale.platform]),
  bought_at: ({ part }) => named(part.bought?.boughtAt ?? '', 'Not recorded'),
  time_held: (units) => {
    const days = daysHeld(units);
    const index = days === null ? -1 : timesHeld.findIndex(({ daysMax }) => days <= daysMax);
    const time = timesHeld[index];
    return time
      ? { key: String(index), name: time.name }
      : { key: lastKey, name: 'Purchase date unknown' };
  },
};

function named(name: string, missing = ''): Group {
  return name === '' ? { key: lastKey, name: missing } : { key: name.toLowerCase(), name };
}

/** Null if the purchase date is unknown. A sale before its purchase was held for no time. */
function daysHeld({ sale, part }: SoldUnits): number | null {
  const from = parseDay(part.bought?.date ?? '');
  const to = parseDay(sale.saleDate);
  return from === null || to === null ? null : Math.max(0, dayOf(to) - dayOf(from));
}

/** One row per group, in the order of their keys. Amounts are plain sums, exact to the cent. */
export function profitBy(grouping: ProfitGrouping, sold: readonly SoldUnits[]): ProfitRow[] {
  const groups = new Map<string, { readonly name: string; readonly sold: SoldUnits[] }>();
  for (const units of sold) {
    const { key, name } = groupOf[grouping](units);
    const group = groups.get(key) ?? { name, sold: [] };
    group.sold.push(units);
    groups.set(key, group);
  }
  return [...groups]
    .map(([key, group]) => ({ key, name: group.name, ...totalOf(group.sold) }))
    .sort((a, b) => compareText(a.key, b.key));
}

export function totalOf(sold: readonly SoldUnits[]): Omit<ProfitRow, 'key' | 'name'> {
  const dated = sold.flatMap((each) => {
    const days = daysHeld(each);
    return days === null ? [] : [{ days, units: each.part.quantity }];
  });
  const datedUnits = sumOf(dated, ({ units }) => units);
  return {
    ...sumSales(sold.map(({ part }) => part)),
    sales: new Set(sold.map(({ sale }) => sale.id)).size,
    units: sumOf(sold, ({ part }) => part.quantity),
    daysHeld:
      datedUnits === 0 ? null : sumOf(dated, ({ days, units }) => days * units) / datedUnits,
  };
}
