/** A few at a time, in turn, and nobody for ever. */
import { expect, test } from 'bun:test';
import { type SlotLimits, Slots } from './slots.ts';

const limits: SlotLimits = {
  each: 2,
  all: 3,
  waitingEach: 4,
  waitingAll: 6,
  patienceMs: 60_000,
};

/** Works that are ended by hand, and the names of those that are under way. */
function ground(changed: Partial<SlotLimits> = {}) {
  const slots = new Slots({ ...limits, ...changed });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, work: string) =>
    slots.take(name, async () => {
      running.push(work);
      await new Promise<void>((resolve) => ends.set(work, resolve));
      running.splice(running.indexOf(work), 1);
      return work;
    });
  const end = async (work: string) => {
    ends.get(work)?.();
    await Bun.sleep(0);
  };
  return { start, end, running };
}

test('a name has so many slots, and all together have so many', async () => {
  const { start, end, running } = ground();
  for (const work of ['a1', 'a2', 'a3']) start('a', work);
  for (const work of ['b1', 'b2']) start('b', work);
  await Bun.sleep(0);
  expect(running).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'a2', 'b2']);
});

test('names take turns, however many works of one are waiting', async () => {
  const { start, end, running } = ground({ each: 1, all: 1 });
  for (const work of ['a1', 'a2', 'a3', 'a4']) start('a', work);
  start('b', 'b1');
  await Bun.sleep(0);
  await end('a1');
  await end('a2');
  expect(running).toEqual(['b1']);
  await end('b1');
  expect(running).toEqual(['a3']);
});

test('who finds too many waiting is refused at once, and so is whoever waits for too long', async () => {
  const { start } = ground({ each: 1, all: 1, waitingEach: 1, waitingAll: 2, patienceMs: 20 });
  start('a', 'a1');
  const waits = start('a', 'a2');
  expect(await start('a', 'a3')).toBeNull();
  const other = start('b', 'b1');
  expect(await start('c', 'c1')).toBeNull();
  expect(await waits).toBeNull();
  expect(await other).toBeNull();
});

test('a slot is free again after work that failed', async () => {
  const { start, end } = ground({ each: 1, all: 1 });
  const slots = new Slots({ ...limits, each: 1, all: 1 });
  const failing = slots.take('a', () => Promise.reject(new Error('no')));
  expect(failing).rejects.toThrow('no');
  expect(await slots.take('a', async () => 'done')).toBe('done');
  const first = start('a', 'a1');
  await Bun.sleep(0);
  await end('a1');
  expect(await first).toBe('a1');
});

test('a slot that is taken for so long at least is free only then', async () => {
  const { start, end, running } = ground({ each: 1, all: 1, heldMsMin: 30 });
  const first = start('a', 'a1');
  start('b', 'b1');
  await Bun.sleep(0);
  await end('a1');
  // Whoever did the work has it at once.
  expect(await first).toBe('a1');
  expect(running).toEqual([]);
  await Bun.sleep(40);
  expect(running).toEqual(['b1']);
});
