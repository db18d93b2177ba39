/** Lists of numbers by source, and the items that they link a number to. */
import { expect, test } from 'bun:test';
import { Links } from './links.store.ts';

const stored = (itemId: number, source: string, key: string, number = key) => ({
  itemId,
  source,
  key,
  number,
});

const list = (...keys: string[]) => new Map(keys.map((key) => [key, key]));

test('a number is linked to every item with it on any list, until the last list drops it', () => {
  const links = new Links();
  for (const source of ['feed', 'other']) links.addStored(stored(1, source, 'a'));
  links.addStored(stored(1, 'feed', 'a'));
  links.addStored(stored(2, 'feed', 'a'));
  expect([links.itemsOf('a'), links.itemsOf('b')]).toEqual([[1, 2], []]);
  expect(links.replace(1, 'feed', list('b'))).toEqual(new Set(['a']));
  expect([links.itemsOf('a'), links.itemsOf('b')]).toEqual([[1, 2], [1]]);
  links.replace(1, 'other', list());
  expect([links.itemsOf('a'), links.itemsOf('b')]).toEqual([[2], [1]]);
});

test('a list is rewritten if its numbers or their spelling change', () => {
  const links = new Links();
  links.addStored(stored(1, 'feed', 'a', 'A'));
  links.addStored(stored(2, 'feed', 'b'));
  links.replace(1, 'feed', new Map([['a', 'A']]));
  links.replace(2, 'feed', list('b'));
  expect([links.replacedLists(), links.newLinks()]).toEqual([[], []]);
  links.replace(1, 'feed', new Map([['a', 'a']]));
  links.replace(2, 'feed', list('c'));
  links.replace(3, 'feed', list('d', 'e'));
  // A list that was not stored is not deleted.
  expect(links.replacedLists()).toEqual([
    { itemId: 1, source: 'feed' },
    { itemId: 2, source: 'feed' },
  ]);
  expect(links.newLinks()).toEqual([
    stored(1, 'feed', 'a'),
    stored(2, 'feed', 'c'),
    stored(3, 'feed', 'd'),
    stored(3, 'feed', 'e'),
  ]);
});

test('a longer or shorter list is different', () => {
  const links = new Links();
  for (const key of ['a', 'b']) links.addStored(stored(1, 'feed', key));
  expect(links.replace(1, 'feed', list('a'))).toEqual(new Set(['a', 'b']));
  expect(links.newLinks()).toEqual([stored(1, 'feed', 'a')]);
  links.replace(1, 'feed', list('a', 'c'));
  expect(links.newLinks()).toEqual([stored(1, 'feed', 'a'), stored(1, 'feed', 'c')]);
});
