/** Concurrency limits with fair turns and timeouts. */
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { type Arriving, type SlotLimits, Slots, type Taker } from './slots.ts';

const limits: SlotLimits = {
  perAccount: 2,
  perNetwork: 9,
  all: 3,
  reserved: 0,
  waitingEach: 4,
  waitingAll: 6,
  patienceMs: 60_000,
};

/** An account without a known network. */
const by = (name: string): Taker => ({ account: name.charCodeAt(0), network: null });

/** Work that is ended by hand, and the names of what is running. */
function ground(changed: Partial<SlotLimits> = {}) {
  const slots = new Slots({ ...limits, ...changed });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, work: string) => startFor(by(name), work);
  const startFor = (taker: Taker, work: string) =>
    slots.take(taker, async () => {
      running.push(work);
      await new Promise<void>((resolve) => ends.set(work, resolve));
      running.splice(running.indexOf(work), 1);
      return work;
    });
  const end = async (work: string) => {
    ends.get(work)?.();
    await settle();
  };
  return { start, startFor, end, running };
}

/** Lets everything that is ready go on, while timers stand still. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('slots are limited per name and in total', async () => {
  const { start, end, running } = ground();
  for (const work of ['a1', 'a2', 'a3']) start('a', work);
  for (const work of ['b1', 'b2']) start('b', work);
  await settle();
  expect(running).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'a2', 'b2']);
});

test('names take turns, however much work of one is waiting', async () => {
  const { start, end, running } = ground({ perAccount: 1, all: 1 });
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

test('a name stays within its limit when one of its works ends', async () => {
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

test('work is refused at once if too much waits, and after the maximum waiting time', async () => {
  const { start } = ground({
    perAccount: 1,
    all: 1,
    waitingEach: 1,
    waitingAll: 2,
    patienceMs: 20,
  });
  start('a', 'a1');
  const waits = start('a', 'a2');
  expect(await start('a', 'a3')).toBeNull();
  const other = start('b', 'b1');
  expect(await start('b', 'b2')).toBeNull();
  expect(await waits).toBeNull();
  expect(await other).toBeNull();
});

test('an account without work can always wait', async () => {
  const { start, end, running } = ground({
    perAccount: 1,
    all: 1,
    waitingAll: 1,
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

test('slots are limited per network too, whatever its accounts', async () => {
  const { startFor, end, running } = ground({ perNetwork: 2, all: 9 });
  const from = (network: string, account: number) => ({ account, network });
  startFor(from('n', 1), 'n1');
  startFor(from('n', 2), 'n2');
  startFor(from('n', 3), 'n3');
  startFor(from('o', 4), 'o4');
  await settle();
  expect(running).toEqual(['n1', 'n2', 'o4']);
  await end('o4');
  expect(running).toEqual(['n1', 'n2']);
  await end('n1');
  expect(running).toEqual(['n2', 'n3']);
});

test('one end may admit two: one waited for the account, the other for the network', async () => {
  const { startFor, end, running } = ground({ perAccount: 1, perNetwork: 1, all: 9 });
  startFor({ account: 1, network: 'n' }, 'both');
  startFor({ account: 1, network: 'o' }, 'account');
  startFor({ account: 2, network: 'n' }, 'network');
  await settle();
  expect(running).toEqual(['both']);
  await end('both');
  expect(running).toEqual(['account', 'network']);
});

test('the last slots are for accounts and networks that have none', async () => {
  const { startFor, end, running } = ground({ all: 4, reserved: 2, perAccount: 3, perNetwork: 3 });
  const from = (network: string, account: number) => ({ account, network });
  startFor(from('n', 1), 'n1');
  startFor(from('n', 2), 'n2');
  startFor(from('n', 3), 'same network');
  startFor(from('p', 1), 'same account');
  startFor(from('o', 4), 'newcomer');
  await settle();
  expect(running).toEqual(['n1', 'n2', 'newcomer']);
  // A freed reserved slot is reserved again.
  await end('newcomer');
  expect(running).toEqual(['n1', 'n2']);
  // Now the account has none either.
  await end('n1');
  expect(running).toEqual(['n2', 'same network', 'same account']);
});

test('the limit that was reached is known', () => {
  const slots = new Slots({ ...limits, perAccount: 1, perNetwork: 2, all: 3, reserved: 0 });
  const limit = (account: number, network: string) => slots.findLimit({ account, network });
  slots.admit({ account: 1, network: 'n' });
  slots.admit({ account: 2, network: 'n' });
  expect([limit(1, 'o'), limit(3, 'n'), limit(3, 'o')]).toEqual(['account', 'network', null]);
  slots.admit({ account: 3, network: 'o' });
  expect(limit(4, 'p')).toBe('all');
});

test('the minimum time of a slot can depend on the work', async () => {
  const slots = new Slots({ ...limits, perAccount: 1, all: 1, waitingEach: 0 });
  let heldMs = 0;
  const take = (ms: number) =>
    slots.take(
      by('a'),
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

test('a slot is freed after failed work', async () => {
  const { start, end } = ground({ perAccount: 1, all: 1 });
  const slots = new Slots({ ...limits, perAccount: 1, all: 1 });
  const failing = slots.take(by('a'), () => Promise.reject(new Error('no')));
  expect(failing).rejects.toThrow('no');
  expect(await slots.take(by('a'), async () => 'done')).toBe('done');
  const first = start('a', 'a1');
  await settle();
  await end('a1');
  expect(await first).toBe('a1');
});

test('a slot is freed only after its minimum time', async () => {
  const { start, end, running } = ground({ perAccount: 1, all: 1, heldMsMin: 30_000 });
  jest.useFakeTimers();
  const first = start('a', 'a1');
  start('b', 'b1');
  await settle();
  await end('a1');
  // The result is available at once.
  expect(await first).toBe('a1');
  expect(running).toEqual([]);
  jest.advanceTimersByTime(30_000);
  await settle();
  expect(running).toEqual(['b1']);
  jest.useRealTimers();
});

test('the timeout of admitted work removes no one else from the queue', async () => {
  jest.useFakeTimers();
  const slots = new Slots({ ...limits, perAccount: 1, all: 1, patienceMs: 50 });
  const ends: (() => void)[] = [];
  const take = () => slots.take(by('a'), () => new Promise<void>((resolve) => ends.push(resolve)));
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
  // The third is running: it had waited for 20 of its 50 milliseconds.
  expect(ends).toHaveLength(1);
  await endNext();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('timed-out work frees its place for the same name and in total', async () => {
  const { start, end, running } = ground({
    perAccount: 1,
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
  expect(await start('c', 'c2')).toBeNull();
  await end('b1');
  expect(running).toEqual(['c1']);
  jest.useRealTimers();
});

test('a slot can be held longer than others, and is freed once', async () => {
  const slots = new Slots({ ...limits, perAccount: 1, all: 1, waitingEach: 0 });
  jest.useFakeTimers();
  const leave = await slots.admit(by('a'), 60_000);
  leave?.();
  expect(await slots.admit(by('a'))).toBeNull();
  jest.advanceTimersByTime(60_000);
  jest.useRealTimers();
  const again = await slots.admit(by('a'));
  expect(again).not.toBeNull();
  again?.();
  const third = await slots.admit(by('a'), 1);
  await Bun.sleep(5);
  third?.();
  // It had been held long enough, and is free at once.
  expect(await slots.admit(by('a'))).not.toBeNull();
});

test('the networks of a /48 together have three times the slots of one, and are newcomers once', async () => {
  const { startFor, running } = ground({ all: 9, reserved: 2, perNetwork: 1, waitingEach: 0 });
  for (let n = 0; n < 5; n++) {
    void startFor({ account: null, network: `2001:db8:1:${n}::/64` }, `customer ${n}`);
  }
  await settle();
  expect(running).toEqual(['customer 0', 'customer 1', 'customer 2']);
  void startFor({ account: null, network: '2001:db8:2:0::/64' }, 'another');
  await settle();
  expect(running).toHaveLength(4);
});

describe('while others wait', () => {
  const contested = { bytesPerSecond: 1_000, afterMs: 1_000 };
  const from = (account: number, network = `n${account}`): Taker => ({ account, network });

  /** Work that ends when it is asked to, and who was asked to. */
  function arrivals(changed: Partial<SlotLimits> = {}) {
    const slots = new Slots({ ...limits, contested, ...changed });
    const held = new Map<number, Arriving>();
    const ended: number[] = [];
    const start = (taker: Taker) =>
      slots.take(taker, async (arriving) => {
        held.set(taker.account ?? 0, arriving);
        await new Promise((resolve) => arriving.signal.addEventListener('abort', resolve));
        ended.push(taker.account ?? 0);
      });
    return { start, held, ended };
  }

  /** Time passes, and everything that is ready goes on. */
  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms);
    await settle();
  }

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('work that arrives too slowly is ended for them, the slowest first', async () => {
    const { start, held, ended } = arrivals();
    for (const account of [1, 2, 3]) start(from(account));
    await settle();
    await pass(60_000);
    expect(ended).toEqual([]);
    held.get(1)?.note(200_000);
    held.get(2)?.note(10_000);
    start(from(4));
    await settle();
    await pass(300);
    expect([ended, held.has(4)]).toEqual([[3], true]);
    start(from(5));
    start(from(6));
    await settle();
    await pass(300);
    // The first is fast enough, and the fourth has just begun.
    expect(ended).toEqual([3, 2]);
    await pass(1_000);
    expect([ended, held.has(6)]).toEqual([[3, 2, 4], true]);
  });

  test('work that has arrived is not ended', async () => {
    const { start, held, ended } = arrivals({ all: 1 });
    start(from(1));
    await settle();
    held.get(1)?.complete();
    start(from(2));
    await pass(30_000);
    expect(ended).toEqual([]);
  });

  test('only slots that they could have are freed for them', async () => {
    const { start, ended } = arrivals({ perAccount: 1, perNetwork: 2, all: 9 });
    for (const account of [1, 2, 3]) start(from(account));
    start(from(4, 'n1'));
    await settle();
    await pass(30_000);
    start(from(2, 'elsewhere'));
    await pass(300);
    expect(ended).toEqual([2]);
    start(from(5, 'n1'));
    await pass(300);
    expect(ended).toEqual([2, 1]);
  });
});

test('work that waits for a slot in its network is not in the way of its account', async () => {
  const { startFor, running } = ground({ perAccount: 3, perNetwork: 1, all: 9 });
  startFor({ account: 1, network: 'n' }, 'first');
  startFor({ account: 1, network: 'n' }, 'waiting');
  startFor({ account: 1, network: 'o' }, 'elsewhere');
  await settle();
  expect(running).toEqual(['first', 'elsewhere']);
});

test('one that leaves while it waits gives up its place', async () => {
  const { start, startFor, end, running } = ground({ perAccount: 1, all: 1, waitingEach: 1 });
  start('a', 'a1');
  const leaving = new AbortController();
  const left = startFor({ ...by('b'), signal: leaving.signal }, 'b1');
  leaving.abort();
  expect(await left).toBeNull();
  start('b', 'b2');
  await settle();
  await end('a1');
  expect(running).toEqual(['b2']);
  expect(await startFor({ ...by('a'), signal: leaving.signal }, 'a2')).toBeNull();
});
