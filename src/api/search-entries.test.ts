/** Entries in memory are those that are published, whatever comes while they are read. */
import { describe, expect, test } from 'bun:test';
import { dayMs } from '../domain/kernel/time.ts';
import type { ListedEntry } from '../domain/market/market-reading.ts';
import { nothingWanted, wantedInterest } from '../domain/search/interest.ts';
import { SearchEntries } from './search-entries.ts';

const entryOf = (key: string, facts: Partial<ListedEntry> = {}): ListedEntry => ({
  kind: 'set',
  key,
  name: `Mill ${key}`,
  isFoundLast: false,
  otherNames: [],
  subthemes: [],
  themes: [],
  interest: 5,
  wanted: null,
  ...facts,
});

/** So many entries, in the order of their keys. */
const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => entryOf(String(10_000 + index)));

/** Entries of a store that says what was read of it; it waits for `opening` before it answers. */
function open(published: readonly ListedEntry[]) {
  const state = {
    published,
    now: 100 * dayMs,
    opening: Promise.resolve(),
    reads: [] as string[],
    refills: 0,
  };
  const entries = new SearchEntries({
    kind: 'set',
    clock: () => state.now,
    onRefilled: () => {
      state.refills++;
    },
    market: {
      listSearchEntries: async (kind, afterKey, limit) => {
        state.reads.push(`${kind} after '${afterKey}'`);
        await state.opening;
        return state.published.filter(({ key }) => key > afterKey).slice(0, limit);
      },
    },
  });
  const holds = (entry: ListedEntry) =>
    entries.takeCurrent()?.segments.some((segment) => segment.holds(entry)) ?? null;
  return { state, entries, holds };
}

describe('entries', () => {
  test('are read in slices until there are no more, and once', async () => {
    const { state, entries, holds } = open(entriesOf(2_001));
    expect(entries.takeCurrent()).toBeNull();
    await Promise.all([entries.fillIfEmpty(), entries.fillIfEmpty()]);
    await entries.fillIfEmpty();
    expect(state.reads).toEqual(["set after ''", "set after '10999'", "set after '11999'"]);
    expect(['10000', '10999', '11000', '12000'].map((key) => holds(entryOf(key)))).toEqual(
      Array(4).fill(true),
    );
    expect(state.refills).toBe(1);
  });

  test('are in step with what is published of their kind', async () => {
    const { entries, holds } = open([entryOf('101')]);
    await entries.fillIfEmpty();
    entries.follow([entryOf('102'), entryOf('103', { kind: 'minifig' })]);
    expect(['101', '102', '103'].map((key) => holds(entryOf(key)))).toEqual([true, true, false]);
    entries.follow([entryOf('101', { name: 'Windmill' })]);
    expect(holds(entryOf('101', { name: 'Windmill' }))).toBe(true);
    expect(entries.takeCurrent()?.changedCount).toBe(2);
  });

  test('have what accounts make of them added to their interest', async () => {
    const wanted = { ...nothingWanted(90), held: 3, lookedUp: 40 };
    const { entries, holds } = open([entryOf('101', { wanted })]);
    await entries.fillIfEmpty();
    expect(wantedInterest(wanted, 100)).toBeGreaterThan(0);
    expect(holds(entryOf('101', { interest: 5 + wantedInterest(wanted, 100) }))).toBe(true);
  });

  test('have what was published while they were read', async () => {
    const { state, entries, holds } = open([entryOf('101')]);
    const gate = Promise.withResolvers<void>();
    state.opening = gate.promise;
    const filled = entries.fillIfEmpty();
    entries.follow([entryOf('102')]);
    gate.resolve();
    await filled;
    expect(holds(entryOf('102'))).toBe(true);
    expect(state.reads).toHaveLength(1);
  });

  test('are read again when there is too much news, also what was being read', async () => {
    const { state, entries } = open([entryOf('101')]);
    const gate = Promise.withResolvers<void>();
    state.opening = gate.promise;
    const filled = entries.fillIfEmpty();
    entries.follow(null);
    gate.resolve();
    await filled;
    expect(state.reads).toHaveLength(2);
    entries.follow(null);
    expect(entries.takeCurrent()).toBeNull();
    await entries.fillIfEmpty();
    entries.follow(entriesOf(20_001));
    expect(entries.takeCurrent()).toBeNull();
  });

  test('are not read in vain because of news that is over', async () => {
    const { state, entries } = open([entryOf('101')]);
    await entries.fillIfEmpty();
    entries.follow(entriesOf(20_001));
    const gate = Promise.withResolvers<void>();
    state.opening = gate.promise;
    state.reads.length = 0;
    const filled = entries.fillIfEmpty();
    entries.follow([entryOf('102')]);
    gate.resolve();
    await filled;
    expect(state.reads).toHaveLength(1);
  });

  test('are read beside searches when the day is over, and tried again when that fails', async () => {
    const { state, entries, holds } = open([entryOf('101')]);
    await entries.fillIfEmpty();
    state.published = [entryOf('102')];
    expect(holds(entryOf('101'))).toBe(true);
    expect(state.reads).toHaveLength(1);
    state.now += dayMs;
    state.opening = Promise.reject(new Error('gone'));
    expect(holds(entryOf('101'))).toBe(true);
    await Bun.sleep(0);
    state.opening = Promise.resolve();
    expect(holds(entryOf('101'))).toBe(true);
    await Bun.sleep(0);
    expect(state.reads).toHaveLength(3);
    expect([holds(entryOf('101')), holds(entryOf('102'))]).toEqual([false, true]);
    expect(state.refills).toBe(2);
  });
});
