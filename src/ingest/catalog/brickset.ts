/**
 * Brickset's sets: objects of its API, as JSON or flattened to a table, and its exports. Each shape
 * has a source name of its own: none of them has all fields, and a record is replaced as a whole,
 * so that one would otherwise take away what another brought.
 */

import type { Format, ReadOptions } from '../format.ts';
import { jsonLocation, type LocatedRow, type Location, rejectedRow } from '../located-row.ts';
import { readJsonRecords } from '../readers/json-records.ts';
import { peek } from '../readers/peek.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { openTable, type Table, type TableRow } from '../readers/table.ts';
import { FullNumbers, fullRowsMax, readExportRow, readFullRow } from './brickset-exports.ts';
import { errorOf, readFlatRow, readObject } from './brickset-objects.ts';
import { type BricksetSet, bricksetRecord } from './brickset-record.ts';
import { setRow } from './record.ts';

/** The files of a folder that are read. */
const filePattern = /\.(csv|json|gz|zip)$/i;

/** Set objects and exports, in one file or many. */
export const brickset: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    for await (const part of openSources(paths, options, filePattern)) {
      yield* readPart(part, options);
    }
  },
};

async function* readPart(part: SourcePart, options: ReadOptions): AsyncGenerator<LocatedRow[]> {
  const peeked = await peek(part);
  if (peeked.line === '') throw new SourceFileError(`${part.name} is empty.`);
  if (/^[[{]/.test(peeked.line)) yield* readObjects(peeked.part, options);
  else yield* readTable(peeked.part, options);
}

async function* readObjects(part: SourcePart, options: ReadOptions): AsyncGenerator<LocatedRow[]> {
  for await (const records of readJsonRecords(part, 'sets')) {
    const now = options.clock();
    yield records.map(({ where, value }) => {
      const error = errorOf(value);
      if (error !== null) {
        throw new SourceFileError(`${part.name}: Brickset returned an error: ${error}`);
      }
      return bricksetRow(jsonLocation(where, value), { source: 'brickset', now }, () =>
        readObject(value),
      );
    });
  }
}

async function* readTable(part: SourcePart, options: ReadOptions): AsyncGenerator<LocatedRow[]> {
  const table = await openTable(part);
  const shape = shapeOf(table);
  const { source } = shape;
  const numbers = new FullNumbers(table);
  const groups = shape.isNumberedAtEnd ? [await readAllRows(table, numbers)] : table.rows();
  for await (const rows of groups) {
    const now = options.clock();
    yield rows.map((row) =>
      row.mismatch === null
        ? bricksetRow(row.location, { source, now }, () => shape.read(row, numbers))
        : rejectedRow(row.location, row.mismatch),
    );
  }
}

function bricksetRow(
  location: Location,
  options: { readonly source: string; readonly now: number },
  read: () => BricksetSet,
): LocatedRow {
  return setRow(location, options, (optional) => bricksetRecord(read(), optional));
}

interface Shape {
  readonly source: string;
  readonly columns: readonly string[];
  /** Whether the numbers of its sets show only once all rows are seen. */
  readonly isNumberedAtEnd?: true;
  read(row: TableRow, numbers: FullNumbers): BricksetSet;
}

/** The tables, by the columns that only they have. */
const shapes: readonly Shape[] = [
  {
    source: 'brickset-flat',
    columns: ['number', 'numberVariant', 'name', 'theme'],
    read: readFlatRow,
  },
  {
    source: 'brickset-full',
    columns: ['SetID', 'Number', 'YearFrom', 'SetName', 'Theme'],
    isNumberedAtEnd: true,
    read: (row, numbers) => readFullRow(row, numbers.find(row)),
  },
  {
    source: 'brickset-export',
    columns: ['Number', 'Set name', 'Theme', 'Year'],
    read: readExportRow,
  },
  {
    source: 'brickset-export',
    columns: ['Number', 'SetName', 'Theme', 'Year'],
    read: readExportRow,
  },
];

function shapeOf(table: Table): Shape {
  const shape = shapes.find(({ columns }) => columns.every((column) => table.has(column)));
  if (shape) return shape;
  const header = table.header.slice(0, 6).join(', ');
  throw new SourceFileError(
    `${table.name}:1: this is not a Brickset export; its header is '${header}'. ` +
      'An export has the columns Number, Theme, Year and Set name.',
  );
}

/** All rows of a full list: which number is whose shows only at its end. */
async function readAllRows(table: Table, numbers: FullNumbers): Promise<TableRow[]> {
  const all: TableRow[] = [];
  for await (const rows of table.rows()) {
    for (const row of rows) {
      numbers.add(row);
      all.push(row);
    }
    if (all.length > fullRowsMax) {
      throw new SourceFileError(`${table.name} has more than ${fullRowsMax} rows; split it.`);
    }
  }
  return all;
}
