/** Search: what matches, and in which order it is shown. */
import { expect, test } from 'bun:test';
import type { ItemKind } from './numbers.ts';
import { findMatches, foldEntries, isSearchable, type SearchEntry } from './search.ts';

/** The numbers that a search over the catalog shows, in order. */
function search(catalog: readonly SearchEntry[], term: string, kind: ItemKind = 'set'): string[] {
  return findMatches(foldEntries(catalog), { kind, term });
}

const castles: readonly SearchEntry[] = [
  { key: '6085', name: 'Black Monarch’s Castle' },
  { key: '375', name: 'Castle' },
  { key: '10305', name: 'Lion Knights’ Castle' },
  { key: '40567', name: 'Forest Hideout' },
  { key: '31120', name: 'Medieval Castle' },
  { key: '5001', name: 'Sandcastle' },
  { key: '6074', name: 'Castle of the Black Falcon' },
  { key: '75192', name: 'Millennium Falcon' },
  { key: '75192-2', name: 'Millennium Falcon, second edition' },
];

test('matches are ranked: exact number, number prefix, name prefix, word prefix, substring', () => {
  const catalog = [
    { key: '1', name: 'Year 2000100' },
    { key: '2', name: 'Model 100 of 500' },
    { key: '3', name: '100 Pirates' },
    { key: '10099', name: 'Tower' },
    { key: '100', name: 'Gate' },
    { key: '4', name: 'Nothing of the kind' },
  ];
  expect(search(catalog, '100')).toEqual(['100', '10099', '3', '2', '1']);
});

test('among equal matches the number decides, whatever the order they came in', () => {
  expect(search(castles, 'castle')).toEqual([
    // The name begins with it.
    '375',
    '6074',
    // A word begins with it.
    '10305',
    '31120',
    '6085',
    // It occurs inside a word.
    '5001',
  ]);
  expect(search([...castles].reverse(), 'castle')).toEqual(search(castles, 'castle'));
});

test('the way other catalogs write variant 1 finds the set, first', () => {
  expect(search(castles, '75192-1')[0]).toBe('75192');
  expect(search(castles, '75192-2')).toEqual(['75192-2']);
});

test('the other catalogs’ number finds the set also beside words of its name', () => {
  expect(search(castles, '75192-1 falcon')).toContain('75192');
  expect(search(castles, 'falcon 75192-1')).toContain('75192');
  expect(search(castles, '75192-1 castle')).toEqual([]);
});

test('every word must occur, in the number or in the name, in any order', () => {
  expect(search(castles, 'black castle')).toEqual(['6074', '6085']);
  expect(search(castles, 'castle BLACK')).toEqual(['6074', '6085']);
  expect(search(castles, 'falcon 6074')).toEqual(['6074']);
  expect(search(castles, 'black castle dragon')).toEqual([]);
});

test('a phrase that a name begins with goes before its words found elsewhere', () => {
  const catalog = [
    { key: '1', name: 'Castle Black' },
    { key: '2', name: 'Black Castle' },
  ];
  expect(search(catalog, 'black castle')).toEqual(['2', '1']);
});

test('a word found across the end of the number and the start of the name does not count', () => {
  expect(search([{ key: '375', name: 'castle' }], '75cas')).toEqual([]);
});

test.each([
  ['CAFE', ['10001', '10002']],
  ['café', ['10001', '10002']],
  ['Cafe\u0301', ['10001', '10002']],
  ['blabaer', ['10003']],
  ['ØRE', ['10004']],
])('%s is found whatever its case and accents', (term, found) => {
  const catalog = [
    { key: '10001', name: 'Café Corner' },
    { key: '10002', name: 'CAFE DE PARIS' },
    { key: '10003', name: 'Blåbær' },
    { key: '10004', name: 'Oresund Bridge' },
  ];
  expect(search(catalog, term)).toEqual(found);
});

test('space around and between words does not matter', () => {
  const catalog = [
    { key: '1', name: 'Gate and Castle of Stone' },
    { key: '2', name: 'Castle of Stone' },
  ];
  expect(search(catalog, 'castle of')).toEqual(['2', '1']);
  expect(search(catalog, '  castle \t  of ')).toEqual(['2', '1']);
});

test('a word begins after anything but a letter or a digit', () => {
  const catalog = [
    { key: '1', name: 'Starwing' },
    { key: '2', name: 'Big (Wing)' },
    { key: '3', name: 'X-wing' },
    { key: '4', name: 'Ewing, wing' },
  ];
  expect(search(catalog, 'wing')).toEqual(['2', '3', '4', '1']);
});

test('minifig numbers are searched without variants, and letters in them ignore case', () => {
  const minifigs = [
    { key: 'sw0001', name: 'Pilot' },
    { key: 'sw0001a', name: 'Pilot, red' },
    { key: 'sw0001-1', name: 'Pilot, other' },
  ];
  expect(search(minifigs, 'SW0001', 'minifig')).toEqual(['sw0001', 'sw0001-1', 'sw0001a']);
  expect(search(minifigs, 'sw0001-1', 'minifig')).toEqual(['sw0001-1']);
});

test.each([
  ['ab', true],
  ['  ab  ', true],
  ['a', false],
  [' a ', false],
  ['  ', false],
  ['🧱', false],
  ['🧱🧱', true],
])('whether %p has two characters is told right', (term, isLongEnough) => {
  expect(isSearchable(term, 2)).toBe(isLongEnough);
});
