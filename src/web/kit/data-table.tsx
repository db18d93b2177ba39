/**
 * The table of every list. On phones, its rows become cards; if columns have places there, cards of
 * two lines, which unfold without script.
 */

import type { ComponentChildren } from 'preact';
import { type ColumnHead, columnClass, headingOf } from './column-head.ts';
import { SortMenu, type TableSort } from './sort-menu.tsx';

/** Fields of a CSV file, in order. Each returns a complete cell (`csv-cell.ts`). */
export type CsvFields<Row> = Readonly<Record<string, (row: Row) => string | number>>;

export interface Column<Row> extends ColumnHead {
  readonly cell: (row: Row) => ComponentChildren;
  /** Its fields in the CSV file of the list. */
  readonly csv?: CsvFields<Row>;
}

/** Checkboxes that select rows, for the form around the table. */
interface TableSelection<Row> {
  readonly name: string;
  /** Also the id of the main cell, which labels the checkbox for screen readers. */
  readonly value: (row: Row) => string;
}

export interface DataTableProps<Row> {
  /** A description for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sort?: TableSort | undefined;
  readonly select?: TableSelection<Row> | undefined;
  readonly caption?: ComponentChildren;
  /**
   * Whether the style sheet names and aligns cells by their position (`columnStyle`), to keep
   * hundreds of rows small. The main column comes first, after the checkboxes.
   */
  readonly isPlaced?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, sort, select, caption, isPlaced = false } = props;
  const positionOf = (index: number) => index + (select ? 2 : 1);
  const classes = columns.map(({ key }, index) => columnClass(key, positionOf(index)));
  const isFolded = columns.some(({ phone }) => phone !== undefined);
  const cells = columns.map((column) =>
    isPlaced && !column.isUnplaced ? {} : attributesOf(column),
  );
  return (
    <>
      {sort && <SortMenu sort={sort} columns={columns} />}
      <div class="table">
        <table
          class={[
            'cards',
            isFolded && 'folded',
            select && 'selectable',
            ...(isPlaced ? classes : []),
          ]
            .filter(Boolean)
            .join(' ')}
          aria-label={label}
        >
          {caption && <caption>{caption}</caption>}
          <thead>
            <tr>
              {select && (
                <th scope="col">
                  <SelectAll name={select.name} />
                </th>
              )}
              {columns.map((column) => (
                <Head key={column.key} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {select && (
                  <td>
                    <input
                      type="checkbox"
                      name={select.name}
                      value={select.value(row)}
                      aria-labelledby={select.value(row)}
                    />
                  </td>
                )}
                {columns.map((column, index) => (
                  <td
                    key={column.key}
                    id={column.isMain ? select?.value(row) : undefined}
                    {...cells[index]}
                  >
                    {column.cell(row)}
                    {isFolded && column.isMain && <Unfold />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function SelectAll({ name }: { readonly name: string }) {
  return (
    <input
      type="checkbox"
      data-select-all={name}
      aria-label="Select all rows on this page"
      hidden
    />
  );
}

/** Shows the whole card of a row that has two lines on a phone. */
function Unfold() {
  return (
    <details class="unfold">
      <summary aria-label="Details" />
    </details>
  );
}

function attributesOf(column: ColumnHead) {
  return {
    'data-name': column.isNameHidden ? undefined : headingOf(column),
    class: classOf(column),
  };
}

function classOf(column: ColumnHead): string | undefined {
  return classesOf([
    column.isMain && 'main',
    column.isNumber && 'number',
    column.isWide && 'wide',
    column.isOneLine && 'one-line',
    column.phone && `at-${column.phone}`,
    ...rankOf(column),
  ]);
}

/** The classes that leave out a column on small screens. */
function rankOf({ isMinor, isSecondary }: ColumnHead) {
  return [isMinor && 'minor', isSecondary && 'secondary'];
}

function classesOf(names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}

function Head(props: { readonly column: ColumnHead; readonly sort: TableSort | undefined }) {
  const { column, sort } = props;
  const isSorted = (sort?.columnKey ?? sort?.key) === column.key;
  const order = sort?.isDescending ? 'descending' : 'ascending';
  const name = column.isNameHidden ? (
    <span class="visually-hidden">{column.name}</span>
  ) : (
    headingOf(column)
  );
  return (
    <th
      scope="col"
      class={classesOf([column.isNumber && 'number', ...rankOf(column)])}
      aria-sort={isSorted ? order : undefined}
    >
      {sort && column.isSortable ? (
        <a href={sort.href(column.key, isSorted ? !sort.isDescending : isHighFirst(column))}>
          {name}
          {isSorted && <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>}
        </a>
      ) : (
        name
      )}
    </th>
  );
}

/** Numbers and days are sorted from the largest and the newest first. */
function isHighFirst({ isNumber = false, isDay = false }: ColumnHead): boolean {
  return isNumber || isDay;
}
