/** What the inventory shows, as its address says it. */
import { conditions } from '../../../domain/market/source-rows.ts';
import {
  costStates,
  everyLot,
  type InventoryFilter,
  inventorySorts,
  lotsShown,
  type RowOrder,
  valueStates,
} from '../../../domain/portfolio/inventory.ts';
import { dateBases, holdingStatuses } from '../../../domain/portfolio/lots.ts';
import { idOf } from '../../kit/address.ts';
import { orderText, readOrder } from '../../kit/columns.tsx';
import { pageOf } from '../../kit/pager.tsx';
import { type InventoryColumn, inventoryColumns } from './inventory-columns.ts';

/** How many rows a page may have. */
export const rowCounts = [50, 200] as const;

/** A view: which lots, in which order, with which columns, how many, and the page. */
export interface InventoryView {
  readonly filter: InventoryFilter;
  readonly order: RowOrder;
  readonly columns: readonly InventoryColumn[];
  readonly rows: (typeof rowCounts)[number];
  readonly page: number;
}

const usualOrder: RowOrder = { sort: 'date', isDescending: true };

/** How much is looked for. */
const textLengthMax = 100;
const themeLengthMax = 200;

/** Reads a view; what is not understood does not limit it. */
export function readView(query: URLSearchParams): InventoryView {
  const text = (name: string, max: number) => (query.get(name) ?? '').trim().slice(0, max);
  const word = <T extends string>(name: string, words: readonly T[]) =>
    words.find((each) => each === query.get(name)) ?? null;
  return {
    filter: {
      show: word('show', lotsShown) ?? everyLot.show,
      brickfolioId: idOf(query.get('collection')),
      condition: word('condition', conditions),
      status: word('status', holdingStatuses),
      theme: text('theme', themeLengthMax) || null,
      text: text('q', textLengthMax),
      value: word('value', valueStates),
      cost: word('cost', costStates),
      date: word('date', dateBases),
    },
    order: readSort(query.get('sort') ?? ''),
    columns: readColumns(query),
    rows: rowCounts.find((count) => String(count) === query.get('rows')) ?? rowCounts[0],
    page: pageOf(query),
  };
}

/** All lots, as they are shown at first. */
export const allLots = readView(new URLSearchParams());

/** Reads an order; an unknown one is the usual one. */
export function readSort(text: string): RowOrder {
  const { key, isDescending } = readOrder(text);
  const sort = inventorySorts.find((each) => each === key);
  return sort ? { sort, isDescending } : usualOrder;
}

/** An order as the address says it. */
export function sortText({ sort: key, isDescending }: RowOrder): string {
  return orderText({ key, isDescending });
}

/** A form names each column once; an address names them in one go. */
function readColumns(query: URLSearchParams): readonly InventoryColumn[] {
  const named = query.getAll('columns').flatMap((text) => text.split(','));
  const columns = inventoryColumns.filter((column) => named.includes(column));
  return columns.length === 0 ? inventoryColumns : columns;
}

/** The query of a view: what is as usual is left out. The page is part of no saved view. */
export function viewQuery({ filter, order, columns, rows, page }: InventoryView): URLSearchParams {
  const isUsualOrder = sortText(order) === sortText(usualOrder);
  const values: readonly (readonly [string, string | number | null])[] = [
    ['q', filter.text],
    ['collection', filter.brickfolioId],
    ['theme', filter.theme],
    ['condition', filter.condition],
    ['status', filter.status],
    ['value', filter.value],
    ['cost', filter.cost],
    ['date', filter.date],
    ['show', filter.show === everyLot.show ? null : filter.show],
    ['sort', isUsualOrder ? null : sortText(order)],
    ['columns', columns.length === inventoryColumns.length ? null : columns.join(',')],
    ['rows', rows === rowCounts[0] ? null : rows],
    ['page', page === 1 ? null : page],
  ];
  const query = new URLSearchParams();
  for (const [name, value] of values) if (value) query.set(name, String(value));
  return query;
}

/** A view as it is saved: without the page that somebody happens to be on. */
export function savedQuery(view: InventoryView): string {
  return String(viewQuery({ ...view, page: 1 }));
}

/** The address of a view, or of something that is done with it. */
export function viewPath(
  view: InventoryView,
  more: Readonly<Record<string, string>> = {},
  path = '/inventory',
): string {
  const query = viewQuery(view);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  // The bare address opens the default view.
  if (query.size === 0) query.set('view', 'all');
  return `${path}?${query}`;
}

/** The view from its first page, with some of it changed. */
export function changedView(
  view: InventoryView,
  changes: Partial<Omit<InventoryView, 'filter'>> & { readonly filter?: Partial<InventoryFilter> },
): InventoryView {
  const filter = { ...view.filter, ...changes.filter };
  return { ...view, page: 1, ...changes, filter };
}

/** Whether lots are left out that are shown at first. */
export function isFiltered(view: InventoryView): boolean {
  return view.filter.text !== everyLot.text || filterCount(view) > 0;
}

/** How many filters are in use besides the search. */
export function filterCount({ filter }: InventoryView): number {
  const names = (Object.keys(everyLot) as (keyof InventoryFilter)[]).filter(
    (name) => name !== 'text' && filter[name] !== everyLot[name],
  );
  return names.length;
}
