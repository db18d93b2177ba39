/** The filters of the inventory: one form, whose answers stand in the address. */
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { InventorySort } from '../../../domain/portfolio/inventory.ts';
import { orderText } from '../../kit/columns.tsx';
import { anyOf, Choice, Field, type Options } from '../../kit/fields.tsx';
import { ApplyFilters, FilterFold, MoreFilters } from '../../kit/filters.tsx';
import { conditionNames } from '../../kit/format.ts';
import type { SortChoice } from '../../kit/sort-menu.tsx';
import { type InventoryColumn, inventoryColumns } from './inventory-columns.ts';
import {
  allLots,
  changedView,
  filterCount,
  type InventoryView,
  isFiltered,
  rowCounts,
  sortText,
  viewPath,
} from './inventory-view.ts';
import { brickfolioOptions } from './lot-form.ts';

const conditionOptions = anyOf(conditionNames);
const statusOptions = anyOf({ owned: 'Owned', listed: 'Listed' });
const valueOptions = anyOf({ valued: 'From sales', estimated: 'Estimated', none: 'No value yet' });
const costOptions = anyOf({ paid: 'Paid', estimated: 'Estimated' });
const dateOptions = anyOf({ known: 'Known', assumed: 'Assumed', unknown: 'Unknown' });
const showOptions: Options = [
  ['held', 'In stock'],
  ['sold', 'Sold out'],
];
const rowOptions: Options = rowCounts.map((count) => [String(count), String(count)] as const);

/** What each order is called, upward and downward. */
const sortNames: Readonly<Record<InventorySort, readonly [up: string, down: string]>> = {
  date: ['Oldest purchase', 'Newest purchase'],
  name: ['Name, A to Z', 'Name, Z to A'],
  number: ['Set number, lowest', 'Set number, highest'],
  theme: ['Theme, A to Z', 'Theme, Z to A'],
  collection: ['Collection, A to Z', 'Collection, Z to A'],
  quantity: ['Lowest quantity', 'Highest quantity'],
  condition: ['Sealed first', 'Used first'],
  cost: ['Lowest cost', 'Highest cost'],
  value: ['Lowest value', 'Highest value'],
  gain: ['Lowest gain ($)', 'Highest gain ($)'],
  gain_pct: ['Lowest gain (%)', 'Highest gain (%)'],
  status: ['Owned first', 'Listed first'],
};
/** All orders, for the menu of a phone. */
export const sortChoices: readonly SortChoice[] = Object.entries(sortNames).flatMap(
  ([key, [up, down]]) => [
    { key, isDescending: true, text: down },
    { key, isDescending: false, text: up },
  ],
);
const sortOptions: Options = sortChoices.map((choice) => [orderText(choice), choice.text]);

/** What each column is called where columns are chosen. */
const columnNames: Readonly<Record<InventoryColumn, string>> = {
  quantity: 'Quantity',
  condition: 'Condition',
  cost: 'Cost basis',
  value: 'Market value',
  gain: 'Gain',
  trend: '90 days',
  collection: 'Collection',
  date: 'Purchase date',
  status: 'Status',
};

/** The form. What is chosen rarely is folded away; on a phone, everything but the search. */
export function InventoryFilters(props: {
  readonly view: InventoryView;
  readonly themes: readonly string[];
  readonly brickfolios: readonly Brickfolio[];
}) {
  const { view, themes, brickfolios } = props;
  const { filter } = view;
  const all = changedView(view, { filter: allLots.filter });
  const named = (name: string) => [name, name] as const;
  return (
    <form method="get" action="/inventory" class="filters" aria-label="Filter lots">
      <Field
        name="q"
        label="Search"
        type="search"
        value={filter.text}
        placeholder="Number or name"
      />
      <FilterFold count={filterCount(view)}>
        <Choice
          name="collection"
          label="Collection"
          value={String(filter.brickfolioId ?? '')}
          options={[['', 'All'], ...brickfolioOptions(brickfolios)]}
        />
        <Choice
          name="theme"
          label="Theme"
          value={filter.theme ?? ''}
          options={[['', 'All'], ...themes.map(named)]}
        />
        <Choice
          name="condition"
          label="Condition"
          value={filter.condition ?? ''}
          options={conditionOptions}
        />
        <Choice name="status" label="Status" value={filter.status ?? ''} options={statusOptions} />
        <Choice name="value" label="Value" value={filter.value ?? ''} options={valueOptions} />
        <MoreFilters count={countMore(view)}>
          <Choice name="cost" label="Cost" value={filter.cost ?? ''} options={costOptions} />
          <Choice
            name="date"
            label="Purchase date"
            value={filter.date ?? ''}
            options={dateOptions}
          />
          <Choice name="show" label="Stock" value={filter.show} options={showOptions} />
          <div class="for-tables">
            <Choice
              name="sort"
              label="Sort by"
              value={sortText(view.order)}
              options={sortOptions}
            />
          </div>
          <Choice
            name="rows"
            label="Rows per page"
            value={String(view.rows)}
            options={rowOptions}
          />
          <fieldset class="options">
            <legend>Columns</legend>
            {inventoryColumns.map((column) => (
              <label key={column} class="tick">
                <input
                  type="checkbox"
                  name="columns"
                  value={column}
                  checked={view.columns.includes(column)}
                />
                {columnNames[column]}
              </label>
            ))}
          </fieldset>
        </MoreFilters>
      </FilterFold>
      <ApplyFilters clear={isFiltered(view) ? viewPath(all) : null} />
    </form>
  );
}

/** How many filters are in use that are folded away. */
function countMore({ filter }: InventoryView): number {
  const more = ['cost', 'date', 'show'] as const;
  return more.filter((name) => filter[name] !== allLots.filter[name]).length;
}
