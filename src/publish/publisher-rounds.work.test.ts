/** The store calls of a publisher, their order, and its handling of failures. */
import { expect, spyOn, test } from 'bun:test';
import { someEvidence } from '../../test/support/builders.ts';
import { InTurn } from '../../test/support/in-turn.ts';
import { setInputs } from '../../test/support/item-inputs.ts';
import { failingEngine } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { dayMs, hourMs, monthOf } from '../kernel/time.ts';
import type { Evidence } from '../market/evidence/evidence.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import { makePublisher } from './publisher.work.ts';
import type { MarketPublishing } from './publishing.store.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** A publisher of sets with these IDs, whose stale ones stay stale; and a log of its calls. */
function publisherOf(
  ids: readonly number[],
  given: {
    readonly isBroken?: (id: number, round: number) => boolean;
    readonly evidence?: Evidence | null;
    readonly sealedAt?: number | null;
    /** The last learned month; null: none, and there is nothing to learn from. */
    readonly learnedMonth?: number | null;
  } = {},
) {
  const { isBroken = () => false, evidence = null, sealedAt = null, learnedMonth = null } = given;
  const versions = learnedMonth === null ? [] : [{ month: learnedMonth, version: 'v' }];
  const done: string[] = [];
  const items: PublishedItem[] = [];
  let rounds = 0;
  const store = {
    countStale: async () => ids.length,
    listStale: async (afterId: number, limit: number) => {
      if (afterId === 0) rounds++;
      done.push(`stale after ${afterId}, ${limit}`);
      return ids.filter((id) => id > afterId).slice(0, limit);
    },
    listDue: async (_at: number, limit: number) => ids.slice(0, limit),
    markAllStale: async () => done.push('all stale'),
    postponeDue: async (failed: readonly number[], until: number) => {
      done.push(`postponed ${failed} for ${until - now}`);
    },
    countInputs: async (asked: readonly number[]) => asked.map((id) => ({ id, rows: 1 })),
    loadInputs: async (
      asked: readonly number[],
      { at, withSeries }: { at: number; withSeries: boolean },
    ) => {
      done.push(`load ${asked.length} at ${at - now} ${withSeries ? 'with' : 'without'} series`);
      return asked.map((id) => {
        const pieces = isBroken(id, rounds) ? 13 : 12;
        return setInputs({ pieces }, { id, number: `${id}`, evidence });
      });
    },
    publish: async (published: readonly PublishedItem[]) => {
      items.push(...published);
      return published.length;
    },
    publishThemes: async () => done.push('themes'),
    findHistoryState: async () => ({ sealedAt, restatements: [] }),
    findParameterVersions: async () => ({ versions, changedFrom: null, change: 0 }),
    findParameters: async () => ({ parameters: [] }),
    saveParameters: async () => done.push('learned'),
    saveGradeEffects: async () => {},
    listSold: async () => [],
    releaseMemory: async () => {},
  } as unknown as MarketPublishing;
  const onLearned = (month: number) => done.push(`reported month ${month - monthOf(now)}`);
  const settings = { engine: failingEngine, onLearned, ...publishSettings };
  const turns = new InTurn();
  const publisher = makePublisher(turns.watch(store), settings, () => now);
  return { publisher, done, items, turns };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const roundsIn = (done: readonly string[]) =>
  done.filter((line) => line.startsWith('stale after 0,')).length;

test('up to 200 stale items are published before learning and after it, more only after it', async () => {
  const few = publisherOf(upTo(200));
  expect(await few.publisher.publishStale()).toBe(400);
  expect(roundsIn(few.done)).toBe(2);
  const many = publisherOf(upTo(201));
  expect(await many.publisher.publishStale()).toBe(201);
  expect(roundsIn(many.done)).toBe(1);
});

test('themes are published at the end, even if nothing was stale', async () => {
  const { publisher, done } = publisherOf([]);
  expect(await publisher.publishStale()).toBe(0);
  expect(done.at(-1)).toBe('themes');
});

test('a round continues after the last item, and ends', async () => {
  const { publisher, done } = publisherOf(upTo(501));
  await publisher.publishAll();
  expect(done[0]).toBe('all stale');
  expect(done.filter((line) => line.startsWith('stale'))).toEqual([
    'stale after 0, 500',
    'stale after 500, 500',
    'stale after 501, 500',
  ]);
});

test('progress never exceeds its total', async () => {
  const { publisher } = publisherOf(upTo(501));
  const reported: unknown[] = [];
  await publisher.publishAll(undefined, (...progress) => reported.push(progress));
  expect(reported).toEqual([
    [500, 501, 'valuing'],
    [501, 501, 'valuing'],
  ]);
});

test('months are read once history is sealed', async () => {
  const open = publisherOf([1]);
  await open.publisher.publishAll();
  expect(open.done).toContain('load 1 at 0 without series');
  const sealed = publisherOf([1], { sealedAt: now - hourMs });
  await sealed.publisher.publishAll();
  expect(sealed.done).toContain('load 1 at 0 with series');
});

test('a publication for the past is due at once, without deals and events', async () => {
  const { publisher, items } = publisherOf([1]);
  await publisher.publishAll(now - 1);
  expect(items.map(({ dueAt, deals, events }) => [dueAt, deals, events])).toEqual([
    [now - 1, null, null],
  ]);
  await publisher.publishAll(now);
  expect(items[1]?.dueAt).toBeGreaterThan(now);
  expect([items[1]?.deals, items[1]?.events === null]).toEqual([[], false]);
});

test('failures are reported with the first one, and the others are published', async () => {
  const { publisher, items } = publisherOf([1, 2, 3], { isBroken: (id) => id > 1 });
  await expect(publisher.publishAll()).rejects.toThrow(
    '2 items could not be published, such as set 2: no luck',
  );
  expect(items.map(({ id }) => id)).toEqual([1]);
});

test('an item that failed only in the first round is not a failure', async () => {
  const { publisher } = publisherOf([1, 2], { isBroken: (id, round) => id === 2 && round === 1 });
  expect(await publisher.publishStale()).toBe(3);
});

test('due items that fail are postponed for an hour', async () => {
  const { publisher, done } = publisherOf([1, 2, 3], { isBroken: (id) => id !== 2 });
  await expect(publisher.publishDue(3)).rejects.toThrow('2 items could not be published');
  expect(done.at(-1)).toBe(`postponed 1,3 for ${hourMs}`);
});

test('due items are read twenty at a time', async () => {
  const { publisher, done } = publisherOf(upTo(21));
  expect(await publisher.publishDue(21)).toBe(21);
  expect(done).toEqual(['load 20 at 0 without series', 'load 1 at 0 without series']);
  expect(await publisherOf([]).publisher.publishDue(5)).toBe(0);
});

test('an item is verified with its rows at the time of its evidence', async () => {
  const evidence = someEvidence({ at: now - 5 });
  const { publisher, done } = publisherOf([1], { evidence });
  expect((await publisher.verify(1))?.value).toBe('inputs_changed');
  expect(done).toEqual([`load 1 at ${-now} with series`, 'load 1 at -5 with series']);
  expect(await publisherOf([1]).publisher.verify(1)).toBeNull();
});

test('in a month without parameters, nothing is published before learning', async () => {
  const month = monthOf(now);
  const begun = publisherOf([1], { learnedMonth: month - 1 });
  expect(await begun.publisher.publishStale()).toBe(1);
  expect(begun.done[0]).toBe('learned');
  const past = publisherOf([1], { learnedMonth: month - 1 });
  await past.publisher.publishStale(now - 90 * dayMs);
  expect([past.done[0], roundsIn(past.done)]).toEqual(['learned', 1]);
  const ahead = publisherOf([1], { learnedMonth: month });
  await ahead.publisher.publishStale(now + 30 * dayMs);
  expect([ahead.done[0], roundsIn(ahead.done)]).toEqual(['learned', 1]);
  const learned = publisherOf([1], { learnedMonth: month });
  expect(await learned.publisher.publishStale()).toBe(2);
  expect(learned.done).not.toContain('learned');
});

test('due items wait until their month is learned, which is reported', async () => {
  const month = monthOf(now);
  const begun = publisherOf([1], { learnedMonth: month - 1 });
  await begun.publisher.publishDue(1);
  const load = 'load 1 at 0 without series';
  expect(begun.done).toEqual(['learned', 'reported month 0', load]);
  const learned = publisherOf([1], { learnedMonth: month });
  await learned.publisher.publishDue(1);
  expect(learned.done).toEqual([load]);
});

test('everything is valued after learning what is outdated', async () => {
  const { publisher, done } = publisherOf([1], { learnedMonth: monthOf(now) - 1 });
  await publisher.publishAll();
  expect(done.slice(0, 2)).toEqual(['learned', 'all stale']);
});

test('nothing is learned if nothing is due', async () => {
  const { publisher, done } = publisherOf([], { learnedMonth: monthOf(now) - 1 });
  expect(await publisher.publishDue(5)).toBe(0);
  expect(done).toEqual([]);
});

test('every step waits for the previous one', async () => {
  const { publisher, turns } = publisherOf([1, 2], {
    isBroken: (id) => id === 2,
    learnedMonth: monthOf(now) - 1,
    sealedAt: now - hourMs,
  });
  await expect(publisher.publishAll()).rejects.toThrow('no luck');
  await expect(publisher.publishStale()).rejects.toThrow('no luck');
  await expect(publisher.publishDue(2)).rejects.toThrow('no luck');
  expect([turns.overlaps, turns.active]).toEqual([[], []]);
});

test('a process that holds much does not collect garbage in every round', async () => {
  const held = spyOn(process.memoryUsage, 'rss').mockReturnValue(5_000_000_000);
  const collect = spyOn(Bun, 'gc').mockImplementation(() => {});
  try {
    const { publisher } = publisherOf([1]);
    await publisher.publishStale();
    collect.mockClear();
    await publisher.publishStale();
    expect(collect).not.toHaveBeenCalled();
  } finally {
    held.mockRestore();
    collect.mockRestore();
  }
});
