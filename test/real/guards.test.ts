/**
 * Real files that must be rejected: an older dump of Rebrickable, and BrickLink's downloads under
 * wrong names. The files are not part of this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { censusProblem } from '../../src/catalog/items/census.ts';
import { figureOfSeries } from '../../src/catalog/items/collectible-series.ts';
import { itemKey } from '../../src/catalog/items/numbers.ts';
import { searchWords } from '../../src/catalog/search/search-words.ts';
import { bricklinkCatalog, decodeEntities } from '../../src/ingest/catalog/bricklink.work.ts';
import { rebrickable } from '../../src/ingest/catalog/rebrickable.work.ts';
import type { Format, ReadOptions } from '../../src/ingest/runner/format.work.ts';
import type { Census, SourceItem } from '../../src/ingest/runner/located-row.ts';
import { foldText } from '../../src/kernel/text.ts';
import { readPlainCsv } from '../support/plain-csv.ts';
import { readOptions } from '../support/read-options.ts';

const data = resolve(import.meta.dir, '../../../shared/data');
const older = join(data, 'rebrickable_2023-11-15');
const newer = join(data, 'rebrickable_2025-08-31');
const downloads = join(data, 'bricklink_catalog_full_2025-10');

/** The items read that are not rows; throws if the files are rejected. */
async function read(format: Format, path: string, options = readOptions()) {
  const others: SourceItem[] = [];
  for await (const group of format.read([path], options)) {
    for (const item of group) if (!('where' in item)) others.push(item);
  }
  return others;
}

type Keys = ReadonlySet<string>;

const compare = (known: Keys, keys: Keys) => {
  const remaining = known.intersection(keys).size;
  return { known: known.size, gone: known.size - remaining, added: keys.size - remaining };
};

/** The sets of a dump, read with simple code. */
const setsOf = (dump: string): Keys =>
  new Set(
    readPlainCsv(join(dump, 'sets.csv')).map(({ set_num: number = '' }) => itemKey('set', number)),
  );

/** A store that knows the sets of a source; `seen` gets the keys compared with it. */
function knowing(known: Keys, seen: (keys: Keys) => void): ReadOptions {
  const { store, ...rest } = readOptions();
  const compareCensus = async ({ itemKind, keys }: Pick<Census, 'itemKind' | 'keys'>) => {
    if (itemKind === 'set') seen(keys);
    return compare(itemKind === 'set' ? known : new Set(), keys);
  };
  return { ...rest, store: { ...store, market: { ...store.market, compareCensus } } };
}

describe.skipIf(!existsSync(newer) || !existsSync(older))("Rebrickable's dumps", () => {
  test('are accepted in the order of their years, but not in reverse', async () => {
    // catalog.test.ts compares the newer dump with its files.
    const second = setsOf(newer);
    let first: Keys = new Set();
    const options = knowing(second, (keys) => {
      first = keys;
    });
    await expect(read(rebrickable, older, options)).rejects.toThrow(
      /^Of the 25,49\d sets that Rebrickable had, 3,79\d are not in this dump, and 2\d\d are new/,
    );
    expect(first.size).toBeGreaterThan(20_000);
    expect(censusProblem(compare(first, second))).toBeNull();
  });
});

describe.skipIf(!existsSync(downloads))("BrickLink's downloads", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-guards-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const readAs = (name: string, called: string) => {
    copyFileSync(join(downloads, name), join(folder, called));
    return read(bricklinkCatalog, join(folder, called));
  };

  test.each([
    [
      'Gear.txt',
      'Sets.txt',
      'The file name Sets.txt says sets, but the file seems to contain gear, books or parts',
    ],
    ['Gear.txt', 'download.txt', 'download.txt seems to contain gear, books or parts'],
  ])('%s as %s is rejected', async (name, called, message) => {
    await expect(readAs(name, called)).rejects.toThrow(message);
  });

  test.each([
    ['Sets.txt', 'Sets.txt'],
    ['Minifigures.txt', 'Minifigures.txt'],
  ])('%s as %s is accepted', async (name, called) => {
    await expect(readAs(name, called)).resolves.toEqual([]);
  });
});

test.skipIf(!existsSync(newer) || !existsSync(downloads))(
  "BrickLink's numbers of collectible figures are sets of Rebrickable with such a name",
  () => {
    const names = new Map(
      readPlainCsv(join(newer, 'sets.csv')).map(({ set_num = '', name = '' }) => [set_num, name]),
    );
    const rows = readFileSync(join(downloads, 'Sets.txt'), 'utf8').split('\n');
    const figures = rows.flatMap((row) => {
      const [, , number = '', name = ''] = row.split('\t');
      return /^col.+-\d+$/.test(number) ? [{ number, name }] : [];
    });
    expect(figures).toHaveLength(763);
    const wordsOf = (name: string) => new Set(searchWords(foldText(name).replaceAll('-', '')));
    const others = figures.filter(({ number, name }) => {
      const theirs = names.get(figureOfSeries(number) ?? '') ?? '';
      return wordsOf(theirs).isDisjointFrom(wordsOf(decodeEntities(name)));
    });
    // They are called Bart and RB20 there, and Bartman and Red Bull by Brickset.
    expect(others.map(({ number }) => number).sort()).toEqual(['colf1rc-1', 'colsim2-5']);
    expect(new Set(figures.map(({ number }) => itemKey('set', number))).size).toBe(763);
  },
);
