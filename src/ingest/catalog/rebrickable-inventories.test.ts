/** Minifigs of a set, from all versions and nested sets. */
import { expect, test } from 'bun:test';
import { RowError } from '../runner/fields.ts';
import { Inventories } from './rebrickable-inventories.ts';
import { Themes } from './rebrickable-themes.ts';

/** Set and version of each inventory, by ID. */
function inventoriesOf(rows: Readonly<Record<string, readonly [set: string, version: number]>>) {
  const inventories = new Inventories();
  for (const [id, [set, version]] of Object.entries(rows)) inventories.add(id, set, version);
  const put = (kind: 'minifigs' | 'sets') => (id: string, number: string, quantity: number) =>
    inventories.addContent(kind, id, { number, quantity });
  return { inventories, addMinifig: put('minifigs'), addSet: put('sets') };
}

test('minifigs of all versions are listed, and units of the newest are counted', () => {
  const { inventories, addMinifig } = inventoriesOf({ a: ['1', 1], b: ['1', 2] });
  addMinifig('a', 'fig-2', 3);
  addMinifig('b', 'fig-2', 1);
  addMinifig('a', 'fig-3', 1);
  addMinifig('b', 'fig-1', 1);
  addMinifig('b', 'fig-1', 1);
  const numbers = ['fig-1', 'fig-2', 'fig-3'];
  expect(inventories.find('1')).toEqual({ numbers, count: 1 + 1 + 1 });
});

test('nested sets count by the newest version, with their quantity', () => {
  const { inventories, addMinifig, addSet } = inventoriesOf({
    new: ['box', 2],
    old: ['box', 1],
    a: ['1', 1],
    b: ['2', 1],
  });
  addMinifig('a', 'fig-1', 2);
  addMinifig('b', 'fig-1', 1);
  addSet('old', '2', 9);
  addSet('new', '1', 3);
  expect(inventories.find('box')).toEqual({ numbers: ['fig-1'], count: 6 });
  // Memoized contents are the same, also for the nested set itself.
  expect(inventories.find('box')?.count).toBe(6);
  expect(inventories.find('1')?.count).toBe(2);
});

test('of two inventories with the same version, the later one is used', () => {
  const { inventories, addSet, addMinifig } = inventoriesOf({
    first: ['box', 1],
    second: ['box', 1],
    a: ['1', 1],
  });
  addMinifig('a', 'fig-1', 1);
  addSet('first', '1', 5);
  expect(inventories.find('box')).toBeNull();
  addSet('second', '1', 2);
  expect(inventories.find('box')?.count).toBe(2);
});

test('a set without minifigs or inventory has no list', () => {
  const { inventories, addSet } = inventoriesOf({ a: ['1', 1], b: ['2', 1] });
  addSet('b', '1', 1);
  expect([inventories.find('1'), inventories.find('2'), inventories.find('3')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('contents of unknown inventories are rejected', () => {
  const { addMinifig } = inventoriesOf({});
  const problem = "inventory 'x' is not in inventories.csv";
  expect(() => addMinifig('x', 'fig-1', 1)).toThrow(new RowError(problem));
});

/** Sets `1` to `count`, each inside the one before it. */
function nested(count: number) {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  const made = inventoriesOf(Object.fromEntries(ids.map((id) => [id, [id, 1] as const])));
  made.addMinifig(String(count), 'fig-1', 1);
  for (const id of ids.slice(0, -1)) made.addSet(id, String(Number(id) + 1), 1);
  return made.inventories;
}

test('sets may be nested nine levels deep, in any order of lookups', () => {
  expect(nested(9).find('1')?.count).toBe(1);
  expect(() => nested(10).find('1')).toThrow('the set contains itself');
  const inventories = nested(10);
  expect(inventories.find('2')?.count).toBe(1);
  expect(() => inventories.find('1')).toThrow("the set contains itself, through '1'");
});

test('a set that contains itself is rejected', () => {
  const { inventories, addSet } = inventoriesOf({ a: ['1', 1], b: ['2', 1] });
  addSet('a', '2', 1);
  addSet('b', '1', 1);
  expect(() => inventories.find('1')).toThrow("the set contains itself, through '1', '2'");
});

test('a theme has its root and itself; missing ancestors and cycles are rejected', () => {
  const themes = new Themes();
  themes.add('1', { name: 'Town', parent: null });
  themes.add('2', { name: 'Harbor', parent: '1' });
  themes.add('3', { name: 'Pier', parent: '2' });
  themes.add('4', { name: 'Lost', parent: '9' });
  themes.add('5', { name: 'Round', parent: '6' });
  themes.add('6', { name: 'About', parent: '5' });
  expect(themes.find('1')).toEqual({ theme: 'Town', subtheme: null });
  expect(themes.find('3')).toEqual({ theme: 'Town', subtheme: 'Pier' });
  expect(themes.find('3')).toBe(themes.find('3'));
  const refusals = [
    ['8', "theme '8' is not in themes.csv"],
    ['4', "theme '9', above theme '4', is not in themes.csv"],
    ['5', "theme '5' is its own ancestor, through '5'"],
  ] as const;
  for (const [id, problem] of refusals) {
    expect(() => themes.find(id)).toThrow(new RowError(problem));
  }
});
