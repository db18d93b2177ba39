/** The table that every list is shown in. On a phone its rows become cards. */
import type { ComponentChildren } from 'preact';

/** A column of rows of a kind. */
export interface Column<Row> {
  readonly key: string;
  readonly name: string;
  readonly isNumber?: boolean;
  /** What the row is about: the title of its card on a phone. */
  readonly isMain?: boolean;
  /** Whether it takes a whole line of the card. */
  readonly isWide?: boolean;
  /** Whether it is a date, which stays on one line. */
  readonly isDay?: boolean;
  /** Whether cards do without it. */
  readonly isMinor?: boolean;
  /** Whether the list can be sorted by it. */
  readonly isSortable?: boolean;
  /** Whether the name is only said to those who cannot see the column. */
  readonly isNameHidden?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** How a list is sorted, and the addresses of other orders. */
export interface TableSort {
  readonly key: string;
  readonly isDescending: boolean;
  readonly href: (key: string, isDescending: boolean) => string;
}

/** Boxes that choose rows for a form elsewhere in the page. */
export interface TableSelection<Row> {
  /** The id of the form. */
  readonly form: string;
  /** The name of the field. */
  readonly name: string;
  readonly value: (row: Row) => string;
  /** What is chosen, for those who cannot see the row. */
  readonly label: (row: Row) => string;
}

/** What a table shows. */
export interface DataTableProps<Row> {
  /** What the table is, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly sort?: TableSort | undefined;
  readonly select?: TableSelection<Row> | undefined;
  /** Shown above the table. */
  readonly caption?: ComponentChildren;
}

/** A table. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, select, caption } = props;
  return (
    <div class="table">
      <table class="cards" aria-label={label}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {select && (
              <th scope="col" class="select">
                <input
                  type="checkbox"
                  data-select-all={select.form}
                  aria-label="Select all rows on this page"
                  hidden
                />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {select && <Selector row={row} select={select} />}
              {columns.map((column) => (
                <td
                  key={column.key}
                  data-name={column.isNameHidden ? undefined : column.name}
                  class={classOf(column)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>(column: Column<Row>): string | undefined {
  const classes = [
    column.isMain && 'main',
    column.isNumber && 'number',
    column.isWide && 'wide',
    column.isDay && 'day',
    column.isMinor && 'minor',
  ];
  return classes.filter(Boolean).join(' ') || undefined;
}

function Head<Row>(props: { readonly column: Column<Row>; readonly sort: TableSort | undefined }) {
  const { column, sort } = props;
  const isSorted = sort?.key === column.key;
  const order = sort?.isDescending ? 'descending' : 'ascending';
  const name = column.isNameHidden ? (
    <span class="visually-hidden">{column.name}</span>
  ) : (
    column.name
  );
  return (
    <th
      scope="col"
      class={column.isNumber ? 'number' : undefined}
      aria-sort={isSorted ? order : undefined}
    >
      {sort && column.isSortable ? (
        <a href={sort.href(column.key, isSorted ? !sort.isDescending : column.isNumber === true)}>
          {name}
          {isSorted && <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>}
        </a>
      ) : (
        name
      )}
    </th>
  );
}

function Selector<Row>(props: { readonly row: Row; readonly select: TableSelection<Row> }) {
  const { row, select } = props;
  return (
    <td class="select">
      <input
        type="checkbox"
        form={select.form}
        name={select.name}
        value={select.value(row)}
        aria-label={`Select ${select.label(row)}`}
      />
    </td>
  );
}
