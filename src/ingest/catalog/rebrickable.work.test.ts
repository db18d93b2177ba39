/** Rebrickable's dump: themes, inventories, and locations of rejects. */
import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import {
  type Files,
  factsOf,
  readFiles,
  rejectsOf,
  warningsOf,
} from '../../../test/support/read-format.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import { zip } from '../../../test/support/zip.ts';
import type { CensusComparison } from '../../catalog/items/census.ts';
import { rebrickable } from './rebrickable.work.ts';
import { Inventories } from './rebrickable-inventories.ts';

const dump = {
  'themes.csv': 'id,name,parent_id\n1,Coastline,\n2,Lighthouses,1\n3,Lamps,2\n',
  'sets.csv':
    'set_num,name,year,theme_id,num_parts,img_url\n' +
    '10482-1,Harbour Lighthouse,2026,3,1204,https://img.example/10482-1.jpg\n' +
    '10483-1,"Keeper, Lighthouse",2024,1,0,\n' +
    '10490 -2,Harbour Bundle,2027,1,1204,https://img.example/10490 -2.jpg\n',
  'minifigs.csv':
    'fig_num,name,num_parts,img_url\n' +
    'fig-900001,Keeper,4,https://img.example/fig-900001.jpg\n' +
    'fig-900002,Gull,1,\nfig-900003,Diver,4,\nfig-900004,Ghost,1,\n',
  'inventories.csv':
    'id,version,set_num\n1,1,10482-1\n2,2,10482-1\n3,1,10483-1\n4,1,fig-900001\n5,1,10490 -2\n',
  'inventory_minifigs.csv':
    'inventory_id,fig_num,quantity\n' +
    '1,fig-900003,1\n1,fig-900002,2\n2,fig-900002,3\n2,fig-900001,1\n3,fig-900001,1\n',
  'inventory_sets.csv': 'inventory_id,set_num,quantity\n5,10482-1,2\n5,10483-1,1\n',
  'inventory_parts.csv': `inventory_id,part_num,color_id,quantity\n${'junk\n'.repeat(2000)}`,
  'colors.csv': 'id,name,rgb,is_trans\n',
  'readme.txt': 'not a table',
};

const read = (changes: Partial<Record<keyof typeof dump, string | null>> = {}) =>
  readFiles(rebrickable, without({ ...dump, ...changes }));

function without(files: Readonly<Record<string, string | null>>): Files {
  return Object.fromEntries(
    Object.entries(files).flatMap(([k, v]) => (v === null ? [] : [[k, v]])),
  );
}

const nothingElse = {
  upc: null,
  ean: null,
  msrpCents: null,
  releaseDate: null,
  retireDate: null,
  box: null,
  itemClass: null,
  isOnSale: null,
};

test('gear and books are recognized by their root theme', async () => {
  const themes = 'id,name,parent_id\n1,Gear,\n2,Lighthouses,1\n3,Books,\n';
  expect(factsOf(await read({ 'themes.csv': themes }))).toMatchObject({
    10482: { itemClass: 'book' },
    10483: { itemClass: 'gear' },
  });
});

test('a set has its root theme, its leaf, the minifigs of all inventory versions, and the units of the newest', async () => {
  const items = await read();
  expect(rejectsOf(items)).toEqual([]);
  expect(factsOf(items)['10482']).toEqual({
    number: '10482',
    title: 'Harbour Lighthouse',
    theme: 'Coastline',
    subtheme: 'Lamps',
    pieces: 1204,
    year: 2026,
    minifigs: ['fig-900001', 'fig-900002', 'fig-900003'],
    minifigsCount: 3 + 1,
    imageUrl: 'https://img.example/10482-1.jpg',
    ...nothingElse,
  });
  expect(factsOf(items)['10483']).toMatchObject({
    title: 'Keeper, Lighthouse',
    theme: 'Coastline',
    subtheme: null,
    pieces: 0,
    imageUrl: null,
  });
});

test('a set that contains sets has their minifigs', async () => {
  expect(factsOf(await read())['10490-2']).toMatchObject({
    minifigs: ['fig-900001', 'fig-900002', 'fig-900003'],
    minifigsCount: 2 * (3 + 1) + 1,
    imageUrl: 'https://img.example/10490%20-2.jpg',
  });
  const alone = factsOf(await read({ 'inventory_sets.csv': null }));
  expect(alone['10490-2']).toMatchObject({ minifigs: null, minifigsCount: null });
});

test('versions of an inventory are not added up if one has sets and the other their minifigs', async () => {
  const versions = {
    'inventories.csv': `${dump['inventories.csv']}6,2,10490 -2\n`,
    'inventory_minifigs.csv': `${dump['inventory_minifigs.csv']}5,fig-900001,1\n`,
  };
  const items = await read({
    ...versions,
    'inventory_sets.csv': 'inventory_id,set_num,quantity\n6,10483-1,1\n',
  });
  const counted = { minifigs: ['fig-900001'], minifigsCount: 1 };
  expect(factsOf(items)['10490-2']).toMatchObject(counted);
});

test('the count is unknown if the newest inventory lists no minifigs', async () => {
  const inventories = `${dump['inventories.csv']}6,3,10482-1\n`;
  expect(factsOf(await read({ 'inventories.csv': inventories }))['10482']).toMatchObject({
    minifigs: ['fig-900001', 'fig-900002', 'fig-900003'],
    minifigsCount: null,
  });
});

test('a minifig has the year of its first set', async () => {
  const facts = factsOf(await read());
  expect(facts['fig-900001']).toEqual({
    number: 'fig-900001',
    name: 'Keeper',
    category: null,
    color: null,
    yearReleased: 2024,
    imageUrl: 'https://img.example/fig-900001.jpg',
    aliases: [],
  });
  expect(facts['fig-900004']).toMatchObject({ yearReleased: null });
});

test('the dump ends with a census, unless a row was rejected', async () => {
  const censusOf = async (items: ReturnType<typeof read>) =>
    (await items).flatMap((item) => ('keys' in item ? [[item.itemKind, ...item.keys]] : []));
  const sets = ['set', '10482', '10483', '10490-2'];
  const minifigs = ['minifig', 'fig-900001', 'fig-900002', 'fig-900003', 'fig-900004'];
  expect(await censusOf(read())).toEqual([sets, minifigs]);
  expect(await censusOf(read({ 'minifigs.csv': null }))).toEqual([sets]);
  const odd = dump['minifigs.csv'].replace('Gull,1,', 'Gull');
  expect(await censusOf(read({ 'minifigs.csv': odd }))).toEqual([sets]);
  // A rejected set is still in the census.
  const orphan = dump['sets.csv'].replace('2026,3', '2026,77');
  expect(await censusOf(read({ 'sets.csv': orphan }))).toEqual([sets, minifigs]);
});

test.each([
  ['inventories.csv', 'contents of sets and years of minifigs were not changed.'],
  ['inventory_minifigs.csv', 'contents of sets and years of minifigs were not changed.'],
  ['inventory_sets.csv', 'contents of sets and years of minifigs were not changed.'],
  ['minifigs.csv', 'minifigs were not changed.'],
] as const)('a dump without %s keeps the data of that table', async (name, left) => {
  const items = await read({ [name]: null });
  expect(items).toContainEqual({ note: `The dump has no ${name}, so ${left}` });
  const keeps = items.flatMap((item) =>
    'where' in item && 'row' in item.result && 'facts' in item.result.row
      ? [item.result.row as { kind: string; keeps?: readonly string[] }]
      : [],
  );
  const ofSet = name === 'minifigs.csv' ? undefined : ['minifigs', 'minifigsCount'];
  expect(keeps.find(({ kind }) => kind === 'set')?.keeps).toEqual(ofSet as string[]);
});

test('a complete dump has no notes and keeps no old data', async () => {
  const items = await read();
  expect(items.filter((item) => 'note' in item)).toEqual([]);
  expect(JSON.stringify(items)).not.toContain('keeps');
});

test('without inventories, minifigs are unknown', async () => {
  const items = await read({ 'inventories.csv': null });
  expect(factsOf(items)['10482']).toMatchObject({ minifigs: null, minifigsCount: null });
  expect(rejectsOf(items)).toEqual([]);
});

test.each([
  ['an unknown theme', '1,Coastline,\n', "theme '3' is not in themes.csv"],
  [
    'a missing parent',
    '3,Lamps,2\n1,Coastline,\n',
    "theme '2', above theme '3', is not in themes.csv",
  ],
  ['a circle', '1,Coastline,3\n2,L,1\n3,Lamps,2\n', "theme '3' is its own ancestor, through '3'"],
])('a set whose theme has %s is rejected', async (_, rows, reason) => {
  const items = await read({ 'themes.csv': `id,name,parent_id\n${rows}` });
  expect(rejectsOf(items)).toContain(`sets.csv:2: ${reason}`);
});

test('rows of other tables are only reported as rejects', async () => {
  const minifigsInside = dump['inventory_minifigs.csv'];
  const inventories = dump['inventories.csv'];
  const items = await read({
    'themes.csv': `${dump['themes.csv']},Nameless,\n`,
    'inventories.csv': `${inventories}6,1,99999-1\n7,1,fig-1\n8,x,10483-1\n9\n10,1,10483-1\n`,
    'inventory_minifigs.csv': `${minifigsInside}77,fig-900001,1\n2,fig-1,1\n2,fig-900003,0\n`,
    'inventory_sets.csv': `${dump['inventory_sets.csv']}5,99999-1,1\n`,
  });
  expect(rejectsOf(items)).toEqual([
    "themes.csv:5: 'id' is missing",
    "inventories.csv:7: set '99999-1' is not in sets.csv",
    "inventories.csv:8: minifig 'fig-1' is not in minifigs.csv",
    "inventories.csv:9: 'version' must be a whole number, not 'x'",
    'inventories.csv:10: the row has 1 column and the header 3',
    "inventory_minifigs.csv:7: inventory '77' is not in inventories.csv",
    "inventory_minifigs.csv:8: minifig 'fig-1' is not in minifigs.csv",
    "inventory_minifigs.csv:9: 'quantity' must be at least 1",
    "inventory_sets.csv:4: set '99999-1' is not in sets.csv",
  ]);
});

test('nested sets are resolved once each', () => {
  const inventories = new Inventories();
  const names = Array.from({ length: 8 }, (_, level) => `level-${level}`);
  for (const name of names) inventories.add(name, name, 1);
  for (const [level, name] of names.entries()) {
    const next = { number: `level-${level + 1}`, quantity: 1 };
    const isLast = level === 7;
    for (let i = 0; i < 30; i++) {
      if (isLast) inventories.addContent('minifigs', name, { number: 'fig-1', quantity: 1 });
      else inventories.addContent('sets', name, next);
    }
  }
  expect(inventories.find('level-0')).toEqual({ numbers: ['fig-1'], count: 30 ** 8 });
  expect(inventories.find('level-6')).toEqual({ numbers: ['fig-1'], count: 900 });
});

test('sets that contain each other are rejected', async () => {
  const items = await read({
    'inventory_sets.csv': 'inventory_id,set_num,quantity\n3,10490 -2,1\n5,10483-1,1\n',
  });
  expect(rejectsOf(items)).toEqual([
    "sets.csv:3: the set contains itself, through '10483-1', '10490 -2'",
    "sets.csv:4: the set contains itself, through '10490 -2', '10483-1'",
  ]);
});

test('a bad year is left out; a set with a bad number or no name is rejected with its text', async () => {
  const rows = '..,Up,2026,1,1,\nB-1,Old,26,1,1,\nC-1,Odd,soon,1,1,\nD-1,,2026,1,1,\n';
  const header = 'set_num,name,year,theme_id,num_parts,img_url\n';
  const items = await readFiles(rebrickable, {
    'sets.csv': header + rows,
    'themes.csv': dump['themes.csv'],
  });
  expect(rejectsOf(items)).toEqual([
    `sets.csv:2: '..': 'set_number' must be a number such as 75192-1, not ".."`,
    "sets.csv:5: 'D-1': 'title' is missing",
  ]);
  expect(warningsOf(items)).toEqual([
    "sets.csv:3: 'B-1': 'year' must be a whole number from 1900 to 2100, not 26",
    "sets.csv:4: 'C-1': 'year' must be a whole number, not 'soon'",
  ]);
  expect(items[0]).toMatchObject({ text: '..,Up,2026,1,1,' });
});

test.each([
  ['compressed separately', ['b.csv.gz', 'a.csv.gz', 'c.zip']],
  ['in a folder', ['.']],
])('tables are recognized by their headers: %s, with any file name', async (_, paths) => {
  const { 'themes.csv': themes, 'sets.csv': sets, 'readme.txt': _readme, ...others } = dump;
  const files = {
    'a.csv.gz': gzipSync(themes),
    'b.csv.gz': gzipSync(sets),
    'c.zip': zip({ ...others, 'about.txt': 'a,b\n' }),
  };
  const items = await readFiles(rebrickable, files, { paths });
  expect(rejectsOf(items)).toEqual([]);
  expect(Object.keys(factsOf(items))).toHaveLength(7);
  expect(factsOf(items)['10482']).toMatchObject({ minifigsCount: 3 + 1 });
});

test.each([
  [
    'themes are missing',
    { 'themes.csv': null },
    "Rebrickable's themes.csv cannot be missing or empty.",
  ],
  [
    'sets and themes are missing',
    { 'themes.csv': null, 'sets.csv': null },
    "Rebrickable's sets.csv and themes.csv cannot be missing or empty.",
  ],
  [
    'a column is missing',
    { 'sets.csv': 'set_num,name\n1-1,A\n' },
    "sets.csv:1: the header has no 'year', 'theme_id', 'num_parts'",
  ],
  [
    'a file is not from Rebrickable',
    { 'colors.csv': 'a,b,c,d,e,f,g\n' },
    "colors.csv:1: this is not a Rebrickable file; its header is 'a, b, c, d, e, f'.",
  ],
  ['a file is empty', { 'colors.csv': '' }, 'colors.csv is empty.'],
  [
    'a table occurs twice',
    { 'colors.csv': 'id,name,parent_id\n1,Coastline,\n' },
    "colors.csv and themes.csv are both Rebrickable's themes.csv; import only one of them.",
  ],
  [
    'there are no sets',
    { 'sets.csv': 'set_num,name,year,theme_id,num_parts\n' },
    "Rebrickable's sets.csv cannot be missing or empty.",
  ],
  [
    'a file is incomplete',
    { 'sets.csv': dump['sets.csv'].slice(0, -60) },
    'sets.csv:4: the file ends in the middle of a row; is it complete?',
  ],
  [
    'a quote is never closed',
    { 'sets.csv': `${dump['sets.csv']}9-1,"x,2026,1,1,\n` },
    'sets.csv:5: the row that begins here has a quote that is never closed.',
  ],
])('the import fails with one sentence: %s', async (_, changes, message) => {
  await expect(read(changes)).rejects.toThrow(message);
});

describe('a dump compared with the last one', () => {
  const readAgainst = (comparison: CensusComparison, isForced = false) => {
    const { store, ...rest } = readOptions({ settings: { isForced } });
    const market = { ...store.market, compareCensus: async () => comparison };
    return readFiles(rebrickable, without(dump), {
      options: { ...rest, store: { ...store, market } },
    });
  };

  test('is imported if it has grown', async () => {
    await expect(readAgainst({ known: 900, gone: 40, added: 80 })).resolves.toBeDefined();
  });

  test.each([
    [
      { known: 900, gone: 40, added: 3 },
      'Of the 900 sets that Rebrickable had, 40 are not in this dump, and 3 are new. It looks ' +
        'older than the last one; --force imports it anyway.',
    ],
    [{ known: 900, gone: 50, added: 80 }, 'Part of it seems to be missing'],
    [{ known: 9000, gone: 8997, added: 0 }, 'Part of it seems to be missing'],
  ])('%j is rejected unless forced', async (comparison, message) => {
    await expect(readAgainst(comparison)).rejects.toThrow(message);
    await expect(readAgainst(comparison, true)).resolves.toBeDefined();
  });
});

test('a table without a final newline is incomplete', async () => {
  const cut = dump['sets.csv'].trimEnd().slice(0, -3);
  await expect(read({ 'sets.csv': cut })).rejects.toThrow('the file ends in the middle of a row');
});
