/** Columns of common kinds. */

import type { ComponentChildren } from 'preact';
import { usdCell } from '../../kernel/csv-cell.ts';
import type { PageRequest } from '../page.ts';
import { changedAddress } from './address.ts';
import type { Column } from './data-table.tsx';
import { countText } from './format.ts';
import { Money } from './money.tsx';
import type { Order, TableSort } from './sort-menu.tsx';

type Cell<Row> = Column<Row>['cell'];

interface ColumnOptions<Row>
  extends Pick<Column<Row>, 'isMinor' | 'isSecondary' | 'phone' | 'csv'> {
  /** The order of the list by this column, as in the address. */
  readonly sort?: string;
}

type FigureOptions<Row> = Omit<ColumnOptions<Row>, 'csv'> & { readonly csv?: string };

export function column<Row>(
  name: string,
  cell: Cell<Row>,
  { sort, ...options }: ColumnOptions<Row> = {},
): Column<Row> {
  return { key: sort ?? name, name, isSortable: sort !== undefined, cell, ...options };
}

export function wideColumn<Row>(name: string, cell: Cell<Row>, options?: ColumnOptions<Row>) {
  return { ...column(name, cell, options), isWide: true };
}

export function mainColumn<Row>(name: string, cell: Cell<Row>, options?: ColumnOptions<Row>) {
  return { ...column(name, cell, options), isMain: true };
}

export function dayColumn<Row>(name: string, cell: Cell<Row>, options?: ColumnOptions<Row>) {
  return { ...column(name, cell, options), isDay: true, isOneLine: true };
}

export function numberColumn<Row>(name: string, cell: Cell<Row>, options?: ColumnOptions<Row>) {
  return { ...column(name, cell, options), isNumber: true };
}

/** `csv` is the field with the same number in the CSV file. */
export function countColumn<Row>(
  name: string,
  read: (row: Row) => number,
  { csv, ...options }: FigureOptions<Row> = {},
) {
  const fields = csv === undefined ? {} : { csv: { [csv]: read } };
  return numberColumn<Row>(name, (row) => countText(read(row)), { ...options, ...fields });
}

/** A column of amounts in cents; `missing` explains empty cells. */
export function moneyColumn<Row>(
  name: string,
  read: (row: Row) => number | null,
  { missing, csv, ...options }: FigureOptions<Row> & { readonly missing?: string } = {},
) {
  const cell = (row: Row) => <Money cents={read(row)} {...(missing && { missing })} />;
  const fields = csv === undefined ? {} : { csv: { [csv]: (row: Row) => usdCell(read(row)) } };
  return numberColumn(name, cell, { ...options, ...fields });
}

export function actionColumn<Row>(cell: Cell<Row>): Column<Row> {
  return { key: 'actions', name: 'Actions', isNameHidden: true, isOneLine: true, cell };
}

/** Reads an order from an address: `value`, or `-value` for the highest first. */
export function readOrder(text: string): Order {
  return { key: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

/** An order as `readOrder` reads it. */
export function orderText({ key, isDescending }: Order): string {
  return isDescending ? `-${key}` : key;
}

export function sortInAddress(
  request: Pick<PageRequest, 'path' | 'query'>,
  order: Order & Pick<TableSort, 'choices'>,
): TableSort {
  const href = (key: string, isDescending: boolean) =>
    changedAddress(request, { sort: orderText({ key, isDescending }) });
  return { ...order, href };
}

/** A cell of two lines: a figure and a detail. */
export function Lines(props: {
  readonly first: ComponentChildren;
  readonly second: ComponentChildren;
}) {
  return (
    <span class="lines">
      {props.first}
      {props.second && <small>{props.second}</small>}
    </span>
  );
}
