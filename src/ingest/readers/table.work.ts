/** Reads CSV and similar tables, row by row with locations. */
import { nounText } from '../../kernel/format.ts';
import type { Location } from '../runner/located-row.ts';
import { type CsvRecord, type End, readCsvRecords, type TableShape } from './csv-records.work.ts';
import { SourceFileError, type SourcePart } from './source-file.work.ts';

/** After this many rows that do not fit the header, the file is rejected. */
const mismatchesMax = 1000;

const batchRows = 1000;

interface Header {
  /** Index by normalized name. */
  readonly columns: ReadonlyMap<string, number>;
  /** Number of columns, including those without a name. */
  readonly width: number;
}

/** Columns are found by name, ignoring order and case. */
export class TableRow {
  constructor(
    /** `FILE:LINE`. */
    readonly where: string,
    private readonly header: Header,
    readonly cells: readonly string[],
  ) {}

  /** The text of a column; null if it is empty or there is no such column. */
  text(name: string): string | null {
    // Most callers pass normalized names.
    const { columns } = this.header;
    const index = columns.get(name) ?? columns.get(columnKey(name));
    const cell = index === undefined ? undefined : this.cells[index]?.trim().normalize();
    return cell === undefined || cell === '' ? null : cell;
  }

  /** Whether there is such a column, empty or not. */
  has(name: string): boolean {
    return this.header.columns.has(columnKey(name));
  }

  /** Why the row does not fit the header; null if it does. */
  get mismatch(): string | null {
    const { length } = this.cells;
    const { width } = this.header;
    if (length === width) return null;
    // Some exports append empty cells.
    const extra = this.cells.slice(width).some((cell) => cell.trim() !== '');
    if (!extra && length >= width) return null;
    return `the row has ${nounText(length, 'column')} and the header ${width}`;
  }

  /**
   * The row with other texts in some cells, by column. The other cells of a row that does not fit
   * the header may be shifted, so they are emptied.
   */
  withCells(texts: Readonly<Record<number, string>>): TableRow {
    const isFitting = this.mismatch === null;
    const cells = Array.from(
      { length: this.header.width },
      (_, column) => texts[column] ?? (isFitting ? (this.cells[column] ?? '') : ''),
    );
    return new TableRow(this.where, this.header, cells);
  }

  get location(): Location {
    const row = this;
    return {
      where: this.where,
      get text() {
        return row.line;
      },
    };
  }

  /** The row as CSV. */
  get line(): string {
    return this.cells.map(quoted).join(',');
  }
}

export interface Table {
  readonly name: string;
  /** As written in the file. */
  readonly header: readonly string[];
  has(column: string): boolean;
  /** In groups, without blank rows. */
  rows(): AsyncGenerator<TableRow[]>;
  /** Treats the first line as a row; columns are named by position. */
  headerless(): Table;
  /** Stops reading. */
  close(): Promise<void>;
}

/** Null if the file is empty. */
export async function findTable(part: SourcePart, shape: TableShape = {}): Promise<Table | null> {
  const end: End = { isOpen: false, isCut: shape.endsItsLines === true };
  const records = readCsvRecords(part, shape, end);
  const first = await records.next();
  if (first.done) return null;
  const header = first.value.cells.map((cell) => cell.trim());
  const source = { name: part.name, records, end };
  const table = tableOf(header, source);
  const names = header.map((_, index) => `Column ${index + 1}`);
  const headerless = () => tableOf(names, { ...source, records: withFirst(first.value, records) });
  return { ...table, headerless };
}

interface TableSource {
  readonly name: string;
  readonly records: AsyncGenerator<CsvRecord>;
  readonly end: End;
}

async function* withFirst(
  first: CsvRecord,
  rest: AsyncGenerator<CsvRecord>,
): AsyncGenerator<CsvRecord> {
  yield first;
  yield* rest;
}

function tableOf(header: readonly string[], { name, records, end }: TableSource): Table {
  const columns = new Map<string, number>();
  header.forEach((name, index) => {
    const key = columnKey(name);
    // Some exports have columns without a name or with the same name; the first one counts.
    if (!columns.has(key)) columns.set(key, index);
  });
  const table: Table = {
    name,
    header,
    has: (column) => columns.has(columnKey(column)),
    rows: () => groups(records, { header: { columns, width: header.length }, name, end }),
    headerless: () => table,
    close: async () => void (await records.return(undefined)),
  };
  return table;
}

/** Throws if the file is empty. */
export async function openTable(part: SourcePart, shape: TableShape = {}): Promise<Table> {
  const table = await findTable(part, shape);
  if (!table) throw new SourceFileError(`${part.name} is empty.`);
  return table;
}

/** Throws unless all columns exist. */
export function checkColumns(table: Table, names: readonly string[], what: string): void {
  const missing = names.filter((name) => !table.has(name));
  if (missing.length === 0) return;
  const list = missing.map((name) => `'${name}'`).join(', ');
  throw new SourceFileError(
    `${table.name}:1: the header has no ${list}; is this ${what}? It has ${shown(table.header)}.`,
  );
}

function columnKey(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

async function* groups(
  records: AsyncGenerator<CsvRecord>,
  { header, name, end }: { header: Header; name: string; end: End },
): AsyncGenerator<TableRow[]> {
  let group: TableRow[] = [];
  let mismatches = 0;
  for await (const { cells, line } of records) {
    if (group.length >= batchRows) {
      yield group;
      group = [];
    }
    const row = new TableRow(`${name}:${line}`, header, cells);
    group.push(row);
    if (row.mismatch !== null && ++mismatches >= mismatchesMax) {
      throw new SourceFileError(
        `${row.where}: ${row.mismatch}, like ${mismatches - 1} rows before it. ` +
          'Is it the right file?',
      );
    }
  }
  const last = group.at(-1);
  if (last && end.isOpen && (last.mismatch !== null || end.isCut)) {
    throw new SourceFileError(
      `${last.where}: the file ends in the middle of a row; is it complete?`,
    );
  }
  if (group.length > 0) yield group;
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function shown(header: readonly string[]): string {
  const names = header.slice(0, 8).map((name) => `'${name.slice(0, 40)}'`);
  const more = header.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
