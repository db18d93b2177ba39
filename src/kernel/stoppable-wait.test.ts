/** A wait ends in time, or as soon as it is stopped. */
import { expect, jest, test } from 'bun:test';
import { StoppableWait } from './stoppable-wait.ts';

test('a wait ends by itself, without being stopped', async () => {
  const waiting = new StoppableWait();
  await waiting.wait(1);
  expect(waiting.isStopped).toBe(false);
});

test('stopping ends the current wait and all later ones', async () => {
  const waiting = new StoppableWait();
  const began = waiting.wait(60_000);
  waiting.stop();
  await began;
  await waiting.wait(60_000);
  expect(waiting.isStopped).toBe(true);
});

test('stopping clears the timer, and later waits start none', () => {
  jest.useFakeTimers();
  try {
    const waiting = new StoppableWait();
    waiting.wait(60_000);
    expect(jest.getTimerCount()).toBe(1);
    waiting.stop();
    waiting.wait(60_000);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
