/** Names of two catalogs are comparable word by word. */
import { expect, test } from 'bun:test';
import { minifigWords } from './minifig-words.ts';

test('a name is its words, each once, without accents and case', () => {
  expect(minifigWords('Padmé Amidala - PADME (Black)')).toEqual(['padme', 'amidala', 'black']);
});

test('what says nothing of the minifig is left out', () => {
  const name = 'Chef, Series 20 (Minifigure Only without Stand and Accessories)';
  expect(minifigWords(name)).toEqual(['chef', '20']);
});

test('numbers of parts are left out, short ones are not', () => {
  expect(minifigWords('R2-D2 (3626c Head, 6538158)')).toEqual(['r2', 'd2', 'head']);
});

test('both catalogs say it in the same words', () => {
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
