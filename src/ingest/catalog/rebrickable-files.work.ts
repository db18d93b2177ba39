/** Identifies the tables of Rebrickable's dump by their headers. */
import { basename } from 'node:path';
import { countText } from '../../kernel/format.ts';
import { openSources, SourceFileError } from '../readers/source-file.work.ts';
import { checkColumns, findTable, type Table, type TableRow } from '../readers/table.work.ts';
import type { ReadOptions } from '../runner/format.work.ts';

const filePattern = /\.(csv|gz|zip)$/i;

/** The tables that are imported, with their required columns. */
const requiredColumns = {
  themes: ['id', 'name', 'parent_id'],
  sets: ['set_num', 'name', 'year', 'theme_id', 'num_parts'],
  minifigs: ['fig_num', 'name', 'num_parts'],
  inventories: ['id', 'version', 'set_num'],
  inventory_minifigs: ['inventory_id', 'fig_num', 'quantity'],
  inventory_sets: ['inventory_id', 'set_num', 'quantity'],
} as const;

export type TableName = keyof typeof requiredColumns;

/** Tables about parts, which are skipped and make up most of the dump. */
const ignoredTables: readonly (readonly string[])[] = [
  ['inventory_id', 'part_num'],
  ['part_num', 'name', 'part_cat_id'],
  ['rel_type', 'child_part_num'],
  ['element_id', 'part_num'],
  ['id', 'name', 'rgb'],
  ['id', 'name'],
];

/** File names of skipped tables, which are not even unpacked. */
const ignoredNames = /(^|\/)(\.[^/]*|(inventory_)?parts|part_\w+|elements|colors)\.csv$/i;

/**
 * The largest imported table has about 40,000 rows. Since tables refer to each other, all rows are
 * held in memory; this limits it to a few hundred megabytes.
 */
const tableRowsMax = 200_000;

export async function readTables(
  paths: readonly string[],
  options: ReadOptions,
): Promise<Map<TableName, readonly TableRow[]>> {
  const rows = new Map<TableName, TableRow[]>();
  const files = new Map<TableName, string>();
  const wants = (name: string) => /\.csv$/i.test(name) && !ignoredNames.test(name);
  for await (const part of openSources(paths, { ...options, wants }, filePattern)) {
    const table = await findTable(part, { endsItsLines: true });
    if (!table) throw new SourceFileError(`${part.name} is empty.`);
    const name = nameOf(table);
    if (name === null) await table.close();
    else {
      checkFirst(name, part.name, files);
      rows.set(name, await allRows(table));
    }
  }
  return rows;
}

function checkFirst(name: TableName, file: string, files: Map<TableName, string>): void {
  const other = files.get(name);
  files.set(name, file);
  if (other === undefined) return;
  throw new SourceFileError(
    `${other} and ${file} are both Rebrickable's ${name}.csv; import only one of them.`,
  );
}

async function allRows(table: Table): Promise<TableRow[]> {
  const all: TableRow[] = [];
  for await (const rows of table.rows()) {
    for (const row of rows) all.push(row);
    if (all.length > tableRowsMax) {
      throw new SourceFileError(
        `${table.name} has more than ${countText(tableRowsMax)} rows; is it from Rebrickable?`,
      );
    }
  }
  return all;
}

/** Null if the table is skipped. */
function nameOf(table: Table): TableName | null {
  const names = Object.keys(requiredColumns) as TableName[];
  const name = names.find((candidate) => hasAll(table, requiredColumns[candidate]));
  if (name) return name;
  const called = names.find((candidate) => isCalled(table.name, candidate));
  if (called) checkColumns(table, requiredColumns[called], `Rebrickable's ${called}.csv`);
  if (ignoredTables.some((columns) => hasAll(table, columns))) return null;
  const shown = table.header.slice(0, 6).join(', ');
  throw new SourceFileError(
    `${table.name}:1: this is not a Rebrickable file; its header is '${shown}'.`,
  );
}

function hasAll(table: Table, columns: readonly string[]): boolean {
  return columns.every((column) => table.has(column));
}

function isCalled(file: string, table: TableName): boolean {
  return basename(file).replace(/\.gz$/i, '').toLowerCase() === `${table}.csv`;
}
