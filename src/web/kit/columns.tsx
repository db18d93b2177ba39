/** Columns of common kinds. */
import type { ComponentChildren } from 'preact';
import { countText } from '../../domain/kernel/format.ts';
import type { PageRequest } from '../page.ts';
import { changedAddress } from './address.ts';
import type { Column } from './data-table.tsx';
import { Money } from './money.tsx';
import type { Order, TableSort } from './sort-menu.tsx';

type Cell<Row> = Column<Row>['cell'];

/** A plain column. */
export function column<Row>(name: string, cell: Cell<Row>): Column<Row> {
  return { key: name, name, cell };
}

/** A column that takes a full line of the card. */
export function wideColumn<Row>(name: string, cell: Cell<Row>): Column<Row> {
  return { key: name, name, isWide: true, cell };
}

/** The title of the row. */
export function mainColumn<Row>(name: string, cell: Cell<Row>): Column<Row> {
  return { key: name, name, isMain: true, cell };
}

/** A column of days or moments, which stay on one line. */
export function dayColumn<Row>(name: string, cell: Cell<Row>): Column<Row> {
  return { key: name, name, isDay: true, isOneLine: true, cell };
}

/** A column of numbers. */
export function numberColumn<Row>(name: string, cell: Cell<Row>): Column<Row> {
  return { key: name, name, isNumber: true, cell };
}

/** The actions of the row. */
export function actionColumn<Row>(cell: Cell<Row>): Column<Row> {
  return { key: 'actions', name: 'Actions', isNameHidden: true, isOneLine: true, cell };
}

/** A column of amounts in cents; `missing` explains empty cells. */
export function moneyColumn<Row>(
  name: string,
  read: (row: Row) => number | null,
  missing?: string,
): Column<Row> {
  const why = missing === undefined ? {} : { missing };
  return numberColumn(name, (row) => <Money cents={read(row)} {...why} />);
}

/** Sortable columns, by their names in addresses. */
export function sortable<Row>(columns: Readonly<Record<string, Column<Row>>>): Column<Row>[] {
  return Object.entries(columns).map(([key, each]) => ({ ...each, key, isSortable: true }));
}

/** The same column, left out of cards, and of wide tables on a tablet. */
export function minor<Row>(shown: Column<Row>): Column<Row> {
  return { ...shown, isMinor: true };
}

/** The same column, left out of wide tables on a small tablet. */
export function secondary<Row>(shown: Column<Row>): Column<Row> {
  return { ...shown, isSecondary: true };
}

/** Reads an order from an address: `value`, or `-value` for the highest first. */
export function readOrder(text: string): Order {
  return { key: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

/** An order as `readOrder` reads it. */
export function orderText({ key, isDescending }: Order): string {
  return isDescending ? `-${key}` : key;
}

/** An order, with the addresses of the other orders. */
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

/** A column of counts. */
export function countColumn<Row>(name: string, read: (row: Row) => number): Column<Row> {
  return numberColumn(name, (row) => countText(read(row)));
}
