/** BrickLink's catalog: its downloads of sets and minifigs, and lists of minifigs. */

import { basename } from 'node:path';
import { classOf } from '../../domain/catalog/item-class.ts';
import { countText } from '../../domain/kernel/format.ts';
import { type FieldWarnings, RowError } from '../fields.ts';
import type { Format, ReadOptions } from '../format.ts';
import { type LocatedRow, rejectedRow } from '../located-row.ts';
import { looseNumber } from '../loose.ts';
import { peek } from '../readers/peek.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { checkColumns, openTable, type Table, type TableRow } from '../readers/table.ts';
import { boxOf, type FeedRecord, minifigRow, needed, setRow, wholeOf } from './record.ts';

/** The files of a folder that are read. */
const filePattern = /\.(txt|tsv|csv|gz|zip)$/i;

/** Downloads of sets and minifigs, in one file or many. */
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
  // Names have quotes in them, which downloads write as they are.
  const isDownload = line.includes('\t');
  const table = await openTable(whole, isDownload ? { delimiter: '\t', hasQuotes: false } : {});
  const read = isDownload ? downloadReader(table) : listReader(table);
  const numbers = new NumberForms();
  for await (const rows of table.rows()) {
    const now = options.clock();
    if (isDownload) for (const row of rows) numbers.add(row.text('number') ?? '');
    yield rows.map((row) =>
      row.mismatch === null ? read(row, now) : rejectedRow(row.location, row.mismatch),
    );
  }
  // Files are read to their end before anything is written.
  if (isDownload && !options.settings.isForced) checkKind(basename(table.name), numbers);
}

/** Fewer numbers than these show nothing. */
const numbersMin = 20;

/** Of the numbers of one kind, nearly all look like it; of another kind, hardly any. */
const shareMin = 0.8;

/** What the numbers of a download look like: all downloads have the same header. */
class NumberForms {
  private count = 0;
  private variants = 0;
  private words = 0;

  add(number: string): void {
    this.count++;
    if (hasVariant(number)) this.variants++;
    // Minifigs are numbered by their theme (sw0001a); gear and books mostly by digits.
    else if (/^[a-z]/i.test(number)) this.words++;
  }

  /** What the numbers are of; null when that cannot be told. */
  kind(): 'set' | 'minifig' | 'other' | null {
    if (this.count < numbersMin) return null;
    if (this.variants >= this.count * shareMin) return 'set';
    return this.words >= this.count * shareMin ? 'minifig' : 'other';
  }

  /** How they look, for a message. */
  describe(): string {
    const percent = Math.round((100 * this.variants) / this.count);
    const share = `${percent}% of its ${countText(this.count)} numbers`;
    return `${share} end in a variant such as -1, as set numbers do`;
  }
}

/** What the numbers of a download can be of, as a message says it. */
const kindNames = { set: 'sets', minifig: 'minifigs', other: 'gear, books or parts' };

/** Throws when a download is called what it is not. */
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

type RowReader = (row: TableRow, now: number) => LocatedRow;

/** A table of numbers and names; the year is there or not, so each has a name of its own. */
function listReader(table: Table): RowReader {
  const columns = ['item_number', 'description', 'category'];
  checkColumns(table, columns, "a download or a list of BrickLink's minifigs");
  const source = table.has('release_year') ? 'bricklink-years' : 'bricklink-list';
  return (row, now) =>
    minifigRow(row.location, { source, now }, (optional) => ({
      minifig_number: needed(row, 'item_number'),
      name: known(row, 'description'),
      category: known(row, 'category'),
      year_released: optional(() => wholeOf(yearOf(row), 'release_year')),
    }));
}

/** Lists made with R have `NA` where a year is unknown. */
function yearOf(row: TableRow): string | null {
  const text = known(row, 'release_year');
  return text === 'NA' ? null : text;
}

function downloadReader(table: Table): RowReader {
  checkColumns(table, ['Category Name', 'Number', 'Name'], "BrickLink's download of sets");
  const kind = kindOf(basename(table.name));
  return (row, now) => {
    const options = { source: 'bricklink', now };
    const isSet = kind === null ? hasVariant(row.text('number') ?? '') : kind === 'set';
    return isSet
      ? setRow(row.location, options, (optional) => setRecord(row, optional))
      : minifigRow(row.location, options, (optional) => minifigRecord(row, optional));
  };
}

/** All downloads have the same header, so the name of the file decides; null when it does not. */
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

/** Only sets have a variant at the end of their number. */
function hasVariant(number: string): boolean {
  return /-\d+$/.test(number);
}

function setRecord(row: TableRow, optional: FieldWarnings['optional']): FeedRecord {
  const [theme = null, ...others] = (known(row, 'category name') ?? '').split(' / ');
  const number = needed(row, 'number');
  const title = known(row, 'name');
  const subtheme = others.length > 0 ? others.join(' / ') : null;
  return {
    set_number: number,
    title,
    theme: theme || null,
    subtheme,
    year: yearReleased(row, optional),
    box: readBox(row, optional),
    item_class: classOf({ number, title, theme, subtheme }),
  };
}

function minifigRecord(row: TableRow, optional: FieldWarnings['optional']): FeedRecord {
  const number = needed(row, 'number');
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

/** `W x H x D` in centimetres, and grams; each may be unknown. */
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

/** What stands in a column; null for nothing, and for a question mark. */
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

/** A text with `&#34;`, `&#x22;` and `&quot;` as what they stand for; anything else stays. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > codePointMax ? whole : String.fromCodePoint(code);
  });
}
