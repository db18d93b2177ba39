/** Search entries in memory match the published ones, even after publications during a read. */
import { describe, expect, test } from 'bun:test';
import { countTurns } from '../../../test/support/turns.ts';
import { countedInterest, noInterest } from '../../catalog/interest/interest.ts';
import { dayMs } from '../../kernel/time.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import { SearchEntries } from './search-entries.ts';

const entryOf = (key: string, facts: Partial<ListedEntry> = {}): ListedEntry => ({
  kind: 'set',
  key,
  name: `Mill ${key}`,
  ranksLast: false,
  otherNames: [],
  subthemes: [],
  themes: [],
  year: null,
  interest: 5,
  interestCounts: null,
  ...facts,
});

/** Entries sorted by key. */
const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => entryOf(String(10_000 + index)));

/** Entries of a store that records its reads, and waits for `opening`. */
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
  test('are read in slices, once', async () => {
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

  test('follow the publications of their kind', async () => {
    const { entries, holds } = open([entryOf('101')]);
    await entries.fillIfEmpty();
    entries.follow([entryOf('102'), entryOf('103', { kind: 'minifig' })]);
    expect(['101', '102', '103'].map((key) => holds(entryOf(key)))).toEqual([true, true, false]);
    entries.follow([entryOf('101', { name: 'Windmill' })]);
    expect(holds(entryOf('101', { name: 'Windmill' }))).toBe(true);
    expect(entries.takeCurrent()?.changedCount).toBe(2);
  });

  test('include the interest of accounts', async () => {
    const wanted = { ...noInterest(90), held: 3, lookedUp: 40 };
    const { entries, holds } = open([entryOf('101', { interestCounts: wanted })]);
    await entries.fillIfEmpty();
    expect(countedInterest(wanted, 100)).toBeGreaterThan(0);
    expect(holds(entryOf('101', { interest: 5 + countedInterest(wanted, 100) }))).toBe(true);
  });

  test('include items published during the read', async () => {
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

  test('are read again after too many changes, even during a read', async () => {
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

  test('are not read again because of earlier changes', async () => {
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

  test('are read in the background when the day ends, and again after a failure', async () => {
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

  test('are read in the background after more than 2,000 changes', async () => {
    const { state, entries } = open(entriesOf(1));
    await entries.fillIfEmpty();
    const many = entriesOf(2_001);
    entries.follow(many.slice(1));
    expect(entries.takeCurrent()?.changedCount).toBe(2_000);
    expect(state.reads).toHaveLength(1);
    entries.follow([entryOf('1')]);
    expect(entries.takeCurrent()?.changedCount).toBe(2_001);
    expect(state.reads).toHaveLength(2);
    await Bun.sleep(0);
    expect(state.refills).toBe(2);
  });

  test('are kept with up to 20,000 changes', async () => {
    const { entries } = open([entryOf('101')]);
    await entries.fillIfEmpty();
    entries.follow(entriesOf(20_000));
    expect(entries.takeCurrent()).not.toBeNull();
    // Changes that were applied no longer count.
    entries.follow([entryOf('1')]);
    expect(entries.takeCurrent()).not.toBeNull();
  });

  test('are read with a turn for other requests after each full slice', async () => {
    const { entries } = open(entriesOf(2_001));
    expect(await countTurns(() => entries.fillIfEmpty())).toBe(2);
  });
});
