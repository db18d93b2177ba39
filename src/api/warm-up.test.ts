/** Warming up before a server is ready. */
import { expect, test } from 'bun:test';
import { WarmUp } from './warm-up.ts';

function start(msMax?: number) {
  const failures: unknown[] = [];
  const log = { failure: (_: string, error: unknown) => failures.push(error) };
  return { failures, warmUp: new WarmUp(log, msMax === undefined ? {} : { msMax }) };
}

test('it is done once every part is, even if one fails, which is logged', async () => {
  const { warmUp, failures } = start();
  const { promise, resolve } = Promise.withResolvers<void>();
  const away = new Error('away');
  const running = warmUp.run([Promise.reject(away), promise]);
  await Bun.sleep(0);
  expect([warmUp.isDone, failures]).toEqual([false, [away]]);
  resolve();
  await running;
  expect(warmUp.isDone).toBe(true);
});

test('a part that never ends is given up, and logged', async () => {
  const { warmUp, failures } = start(1);
  await warmUp.run([new Promise(() => {})]);
  expect(warmUp.isDone).toBe(true);
  expect(String(failures)).toContain('takes too long');
});

test('nothing is logged once the server stops', async () => {
  const { warmUp, failures } = start();
  const running = warmUp.run([Bun.sleep(0).then(() => Promise.reject(new Error('stopped')))]);
  warmUp.end();
  await running;
  expect(failures).toEqual([]);
});
