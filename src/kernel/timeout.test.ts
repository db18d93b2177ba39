/** Timeouts end in time, and leave no timer behind. */
import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { withTimeout } from './timeout.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const tooLate = () => new Error('too late');

test('a result in time is returned, and the timer is cleared', async () => {
  expect(await withTimeout(Promise.resolve(5), 1_000, tooLate)).toBe(5);
  const failing = withTimeout(Promise.reject(new Error('lost')), 1_000, tooLate);
  await expect(failing).rejects.toThrow('lost');
  expect(jest.getTimerCount()).toBe(0);
});

test('a missing result times out exactly after the given time', async () => {
  let state = 'waits';
  const waiting = withTimeout(new Promise(() => {}), 1_000, tooLate).catch((error: Error) => {
    state = error.message;
  });
  jest.advanceTimersByTime(999);
  await Promise.resolve();
  expect(state).toBe('waits');
  jest.advanceTimersByTime(1);
  await waiting;
  expect(state).toBe('too late');
});
