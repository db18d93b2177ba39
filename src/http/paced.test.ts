/** Blocking work runs in turn, yields in between, and failures stay separate. */
import { expect, test } from 'bun:test';
import { Paced } from './paced.ts';

test('there are three turns of the loop between two works', async () => {
  const paced = new Paced();
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const at = await Promise.all(Array.from({ length: 5 }, () => paced.run(() => turns)));
  isOver = true;
  for (const [index, value] of at.slice(1).entries()) {
    expect(value - (at[index] ?? 0)).toBeGreaterThanOrEqual(3);
  }
});

test('a failure only affects its caller', async () => {
  const paced = new Paced();
  const failing = paced.run(() => {
    throw new Error('no');
  });
  const next = paced.run(() => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
