/** Columns that many tables have. */
import { countText } from '../../domain/kernel/format.ts';
import type { Column } from './data-table.tsx';
import { Money } from './money.tsx';

/** A column of amounts in cents; `missing` says why there is none. */
export function moneyColumn<Row>(
  name: string,
  read: (row: Row) => number | null,
  missing?: string,
): Column<Row> {
  const why = missing === undefined ? {} : { missing };
  const cell = (row: Row) => <Money cents={read(row)} {...why} />;
  return { key: name, name, isNumber: true, cell };
}

/** A column of counts. */
export function countColumn<Row>(name: string, read: (row: Row) => number): Column<Row> {
  return { key: name, name, isNumber: true, cell: (row) => countText(read(row)) };
}
