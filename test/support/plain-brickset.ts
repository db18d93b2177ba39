/** A minimal reader of Brickset's files, to compare the importer with. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainCsv } from './plain-csv.ts';

/** Whether at least one of the files has each fact of a set. */
export interface PlainSet {
  hasPrice: boolean;
  hasUpc: boolean;
  hasEan: boolean;
  hasBox: boolean;
  hasRelease: boolean;
  /** The file has a first date of availability and no last one. */
  isInShop: boolean;
  /** As `YYYY-MM-DD`. */
  readonly retireDates: string[];
}

/** The sets in three folders, by number in lower case without `-1`. */
export function plainBrickset(folders: {
  readonly flat: string;
  readonly exported: string;
  readonly full: string;
}): Map<string, PlainSet> {
  const sets = new Map<string, PlainSet>();
  for (const row of rowsOf(folders.flat))
    note(sets, `${row.number}-${row.numberVariant}`, {
      price: row.US_retailPrice,
      box: [row.width, row.height, row.depth, row.weight],
      // A first date years after the set's year is not its release.
      release: Number(row.US_dateFirstAvailable?.slice(0, 4)) <= Number(row.year) + 1,
      retire: row.US_dateLastAvailable?.slice(0, 10),
      isInShop: isDay(row.US_dateFirstAvailable) && !isDay(row.US_dateLastAvailable),
    });
  for (const row of rowsOf(folders.exported)) {
    note(sets, row.Number?.replace(' ', '') ?? '', {
      price: row['RRP (USD)'],
      upc: row.UPC && isBarcode(row.UPC) ? row.UPC : '',
      ean: row.EAN && isBarcode(row.EAN) ? row.EAN : '',
      box: [row.Width, row.Height, row.Depth, row.Weight],
      release: row['Launch date'] !== '',
      retire: turned(row['Exit date']),
    });
  }
  for (const [number, row] of numbered(rowsOf(folders.full))) {
    note(sets, number, {
      price: row.USRetailPrice,
      box: [row.Width, row.Height, row.Depth, row.Weight],
      release: row.LaunchDate !== '',
      retire: turned(row.ExitDate),
    });
  }
  return sets;
}

/** Whether the check digit of a UPC or EAN is correct. */
export function isBarcode(code: string): boolean {
  const weighted = [...code].reverse().map((digit, index) => Number(digit) * (index % 2 ? 3 : 1));
  return weighted.reduce((total, value) => total + value, 0) % 10 === 0;
}

type Row = Readonly<Record<string, string>>;

function rowsOf(folder: string): Row[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return files.flatMap((name) => readPlainCsv(join(folder, name)));
}

/** Keyed by image name if it matches the number, otherwise by number if it is unique. */
function numbered(rows: readonly Row[]): [number: string, row: Row][] {
  const owners = Map.groupBy(rows, ({ Number: number = '', ImageFilename: image = '' }) => {
    const bare = image.replace(/^0+/, '').replace(/-\d+$/, '');
    return image !== '' && bare === number ? image : `${number} alone`;
  });
  const counts = Map.groupBy(rows, (row) => row.Number);
  return [...owners].flatMap(([key, [row, ...others]]): [string, Row][] => {
    if (!row || others.length > 0) return [];
    if (!key.endsWith(' alone')) return [[key, row]];
    return counts.get(row.Number)?.length === 1 ? [[`${row.Number}-1`, row]] : [];
  });
}

interface Noted {
  readonly price?: string | undefined;
  readonly upc?: string | undefined;
  readonly ean?: string | undefined;
  readonly box: readonly (string | undefined)[];
  readonly release: boolean;
  readonly retire?: string | undefined;
  readonly isInShop?: boolean;
}

function note(sets: Map<string, PlainSet>, number: string, noted: Noted): void {
  const key = number.replace(/-1$/, '').toLowerCase();
  const before = sets.get(key);
  const retire = noted.retire && noted.retire !== 'NA' ? [noted.retire] : [];
  sets.set(key, {
    hasPrice: before?.hasPrice || Number(noted.price) > 0,
    hasUpc: before?.hasUpc || Boolean(noted.upc),
    hasEan: before?.hasEan || Boolean(noted.ean),
    hasBox: before?.hasBox || noted.box.some((measure) => Number(measure) > 0),
    hasRelease: before?.hasRelease || noted.release,
    isInShop: before?.isInShop || noted.isInShop === true,
    retireDates: [...(before?.retireDates ?? []), ...retire],
  });
}

function isDay(text = 'NA'): boolean {
  return text !== 'NA' && text !== '';
}

/** `31/12/2026 00:00:00` → `2026-12-31`. */
function turned(text = ''): string {
  return text.slice(0, 10).split('/').reverse().join('-');
}
