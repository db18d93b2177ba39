/** Views of the inventory: their addresses, and the form of their filters. */

import { itemKinds } from '../../../catalog/items/numbers.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { byName, nameIn } from '../../../portfolio/lots/fields.ts';
import {
  everyLot,
  type FilterField,
  filterNames,
  type InventoryFilter,
  inventorySorts,
  lotsShown,
  otherFilters,
  parseOwnFieldKey,
  purchaseFilters,
  type RowOrder,
  valueStates,
} from '../../../portfolio/lots/inventory.ts';
import type { Inventory } from '../../../portfolio/lots/inventory.work.ts';
import { detailLimits, type OwnField } from '../../../portfolio/lots/lot-details.ts';
import { idOf } from '../../kit/address.ts';
import { orderText, readOrder } from '../../kit/columns.tsx';
import { anyOf, type ChoiceOptions } from '../../kit/fields.tsx';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { pageOf } from '../../kit/list.tsx';
import { choiceTexts } from '../field-kinds.tsx';
import { gradeNames } from './detail-text.ts';
import {
  columnChoices,
  type InventoryColumn,
  inventoryColumns,
  sortChoices,
  usualColumns,
} from './inventory-columns.tsx';
import { brickfolioOptions } from './lot-form.ts';

/** How many rows a page may have. */
export const rowCounts = [50, 200] as const;

const kindOptions = anyOf({ set: 'Sets', minifig: 'Minifigs' });
const valueOptions = anyOf({ valued: 'From sales', estimated: 'Estimated', none: 'No value yet' });
const showOptions: ChoiceOptions = [
  ['held', 'In stock'],
  ['sold', 'Sold out'],
];
const rowOptions: ChoiceOptions = rowCounts.map((count) => [String(count), String(count)]);

function namedOptions(all: string, names: readonly string[]): ChoiceOptions {
  return [['', all], ...names.map((name) => [name, name] as const)];
}

interface FilterProps {
  readonly view: InventoryView;
  readonly inventory: Pick<Inventory, 'themes' | 'tags' | 'places'>;
  readonly brickfolios: readonly Brickfolio[];
  readonly ownFields: readonly OwnField[];
}

function optionsOf(row: FilterField, { tags, places }: FilterProps['inventory']): ChoiceOptions {
  if (row.kind === 'tags') return namedOptions('Any', tags);
  return row.kind === 'place' ? namedOptions('Any', places) : anyOf(filterTexts[row.field]);
}

function filtersOf(props: FilterProps): readonly Filter[] {
  const collections: ChoiceOptions = [['', 'All'], ...brickfolioOptions(props.brickfolios)];
  const themeOptions = namedOptions('All', props.inventory.themes);
  const choices = sortChoices(props.ownFields);
  const sortOptions: ChoiceOptions = choices.map((choice) => [orderText(choice), choice.text]);
  const filterOf = (row: FilterField) => ({
    name: nameIn(filterNames, row),
    label: row.kind === 'tags' ? 'Tag' : row.name,
    options: optionsOf(row, props.inventory),
  });
  return [
    { name: 'q', label: 'Search', type: 'search', placeholder: 'Number or name' },
    { name: 'kind', label: 'Type', options: kindOptions },
    { name: 'collection', label: 'Collection', options: collections },
    { name: 'theme', label: 'Theme', options: themeOptions },
    ...purchaseFilters.map(filterOf),
    { name: 'value', label: 'Value', options: valueOptions },
    ...otherFilters.map((row) => ({ ...filterOf(row), isRare: true })),
    {
      name: 'about',
      label: 'Notes and details',
      placeholder: 'Words in any of them',
      isRare: true,
    },
    {
      name: 'show',
      label: 'Stock',
      options: showOptions,
      value: allLots.filter.show,
      isRare: true,
    },
    {
      name: 'sort',
      label: 'Sort by',
      options: sortOptions,
      isRare: true,
      isSetting: true,
      isForTables: true,
    },
    {
      name: 'rows',
      label: 'Rows per page',
      options: rowOptions,
      isRare: true,
      isSetting: true,
    },
  ];
}

export function InventoryFilters(props: FilterProps) {
  const { view, ownFields } = props;
  const all = changedView(view, { filter: allLots.filter });
  return (
    <FilterForm
      label="Filter lots"
      action="/inventory"
      typed={{ values: viewValues(view), faults: {} }}
      filters={filtersOf(props)}
      clear={isFiltered(view) ? viewPath(all) : null}
    >
      <fieldset class="options">
        <legend>Columns</legend>
        {columnChoices(ownFields).map(([column, name]) => (
          <label key={column} class="tick">
            <input
              type="checkbox"
              name="columns"
              value={column}
              checked={view.columns.includes(column)}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </FilterForm>
  );
}

export interface InventoryView {
  readonly filter: InventoryFilter;
  readonly order: RowOrder;
  readonly columns: readonly InventoryColumn[];
  readonly rows: (typeof rowCounts)[number];
  readonly page: number;
}

const usualOrder: RowOrder = { sort: 'date', isDescending: true };

/** The maximum lengths of texts in filters; the rest is ignored. */
const textLengthMax = 100;
const themeLengthMax = 200;

/** The values of filters and their names. The owner's own texts filter too. */
export const filterTexts: Readonly<
  Record<Exclude<FilterField['field'], 'tags' | 'place'>, Readonly<Record<string, string>>>
> = {
  ...choiceTexts,
  status: { owned: 'Owned', listed: 'Listed' },
  isEstimated: { paid: 'Paid', estimated: 'Estimated' },
  grade: gradeNames,
};

/** Reads a view; invalid parameters are ignored. */
export function readView(query: URLSearchParams): InventoryView {
  const text = (name: string, max: number) => (query.get(name) ?? '').trim().slice(0, max);
  const word = <T extends string>(name: string, words: readonly T[]) =>
    words.find((each) => each === query.get(name)) ?? null;
  const fieldFilter = (row: FilterField) => {
    const name = nameIn(filterNames, row);
    const isOwn = row.kind === 'tags' || row.kind === 'place';
    return isOwn
      ? text(name, textLengthMax) || null
      : word(name, Object.keys(filterTexts[row.field]));
  };
  return {
    filter: {
      ...byName(filterNames, [...purchaseFilters, ...otherFilters], fieldFilter),
      show: word('show', lotsShown) ?? everyLot.show,
      kind: word('kind', itemKinds),
      brickfolioId: idOf(query.get('collection')),
      theme: text('theme', themeLengthMax) || null,
      text: text('q', textLengthMax),
      value: word('value', valueStates),
      about: text('about', textLengthMax),
    },
    order: readSort(query.get('sort') ?? ''),
    columns: readColumns(query),
    rows: rowCounts.find((count) => String(count) === query.get('rows')) ?? rowCounts[0],
    page: pageOf(query),
  };
}

/** The view without any parameters. */
export const allLots = readView(new URLSearchParams());

/** Reads an order; an unknown one is replaced by the default. */
export function readSort(text: string): RowOrder {
  const { key, isDescending } = readOrder(text);
  const sort = inventorySorts.find((each) => each === key) ?? parseOwnFieldKey(key);
  return sort ? { sort, isDescending } : usualOrder;
}

/** A form has a parameter for each column, an address one for all. */
function readColumns(query: URLSearchParams): readonly InventoryColumn[] {
  const named = query.getAll('columns').flatMap((text) => text.split(','));
  const columns = inventoryColumns.filter((column) => named.includes(column));
  const own = [...new Set(named.flatMap((name) => parseOwnFieldKey(name) ?? []))];
  const chosen = [...columns, ...own.slice(0, detailLimits.ownFields)];
  return chosen.length === 0 ? usualColumns : chosen;
}

export function viewValues(view: InventoryView): Readonly<Record<string, string>> {
  const { filter, order, columns, rows, page } = view;
  const text = (row: FilterField) => filter[nameIn(filterNames, row)] ?? '';
  return {
    q: filter.text,
    kind: filter.kind ?? '',
    collection: String(filter.brickfolioId ?? ''),
    theme: filter.theme ?? '',
    ...byName(filterNames, purchaseFilters, text),
    value: filter.value ?? '',
    ...byName(filterNames, otherFilters, text),
    about: filter.about,
    show: filter.show,
    sort: orderText({ key: order.sort, isDescending: order.isDescending }),
    columns: columns.join(','),
    rows: String(rows),
    page: String(page),
  };
}

/** The query of a view, without parameters that have their default value. */
export function viewQuery(view: InventoryView): URLSearchParams {
  const usual = viewValues(allLots);
  const changed = Object.entries(viewValues(view)).filter(([name, value]) => value !== usual[name]);
  return new URLSearchParams(changed);
}

/** The query of a saved view, which starts at the first page. */
export function savedQuery(view: InventoryView): string {
  return String(viewQuery({ ...view, page: 1 }));
}

/** The address of a view, or of an action on it. */
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

/** The first page of a view with some changes. */
export function changedView(
  view: InventoryView,
  changes: Partial<Omit<InventoryView, 'filter'>> & { readonly filter?: Partial<InventoryFilter> },
): InventoryView {
  const filter = { ...view.filter, ...changes.filter };
  return { ...view, page: 1, ...changes, filter };
}

export function isFiltered({ filter }: InventoryView): boolean {
  const names = Object.keys(everyLot) as (keyof InventoryFilter)[];
  return names.some((name) => filter[name] !== everyLot[name]);
}
