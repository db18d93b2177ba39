/** BrickLink's catalog downloads of sets and minifigs, and lists of minifigs. */

import { basename } from 'node:path';
import { bagOfSeries } from '../../catalog/items/collectible-series.ts';
import { classOf } from '../../catalog/items/item-class.ts';
import { countText } from '../../kernel/format.ts';
import { peek } from '../readers/peek.work.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { checkColumns, openTable, type Table, type TableRow } from '../readers/table.work.ts';
import { type FieldWarnings, RowError } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import { type LocatedRow, rejectedRow } from '../runner/located-row.ts';
import { looseNumber } from '../runner/loose.ts';
import {
  boxOf,
  type FeedRecord,
  minifigRow,
  requiredCell,
  setRow,
  wholeOf,
} from './record.work.ts';

const filePattern = /\.(txt|tsv|csv|gz|zip)$/i;

export const bricklinkCatalog: Format = {
  isReadFirst: true,
  settings: { isForced: 'optional' },
  async *read(paths, options) {
    for await (const part of openSources(paths, options, filePattern)) {
      yield* readPart(part, options);
    }
  },
};

async function* readPart(part: SourcePart, options: ReadOptions): AsyncGenerator<LocatedRow[]> {
  const { line, part: whole } = await peek(part);
  // Downloads do not escape quotes in names.
  const isDownload = line.includes('\t');
  const table = await openTable(whole, isDownload ? { delimiter: '\t', hasQuotes: false } : {});
  const read = isDownload ? downloadReader(table) : listReader(table);
  const numbers = new NumberForms();
  for await (const rows of table.rows()) {
    const now = options.clock();
    if (isDownload) for (const row of rows) numbers.add(row.text('number') ?? '');
    yield rows.flatMap((row) =>
      row.mismatch === null ? (read(row, now) ?? []) : rejectedRow(row.location, row.mismatch),
    );
  }
  // Nothing has been written yet, because files are read in a first pass.
  if (isDownload && !options.settings.isForced) checkKind(basename(table.name), numbers);
}

/** With fewer numbers, the contents of a download are not checked. */
const numbersMin = 20;

/** The share of numbers that must look like one kind of item. */
const shareMin = 0.8;

/** Identifies the items of a download by their numbers, since all downloads have one header. */
class NumberForms {
  private count = 0;
  private variants = 0;
  private words = 0;

  add(number: string): void {
    this.count++;
    if (hasVariant(number)) this.variants++;
    // Minifigs are numbered by theme (sw0001a); gear and books mostly have digits.
    else if (/^[a-z]/i.test(number)) this.words++;
  }

  /** Null if there are too few numbers. */
  kind(): 'set' | 'minifig' | 'other' | null {
    if (this.count < numbersMin) return null;
    if (this.variants >= this.count * shareMin) return 'set';
    return this.words >= this.count * shareMin ? 'minifig' : 'other';
  }

  describe(): string {
    const percent = Math.round((100 * this.variants) / this.count);
    const share = `${percent}% of its ${countText(this.count)} numbers`;
    return `${share} end in a variant such as -1, as set numbers do`;
  }
}

const kindNames = { set: 'sets', minifig: 'minifigs', other: 'gear, books or parts' };

/** Throws if the contents of a download contradict its file name. */
function checkKind(file: string, numbers: NumberForms): void {
  const [called, found] = [kindOf(file), numbers.kind()];
  const isRight = found === called || (called === null && found !== 'other');
  if (found === null || isRight) return;
  const name =
    called === null ? file : `The file name ${file} says ${kindNames[called]}, but the file`;
  throw new SourceFileError(
    `${name} seems to contain ${kindNames[found]}: ${numbers.describe()}. ` +
      'Check the file, or import it anyway with --force.',
  );
}

/** Null for a row that is left out. */
type RowReader = (row: TableRow, now: number) => LocatedRow | null;

/** A list of minifigs. Lists with and without years have different source names. */
function listReader(table: Table): RowReader {
  const columns = ['item_number', 'description', 'category'];
  checkColumns(table, columns, "a download or a list of BrickLink's minifigs");
  const source = table.has('release_year') ? 'bricklink-years' : 'bricklink-list';
  return (row, now) =>
    minifigRow(row.location, { source, now }, (optional) => ({
      minifig_number: requiredCell(row, 'item_number'),
      name: known(row, 'description'),
      category: known(row, 'category'),
      year_released: optional(() => wholeOf(yearOf(row), 'release_year')),
    }));
}

/** R writes `NA` for missing values. */
function yearOf(row: TableRow): string | null {
  const text = known(row, 'release_year');
  return text === 'NA' ? null : text;
}

function downloadReader(table: Table): RowReader {
  checkColumns(table, ['Category Name', 'Number', 'Name'], "BrickLink's download of sets");
  const kind = kindOf(basename(table.name));
  return (row, now) => {
    const options = { source: 'bricklink', now };
    const number = row.text('number') ?? '';
    const isSet = kind === null ? hasVariant(number) : kind === 'set';
    if (!isSet)
      return minifigRow(row.location, options, (optional) => minifigRecord(row, optional));
    const set = bagOfSeries(number, row.text('name') ?? '');
    return set === null
      ? null
      : setRow(row.location, options, (optional) => setRecord(row, set, optional));
  };
}

/** All downloads have the same header, so the file name decides; null if it does not say. */
function kindOf(file: string): 'set' | 'minifig' | null {
  if (/minifig/i.test(file)) return 'minifig';
  const other = /parts|books|gear|catalogs|instructions|boxes/i.exec(file)?.[0];
  if (other) {
    throw new SourceFileError(
      `${file} is BrickLink's download of ${other.toLowerCase()}; import only sets and minifigs.`,
    );
  }
  return /sets/i.test(file) ? 'set' : null;
}

function hasVariant(number: string): boolean {
  return /-\d+$/.test(number);
}

function setRecord(row: TableRow, number: string, optional: FieldWarnings['optional']): FeedRecord {
  const [theme = null, ...others] = (known(row, 'category name') ?? '').split(' / ');
  const title = known(row, 'name');
  const subtheme = others.length > 0 ? others.join(' / ') : null;
  return {
    set_number: number || requiredCell(row, 'number'),
    title,
    theme: theme || null,
    subtheme,
    year: yearReleased(row, optional),
    box: readBox(row, optional),
    item_class: classOf({ number, title, theme, subtheme }),
  };
}

function minifigRecord(row: TableRow, optional: FieldWarnings['optional']): FeedRecord {
  const number = requiredCell(row, 'number');
  const others = (known(row, 'alternate item number') ?? '').split(/[,;\s]+/);
  return {
    minifig_number: number,
    name: known(row, 'name'),
    category: known(row, 'category name'),
    year_released: yearReleased(row, optional),
    aliases: [...new Set(others)].filter((other) => other !== '' && other !== number),
  };
}

function yearReleased(row: TableRow, optional: FieldWarnings['optional']): number | null {
  return optional(() => wholeOf(known(row, 'year released'), 'Year Released'));
}

/** Dimensions are `W x H x D` in centimeters, the weight is in grams; `?` is unknown. */
function readBox(row: TableRow, optional: FieldWarnings['optional']): FeedRecord | null {
  const [widthCm = null, heightCm = null, depthCm = null] = optional(() => readSides(row)) ?? [];
  const weight = row.text('weight (in grams)') ?? '?';
  const grams = optional(() => measure('Weight (in Grams)')(weight));
  return boxOf({ widthCm, heightCm, depthCm, weightKg: grams === null ? null : grams / 1000 });
}

function readSides(row: TableRow): (number | null)[] {
  const parts = (row.text('dimensions') ?? '? x ? x ?').split(/\s*x\s*/i);
  if (parts.length !== 3) {
    throw new RowError(`'Dimensions' must be W x H x D in cm, not '${row.text('dimensions')}'`);
  }
  return parts.map(measure('Dimensions'));
}

function measure(name: string): (text: string) => number | null {
  return (text) => {
    const value = text === '?' ? 0 : looseNumber(text);
    if (value === null) throw new RowError(`'${name}' must be a number or ?, not '${text}'`);
    return value === 0 ? null : value;
  };
}

/** The text of a column; null if it is empty or `?`. */
function known(row: TableRow, column: string): string | null {
  const text = row.text(column);
  return text === null || text === '?' ? null : decodeEntities(text);
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

const codePointMax = 0x10ffff;

/** Decodes entities such as `&#34;`, `&#x22;` and `&quot;`; unknown ones are kept. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > codePointMax ? whole : String.fromCodePoint(code);
  });
}
