/** The filters of the inventory. */

import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { nameIn } from '../../../portfolio/lots/fields.ts';
import {
  type FilterField,
  filterNames,
  otherFilters,
  purchaseFilters,
} from '../../../portfolio/lots/inventory.ts';
import type { Inventory } from '../../../portfolio/lots/inventory.work.ts';
import type { OwnField } from '../../../portfolio/lots/lot-details.ts';
import { orderText } from '../../kit/columns.tsx';
import { anyOf, type ChoiceOptions } from '../../kit/fields.tsx';
import { type Filter, FilterForm } from '../../kit/filters.tsx';
import { columnChoices, sortChoices } from './inventory-columns.tsx';
import {
  allLots,
  changedView,
  filterTexts,
  type InventoryView,
  isFiltered,
  rowCounts,
  viewPath,
  viewValues,
} from './inventory-view.ts';
import { brickfolioOptions } from './lot-form.ts';

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

/** The form of a view, with the choice of columns. */
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
