/** The bounded map: the oldest make room, names count, and nothing is counted twice. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BoundedMap, entryRoom } from './bounded-map.ts';

/** Room for so many entries with names of one character, and for values besides. */
const room = (entries: number, values: number) => entries * (entryRoom + 1) + values;

const sized = (roomMax: number) => new BoundedMap<number>(roomMax, (size) => size);

test('what was put in first makes room for what comes', () => {
  const map = sized(room(2, 0));
  for (const name of ['a', 'b', 'c']) map.set(name, 0);
  expect([map.get('a'), map.get('b'), map.get('c'), map.count]).toEqual([undefined, 0, 0, 2]);
});

test('putting it in again makes it the newest, at its new size', () => {
  const map = sized(room(2, 10));
  map.set('a', 6);
  map.set('b', 3);
  map.set('a', 2);
  map.set('c', 6);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, undefined, 6]);
});

test('what fills all room there is has it', () => {
  const map = sized(room(1, 10));
  map.set('a', 10);
  expect([map.get('a'), map.size]).toEqual([10, room(1, 10)]);
});

test('what is larger than everything is not held, and pushes nothing out', () => {
  const map = sized(room(2, 10));
  map.set('small', 1);
  map.set('huge', room(2, 10));
  expect([map.get('huge'), map.get('small')]).toEqual([undefined, 1]);
  map.set('small', room(2, 10));
  expect([map.get('small'), map.count, map.size]).toEqual([undefined, 0, 0]);
});

test('names count: a hundred thousand long ones take no more than the room', () => {
  const roomMax = 1024 * 1024;
  const map = sized(roomMax);
  for (let index = 0; index < 100_000; index++) map.set(`${index}`.padEnd(5000, 'x'), 0);
  expect(map.size).toBeLessThanOrEqual(roomMax);
  expect(map.count).toBe(Math.floor(roomMax / (entryRoom + 5000)));
});

test('entries count: a hundred thousand names of nothing take no more than the room', () => {
  const roomMax = 1024 * 1024;
  const map = sized(roomMax);
  for (let index = 0; index < 100_000; index++) map.set(`${index}`, 0);
  expect(map.size).toBeLessThanOrEqual(roomMax);
  expect(map.count).toBeLessThanOrEqual(roomMax / entryRoom);
});

test('whatever is done, no more is held than there is room for', () => {
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
        const taken = held.map((known) => entryRoom + known.length + (map.get(known) ?? 0));
        expect(held).toHaveLength(map.count);
        expect(taken.reduce((sum, each) => sum + each, 0)).toBe(map.size);
        expect(map.size).toBeLessThanOrEqual(roomMax);
        if (size >= 0) expect(map.get(name)).toBe(size);
      }
    }),
    { seed: 4 },
  );
});
