/**
 * Real sets with their worth on a day, from files of other services that are not part of this
 * project. Facts are imported and merged like in a store.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SetDescription } from '../../../src/catalog/items/catalog.ts';
import { mergeSet, type SourceRecord } from '../../../src/catalog/items/merge.ts';
import { itemKey } from '../../../src/catalog/items/numbers.ts';
import { bricklinkCatalog } from '../../../src/ingest/catalog/bricklink.work.ts';
import { brickset } from '../../../src/ingest/catalog/brickset.work.ts';
import { FullNumbers } from '../../../src/ingest/catalog/brickset-shapes.work.ts';
import { rebrickable } from '../../../src/ingest/catalog/rebrickable.work.ts';
import { openSources } from '../../../src/ingest/readers/source-file.work.ts';
import { openTable, type Table, type TableRow } from '../../../src/ingest/readers/table.work.ts';
import { RowError } from '../../../src/ingest/runner/fields.ts';
import type { Format } from '../../../src/ingest/runner/format.work.ts';
import type { Condition } from '../../../src/market/source-rows/source-rows.ts';
import type { ValuationFacts } from '../../../src/market/values/estimator.ts';
import { setValuationFacts } from '../../../src/market/values/valuation-facts.ts';
import { readOptions } from '../../../test/support/read-options.ts';

/** Also used by tests on real files. */
export const realDataFolder = resolve(import.meta.dir, '../../../../shared/data');

/** In US cents; null if unknown. */
export interface RealSet {
  readonly key: string;
  readonly facts: ValuationFacts;
  readonly worth: Readonly<Record<Condition, number | null>>;
}

export interface Snapshot {
  readonly name: string;
  readonly at: number;
  readonly sets: readonly RealSet[];
}

const folders = {
  exported: 'brickset_csv_export_2022-09',
  full: 'brickset_full_bricklinksold_2025-02',
};

/** In reading order. */
const catalogs: readonly { readonly format: Format; readonly path: string }[] = [
  { format: rebrickable, path: 'rebrickable_2025-08-31' },
  { format: brickset, path: 'brickset_api_by_year/sets' },
  { format: brickset, path: folders.exported },
  { format: brickset, path: folders.full },
  { format: bricklinkCatalog, path: 'bricklink_catalog_full_2025-10/Sets.txt' },
];

export function missingFiles(folder: string): string[] {
  return catalogs.map(({ path }) => join(folder, path)).filter((path) => !existsSync(path));
}

/** Brickset's values, and BrickLink's average sales. */
export async function readSnapshots(folder: string): Promise<Snapshot[]> {
  const facts = await readFacts(folder);
  const snapshot = (name: string, at: number, worths: Worths): Snapshot => {
    const sets: RealSet[] = [];
    for (const [key, worth] of worths) {
      const known = facts.get(key);
      if (known && (worth.sealed || worth.used)) sets.push({ key, facts: known, worth });
    }
    return { name, at, sets };
  };
  return [
    snapshot(
      'Brickset, September 2022',
      Date.UTC(2022, 8, 15),
      await readWorths(join(folder, folders.exported), {
        sealed: 'value new (usd)',
        used: 'value used (usd)',
        numbers: () => (row) => row.text('number') ?? '',
      }),
    ),
    snapshot(
      'BrickLink, February 2025',
      Date.UTC(2025, 1, 15),
      await readWorths(join(folder, folders.full), {
        sealed: 'bricklinksoldpricenew',
        used: 'bricklinksoldpriceused',
        numbers: fullNumbers,
      }),
    ),
  ];
}

async function readFacts(folder: string): Promise<Map<string, ValuationFacts>> {
  const records = new Map<string, SourceRecord<SetDescription>[]>();
  for (const { format, path } of catalogs) {
    for await (const group of format.read([join(folder, path)], readOptions())) {
      for (const item of group) {
        if (!('where' in item) || !('row' in item.result)) continue;
        const { row } = item.result;
        if (row.kind !== 'set') continue;
        const key = itemKey('set', row.facts.number);
        const known = records.get(key) ?? [];
        records.set(key, [...known, { source: row.source, facts: row.facts }]);
      }
    }
  }
  return new Map([...records].map(([key, of]) => [key, setValuationFacts(mergeSet(of))]));
}

type Worths = ReadonlyMap<string, RealSet['worth']>;

interface WorthColumns extends Readonly<Record<Condition, string>> {
  /** Returns the number of each row, once all rows are known. */
  numbers(table: Table, rows: readonly TableRow[]): (row: TableRow) => string;
}

async function readWorths(path: string, columns: WorthColumns): Promise<Worths> {
  const worths = new Map<string, RealSet['worth']>();
  for await (const part of openSources([path], readOptions(), /\.csv$/)) {
    const table = await openTable(part);
    const rows: TableRow[] = [];
    for await (const some of table.rows()) rows.push(...some);
    const numberOf = columns.numbers(table, rows);
    for (const row of rows) {
      const number = numberOf(row);
      if (number === '') continue;
      const cents = (column: string) => Math.round(Number(row.text(column) ?? 0) * 100) || null;
      const worth = { sealed: cents(columns.sealed), used: cents(columns.used) };
      worths.set(itemKey('set', number), worth);
    }
  }
  return worths;
}

/** The full list has no variants; ambiguous rows have no number. */
function fullNumbers(table: Table, rows: readonly TableRow[]): (row: TableRow) => string {
  const numbers = new FullNumbers(table);
  for (const row of rows) numbers.add(row);
  return (row) => {
    try {
      return numbers.find(row);
    } catch (error) {
      if (error instanceof RowError) return '';
      throw error;
    }
  };
}
