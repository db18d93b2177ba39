/** Brickset's objects and exports: prices, barcodes, dates, boxes and numbers. */

import { expect, test } from 'bun:test';
import { factsOf, readFiles, rejectsOf, warningsOf } from '../../../test/support/read-format.ts';
import type { SourceItem } from '../runner/located-row.ts';
import { brickset } from './brickset.work.ts';

const object = {
  setID: 1,
  number: '10482',
  numberVariant: 1,
  name: 'Harbour Lighthouse',
  year: 2026,
  theme: 'Coastline',
  subtheme: 'Lighthouses',
  released: true,
  pieces: 1204,
  minifigs: 2,
  image: { imageURL: 'https://img.example/10482 -1.jpg' },
  LEGOCom: {
    US: {
      retailPrice: 119.99,
      dateFirstAvailable: '2026-01-02T00:00:00Z',
      dateLastAvailable: '2027-12-31T00:00:00Z',
    },
    UK: { retailPrice: 99.99 },
  },
  dimensions: { height: 37.8, width: 58.2, depth: 12.5, weight: 2.5 },
  barcode: { EAN: '5702010000012', UPC: '673419000017' },
};

const facts = {
  number: '10482',
  title: 'Harbour Lighthouse',
  theme: 'Coastline',
  subtheme: 'Lighthouses',
  pieces: 1204,
  year: 2026,
  minifigs: null,
  minifigsCount: 2,
  upc: '673419000017',
  ean: '5702010000012',
  msrpCents: 119_99,
  releaseDate: '2026-01-02',
  retireDate: '2027-12-31',
  imageUrl: 'https://img.example/10482%20-1.jpg',
  box: { widthIn: 22.91, heightIn: 14.88, depthIn: 4.92, weightLbs: 5.51 },
  itemClass: null,
  isOnSale: null,
};

const sourcesOf = (items: readonly SourceItem[]) => [
  ...new Set(
    items.flatMap((item) =>
      'where' in item && 'row' in item.result && 'source' in item.result.row
        ? [item.result.row.source]
        : [],
    ),
  ),
];

test.each([
  ['an answer of the API', { status: 'success', matches: 1, sets: [object] }],
  ['a list', [object]],
  ['one object', object],
])('%s is read', async (_, content) => {
  const items = await readFiles(brickset, { 'page.json': JSON.stringify(content) });
  expect(factsOf(items)).toEqual({ '10482': facts });
  expect(items).toMatchObject([{ where: 'page.json#1', text: expect.stringContaining('10482') }]);
  expect(sourcesOf(items)).toEqual(['brickset']);
});

test('category, packaging and availability determine the class', async () => {
  const polybag = { ...object, category: 'Normal', packagingType: 'Polybag' };
  // Sets with a price are not promotional.
  const priced = { ...polybag, availability: 'Promotional' };
  const given = { ...priced, number: '10483', LEGOCom: {} };
  const items = await readFiles(brickset, { 'a.json': JSON.stringify([priced, given]) });
  expect(factsOf(items)).toMatchObject({
    10482: { itemClass: 'polybag' },
    10483: { itemClass: 'promotional' },
  });
  const flat =
    'number,numberVariant,name,theme,category,packagingType,availability\n' +
    '1,1,Tag,Gear,Gear,Tag,NA\n2,1,Gate,Castles,Normal,Polybag,NA\n';
  const full =
    'SetID,Number,YearFrom,SetName,Theme,Category,PackagingType,Availability\n' +
    '1,3,1990,Atlas,Books,Book,,\n2,4,1990,Ship,Pirates,Normal,Box,Promotional\n';
  const read = factsOf(await readFiles(brickset, { 'flat.csv': flat, 'full.csv': full }));
  expect(read).toMatchObject({
    1: { itemClass: 'gear' },
    2: { itemClass: 'polybag' },
    3: { itemClass: 'book' },
    4: { itemClass: 'promotional' },
  });
});

test('launch and exit dates take precedence over shop dates', async () => {
  const dated = { ...object, launchDate: '2025-12-26T00:00:00Z', exitDate: '2028-06-30T00:00:00Z' };
  const items = await readFiles(brickset, { 'one.json': JSON.stringify(dated) });
  expect(factsOf(items)['10482']).toMatchObject({
    releaseDate: '2025-12-26',
    retireDate: '2028-06-30',
  });
});

test('a set is on sale if it has a first and no last shop date', async () => {
  const inShop = { dateFirstAvailable: '2026-01-02T00:00:00Z' };
  const onSale = async (told: object) =>
    factsOf(await readFiles(brickset, { 'one.json': JSON.stringify({ ...object, ...told }) }));
  expect(await onSale({ LEGOCom: { US: inShop } })).toMatchObject({
    10482: { isOnSale: true, retireDate: null },
  });
  const ended = { LEGOCom: { US: inShop }, exitDate: '2028-06-30T00:00:00Z' };
  expect(await onSale(ended)).toMatchObject({ 10482: { isOnSale: null } });
  expect(await onSale({ LEGOCom: {} })).toMatchObject({ 10482: { isOnSale: null } });
});

test('a shop date long after the release year is no release date', async () => {
  const old = (year: number) => JSON.stringify({ ...object, year });
  const release = async (year: number) =>
    factsOf(await readFiles(brickset, { 'one.json': old(year) }))['10482'];
  expect(await release(2025)).toMatchObject({ releaseDate: '2026-01-02' });
  expect(await release(2024)).toMatchObject({ releaseDate: null });
});

test('barcodes may have another field name, and other fields are optional', async () => {
  const { barcode: barcodes, LEGOCom: _, dimensions: __, image: ___, ...rest } = object;
  const items = await readFiles(brickset, { 'a.json': JSON.stringify({ ...rest, barcodes }) });
  expect(factsOf(items)['10482']).toEqual({
    ...facts,
    msrpCents: null,
    releaseDate: null,
    retireDate: null,
    imageUrl: null,
    box: null,
  });
});

test.each([
  ['no number', { number: null }, "'number' is missing"],
  ['no theme', { theme: ' ' }, "'10482-1': 'theme' is missing"],
])('an object with %s is rejected', async (_, change, reason) => {
  const items = await readFiles(brickset, { 'a.json': JSON.stringify({ ...object, ...change }) });
  expect(rejectsOf(items)).toEqual([`a.json#1: ${reason}`]);
  expect(warningsOf(items)).toEqual([]);
});

const { barcode, dimensions } = object;

test.each([
  [
    'UPC',
    { barcode: { ...barcode, UPC: '673419000018' } },
    { upc: null },
    "UPC '673419000018' has check digit 8, not 7",
  ],
  [
    'EAN',
    { barcode: { ...barcode, EAN: '5702010000011' } },
    { ean: null },
    "EAN '5702010000011' has check digit 1, not 2",
  ],
  [
    'number of pieces',
    { pieces: 'many' },
    { pieces: null },
    "'pieces' must be a whole number, not 'many'",
  ],
  ['year', { year: 'soon' }, { year: null }, "'year' must be a whole number, not 'soon'"],
  [
    'day',
    { exitDate: 'soon' },
    {},
    "'exit date' must be a date such as 31/12/2026 or 2026-12-31, not 'soon'",
  ],
  [
    'side of a box',
    { dimensions: { ...dimensions, depth: 9000 } },
    { box: { ...facts.box, depthIn: null } },
    "'depth_in' must be a number above 0 and at most 200, not 3543.31",
  ],
])(
  'an invalid %s is dropped with a warning, and other fields are kept',
  async (_, change, left, reason) => {
    const items = await readFiles(brickset, { 'a.json': JSON.stringify({ ...object, ...change }) });
    expect(rejectsOf(items)).toEqual([]);
    expect(warningsOf(items)).toEqual([`a.json#1: '10482-1': ${reason}`]);
    // The last shop date replaces an invalid exit date.
    expect(factsOf(items)['10482']).toEqual({ ...facts, ...left });
  },
);

const exported =
  'Number,Theme,Subtheme,Year,Set name,Minifigs,Pieces,RRP (GBP),RRP (USD),EAN,UPC,Width,Height,' +
  'Depth,Weight,Launch date,Exit date\n';

test('the export of a collection is read: day first, centimetres, blanks', async () => {
  const items = await readFiles(brickset, {
    'sets.csv':
      `${exported}"10482-1","Coastline","Lighthouses",2026,"Harbour Lighthouse",2,1204,99.99,` +
      '119.99,5702010000012,673419000017,58.2,37.8,12.5,2.5,"02/01/2026","31/12/2027"\n' +
      '"850508 -1","Gear","",2012,"Keyring",,,,0,673419000017,,0,,,,,\n',
  });
  expect(rejectsOf(items)).toEqual([]);
  expect(factsOf(items)['10482']).toEqual({ ...facts, imageUrl: null });
  expect(factsOf(items)['850508']).toMatchObject({
    title: 'Keyring',
    subtheme: null,
    msrpCents: null,
    // A UPC where an EAN should be is that EAN without its leading 0.
    ean: '0673419000017',
    upc: null,
    box: null,
    releaseDate: null,
  });
  expect(sourcesOf(items)).toEqual(['brickset-export']);
});

test('the old export is read', async () => {
  const rows =
    'Theme,Subtheme,SetName,Number,Year,Pieces,USPrice\nCoastline,,Pier,10484-2,1999,40,$9.99\n';
  const items = await readFiles(brickset, { 'old.csv': rows });
  expect(factsOf(items)['10484-2']).toMatchObject({ title: 'Pier', msrpCents: 9_99, year: 1999 });
});

test('flattened API objects are read, with NA as null', async () => {
  const items = await readFiles(brickset, {
    '2026.csv':
      '"setID","number","numberVariant","name","year","theme","subtheme","pieces","imageURL",' +
      '"US_retailPrice","US_dateFirstAvailable","US_dateLastAvailable","height","width"\n' +
      '1,"10482",2,"Harbour Lighthouse",2026,"Coastline",NA,NA,NA,119.99,' +
      '"2026-01-02T00:00:00Z",NA,37.8,NA\n',
  });
  expect(factsOf(items)['10482-2']).toEqual({
    ...facts,
    number: '10482-2',
    subtheme: null,
    pieces: null,
    minifigsCount: null,
    imageUrl: null,
    ean: null,
    upc: null,
    retireDate: null,
    isOnSale: true,
    box: { widthIn: null, heightIn: 14.88, depthIn: null, weightLbs: null },
  });
  expect(sourcesOf(items)).toEqual(['brickset-flat']);
});

const full = 'SetID,Number,Variant,YearFrom,Theme,Subtheme,SetName,ImageFilename,USRetailPrice,';

test('the full list is read, with minifigs and unnamed columns', async () => {
  const items = await readFiles(brickset, {
    'full.csv':
      `${full}Pieces,Minifigs,MinifigNumbers,LaunchDate,ExitDate,,Flag2\n` +
      '1,10482,1,2026,Coastline,,Harbour Lighthouse,10482-1,119.99,1204.0,2.0,' +
      '"cst001, cst002,cst001",02/01/2026 00:00:00,31/12/2027 00:00:00,X,\n',
  });
  expect(factsOf(items)['10482']).toMatchObject({
    pieces: 1204,
    minifigs: ['cst001', 'cst002'],
    minifigsCount: 2,
    msrpCents: 119_99,
    releaseDate: '2026-01-02',
    retireDate: '2027-12-31',
    imageUrl: 'https://images.brickset.com/sets/images/10482-1.jpg',
  });
  expect(sourcesOf(items)).toEqual(['brickset-full']);
});

test('without variants the picture decides, and ambiguous rows are rejected', async () => {
  const row = (number: string, image: string) => `1,${number},2026,Coastline,A,${image}\n`;
  const items = await readFiles(brickset, {
    'full.csv':
      'SetID,Number,YearFrom,Theme,SetName,ImageFilename\n' +
      [row('20', '20-1'), row('20', '20-2'), row('20', ''), row('21', ''), row('28', '028-3')].join(
        '',
      ) +
      [row('22', '99-1'), row('23', '23-1'), row('23', '23-1')].join(''),
  });
  expect(Object.keys(factsOf(items)).sort()).toEqual(['028-3', '20', '20-2', '21', '22']);
  const open = "and neither 'Variant' nor 'ImageFilename' tells them apart";
  expect(rejectsOf(items)).toEqual([
    `full.csv:4: several rows have number '20', ${open}`,
    `full.csv:8: several rows have number '23-1', ${open}`,
    `full.csv:9: several rows have number '23-1', ${open}`,
  ]);
});

test.each([
  [
    'another table',
    'Order,Total\n1,2\n',
    "f.csv:1: this is not a Brickset export; its header is 'Order, Total'",
  ],
  ['a wide table', 'A,B,C,D,E,F,G\n', "its header is 'A, B, C, D, E, F'. An export has"],
  ['nothing', ' \n', 'f.csv is empty.'],
  ['half a row', `${exported}"1-1","Coast`, 'f.csv:2: the row that begins here has a quote'],
  ['half a line', `${exported}"1-1","A"`, 'f.csv:2: the file ends in the middle of a row'],
  [
    'a refusal',
    '{"status":"error","message":"Invalid API key"}',
    'f.csv: Brickset returned an error: Invalid API key',
  ],
  [
    'an error without a message',
    '{"status":"error"}',
    'f.csv: Brickset returned an error: an error',
  ],
  [
    'an incomplete response',
    '{"sets":[{"number":"1"},',
    'f.csv ends in the middle of its JSON; is it complete?',
  ],
])('a file with %s is rejected with one sentence', async (_, content, message) => {
  await expect(readFiles(brickset, { 'f.csv': content })).rejects.toThrow(message);
});

test('variants of a full list come from their column, or else from pictures', async () => {
  const header = 'SetID,Number,Variant,YearFrom,Theme,SetName,ImageFilename\n';
  const row = (number: string, variant: string, image: string) =>
    `1,${number},${variant},2026,Coastline,A,${image}\n`;
  const rows = [row('20', '2', '20-9'), row('21', '', '21-3'), row('22', '', '')];
  const items = await readFiles(brickset, { 'full.csv': `${header}${rows.join('')}` });
  expect(Object.keys(factsOf(items)).sort()).toEqual(['20-2', '21-3', '22']);
});

test('a full list has up to 200,000 rows', async () => {
  const list = (rows: number) => ({
    'full.csv': `SetID,Number,YearFrom,Theme,SetName\n${'1,,,,\n'.repeat(rows)}`,
  });
  expect(await readFiles(brickset, list(200_000))).toHaveLength(200_000);
  await expect(readFiles(brickset, list(200_001))).rejects.toThrow(
    'full.csv has more than 200000 rows; split it.',
  );
});
