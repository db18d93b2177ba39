/** The inventory: an account's lots with their values, filtered, put in order and added up. */
import { compareText } from '../catalog/numbers.ts';
import { foldText } from '../kernel/text.ts';
import type { DataTier } from '../market/evidence.ts';
import type { ListedSet } from '../market/market-reading.ts';
import { type Condition, conditions } from '../market/source-rows.ts';
import { type HoldingsTotal, totalOf } from './holdings.ts';
import type { InventoryLot } from './lot-store.ts';
import { type DateBasis, type HoldingStatus, holdingStatuses } from './lots.ts';

/** A lot with its set and its value. */
export interface InventoryRow {
  readonly lot: InventoryLot;
  readonly set: ListedSet;
  /** The name of its collection. */
  readonly brickfolio: string;
  /** What is left of it. */
  readonly units: number;
  /** What the units that are left cost. */
  readonly costCents: number;
  /** The value of one unit; null when it is not known. */
  readonly unitCents: number | null;
  /** How well sales support the value; null when it is not known. */
  readonly tier: DataTier | null;
}

/** The gain of what is left of a lot; null without a value. */
export function rowGainCents({ unitCents, units, costCents }: InventoryRow): number | null {
  return unitCents === null ? null : unitCents * units - costCents;
}

/** What may be known of the value of a lot. */
export const valueStates = ['valued', 'estimated', 'none'] as const;
export type ValueState = (typeof valueStates)[number];

/** Whether the price was paid, or is an estimate. */
export const costStates = ['paid', 'estimated'] as const;

/** Which lots are shown: those with units left, or those that are sold out. */
export const lotsShown = ['held', 'sold'] as const;

/** Which lots are asked for; null does not limit. */
export interface InventoryFilter {
  readonly show: (typeof lotsShown)[number];
  readonly brickfolioId: number | null;
  readonly condition: Condition | null;
  readonly status: HoldingStatus | null;
  readonly theme: string | null;
  /** Words of the name, or the beginning of the number; empty for all. */
  readonly text: string;
  readonly value: ValueState | null;
  readonly cost: (typeof costStates)[number] | null;
  readonly date: DateBasis | null;
}

/** Every lot with units left. */
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

/** The rows that are asked for. */
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

/** Whether the value of a lot comes from sales, is an estimate, or is not known. */
export function valueStateOf({ unitCents, tier }: InventoryRow): ValueState {
  if (unitCents === null) return 'none';
  return tier === 'modeled' ? 'estimated' : 'valued';
}

/**
 * Themes and words are looked at once for each set: it may have many lots. A complete number means
 * that set alone, not those whose numbers begin with it.
 */
function setFilter(
  rows: readonly InventoryRow[],
  { theme, text }: InventoryFilter,
): (row: InventoryRow) => boolean {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  if (theme === null && words.length === 0) return () => true;
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

/** What rows can be sorted by. */
export const inventorySorts = [
  'name',
  'number',
  'theme',
  'collection',
  'quantity',
  'condition',
  'date',
  'cost',
  'value',
  'gain',
  'gain_pct',
  'status',
] as const;
export type InventorySort = (typeof inventorySorts)[number];

/** An order of rows. */
export interface RowOrder {
  readonly sort: InventorySort;
  readonly isDescending: boolean;
}

/**
 * The rows in order. What has no value comes last either way; what is alike, the newest purchase
 * first, then as it was recorded, which is how rows are given.
 */
export function sortRows(rows: readonly InventoryRow[], order: RowOrder): InventoryRow[] {
  if (order.sort === 'date') return orderBy(rows, dateKey, order.isDescending);
  const newestFirst = orderBy(rows, dateKey, true);
  return orderBy(newestFirst, sortKeys[order.sort], order.isDescending);
}

/** What a row is sorted by; null when it is not known. */
type SortKey = (row: InventoryRow) => number | string | null;

const dateKey: SortKey = ({ lot }) => lot.purchaseDate;

const sortKeys: Readonly<Record<InventorySort, SortKey>> = {
  name: ({ set }) => set.title,
  number: ({ set }) => set.number,
  theme: ({ set }) => set.theme,
  collection: ({ brickfolio }) => brickfolio,
  date: dateKey,
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
};

/**
 * Rows by a key, those with the same one as they were. Keys are compared once for each that there
 * is; rows are then put in order by numbers, which is fast for a hundred thousand of them.
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

/** A key as it is compared: first by its size, then by its letters. */
interface Sortable {
  readonly size: number;
  readonly text: string;
}

/** Texts that begin with a number go by it, as set numbers do; case and accents do not matter. */
function sortable(key: number | string): Sortable {
  if (typeof key === 'number') return { size: key, text: '' };
  const size = /^\d+/.test(key) ? Number.parseInt(key, 10) : Number.MAX_SAFE_INTEGER;
  return { size, text: foldText(key) };
}

function compareSortable(a: Sortable, b: Sortable): number {
  return a.size - b.size || compareText(a.text, b.text);
}

/** Rows added up. */
export interface InventoryTotal extends HoldingsTotal {
  readonly lots: number;
  /** Lots without a value, which count with what they cost. */
  readonly withoutValue: number;
}

/** Adds rows up as the API does it: what has no value counts with what it cost. */
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
