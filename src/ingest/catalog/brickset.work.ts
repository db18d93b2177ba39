/**
 * Brickset's sets: API objects, as JSON or flattened to a table, and exports. Each shape has its
 * own source name: none has all fields and records are replaced as a whole, so one shape would
 * otherwise delete fields of another.
 */

import { readJsonRecords } from '../readers/json-records.work.ts';
import { peek } from '../readers/peek.work.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { openTable, type Table, type TableRow } from '../readers/table.work.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import {
  jsonLocation,
  type LocatedRow,
  type Location,
  rejectedRow,
} from '../runner/located-row.ts';
import { type BricksetSet, bricksetRecord } from './brickset-record.work.ts';
import {
  errorOf,
  FullNumbers,
  fullRowsMax,
  readExportRow,
  readFlatRow,
  readFullRow,
  readObject,
} from './brickset-shapes.work.ts';
import { setRow } from './record.work.ts';

const filePattern = /\.(csv|json|gz|zip)$/i;

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
  const groups = shape.isNumberedAtEnd ? [readAllRows(table, numbers)] : table.rows();
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
  /** Whether numbers can only be completed once all rows are read. */
  readonly isNumberedAtEnd?: true;
  read(row: TableRow, numbers: FullNumbers): BricksetSet;
}

/** Shapes by the columns that only they have; the first match wins. */
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
