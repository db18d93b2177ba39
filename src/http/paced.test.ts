/** Work of the loop itself: in turn, with rest in between, and one that fails stops no other. */
import { expect, test } from 'bun:test';
import { Paced } from './paced.ts';

function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('it takes a third of the time at the most, however much waits', async () => {
  const paced = new Paced();
  const start = performance.now();
  await Promise.all(Array.from({ length: 5 }, () => paced.run(() => spin(5))));
  // Five works, and four rests of twice as long.
  expect(performance.now() - start).toBeGreaterThanOrEqual(5 * 5 + 4 * 10 - 2);
});

test('others have their turn in between, and each gets what it asked for', async () => {
  const paced = new Paced();
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const values = await Promise.all([1, 2, 3].map((value) => paced.run(() => spin(4) ?? value)));
  clearInterval(ticking);
  expect(values).toEqual([1, 2, 3]);
  expect(turns).toBeGreaterThan(3);
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
