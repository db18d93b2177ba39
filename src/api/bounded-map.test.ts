/** The bounded map: the oldest make room, and nothing is counted twice. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BoundedMap } from './bounded-map.ts';

test('what was put in first makes room for what comes', () => {
  const map = new BoundedMap<number>(2);
  for (const name of ['a', 'b', 'c']) map.set(name, name.charCodeAt(0));
  expect([map.get('a'), map.get('b'), map.get('c'), map.count]).toEqual([undefined, 98, 99, 2]);
});

test('putting it in again makes it the newest, at its new size', () => {
  const map = new BoundedMap<number>(10, (size) => size);
  map.set('a', 6);
  map.set('b', 3);
  map.set('a', 2);
  map.set('c', 6);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, undefined, 6]);
});

test('what is larger than everything is not held, and leaves room for others', () => {
  const map = new BoundedMap<number>(10, (size) => size);
  map.set('huge', 11);
  map.set('small', 10);
  expect([map.get('huge'), map.get('small')]).toEqual([undefined, 10]);
});

test('whatever is done, no more is held than there is room for', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -2, max: 8 }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new BoundedMap<number>(10, (taken) => taken);
      for (const [name, size] of steps) {
        if (size === -2) map.clear();
        else if (size === -1) map.delete(name);
        else map.set(name, size);
        const held = ['a', 'b', 'c', 'd'].flatMap((known) => map.get(known) ?? []);
        expect(held).toHaveLength(map.count);
        expect(held.reduce((sum, taken) => sum + taken, 0)).toBeLessThanOrEqual(10);
        if (size >= 0) expect(map.get(name)).toBe(size);
      }
    }),
    { seed: 4 },
  );
});
