/** Work of the loop itself: in turn, others in between, and one that fails stops no other. */
import { expect, test } from 'bun:test';
import { Paced } from './paced.ts';

test('others have three turns between two works, however much waits', async () => {
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

test('one that fails is told to whoever asked, and to nobody else', async () => {
  const paced = new Paced();
  const failing = paced.run(() => {
    throw new Error('no');
  });
  const next = paced.run(() => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
