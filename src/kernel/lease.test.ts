/** Leases: when they are renewed, and when they are lost. */
import { expect, jest, test } from 'bun:test';
import { Lease, LeaseLostError, type LeaseTaken } from './lease.ts';
import { dayMs } from './time.ts';

function makeLease(leaseMs = 3_000) {
  const place = { now: 1_000_000, isFree: true, taken: [] as LeaseTaken[] };
  const store = {
    takeLease: async (lease: LeaseTaken) => {
      place.taken.push(lease);
      return place.isFree;
    },
  };
  const lease = new Lease(store, () => place.now, { name: 'work', holder: 'me', leaseMs });
  return { place, lease };
}

test('a lease is taken for its full time', async () => {
  const { place, lease } = makeLease();
  expect(await lease.take()).toBe(true);
  const taken = { name: 'work', holder: 'me', at: 1_000_000, until: 1_003_000 };
  expect(place.taken).toEqual([taken]);
  await lease.release();
});

test('the store is asked again after a third of the time', async () => {
  const { place, lease } = makeLease();
  await lease.take();
  place.now += 999;
  await lease.keep();
  expect(await lease.isHeld()).toBe(true);
  expect(place.taken).toHaveLength(1);
  place.now += 1;
  await lease.keep();
  expect(place.taken).toHaveLength(2);
  place.now += 1_000;
  expect(await lease.isHeld()).toBe(true);
  expect(place.taken).toHaveLength(3);
  await lease.release();
});

test('a lease that was lost or never taken cannot be kept', async () => {
  const { place, lease } = makeLease();
  await expect(lease.keep()).rejects.toThrow(LeaseLostError);
  expect(place.taken).toEqual([]);
  await lease.take();
  place.isFree = false;
  place.now += 1_000;
  await expect(lease.keep()).rejects.toThrow('Another process has taken over.');
  expect(await lease.isHeld()).toBe(false);
  place.isFree = true;
  expect(await lease.isHeld()).toBe(true);
  await lease.release();
});

test('a released lease is free for others, even if clocks differ', async () => {
  const { place, lease } = makeLease();
  await lease.release();
  expect(place.taken).toEqual([]);
  await lease.take();
  await lease.release();
  expect(place.taken.at(-1)).toMatchObject({ at: 1_000_000, until: 1_000_000 - dayMs });
  await expect(lease.keep()).rejects.toThrow(LeaseLostError);
});

test('a release has ended when the store has it', async () => {
  let isStored = false;
  const store = {
    takeLease: async () => {
      await Promise.resolve();
      await Promise.resolve();
      isStored = true;
      return true;
    },
  };
  const lease = new Lease(store, () => 0, { name: 'work', holder: 'me', leaseMs: 3_000 });
  await lease.take();
  isStored = false;
  await lease.release();
  expect(isStored).toBe(true);
});

test('a lease is renewed while held, but not after its release or loss', async () => {
  jest.useFakeTimers();
  try {
    const { place, lease } = makeLease();
    await lease.take();
    await lease.take();
    jest.advanceTimersByTime(1_000);
    expect(place.taken).toHaveLength(3);
    await lease.release();
    jest.advanceTimersByTime(10_000);
    expect(place.taken).toHaveLength(4);
    await lease.take();
    place.isFree = false;
    await lease.take();
    jest.advanceTimersByTime(10_000);
    expect(place.taken).toHaveLength(6);
  } finally {
    jest.useRealTimers();
  }
});
