/** Waiting that gives up: in time, and leaving nothing behind that keeps a process from ending. */
import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { withTimeout } from './timeout.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const tooLate = () => new Error('too late');

test('what comes in time is the result, and nothing waits any longer', async () => {
  expect(await withTimeout(Promise.resolve(5), 1_000, tooLate)).toBe(5);
  const failing = withTimeout(Promise.reject(new Error('lost')), 1_000, tooLate);
  await expect(failing).rejects.toThrow('lost');
  expect(jest.getTimerCount()).toBe(0);
});

test('what does not come is given up after its time, and not before', async () => {
  let said = 'waits';
  const waiting = withTimeout(new Promise(() => {}), 1_000, tooLate).catch((error: Error) => {
    said = error.message;
  });
  jest.advanceTimersByTime(999);
  await Promise.resolve();
  expect(said).toBe('waits');
  jest.advanceTimersByTime(1);
  await waiting;
  expect(said).toBe('too late');
});
