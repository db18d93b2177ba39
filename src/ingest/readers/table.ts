/** Tables in text files: CSV and its relatives, row by row, with the place of each. */
import { nounText } from '../../domain/kernel/format.ts';
import type { Location } from '../located-row.ts';
import { type CsvRecord, type End, readCsvRecords, type TableShape } from './csv-records.ts';
import { SourceFileError, type SourcePart } from './source-file.ts';

/** So many rows without the header's columns mean that this is no such table. */
const mismatchesMax = 1000;

const groupRows = 1000;

/** What rows know of their header. */
interface Header {
  /** Where the columns are, by name in the form in which names are compared. */
  readonly columns: ReadonlyMap<string, number>;
  /** How many columns there are, those without a name of their own included. */
  readonly width: number;
}

/** A row of a table. Columns are found by name, whatever their order and their capitals. */
export class TableRow {
  constructor(
    /** Its place, as `FILE:LINE`. */
    readonly where: string,
    private readonly header: Header,
    /** As they stand in the file. */
    readonly cells: readonly string[],
  ) {}

  /** What stands in a column; null for nothing, and where there is no such column. */
  text(name: string): string | null {
    // Most readers spell names as they are compared.
    const { columns } = this.header;
    const index = columns.get(name) ?? columns.get(columnKey(name));
    const cell = index === undefined ? undefined : this.cells[index]?.trim();
    return cell === undefined || cell === '' ? null : cell;
  }

  /** Why the row does not fit its header; null when it does. */
  get mismatch(): string | null {
    const { length } = this.cells;
    const { width } = this.header;
    if (length === width) return null;
    // Some exports add empty cells at the end.
    const extra = this.cells.slice(width).some((cell) => cell.trim() !== '');
    if (!extra && length >= width) return null;
    return `the row has ${nounText(length, 'column')} and the header ${width}`;
  }

  /** Where it stands, for the report. */
  get location(): Location {
    const row = this;
    return {
      where: this.where,
      get text() {
        return row.line;
      },
    };
  }

  /** The row as it can be read again, for the report. */
  get line(): string {
    return this.cells.map(quoted).join(',');
  }
}

/** A table with its header read. */
export interface Table {
  readonly name: string;
  /** As they are spelled in the file. */
  readonly header: readonly string[];
  has(column: string): boolean;
  /** The rows that are not blank, in groups. */
  rows(): AsyncGenerator<TableRow[]>;
  /** The same where its first line is a row already: columns are named by their place. */
  headerless(): Table;
  /** Stops reading, for a table that its reader does not want. */
  close(): Promise<void>;
}

/** Reads the header of a table; null when the file is empty. */
export async function findTable(part: SourcePart, shape: TableShape = {}): Promise<Table | null> {
  const end: End = { isOpen: false, isCut: shape.endsItsLines === true };
  const records = readCsvRecords(part, shape, end);
  const first = await records.next();
  if (first.done) return null;
  const header = first.value.cells.map((cell) => cell.trim());
  const source = { name: part.name, records, end };
  const table = tableOf(header, source);
  const places = header.map((_, index) => `Column ${index + 1}`);
  const headerless = () => tableOf(places, { ...source, records: withFirst(first.value, records) });
  return { ...table, headerless };
}

/** Where the rows of a table come from. */
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
    // Some exports leave a column without a name, or name two alike: the first one counts.
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

/** Reads the header of a table; throws when the file is empty. */
export async function openTable(part: SourcePart, shape: TableShape = {}): Promise<Table> {
  const table = await findTable(part, shape);
  if (!table) throw new SourceFileError(`${part.name} is empty.`);
  return table;
}

/** Throws unless a table has all the columns that its reader cannot do without. */
export function checkColumns(table: Table, names: readonly string[], what: string): void {
  const missing = names.filter((name) => !table.has(name));
  if (missing.length === 0) return;
  const list = missing.map((name) => `'${name}'`).join(', ');
  throw new SourceFileError(
    `${table.name}:1: the header has no ${list}; is this ${what}? It has ${shown(table.header)}.`,
  );
}

/** A column's name in the form in which names are compared. */
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
    if (group.length >= groupRows) {
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
