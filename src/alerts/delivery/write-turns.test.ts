/** Pauses between writes. */
import { expect, test } from 'bun:test';
import { WriteTurns } from './write-turns.ts';

/** Turns whose pauses end when they are told to. */
function open() {
  const done: string[] = [];
  const time = { computedMs: 0 };
  const pauses: { ms: number; end: () => void }[] = [];
  const turns = new WriteTurns({
    computedMs: () => time.computedMs,
    sleep: (ms) => new Promise<void>((end) => pauses.push({ ms, end })),
  });
  const write = (name: string, computingMs: number) =>
    turns.run(async () => {
      done.push(name);
      time.computedMs += computingMs;
      return name;
    });
  const settle = () => Bun.sleep(0);
  return { turns, done, pauses, write, settle };
}

test('a write waits for the one before it and its pause, which is as long as was computed', async () => {
  const { write, done, pauses, settle } = open();
  expect(await write('first', 20)).toBe('first');
  const second = write('second', 0);
  await settle();
  expect([done, pauses.map(({ ms }) => ms)]).toEqual([['first'], [20]]);
  pauses[0]?.end();
  expect(await second).toBe('second');
});

test('a pause has a minimum and a maximum', async () => {
  const { write, pauses, settle } = open();
  for (const [index, computed] of [0, 10_000].entries()) {
    await write('any', computed);
    await settle();
    pauses[index]?.end();
  }
  expect(pauses.map(({ ms }) => ms)).toEqual([5, 100]);
});

test('a write that fails does not block the next one', async () => {
  const { turns, write, pauses, settle } = open();
  const failed = turns.run(() => Promise.reject(new Error('busy')));
  await expect(failed).rejects.toThrow('busy');
  await settle();
  pauses[0]?.end();
  expect(await write('next', 0)).toBe('next');
});
