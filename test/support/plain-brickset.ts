/** What Brickset's files hold of each set, by the shortest way, to compare the importer with. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainCsv } from './plain-csv.ts';

/** What a set has in at least one of the files. */
export interface PlainSet {
  hasPrice: boolean;
  hasUpc: boolean;
  hasEan: boolean;
  hasBox: boolean;
  hasRelease: boolean;
  /** LEGO's shop has a first day of it, and no last one. */
  isInShop: boolean;
  /** Days, as `YYYY-MM-DD`. */
  readonly retireDates: string[];
}

/** The sets of the files in three folders, by number with variant 1 left out, in lower case. */
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
      // Years after the set's own, the shop's first day is no release.
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

/** Whether a code of 12 or 13 digits ends in the right one. */
export function isBarcode(code: string): boolean {
  const weighted = [...code].reverse().map((digit, index) => Number(digit) * (index % 2 ? 3 : 1));
  return weighted.reduce((total, value) => total + value, 0) % 10 === 0;
}

type Row = Readonly<Record<string, string>>;

function rowsOf(folder: string): Row[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return files.flatMap((name) => readPlainCsv(join(folder, name)));
}

/** Rows of the full list by the number of their picture, or their own where it is the only one. */
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

/** `31/12/2026 00:00:00` as `2026-12-31`. */
function turned(text = ''): string {
  return text.slice(0, 10).split('/').reverse().join('-');
}
