/** Names in files: when they fit another set than their number. */
import { expect, test } from 'bun:test';
import { findBetterFit, mayBeOther } from './name-fit.ts';

const set = (number: string, title: string) => ({ number, title });
const truck = set('1029-1', 'Milk Delivery Truck');
const titanic = set('10294', 'Titanic');

test.each([
  ['Titanic', [titanic]],
  ['LEGO 10294 Titanic', [titanic, set('21', 'RMS Titanic')]],
  ['Titanic', [titanic, set('10294-2', 'Titanic Poster')]],
])('%p with the number of a truck is another set', (name, found) => {
  expect(mayBeOther(name, truck.title)).toBe(true);
  expect(findBetterFit(name, truck, found)).toEqual(titanic);
});

test.each([
  ['Titanic', [set('21', 'RMS Titanic')], 'no set has this name'],
  ['Titanic', [titanic, set('22', 'Titanic')], 'two sets have it'],
  ['Titanic', [titanic, truck], 'another source names the truck like this'],
  ['Milk Boat', [set('23', 'Milk Boat')], 'a word is the same'],
  ['Milkman', [set('24', 'Milkman')], 'a word begins the same'],
  ['Delivary', [set('25', 'Delivary')], 'a word has a typo'],
  ['1029', [set('26', '1029')], 'it is a number'],
  ['', [], 'there is none'],
])('%p is not another set: %#, %p', (name, found) => {
  expect(findBetterFit(name, truck, found)).toBeNull();
});

test('a variant of the number fits with some common words, but not with most', () => {
  const fawn = set('30217-3', 'Forest - Deer Fawn');
  const rabbit = set('30217-2', 'Forest - Rabbit');
  expect(findBetterFit('Forest Rabbit', fawn, [rabbit, set('9', 'Forest Rabbit'), fawn])).toEqual(
    rabbit,
  );
  const early = set('928', 'Galaxy Explorer (early box)');
  expect(findBetterFit('Galaxy Explorer', early, [set('928-2', 'Galaxy Explorer')])).toBeNull();
});

test('names that mostly agree are not searched for', () => {
  expect(mayBeOther('Milk Truck', truck.title)).toBe(false);
  expect(mayBeOther('Colour Theatre', 'Color Theater')).toBe(false);
  expect(mayBeOther('', truck.title)).toBe(false);
});
