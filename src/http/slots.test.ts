/** A few at a time, in turn, and nobody for ever. */
import { expect, jest, test } from 'bun:test';
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
    await settle();
  };
  return { start, end, running };
}

/** Lets everything that is ready go on, while timers stand still. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('a name has so many slots, and all together have so many', async () => {
  const { start, end, running } = ground();
  for (const work of ['a1', 'a2', 'a3']) start('a', work);
  for (const work of ['b1', 'b2']) start('b', work);
  await settle();
  expect(running).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'a2', 'b2']);
});

test('names take turns, however many works of one are waiting', async () => {
  const { start, end, running } = ground({ each: 1, all: 1 });
  for (const work of ['a1', 'a2', 'a3', 'a4']) start('a', work);
  start('b', 'b1');
  await settle();
  await end('a1');
  await end('a2');
  expect(running).toEqual(['b1']);
  await end('b1');
  expect(running).toEqual(['a3']);
  await end('a3');
  expect(running).toEqual(['a4']);
});

test('a name has no more slots than before when one of its works has ended', async () => {
  const { start, end, running } = ground({ all: 9 });
  for (const work of ['a1', 'a2', 'a3', 'a4']) start('a', work);
  await settle();
  await end('a1');
  expect(running).toEqual(['a2', 'a3']);
  start('a', 'a5');
  await settle();
  expect(running).toEqual(['a2', 'a3']);
  for (const work of ['a2', 'a3']) await end(work);
  expect(running).toEqual(['a4', 'a5']);
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

test('where it is so, a name that has nothing yet may always wait, and only then', async () => {
  const { start, end, running } = ground({
    each: 1,
    all: 1,
    waitingAll: 1,
    hasRoomForNewcomers: true,
  });
  start('a', 'a1');
  start('a', 'a2');
  start('b', 'b1');
  expect(await start('a', 'a3')).toBeNull();
  expect(await start('b', 'b2')).toBeNull();
  await end('a1');
  await end('a2');
  expect(running).toEqual(['b1']);
});

test('how long a slot is taken may depend on what the work turned out to be', async () => {
  const slots = new Slots({ ...limits, each: 1, all: 1, waitingEach: 0 });
  let heldMs = 0;
  const take = (ms: number) =>
    slots.take(
      'a',
      async () => {
        heldMs = ms;
        return 'done';
      },
      () => heldMs,
    );
  jest.useFakeTimers();
  expect(await take(0)).toBe('done');
  expect(await take(60_000)).toBe('done');
  expect(await take(0)).toBeNull();
  jest.advanceTimersByTime(60_000);
  expect(await take(0)).toBe('done');
  jest.useRealTimers();
});

test('a slot is free again after work that failed', async () => {
  const { start, end } = ground({ each: 1, all: 1 });
  const slots = new Slots({ ...limits, each: 1, all: 1 });
  const failing = slots.take('a', () => Promise.reject(new Error('no')));
  expect(failing).rejects.toThrow('no');
  expect(await slots.take('a', async () => 'done')).toBe('done');
  const first = start('a', 'a1');
  await settle();
  await end('a1');
  expect(await first).toBe('a1');
});

test('a slot that is taken for so long at least is free only then', async () => {
  const { start, end, running } = ground({ each: 1, all: 1, heldMsMin: 30_000 });
  jest.useFakeTimers();
  const first = start('a', 'a1');
  start('b', 'b1');
  await settle();
  await end('a1');
  // Whoever did the work has it at once.
  expect(await first).toBe('a1');
  expect(running).toEqual([]);
  jest.advanceTimersByTime(30_000);
  await settle();
  expect(running).toEqual(['b1']);
  jest.useRealTimers();
});

test('whoever was let in takes nobody else out of the queue when their patience would end', async () => {
  jest.useFakeTimers();
  const slots = new Slots({ ...limits, each: 1, all: 1, patienceMs: 50 });
  const ends: (() => void)[] = [];
  const take = () => slots.take('a', () => new Promise<void>((resolve) => ends.push(resolve)));
  const endNext = async () => {
    ends.shift()?.();
    await settle();
  };
  take();
  take();
  await settle();
  jest.advanceTimersByTime(10);
  await endNext();
  jest.advanceTimersByTime(30);
  take();
  jest.advanceTimersByTime(20);
  await endNext();
  // The third is under way: it had waited for 20 of its 50 milliseconds.
  expect(ends).toHaveLength(1);
  await endNext();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('whoever gave up leaves their place to others, of the same name and in all', async () => {
  const { start, end, running } = ground({
    each: 1,
    all: 1,
    waitingEach: 1,
    waitingAll: 1,
  });
  jest.useFakeTimers();
  start('a', 'a1');
  const waits = start('a', 'a2');
  jest.advanceTimersByTime(limits.patienceMs);
  expect(await waits).toBeNull();
  const later = start('a', 'a3');
  await end('a1');
  expect(running).toEqual(['a3']);
  await end('a3');
  expect(await later).toBe('a3');
  // All is free again: as many as before may come, and wait.
  start('b', 'b1');
  start('c', 'c1');
  await settle();
  expect(await start('d', 'd1')).toBeNull();
  await end('b1');
  expect(running).toEqual(['c1']);
  jest.useRealTimers();
});

test('one may be held for longer than others, and gives its slot back once', async () => {
  const slots = new Slots({ ...limits, each: 1, all: 1, waitingEach: 0 });
  jest.useFakeTimers();
  const leave = await slots.admit('a', 60_000);
  leave?.();
  expect(await slots.admit('a')).toBeNull();
  jest.advanceTimersByTime(60_000);
  jest.useRealTimers();
  const again = await slots.admit('a');
  expect(again).not.toBeNull();
  again?.();
  const third = await slots.admit('a', 1);
  await Bun.sleep(5);
  third?.();
  // It had been held long enough, and is free at once.
  expect(await slots.admit('a')).not.toBeNull();
});
