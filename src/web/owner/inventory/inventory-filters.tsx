/** The filters of the inventory. */
import type { Brickfolio } from '../../../domain/portfolio/brickfolios.ts';
import { orderText } from '../../kit/columns.tsx';
import { anyOf, type Options } from '../../kit/fields.tsx';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { conditionNames } from '../../kit/format.ts';
import { columnName, inventoryColumns, sortChoices } from './inventory-columns.tsx';
import {
  allLots,
  changedView,
  type InventoryView,
  isFiltered,
  rowCounts,
  viewPath,
  viewValues,
} from './inventory-view.ts';
import { brickfolioOptions } from './lot-form.ts';

const kindOptions = anyOf({ set: 'Sets', minifig: 'Minifigs' });
const conditionOptions = anyOf(conditionNames);
const statusOptions = anyOf({ owned: 'Owned', listed: 'Listed' });
const valueOptions = anyOf({ valued: 'From sales', estimated: 'Estimated', none: 'No value yet' });
const costOptions = anyOf({ paid: 'Paid', estimated: 'Estimated' });
const dateOptions = anyOf({ known: 'Known', assumed: 'Assumed', unknown: 'Unknown' });
const showOptions: Options = [
  ['held', 'In stock'],
  ['sold', 'Sold out'],
];
const rowOptions: Options = rowCounts.map((count) => [String(count), String(count)]);

const sortOptions: Options = sortChoices.map((choice) => [orderText(choice), choice.text]);

interface FilterProps {
  readonly view: InventoryView;
  readonly themes: readonly string[];
  readonly brickfolios: readonly Brickfolio[];
}

function filtersOf({ themes, brickfolios }: FilterProps): readonly Filter[] {
  const collections: Options = [['', 'All'], ...brickfolioOptions(brickfolios)];
  const themeOptions: Options = [['', 'All'], ...themes.map((name) => [name, name] as const)];
  return [
    { name: 'q', label: 'Search', type: 'search', placeholder: 'Number or name' },
    { name: 'kind', label: 'Type', options: kindOptions },
    { name: 'collection', label: 'Collection', options: collections },
    { name: 'theme', label: 'Theme', options: themeOptions },
    { name: 'condition', label: 'Condition', options: conditionOptions },
    { name: 'status', label: 'Status', options: statusOptions },
    { name: 'value', label: 'Value', options: valueOptions },
    { name: 'cost', label: 'Cost', options: costOptions, isRare: true },
    { name: 'date', label: 'Purchase date', options: dateOptions, isRare: true },
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

/** The form of a view, with the choice of columns. */
export function InventoryFilters(props: FilterProps) {
  const { view } = props;
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
        {inventoryColumns.map((column) => (
          <label key={column} class="tick">
            <input
              type="checkbox"
              name="columns"
              value={column}
              checked={view.columns.includes(column)}
            />
            {columnName(column)}
          </label>
        ))}
      </fieldset>
    </FilterForm>
  );
}
