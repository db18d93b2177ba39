/** Set and minifig lines of the feed, valid and rejected. */
import { expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { readFeedLine } from './feed.work.ts';

const now = Date.UTC(2026, 10, 15, 12);

function read(line: object) {
  return readFeedLine(JSON.stringify(line), now);
}

const set = { kind: 'set', set_number: '75192-1', title: 'Castle', theme: 'Castles' };
const minifig = { kind: 'minifig', minifig_number: 'cas001', name: 'Knight' };

test('all fields of a set line are read', () => {
  const line = {
    ...set,
    subtheme: 'Crown',
    pieces: 1500,
    year: 2020,
    minifigs: ['cas001', 'fig-000002'],
    minifigs_count: 2,
    upc: '673419000017',
    ean: '5702000000015',
    msrp_usd: 149.99,
    release_date: '2020-05-10',
    retire_date: '2027-12-31',
    image_url: 'https://images.example.com/75192.png',
    box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 },
  };
  expect(read(line)).toEqual({
    mayWait: true,
    row: {
      kind: 'set',
      source: 'feed',
      facts: aSet({
        number: '75192',
        title: 'Castle',
        theme: 'Castles',
        subtheme: 'Crown',
        pieces: 1500,
        year: 2020,
        minifigs: ['cas001', 'fig-000002'],
        minifigsCount: 2,
        upc: '673419000017',
        ean: '5702000000015',
        msrpCents: 149_99,
        releaseDate: '2020-05-10',
        retireDate: '2027-12-31',
        imageUrl: 'https://images.example.com/75192.png',
        box: { widthIn: 18.9, heightIn: 14.9, depthIn: 3.6, weightLbs: 4.5 },
        itemClass: null,
        isOnSale: null,
      }),
    },
  });
});

test('missing fields of a set line are null', () => {
  const { number: _number, title: _title, theme: _theme, ...unknown } = aSet();
  const facts = { ...unknown, itemClass: null, isOnSale: null };
  expect(read(set)).toMatchObject({ row: { facts } });
});

test('0 pieces are known, a price of 0 is unknown', () => {
  const facts = { pieces: 0, msrpCents: null };
  expect(read({ ...set, pieces: 0, msrp_usd: 0 })).toMatchObject({ row: { facts } });
});

test('a box may have missing measures', () => {
  const box = { widthIn: 10, heightIn: null, depthIn: null, weightLbs: null };
  expect(read({ ...set, box: { width_in: 10 } })).toMatchObject({ row: { facts: { box } } });
});

test('names and numbers are trimmed', () => {
  const facts = { number: '75192-2', title: 'Castle' };
  const line = { ...set, set_number: ' 75192-2 ', title: ' Castle ' };
  expect(read(line)).toMatchObject({ row: { facts } });
});

test.each([
  ['no number', { set_number: undefined }, "'set_number' is missing"],
  ['no title', { title: undefined }, "'title' is missing"],
  ['a blank title', { title: '  ' }, "'title' is empty"],
  ['no theme', { theme: null }, "'theme' is missing"],
  ['a number that is not text', { set_number: 75192 }, "'set_number' must be text, not 75192"],
  [
    'a number that is too long',
    { set_number: '7'.repeat(65) },
    `'set_number' is longer than 64 characters: "7777777777777777777777777777777777777777…"`,
  ],
  [
    'a title that is too long',
    { title: 'x'.repeat(501) },
    `'title' is longer than 500 characters: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`,
  ],
  [
    'a line break in the title',
    { title: 'Grand\nCastle' },
    `'title' contains control characters: "Grand\\u000aCastle"`,
  ],
  [
    'a null byte in the theme',
    { theme: 'A\u0000B' },
    `'theme' contains control characters: "A\\u0000B"`,
  ],
  [
    'an unpaired surrogate in the title',
    { title: 'A\ud83e' },
    `'title' contains half of a character (a lone surrogate): "A\\ud83e"`,
  ],
  [
    'a C1 control in the number',
    { set_number: '75\u0085192' },
    `'set_number' contains control characters: "75\\u0085192"`,
  ],
  [
    'a number with bidirectional control characters',
    { set_number: '75\u202e192' },
    `'set_number' contains characters that change the direction of text: "75\\u202e192"`,
  ],
  [
    'a title of bidirectional control characters only',
    { title: '\u202e\u200f' },
    "'title' is empty",
  ],
  ['pieces below 0', { pieces: -1 }, "'pieces' must be a whole number from 0 to 1000000, not -1"],
  ['half a piece', { pieces: 1.5 }, "'pieces' must be a whole number from 0 to 1000000, not 1.5"],
  [
    'too many pieces',
    { pieces: 1_000_001 },
    "'pieces' must be a whole number from 0 to 1000000, not 1000001",
  ],
  [
    'pieces as text',
    { pieces: '1500' },
    `'pieces' must be a whole number from 0 to 1000000, not "1500"`,
  ],
  ['a year out of range', { year: 20 }, "'year' must be a whole number from 1900 to 2100, not 20"],
  [
    'minifigs below 0',
    { minifigs_count: -1 },
    "'minifigs_count' must be a whole number from 0 to 1000000, not -1",
  ],
  [
    'minifigs that are not a list',
    { minifigs: 'cas001' },
    `'minifigs' must be a list of text, not "cas001"`,
  ],
  ['a minifig that is not text', { minifigs: [1] }, "'minifigs' must be text, not 1"],
  ['a minifig that is null', { minifigs: [null] }, "'minifigs' is missing"],
  ['a negative price', { msrp_usd: -1 }, "'msrp_usd' must be from 0 to 1000000, not -1"],
  [
    'a price out of range',
    { msrp_usd: 1_000_000.01 },
    "'msrp_usd' must be from 0 to 1000000, not 1000000.01",
  ],
  [
    'three decimals',
    { msrp_usd: 1.005 },
    "'msrp_usd' must be a number with at most two decimal places, not 1.005",
  ],
  [
    'a price as text',
    { msrp_usd: '9.99' },
    '\'msrp_usd\' must be a number with at most two decimal places, not "9.99"',
  ],
  [
    'a day that does not exist',
    { release_date: '2026-02-30' },
    `'release_date' must be a date such as 2026-11-15, not "2026-02-30"`,
  ],
  [
    'an instant instead of a day',
    { retire_date: '2026-01-01T00:00:00Z' },
    `'retire_date' must be a date such as 2026-11-15, not "2026-01-01T00:00:00Z"`,
  ],
  [
    'a wrong check digit in the UPC',
    { upc: '673419000018' },
    "UPC '673419000018' has check digit 8, not 7",
  ],
  ['an EAN in the UPC', { upc: '5702000000015' }, "UPC '5702000000015' must be 12 digits"],
  [
    'a wrong check digit in the EAN',
    { ean: '5702000000016' },
    "EAN '5702000000016' has check digit 6, not 5",
  ],
  [
    'an invalid address',
    { image_url: 'images/1.png' },
    `'image_url' must be an http or https address, not "images/1.png"`,
  ],
  [
    'a script instead of an address',
    { image_url: 'javascript:1' },
    `'image_url' must be an http or https address, not "javascript:1"`,
  ],
  ['a box that is not an object', { box: 'large' }, `'box' must be an object, not "large"`],
  [
    'an unknown side of the box',
    { box: { length_in: 3 } },
    "unknown field 'box.length_in'; use one of width_in, height_in, depth_in, weight_lbs",
  ],
  [
    'a box without width',
    { box: { width_in: 0 } },
    "'width_in' must be a number above 0 and at most 200, not 0",
  ],
  [
    'a weight out of range',
    { box: { weight_lbs: 501 } },
    "'weight_lbs' must be a number above 0 and at most 500, not 501",
  ],
])('a set line with %s is rejected', (_, change, reason) => {
  expect(read({ ...set, ...change })).toEqual({ reason });
});

test('a minifig line is read, with and without optional fields', () => {
  const full = {
    ...minifig,
    category: 'Castle',
    color: 'Red',
    year_released: 2019,
    image_url: 'https://images.example.com/cas001.png',
    aliases: ['fig-000001'],
  };
  expect(read(full)).toEqual({
    mayWait: true,
    row: {
      kind: 'minifig',
      source: 'feed',
      facts: aMinifig({
        number: 'cas001',
        name: 'Knight',
        category: 'Castle',
        color: 'Red',
        yearReleased: 2019,
        imageUrl: 'https://images.example.com/cas001.png',
        aliases: ['fig-000001'],
      }),
    },
  });
  expect(read(minifig)).toMatchObject({
    row: {
      facts: { category: null, color: null, yearReleased: null, imageUrl: null, aliases: [] },
    },
  });
});

test.each([
  ['no number', { minifig_number: undefined }, "'minifig_number' is missing"],
  ['no name', { name: undefined }, "'name' is missing"],
  ['a tab in its name', { name: 'A\tB' }, `'name' contains control characters: "A\\u0009B"`],
  [
    'a year out of range',
    { year_released: 2101 },
    "'year_released' must be a whole number from 1900 to 2100, not 2101",
  ],
  ['an empty alias', { aliases: [''] }, "'aliases' is empty"],
  [
    'an alias with bidirectional control characters',
    { aliases: ['fig\u200e-000001'] },
    `'aliases' contains characters that change the direction of text: "fig\\u200e-000001"`,
  ],
])('a minifig line with %s is rejected', (_, change, reason) => {
  expect(read({ ...minifig, ...change })).toEqual({ reason });
});

test('bidirectional control characters are removed from public texts', () => {
  const names = {
    title: '\u202eGrand\u200f Castle',
    theme: '\u200eCastles',
    subtheme: 'Old\u2066',
  };
  expect(read({ ...set, ...names })).toMatchObject({
    row: { facts: { title: 'Grand Castle', theme: 'Castles', subtheme: 'Old' } },
  });
  const figure = { name: 'Kni\u202dght', category: 'Cas\u061ctle', color: '\u202bRed\u202c' };
  expect(read({ ...minifig, ...figure })).toMatchObject({
    row: { facts: { name: 'Knight', category: 'Castle', color: 'Red' } },
  });
});
