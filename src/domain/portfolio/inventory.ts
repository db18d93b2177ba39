/** The inventory: an account's lots with their values, filtered, sorted and added up. */
import { compareText } from '../catalog/numbers.ts';
import { foldText } from '../kernel/text.ts';
import type { DataTier } from '../market/evidence.ts';
import type { ListedSet } from '../market/published-records.ts';
import { type Condition, conditions } from '../market/source-rows.ts';
import { type HoldingsTotal, totalOf } from './holdings.ts';
import { type DateBasis, type HoldingStatus, holdingStatuses, type InventoryLot } from './lots.ts';

export interface InventoryRow {
  readonly lot: InventoryLot;
  readonly set: ListedSet;
  /** The name of its collection. */
  readonly brickfolio: string;
  /** Unsold units. */
  readonly units: number;
  /** The cost of the unsold units. */
  readonly costCents: number;
  /** The value of one unit; null if unknown. */
  readonly unitCents: number | null;
  /** How well sales support the value; null if there is no value. */
  readonly tier: DataTier | null;
}

/** The unrealized gain; null without a value. */
export function rowGainCents({ unitCents, units, costCents }: InventoryRow): number | null {
  return unitCents === null ? null : unitCents * units - costCents;
}

/** Whether a value is supported by sales, modeled, or missing. */
export const valueStates = ['valued', 'estimated', 'none'] as const;
export type ValueState = (typeof valueStates)[number];

/** Whether the price was actually paid or is an estimate. */
export const costStates = ['paid', 'estimated'] as const;

/** `held` lots have units left; `sold` lots are sold out. */
export const lotsShown = ['held', 'sold'] as const;

/** Null does not filter. */
export interface InventoryFilter {
  readonly show: (typeof lotsShown)[number];
  readonly brickfolioId: number | null;
  readonly condition: Condition | null;
  readonly status: HoldingStatus | null;
  readonly theme: string | null;
  /** Words in the name, or the start of the number; empty for all. */
  readonly text: string;
  readonly value: ValueState | null;
  readonly cost: (typeof costStates)[number] | null;
  readonly date: DateBasis | null;
}

export const everyLot: InventoryFilter = {
  show: 'held',
  brickfolioId: null,
  condition: null,
  status: null,
  theme: null,
  text: '',
  value: null,
  cost: null,
  date: null,
};

export function filterRows(rows: readonly InventoryRow[], filter: InventoryFilter): InventoryRow[] {
  const isSetMeant = setFilter(rows, filter);
  return rows.filter(
    (row) =>
      row.units > 0 === (filter.show === 'held') &&
      (filter.brickfolioId === null || row.lot.brickfolioId === filter.brickfolioId) &&
      (filter.condition === null || row.lot.condition === filter.condition) &&
      (filter.status === null || row.lot.status === filter.status) &&
      (filter.value === null || valueStateOf(row) === filter.value) &&
      (filter.cost === null || row.lot.isEstimated === (filter.cost === 'estimated')) &&
      (filter.date === null || row.lot.dateBasis === filter.date) &&
      isSetMeant(row),
  );
}

export function valueStateOf({ unitCents, tier }: InventoryRow): ValueState {
  if (unitCents === null) return 'none';
  return tier === 'modeled' ? 'estimated' : 'valued';
}

/**
 * Evaluates themes and words once per set, as a set may have many lots. A complete set number
 * matches only that set, not numbers that start with it.
 */
function setFilter(
  rows: readonly InventoryRow[],
  { theme, text }: InventoryFilter,
): (row: InventoryRow) => boolean {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  const typed = words.join(' ');
  const isTyped = ({ number }: ListedSet) => number.toLowerCase() === typed;
  const isNumber = rows.some(({ set }) => isTyped(set));
  const known = new Map<ListedSet, boolean>();
  const isMeant = (set: ListedSet) => {
    if (theme !== null && set.theme !== theme) return false;
    if (isNumber) return isTyped(set);
    const name = foldText(set.title);
    const number = set.number.toLowerCase();
    return words.every((word) => name.includes(word) || number.startsWith(word));
  };
  return ({ set }) => {
    const is = known.get(set) ?? isMeant(set);
    known.set(set, is);
    return is;
  };
}

/** The sort key of a row; null if unknown. */
type SortKey = (row: InventoryRow) => number | string | null;

const sortKeys = {
  name: ({ set }) => set.title,
  number: ({ set }) => set.number,
  theme: ({ set }) => set.theme,
  collection: ({ brickfolio }) => brickfolio,
  date: ({ lot }) => lot.purchaseDate,
  condition: ({ lot }) => conditions.indexOf(lot.condition),
  status: ({ lot }) => holdingStatuses.indexOf(lot.status),
  quantity: ({ lot, units }) => units || lot.quantity,
  cost: ({ lot, units, costCents }) => (units > 0 ? costCents : lot.priceCents * lot.quantity),
  value: ({ unitCents, units }) => (unitCents === null ? null : unitCents * units),
  gain: rowGainCents,
  gain_pct: (row) => {
    const gain = rowGainCents(row);
    return gain === null || row.costCents === 0 ? null : gain / row.costCents;
  },
} satisfies Readonly<Record<string, SortKey>>;

/** The name of an order in addresses. */
export type InventorySort = keyof typeof sortKeys;

export const inventorySorts = Object.keys(sortKeys) as InventorySort[];

export interface RowOrder {
  readonly sort: InventorySort;
  readonly isDescending: boolean;
}

/**
 * Unknown values come last in both directions. Ties are ordered by newest purchase, then in the
 * given order, which is that of recording.
 */
export function sortRows(rows: readonly InventoryRow[], order: RowOrder): InventoryRow[] {
  const newestFirst = orderBy(rows, sortKeys.date, true);
  return orderBy(newestFirst, sortKeys[order.sort], order.isDescending);
}

/**
 * A stable sort. Only distinct keys are compared; rows are then sorted by number, which is fast for
 * a hundred thousand of them.
 */
function orderBy(
  rows: readonly InventoryRow[],
  keyOf: SortKey,
  isDescending: boolean,
): InventoryRow[] {
  const keys = rows.map(keyOf);
  const known = [...new Set(keys)].filter((key) => key !== null);
  const sorted = known.map((key) => ({ key, ...sortable(key) })).sort(compareSortable);
  if (isDescending) sorted.reverse();
  const ranks = new Map<ReturnType<SortKey>, number>();
  for (const [rank, { key }] of sorted.entries()) ranks.set(key, rank);
  const { length } = rows;
  const places = Float64Array.from(
    keys,
    (key, index) => (ranks.get(key) ?? known.length) * length + index,
  );
  return Array.from(places.sort(), (place) => rows[place % length] as InventoryRow);
}

/** A key for comparison, first by number and then by text. */
interface Sortable {
  readonly size: number;
  readonly text: string;
}

/**
 * Texts that start with a number, such as set numbers, sort by it; case and accents are ignored.
 */
function sortable(key: number | string): Sortable {
  if (typeof key === 'number') return { size: key, text: '' };
  const size = /^\d+/.test(key) ? Number.parseInt(key, 10) : Number.MAX_SAFE_INTEGER;
  return { size, text: foldText(key) };
}

function compareSortable(a: Sortable, b: Sortable): number {
  return a.size - b.size || compareText(a.text, b.text);
}

export interface InventoryTotal extends HoldingsTotal {
  readonly lots: number;
  /** Lots without a value, which count at cost. */
  readonly withoutValue: number;
}

/** Like the API: lots without a value count at cost. */
export function totalOfRows(rows: readonly InventoryRow[]): InventoryTotal {
  const stakes = rows.map(({ lot, units, costCents, unitCents }) => ({
    setKey: lot.setKey,
    condition: lot.condition,
    units,
    costCents,
    unitCents,
  }));
  const withoutValue = rows.filter(({ unitCents }) => unitCents === null).length;
  return { ...totalOf(stakes), lots: rows.length, withoutValue };
}
