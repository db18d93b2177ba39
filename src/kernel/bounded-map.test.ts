/** The bounded map evicts the oldest entries, and its size includes names. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BoundedMap, entryRoom } from './bounded-map.ts';

/** The size of entries with names of one character, plus their values. */
const room = (entries: number, values: number) => entries * (entryRoom + 1) + values;

const sized = (roomMax: number) => new BoundedMap<number>(roomMax, (size) => size);

test('the oldest entries are evicted', () => {
  const map = sized(room(2, 0));
  for (const name of ['a', 'b', 'c']) map.set(name, 0);
  expect([map.get('a'), map.get('b'), map.get('c'), map.count]).toEqual([undefined, 0, 0, 2]);
});

test('setting an entry again makes it the newest, with its new size', () => {
  const map = sized(room(2, 10));
  map.set('a', 6);
  map.set('b', 3);
  map.set('a', 2);
  map.set('c', 6);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, undefined, 6]);
});

test('an entry may take up all room', () => {
  const map = sized(room(1, 10));
  map.set('a', 10);
  expect([map.get('a'), map.size]).toEqual([10, room(1, 10)]);
});

test('an entry that is too large is not stored, and evicts nothing', () => {
  const map = sized(room(2, 10));
  map.set('small', 1);
  map.set('huge', room(2, 10));
  expect([map.get('huge'), map.get('small')]).toEqual([undefined, 1]);
  map.set('small', room(2, 10));
  expect([map.get('small'), map.count, map.size]).toEqual([undefined, 0, 0]);
});

test('names count toward the size', () => {
  const roomMax = 1024 * 1024;
  const map = sized(roomMax);
  for (let index = 0; index < 1_000; index++) map.set(`${index}`.padEnd(5000, 'x'), 0);
  expect(map.size).toBeLessThanOrEqual(roomMax);
  expect(map.count).toBe(Math.floor(roomMax / (entryRoom + 5000)));
});

test('entries without values count toward the size', () => {
  const roomMax = 1024 * 1024;
  const map = sized(roomMax);
  for (let index = 0; index < 10_000; index++) map.set(`${index}`, 0);
  expect(map.size).toBeLessThanOrEqual(roomMax);
  expect(map.count).toBeLessThanOrEqual(roomMax / entryRoom);
});

test('the size never exceeds the limit', () => {
  const names = ['a', 'bb', 'c'.repeat(50), 'd'.repeat(200)];
  const step = fc.tuple(fc.constantFrom(...names), fc.integer({ min: -2, max: 80 }));
  const roomMax = 3 * entryRoom;
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = sized(roomMax);
      for (const [name, size] of steps) {
        if (size === -2) map.clear();
        else if (size === -1) map.delete(name);
        else map.set(name, size);
        const held = names.filter((known) => map.get(known) !== undefined);
        const sizes = held.map((known) => entryRoom + known.length + (map.get(known) ?? 0));
        expect(held).toHaveLength(map.count);
        expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(map.size);
        expect(map.size).toBeLessThanOrEqual(roomMax);
        if (size >= 0) expect(map.get(name)).toBe(size);
      }
    }),
    { seed: 4 },
  );
});
