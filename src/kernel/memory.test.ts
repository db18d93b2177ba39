/** Garbage is collected when a process has grown, and not before. */
import { expect, test } from 'bun:test';
import { MemoryKeeper, memory } from './memory.ts';

const megabyte = 1_000_000;

/** A keeper of a process that uses `held` MB, and `rest` MB after a collection. */
function keeperOf(process: { held: number; rest: number }) {
  let collected = 0;
  const keeper = new MemoryKeeper({
    heldBytes: () => process.held * megabyte,
    collect: () => {
      collected++;
      process.held = process.rest;
    },
  });
  /** Whether garbage is collected when the process holds `held` MB. */
  const collectsAt = (held: number) => {
    const before = collected;
    process.held = held;
    keeper.check();
    return collected > before;
  };
  return collectsAt;
}

test('a process below the quiet limit is left alone, however much it grows', () => {
  const collectsAt = keeperOf({ held: 100, rest: 100 });
  expect([300, 100, 399].map(collectsAt)).toEqual([false, false, false]);
  expect([400, 399, 400].map(collectsAt)).toEqual([true, false, true]);
});

test('above it, garbage may take an eighth of what the last collection left', () => {
  const collectsAt = keeperOf({ held: 100, rest: 480 });
  expect(collectsAt(500)).toBe(true);
  expect([539, 539].map(collectsAt)).toEqual([false, false]);
  expect(collectsAt(540)).toBe(true);
});

test('the limit follows a process that shrinks without a collection', () => {
  const collectsAt = keeperOf({ held: 100, rest: 480 });
  expect(collectsAt(500)).toBe(true);
  expect([440, 494].map(collectsAt)).toEqual([false, false]);
  expect(collectsAt(495)).toBe(true);
});

test('the actual runtime is supported', () => {
  memory.check();
});
