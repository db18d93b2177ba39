/** The inventory: an account's lots with their values, filtered, sorted and added up. */

import { compareText, type ItemKind } from '../../catalog/items/numbers.ts';
import { foldText } from '../../kernel/text.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { type GradeShare, gradeRank } from '../../market/grades/grades.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { byName, type FieldKind, nameIn } from './fields.ts';
import { type HoldingsTotal, totalOf } from './holdings.ts';
import { isInPlace, type OwnField, ownValues, tagsOf } from './lot-details.ts';
import {
  assumedFields,
  detailFields,
  type LotField,
  optionalFields,
  purchaseFields,
} from './lot-fields.ts';
import type { InventoryLot } from './lots.ts';

export interface InventoryRow {
  readonly lot: InventoryLot;
  readonly item: ListedItem;
  /** The name of its collection. */
  readonly brickfolio: string;
  /** Unsold units. */
  readonly units: number;
  /** The cost of the unsold units. */
  readonly costCents: number;
  /** The value of one unit; null if unknown. */
  readonly unitCents: number | null;
  /** How long it has been listed, in days; null if it is not, or since when is unknown. */
  readonly daysListed: number | null;
  /** The share of the condition's value that the grade leaves. */
  readonly share: GradeShare;
  /** How well sales support the value; null if there is no value. */
  readonly tier: DataTier | null;
}

/** The unrealized gain; null without a value. */
export function rowGainCents({
  unitCents,
  units,
  costCents,
}: Pick<InventoryRow, 'unitCents' | 'units' | 'costCents'>): number | null {
  return unitCents === null ? null : unitCents * units - costCents;
}

/** Whether a value is supported by sales, modeled, or missing. */
export const valueStates = ['valued', 'estimated', 'none'] as const;
export type ValueState = (typeof valueStates)[number];

/** `held` lots have units left; `sold` lots are sold out. */
export const lotsShown = ['held', 'sold'] as const;

/** Names in addresses that are not those of files. */
export const filterNames = { isEstimated: 'cost', dateBasis: 'date', tags: 'tag' } as const;
export const columnNames = { listedAt: 'listed', listingUrl: 'listing_link' } as const;

const filterKinds = ['choice', 'flag', 'grade', 'tags', 'place'] as const;
type FilterKind = (typeof filterKinds)[number];

export type FilterField = Extract<LotField, { readonly kind: FilterKind }>;

function filtersAmong(rows: readonly LotField[]): readonly FilterField[] {
  return rows.filter((row): row is FilterField => filterKinds.some((kind) => kind === row.kind));
}

/** Fields that filter the inventory: of the purchase, and the others. */
export const purchaseFilters = filtersAmong(purchaseFields);
export const otherFilters = filtersAmong([...assumedFields, ...detailFields]);
const filterFields = [...purchaseFilters, ...otherFilters];

const noFilter = byName(filterNames, filterFields, (): string | null => null);

/** Null does not filter. */
export interface InventoryFilter extends Readonly<typeof noFilter> {
  readonly show: (typeof lotsShown)[number];
  readonly kind: ItemKind | null;
  readonly brickfolioId: number | null;
  readonly theme: string | null;
  /** Words in the name, or the start of the number; empty for all. */
  readonly text: string;
  readonly value: ValueState | null;
  /** Words in what is known about the units; empty for all. */
  readonly about: string;
}

export const everyLot: InventoryFilter = {
  ...noFilter,
  show: 'held',
  kind: null,
  brickfolioId: null,
  theme: null,
  text: '',
  value: null,
  about: '',
};

const passes: Readonly<Record<FilterKind, (text: string, filter: string) => boolean>> = {
  choice: (text, filter) => text === filter,
  flag: (text, filter) => text === String(filter === 'estimated'),
  // Without its percentage.
  grade: (text, filter) => text.replace(/_\d+$/, '') === filter,
  tags: (text, filter) => tagsOf(text).includes(filter),
  // This place, or one inside of it.
  place: (text, filter) => isInPlace(text, filter),
};

/** A searched number of a minifig finds lots under all of its `minifigKeys`. */
export function filterInventory(
  rows: readonly InventoryRow[],
  filter: InventoryFilter,
  minifigKeys: readonly string[] = [],
): InventoryRow[] {
  const isOfItem = itemFilter(rows, filter, minifigKeys);
  const filters = filterFields.flatMap((field) => {
    const text = filter[nameIn(filterNames, field)];
    return text === null ? [] : { ...field, text };
  });
  return rows.filter(
    (row) =>
      row.units > 0 === (filter.show === 'held') &&
      (filter.kind === null || row.lot.kind === filter.kind) &&
      (filter.brickfolioId === null || row.lot.brickfolioId === filter.brickfolioId) &&
      (filter.value === null || valueStateOf(row) === filter.value) &&
      filters.every(({ field, kind, text }) => passes[kind](String(row.lot[field] ?? ''), text)) &&
      (filter.about === '' || hasWords(row.lot, filter.about)) &&
      isOfItem(row),
  );
}

const searchedKinds: readonly FieldKind[] = ['text', 'lines', 'tags', 'place', 'url'];
const searchedFields = optionalFields.filter(({ kind }) => searchedKinds.includes(kind));

/** Whether each word occurs in a text that is known about the units. */
function hasWords(lot: InventoryLot, about: string): boolean {
  const texts = searchedFields.map(({ field }) => lot[field]);
  const own = Object.values(ownValues(lot.ownFields));
  const known = foldText([...texts, ...own].filter((text) => text !== null).join('\n'));
  return foldText(about)
    .split(/\s+/)
    .every((word) => known.includes(word));
}

export function valueStateOf({ unitCents, tier }: InventoryRow): ValueState {
  if (unitCents === null) return 'none';
  return tier === 'modeled' ? 'estimated' : 'valued';
}

/**
 * Evaluates themes and words once per item, as an item may have many lots. A complete number
 * matches only that item, not numbers that start with it.
 */
function itemFilter(
  rows: readonly InventoryRow[],
  { theme, text }: InventoryFilter,
  minifigKeys: readonly string[],
): (row: InventoryRow) => boolean {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  if (theme === null && words.length === 0) return () => true;
  const typed = words.join(' ');
  const isTyped = ({ item, lot }: InventoryRow) =>
    item.number.toLowerCase() === typed ||
    (lot.kind === 'minifig' && minifigKeys.includes(lot.key));
  const isNumber = rows.some(isTyped);
  const known = new Map<ListedItem, boolean>();
  const fits = (row: InventoryRow) => {
    const { item } = row;
    if (theme !== null && item.theme !== theme) return false;
    if (isNumber) return isTyped(row);
    const name = foldText(item.title);
    const number = item.number.toLowerCase();
    return words.every((word) => name.includes(word) || number.startsWith(word));
  };
  return (row) => {
    const is = known.get(row.item) ?? fits(row);
    known.set(row.item, is);
    return is;
  };
}

type SortKey = (row: InventoryRow) => number | string | null;

const sortKeys = {
  name: ({ item }) => item.title,
  number: ({ item }) => item.number,
  theme: ({ item }) => item.theme,
  collection: ({ brickfolio }) => brickfolio,
  // Numbers sort faster than texts.
  date: ({ lot }) => Number(lot.purchaseDate.replaceAll('-', '')),
  condition: ({ lot }) => conditions.indexOf(lot.condition),
  quantity: ({ lot, units }) => units || lot.quantity,
  cost: ({ lot, units, costCents }) => (units > 0 ? costCents : lot.priceCents * lot.quantity),
  value: ({ unitCents, units }) => (unitCents === null ? null : unitCents * units),
  gain: rowGainCents,
  gain_pct: (row) => {
    const gain = rowGainCents(row);
    return gain === null || row.costCents === 0 ? null : gain / row.costCents;
  },
  ...byName(columnNames, optionalFields, (row): SortKey => {
    if (row.kind === 'grade') return ({ lot }) => lot.grade && gradeRank(lot.grade);
    if (row.kind === 'choice') return ({ lot }) => row.choices.indexOf(lot[row.field]);
    return ({ lot }) => lot[row.field];
  }),
} satisfies Readonly<Record<string, SortKey>>;

/** The name of an order in addresses. */
export type InventorySort = keyof typeof sortKeys;

export const inventorySorts = Object.keys(sortKeys) as InventorySort[];

/** An own field in addresses, by its ID. */
export type OwnFieldKey = `own${number}`;

export function ownFieldKey({ id }: Pick<OwnField, 'id'>): OwnFieldKey {
  return `own${id}`;
}

/** Null if the text does not name an own field. */
export function parseOwnFieldKey(text: string): OwnFieldKey | null {
  const [, id] = /^own(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? null : ownFieldKey({ id: Number(id) });
}

export interface RowOrder {
  readonly sort: InventorySort | OwnFieldKey;
  readonly isDescending: boolean;
}

/**
 * Unknown values come last in both directions. Ties are ordered by newest purchase, then in the
 * given order, which is that of recording.
 */
export function sortRows(
  rows: readonly InventoryRow[],
  { sort, isDescending }: RowOrder,
  ownFields: readonly OwnField[] = [],
): InventoryRow[] {
  const newestFirst = orderBy(rows, sortKeys.date, true);
  if (sort === 'date' && isDescending) return newestFirst;
  const known = inventorySorts.find((each) => each === sort);
  if (known) return orderBy(newestFirst, sortKeys[known], isDescending);
  const name = ownFields.find((field) => ownFieldKey(field) === sort)?.name ?? '';
  return orderBy(newestFirst, ({ lot }) => ownValues(lot.ownFields)[name] ?? null, isDescending);
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
  const packed = Float64Array.from(
    keys,
    (key, index) => (ranks.get(key) ?? known.length) * length + index,
  );
  return Array.from(packed.sort(), (each) => rows[each % length] as InventoryRow);
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
    kind: lot.kind,
    key: lot.key,
    condition: lot.condition,
    units,
    costCents,
    unitCents,
  }));
  const withoutValue = rows.filter(({ unitCents }) => unitCents === null).length;
  return { ...totalOf(stakes), lots: rows.length, withoutValue };
}
