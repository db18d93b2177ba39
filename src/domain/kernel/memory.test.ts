/** Garbage is collected when a process has grown, and not before. */
import { expect, test } from 'bun:test';
import { MemoryKeeper } from './memory.ts';

const megabyte = 2 ** 20;

/** A keeper of a process that holds so much, and that collecting brings down to the rest. */
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

test('a process that does not grow by much is left alone', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process);
  process.held = 147;
  keeper.check();
  expect(count()).toBe(0);
  process.held = 148;
  keeper.check();
  expect(count()).toBe(1);
});

test('one that grows is left alone up to what it may hold', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process, 400);
  process.held = 399;
  keeper.check();
  expect(count()).toBe(0);
  process.held = 400;
  keeper.check();
  expect(count()).toBe(1);
});

test('growth counts from what was left the last time', () => {
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

test('what a run needed is given back at its end, also if it has not grown since', () => {
  const process = { held: 100, rest: 150 };
  const { keeper, count } = keeperOf(process);
  process.held = 148;
  keeper.check();
  keeper.finish();
  expect(count()).toBe(2);
});

test('a run that needed little ends without any ado, one that grew at last does not', () => {
  const process = { held: 100, rest: 100 };
  const { keeper, count } = keeperOf(process);
  process.held = 147;
  keeper.finish();
  expect(count()).toBe(0);
  process.held = 148;
  keeper.finish();
  expect(count()).toBe(1);
});

test('this process can be looked after', () => {
  const keeper = new MemoryKeeper();
  keeper.check();
  keeper.finish();
});
