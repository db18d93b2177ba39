/** Garbage is collected when a process has grown, and not before. */
import { expect, test } from 'bun:test';
import { MemoryKeeper } from './memory.ts';

const megabyte = 2 ** 20;

/** A keeper of a process that uses `held` MB, and `rest` MB after a collection. */
function keeperOf(process: { held: number; rest: number }, quiet = 0) {
  let collected = 0;
  const keeper = new MemoryKeeper(quiet * megabyte, {
    heldBytes: () => process.held * megabyte,
    collect: () => {
      collected++;
      process.held = process.rest;
    },
  });
  return { keeper, count: () => collected };
}

test('small growth does not trigger a collection', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process);
  process.held = 147;
  keeper.check();
  expect(count()).toBe(0);
  process.held = 148;
  keeper.check();
  expect(count()).toBe(1);
});

test('growth below the quiet limit does not trigger a collection', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process, 400);
  process.held = 399;
  keeper.check();
  expect(count()).toBe(0);
  process.held = 400;
  keeper.check();
  expect(count()).toBe(1);
});

test('growth is measured from the last collection', () => {
  const process = { held: 100, rest: 200 };
  const { keeper, count } = keeperOf(process);
  process.held = 300;
  keeper.check();
  keeper.check();
  process.held = 247;
  keeper.check();
  expect(count()).toBe(1);
  process.held = 248;
  keeper.check();
  expect(count()).toBe(2);
});

test('memory is released after a run that needed a collection, even without further growth', () => {
  const process = { held: 100, rest: 150 };
  const { keeper, count } = keeperOf(process);
  process.held = 148;
  keeper.check();
  keeper.finish();
  expect(count()).toBe(2);
});

test('a run that needed little ends without a collection, unless it grew at the end', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process);
  process.held = 147;
  keeper.finish();
  expect(count()).toBe(0);
  process.held = 148;
  keeper.finish();
  expect(count()).toBe(1);
});

test('the actual runtime is supported', () => {
  const keeper = new MemoryKeeper();
  keeper.check();
  keeper.finish();
});
