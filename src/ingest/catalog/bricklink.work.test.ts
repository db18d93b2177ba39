/** BrickLink's downloads: unknown values, quotes, and detection of sets and minifigs. */

import { describe, expect, test } from 'bun:test';
import { factsOf, readFiles, rejectsOf, warningsOf } from '../../../test/support/read-format.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import { bricklinkCatalog, decodeEntities } from './bricklink.work.ts';

const header =
  'Category ID\tCategory Name\tNumber\tName\tYear Released\tWeight (in Grams)\tDimensions';

const tsv = (...rows: readonly (readonly string[])[]) =>
  [header, '', '', ...rows.map((row) => row.join('\t'))].join('\r\n');

const read = (files: Readonly<Record<string, string>>) => readFiles(bricklinkCatalog, files);

const lighthouse = ['9', 'Coastline / Lighthouses / Lamps', '10482-1', 'Harbour "Light" house'];

test('a download of sets is read, with centimeters, grams and unescaped quotes', async () => {
  const items = await read({
    'Sets.txt': tsv(
      [...lighthouse, '2026', '2500', '58.2 x 37.8 x ?'],
      [
        '9',
        'Coastline',
        'K10-2',
        'Tom &#38; the &#34;Gull&quot; &amp;&#40;1&#41; polybag',
        '?',
        '?',
        '? x ? x ?',
      ],
    ),
  });
  expect(rejectsOf(items)).toEqual([]);
  expect(items[0]).toMatchObject({ where: 'Sets.txt:4' });
  expect(factsOf(items)).toMatchObject({
    '10482': {
      title: 'Harbour "Light" house',
      theme: 'Coastline',
      subtheme: 'Lighthouses / Lamps',
      year: 2026,
      pieces: null,
      minifigs: null,
      box: { widthIn: 22.91, heightIn: 14.88, depthIn: null, weightLbs: 5.51 },
      itemClass: null,
      isOnSale: null,
    },
    'K10-2': {
      title: 'Tom & the "Gull" &(1) polybag',
      subtheme: null,
      year: null,
      box: null,
      itemClass: 'polybag',
      isOnSale: null,
    },
  });
});

test('a download of minifigs is read, with their other numbers', async () => {
  const items = await read({
    'Minifigures.txt':
      `${header}\tAlternate Item Number\r\n` +
      '9\tCoastline / Keepers\tcst001\tKeeper\t2026\t3.1\t? x ? x ?\tcst001a, cst001,lth7\r\n' +
      '9\tCoastline\tcst002\tGull\t?\t?\t? x ? x ?\t\r\n',
  });
  expect(rejectsOf(items)).toEqual([]);
  expect(factsOf(items)).toEqual({
    cst001: {
      number: 'cst001',
      name: 'Keeper',
      category: 'Coastline / Keepers',
      color: null,
      yearReleased: 2026,
      imageUrl: null,
      aliases: ['cst001a', 'lth7'],
    },
    cst002: expect.objectContaining({ yearReleased: null, aliases: [] }),
  });
});

test('without a hint in the file name, numbers decide', async () => {
  const items = await read({
    'download.txt': tsv(
      [...lighthouse, '2026', '?', '? x ? x ?'],
      ['9', 'Coastline', 'cst001', 'Keeper', '2026', '?', '? x ? x ?'],
    ),
  });
  const kinds = items.map((item) =>
    'where' in item && 'row' in item.result ? item.result.row.kind : null,
  );
  expect(kinds).toEqual(['set', 'minifig']);
});

test('lists of minifigs with and without years have different sources', async () => {
  const items = await read({
    'a.csv': 'item_number,description,category,item_link\ncst001,"Keeper, Blue",Coastline,x\n',
    'b.csv':
      'item_number,description,category,item_link,release_year\ncst001,K,Coastline,x,1999\n' +
      'cst002,G,Coastline,x,NA\n',
  });
  expect(items).toMatchObject([
    {
      result: {
        row: { source: 'bricklink-list', facts: { name: 'Keeper, Blue', yearReleased: null } },
      },
    },
    { result: { row: { source: 'bricklink-years', facts: { name: 'K', yearReleased: 1999 } } } },
    { result: { row: { source: 'bricklink-years', facts: { name: 'G', yearReleased: null } } } },
  ]);
});

test('invalid optional fields are dropped, and only useless rows are rejected', async () => {
  const items = await read({
    'Sets.txt': tsv(
      ['9', 'Coastline', '', 'Nameless', '2026', '?', '? x ? x ?'],
      ['9', 'Coastline', '1-1', 'A', 'soon', '?', '? x ? x ?'],
      ['9', 'Coastline', '2-1', 'B', '2026', 'heavy', '? x ? x ?'],
      ['9', 'Coastline', '3-1', 'C', '2026', '?', '12 x 9'],
      ['9', 'Coastline', '4-1', 'D', '2026', '?', '1160 x 9 x 9'],
      ['9', 'Coastline'],
      [...lighthouse, '2026', '?', '? x ? x ?'],
    ),
  });
  expect(rejectsOf(items)).toEqual([
    "Sets.txt:4: 'number' is missing",
    'Sets.txt:9: the row has 2 columns and the header 7',
  ]);
  expect(warningsOf(items)).toEqual([
    "Sets.txt:5: '1-1': 'Year Released' must be a whole number, not 'soon'",
    "Sets.txt:6: '2-1': 'Weight (in Grams)' must be a number or ?, not 'heavy'",
    "Sets.txt:7: '3-1': 'Dimensions' must be W x H x D in cm, not '12 x 9'",
    "Sets.txt:8: '4-1': 'width_in' must be a number above 0 and at most 200, not 456.69",
  ]);
  const sides = { heightIn: 3.54, depthIn: 3.54 };
  expect(factsOf(items)).toMatchObject({
    1: { title: 'A', year: null },
    2: { box: null },
    3: { box: null },
    4: { box: { widthIn: null, ...sides } },
  });
});

test.each([
  [
    'Original Boxes.txt',
    `${header}\n`,
    "Original Boxes.txt is BrickLink's download of boxes; import only sets and minifigs.",
  ],
  ['Sets.txt', 'Category ID\tCategory Name\n', "Sets.txt:1: the header has no 'Number', 'Name'"],
  ['list.csv', 'a,b\n', "list.csv:1: the header has no 'item_number', 'description', 'category'"],
  ['Sets.txt', '', 'Sets.txt is empty.'],
  ['Sets.txt', tsv(['9', 'Coast']), 'Sets.txt:4: the file ends in the middle of a row'],
])('%s is rejected with one sentence', async (name, content, message) => {
  await expect(read({ [name]: content })).rejects.toThrow(message);
});

describe('a download that contradicts its file name', () => {
  const rows = (number: (index: number) => string, count = 40) =>
    tsv(
      ...Array.from({ length: count }, (_, index) => {
        return ['9', 'Coastline', number(index), 'A', '2026', '?', '? x ? x ?'];
      }),
      [],
    ).replace(/\r\n$/, '\r\n');
  const sets = rows((index) => `${1000 + index}-1`);
  const minifigs = rows((index) => `cst${1000 + index}`);
  const gear = rows((index) => (index % 3 === 0 ? `Card${index}` : `85${1000 + index}`));

  test.each([
    ['Sets.txt', gear, 'says sets, but the file seems to contain gear, books or parts: 0% of'],
    ['Sets.txt', minifigs, 'says sets, but the file seems to contain minifigs'],
    ['Minifigures.txt', sets, 'says minifigs, but the file seems to contain sets: 100% of its 40'],
    ['Minifigures.txt', gear, 'says minifigs, but the file seems to contain gear'],
    ['download.txt', gear, 'download.txt seems to contain gear, books or parts'],
  ])('%s is rejected unless forced', async (name, content, message) => {
    await expect(read({ [name]: content })).rejects.toThrow(message);
    const options = readOptions({ settings: { isForced: true } });
    await expect(
      readFiles(bricklinkCatalog, { [name]: content }, { options }),
    ).resolves.toHaveLength(40);
  });

  test.each([
    ['Sets.txt', sets],
    ['Minifigures.txt', minifigs],
    ['download.txt', sets],
    ['download.txt', minifigs],
    ['Sets.txt', rows((index) => `85${1000 + index}`, 19)],
  ])('%s matches its name, or is too short to tell', async (name, content) => {
    await expect(read({ [name]: content })).resolves.toBeDefined();
  });
});

test.each([
  ['Rock &#39;n&#39; Roll &amp; more', "Rock 'n' Roll & more"],
  ['&#x41;&QUOT;&nbsp;', 'A" '],
  ['&#1114111;', '\u{10ffff}'],
  ['&#1114112; &#x110000;', '&#1114112; &#x110000;'],
  ['&zzz; & &#;', '&zzz; & &#;'],
])('%p decodes to %p', (text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});

describe('a download named neither sets nor minifigs', () => {
  const header = 'Category ID\tCategory Name\tNumber\tName';
  const numbered = (sets: number, words: number, digits: number) => [
    ...Array.from({ length: sets }, (_, index) => `${1000 + index}-1`),
    ...Array.from({ length: words }, (_, index) => `sw${1000 + index}`),
    ...Array.from({ length: digits }, (_, index) => `${1000 + index}`),
  ];
  const load = (numbers: readonly string[]) => {
    const rows = numbers.map((number) => `1\tTown\t${number}\tHut`);
    return readFiles(bricklinkCatalog, { 'list.txt': `${[header, ...rows].join('\n')}\n` });
  };

  test.each([
    ['fewer than 20 numbers', numbered(0, 0, 19)],
    ['80 % of sets', numbered(16, 0, 4)],
    ['80 % of minifigs', numbered(0, 16, 4)],
  ])('with %s is read', async (_, numbers) => {
    expect(await load(numbers)).toHaveLength(numbers.length);
  });

  test.each([
    ['20 other numbers', numbered(0, 0, 20), '0% of its 20 numbers'],
    ['fewer sets', numbered(15, 0, 5), '75% of its 20 numbers'],
    ['fewer minifigs', numbered(1, 15, 4), '5% of its 20 numbers'],
  ])('with %s is rejected', async (_, numbers, share) => {
    await expect(load(numbers)).rejects.toThrow(
      `list.txt seems to contain gear, books or parts: ${share} end in a variant`,
    );
  });
});
