/** Names of two catalogs are comparable word by word. */
import { expect, test } from 'bun:test';
import { minifigWords } from './minifig-words.ts';

test('a name yields its distinct words without accents and case', () => {
  expect(minifigWords('Padmé Amidala - PADME (Black)')).toEqual(['padme', 'amidala', 'black']);
});

test('words that do not distinguish minifigs are left out', () => {
  const name = 'Chef, Series 20 (Minifigure Only without Stand and Accessories)';
  expect(minifigWords(name)).toEqual(['chef', '20']);
});

test('part numbers are left out, short numbers are not', () => {
  expect(minifigWords('R2-D2 (3626c Head, 6538158)')).toEqual(['r2', 'd2', 'head']);
});

test('synonyms of the catalogs yield the same words', () => {
  const pairs = [
    ['Grey Trousers', 'Gray Pants'],
    ['Policeman', 'Police - Male'],
    ['Airtanks', 'Air Tanks'],
    ["Jabba's Moustache", 'Jabbas Mustaches'],
  ] as const;
  for (const [one, other] of pairs) expect(minifigWords(one)).toEqual(minifigWords(other));
});

test('short words and double letters keep their last s', () => {
  expect(minifigWords('Gas Mattress Legs')).toEqual(['gas', 'mattress', 'leg']);
});
