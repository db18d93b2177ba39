/** The end of the log in memory: all events after a position, or none of them. */
import { expect, test } from 'bun:test';
import { madeEvent, madeLog } from '../../../test/support/event-log.ts';
import { type EventFilter, RecentEvents, writeEvents } from './recent-events.ts';

const everything = { kinds: null, limit: 100 };

function positionsOf(recent: RecentEvents, after: number, wanted: EventFilter = everything) {
  const found = recent.read(after, wanted);
  return found && [found.events.map(({ position }) => position), found.next];
}

test('starts at the end of the log, and has the events that follow', async () => {
  const log = madeLog([10, 20]);
  const recent = new RecentEvents(log);
  expect(recent.read(20, everything)).toBeNull();
  expect(await recent.look()).toBe(false);
  expect(positionsOf(recent, 20)).toEqual([[], 20]);
  expect(positionsOf(recent, 10)).toBeNull();
  log.add(21, 22, 30);
  expect(await recent.look()).toBe(false);
  expect(positionsOf(recent, 20)).toEqual([[21, 22, 30], 30]);
  expect(positionsOf(recent, 21)).toEqual([[22, 30], 30]);
  expect(positionsOf(recent, 29)).toEqual([[30], 30]);
  // A position after the end of the log stays the same.
  expect(positionsOf(recent, 31)).toEqual([[], 31]);
});

test('filters by kind, and continues after the last returned event', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log);
  await recent.look();
  log.add(2, madeEvent(3, { kind: 'value.move' }), 4, madeEvent(5, { kind: 'value.move' }), 6);
  await recent.look();
  const moves = { kinds: ['value.move' as const], limit: 1 };
  expect(positionsOf(recent, 1, moves)).toEqual([[3], 3]);
  expect(positionsOf(recent, 3, moves)).toEqual([[5], 5]);
  expect(positionsOf(recent, 5, moves)).toEqual([[], 6]);
  expect(positionsOf(recent, 1, { ...moves, limit: 2 })).toEqual([[3, 5], 5]);
});

test('events about the same items are serialized once for all streams', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log);
  await recent.look();
  log.add(2, madeEvent(3, { key: '2000' }));
  await recent.look();
  const found = recent.read(1, everything) ?? { events: [], next: 0 };
  expect(recent.read(1, everything)).toBe(found);
  const held = { set: new Set(['2000']), minifig: new Set<string>() };
  const all = writeEvents(found, null);
  const some = writeEvents(found, held);
  expect([all.count, all.last, some.count, some.last]).toEqual([2, 3, 1, 3]);
  expect([writeEvents(found, null), writeEvents(found, held)]).toEqual([all, some]);
  expect(writeEvents(found, null).bytes).toBe(all.bytes);
  expect(writeEvents(found, held).bytes).toBe(some.bytes);
  // None of it is returned after the next poll.
  log.add(4);
  await recent.look();
  expect(positionsOf(recent, 1)).toEqual([[2, 3, 4], 4]);
});

test('keeps a limited number of events, and knows which are dropped', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log, 3);
  await recent.look();
  log.add(2, 3, 4, 5, 6);
  await recent.look();
  expect(positionsOf(recent, 2)).toBeNull();
  expect(positionsOf(recent, 3)).toEqual([[4, 5, 6], 6]);
});

test('streams can be 4,000 events behind without reading the log themselves', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log);
  await recent.look();
  log.add(...Array.from({ length: 4_001 }, (_, index) => index + 2));
  while (await recent.look()) expect(recent.read(2, everything)).not.toBeNull();
  expect(recent.read(1, everything)).toBeNull();
  expect(recent.read(2, { kinds: null, limit: 5_000 })?.events).toHaveLength(4_000);
});

test('reads a long log in pages, and reports that there is more', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log);
  await recent.look();
  log.add(...Array.from({ length: 251 }, (_, index) => index + 2));
  expect(await recent.look()).toBe(true);
  expect(positionsOf(recent, 1, { kinds: null, limit: 1_000 })?.[1]).toBe(251);
  expect(await recent.look()).toBe(false);
  expect(positionsOf(recent, 251)).toEqual([[252], 252]);
});

test('starts over after it was cleared, or when the next events are no longer kept', async () => {
  const log = madeLog([1]);
  const recent = new RecentEvents(log);
  await recent.look();
  log.add(2, 3);
  log.oldest = 2;
  expect(await recent.look()).toBe(true);
  expect(recent.read(3, everything)).toBeNull();
  await recent.look();
  expect(positionsOf(recent, 3)).toEqual([[], 3]);
  recent.clear();
  expect(recent.read(3, everything)).toBeNull();
});

test('a waiting stream continues after the next poll, and waits for the one after', async () => {
  const recent = new RecentEvents(madeLog([1]));
  const turns: number[] = [];
  const wait = (turn: number) => recent.nextTurn().then(() => turns.push(turn));
  const first = wait(1);
  recent.passTurn();
  const second = wait(2);
  await first;
  expect(turns).toEqual([1]);
  recent.passTurn();
  await second;
  expect(turns).toEqual([1, 2]);
});

test('many waiting streams continue some at a time, with turns of the loop in between', async () => {
  const recent = new RecentEvents(madeLog([1]));
  let passed = 0;
  const crowd = Array.from({ length: 120 }, async () => {
    await recent.nextTurn();
    passed++;
  });
  recent.passTurn();
  const steps: number[] = [];
  while (passed < 120) {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(passed);
  }
  await Promise.all(crowd);
  // Fifty at a time.
  expect([50, 100]).toContain(steps[0] ?? 0);
  expect(steps.at(-1)).toBe(120);
});
