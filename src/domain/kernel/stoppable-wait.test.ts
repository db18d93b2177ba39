/** A wait ends in time, or as soon as it is stopped. */
import { expect, test } from 'bun:test';
import { StoppableWait } from './stoppable-wait.ts';

test('it ends by itself, and nothing is stopped by that', async () => {
  const waiting = new StoppableWait();
  await waiting.wait(1);
  expect(waiting.isStopped).toBe(false);
});

test('stopped, it ends at once, and so does every wait after it', async () => {
  const waiting = new StoppableWait();
  const began = waiting.wait(60_000);
  waiting.stop();
  await began;
  await waiting.wait(60_000);
  expect(waiting.isStopped).toBe(true);
});
