/** When a store's parameters are learned anew, and how they are saved. */
import { describe, expect, test } from 'bun:test';
import { plainEngine } from '../../test/support/plain-engine.ts';
import { dayMs, monthOf, monthStart } from '../domain/kernel/time.ts';
import type { StoredParameters, ValueEngine } from '../domain/market/estimator.ts';
import type { MarketPublishing } from '../domain/market/market-store.ts';
import { StoreBusyError } from '../domain/store.ts';
import { makeParameterKeeper } from './parameters.ts';

const now = Date.UTC(2026, 10, 15, 12);
const month = monthOf(now);

describe('a keeper of a store that is not sealed', () => {
  /** A keeper that learns one version, on a store with the versions of some months. */
  function keeperOf(given: {
    readonly versions?: readonly { readonly month: number; readonly version: string }[];
    readonly changedFrom?: number | null;
    readonly hasLearned?: boolean;
    readonly failures?: readonly Error[];
  }) {
    const { versions = [], changedFrom = null, hasLearned = true } = given;
    const failures = [...(given.failures ?? [])];
    const saved: unknown[] = [];
    let reads = 0;
    const stored = versions.map((each) => ({ ...each, body: '' }));
    const store = {
      findHistoryState: async () => ({ sealedAt: null, restatements: [] }),
      findParameterVersions: async () => ({ versions, changedFrom, change: 5 }),
      findParameters: async () => {
        reads++;
        return { parameters: stored };
      },
      saveParameters: async (parameters: unknown, change: number) => {
        const failure = failures.shift();
        if (failure) throw failure;
        saved.push([parameters, change]);
      },
      listSold: async () => [],
      releaseMemory: async () => {},
    } as unknown as MarketPublishing;
    const learned = { month, version: 'new', body: '' };
    const engine: ValueEngine = {
      ...plainEngine,
      hasLearned: () => hasLearned,
      startLearning: () => ({
        addSet: () => {},
        addMinifig: () => {},
        firstMonth: () => month,
        learn: async () => [learned],
      }),
    };
    const keeper = makeParameterKeeper(store, engine);
    const learn = async (at = now) => {
      await keeper.learn(at, { slice: { items: 1, rows: 1 } });
      return saved.length;
    };
    return { keeper, learn, saved, countReads: () => reads };
  }

  const own = [{ month, version: 'own' }];
  test.each([
    ['nothing was sold', {}, 0],
    ['something was sold', { changedFrom: month }, 1],
    ['a month has begun', { versions: [{ month: month - 1, version: 'own' }] }, 1],
    ['nothing has changed', { versions: own }, 0],
    ['rows of this month have changed', { versions: own, changedFrom: month }, 0],
    ['rows of the month before have changed', { versions: own, changedFrom: month - 1 }, 1],
    ['a version of before has learned', { versions: own, hasLearned: false }, 1],
  ])('%s', async (_, given, times) => {
    expect(await keeperOf(given).learn()).toBe(times);
  });

  test('saves what it learned with the change that it has seen', async () => {
    const { learn, saved } = keeperOf({ changedFrom: month });
    await learn();
    expect(saved).toEqual([[[{ month, version: 'new', body: '' }], 5]]);
  });

  test('reads parameters once to tell who learned them, and once for the estimator', async () => {
    const { learn, keeper, countReads } = keeperOf({ versions: own });
    await learn();
    await learn();
    expect(countReads()).toBe(1);
    const estimator = await keeper.findEstimator();
    expect(await keeper.findEstimator()).toBe(estimator);
    expect(countReads()).toBe(2);
  });

  test('tells whether a month can be valued', async () => {
    const { keeper } = keeperOf({ versions: own });
    const nextMonth = now + 31 * dayMs;
    expect([await keeper.hasMonth(now), await keeper.hasMonth(nextMonth)]).toEqual([true, false]);
  });

  test('tries to save again while the store is busy, and not after another error', async () => {
    const busy = keeperOf({ changedFrom: month, failures: [new StoreBusyError()] });
    expect(await busy.learn()).toBe(1);
    const broken = keeperOf({ changedFrom: month, failures: [new Error('It is broken.')] });
    await expect(broken.learn()).rejects.toThrow('It is broken.');
  });
});

describe('a keeper of a store that is sealed', () => {
  /** What is learned for which months, from what was known before when. */
  function sealedKeeper(
    sealedAt: number,
    versions: { month: number; version: string }[],
    isEmpty: (to: number) => boolean = () => false,
  ) {
    const learned: string[] = [];
    const known: (number | null)[] = [];
    const store = {
      findHistoryState: async () => ({ sealedAt, restatements: [] }),
      findParameterVersions: async () => ({ versions, changedFrom: month, change: 5 }),
      findParameters: async () => ({ parameters: versions.map((each) => ({ ...each, body: '' })) }),
      freezeParameters: async (parameters: readonly StoredParameters[]) => {
        versions.push(...parameters.map((each) => ({ month: each.month, version: 'new' })));
      },
      listSold: async (knownBefore: number | null) => {
        known.push(knownBefore);
        return [];
      },
      releaseMemory: async () => {},
    } as unknown as MarketPublishing;
    const engine: ValueEngine = {
      ...plainEngine,
      startLearning: () => ({
        addSet: () => {},
        addMinifig: () => {},
        firstMonth: () => month - 9,
        learn: async ({ from, to, frozen }) => {
          learned.push(`${from - month} to ${to - month}, ${frozen.length} frozen`);
          if (isEmpty(to)) return [];
          return Array.from({ length: to - from + 1 }, (_, index) => {
            return { month: from + index, version: 'new', body: '' };
          });
        },
      }),
    };
    const keeper = makeParameterKeeper(store, engine);
    const learn = () => keeper.learn(now, { slice: { items: 1, rows: 1 } });
    return { learn, learned, known };
  }
  const sealedAt = monthStart(month - 2) + dayMs;

  test('learns the months up to its sealing together, and then each by itself', async () => {
    const { learn, learned, known } = sealedKeeper(sealedAt, []);
    await learn();
    const steps = ['-9 to -2, 0 frozen', '-1 to -1, 8 frozen', '0 to 0, 9 frozen'];
    expect(learned).toEqual(steps);
    expect(known).toEqual([sealedAt + 1, monthStart(month - 1), monthStart(month)]);
  });

  test('goes on after the last month that was learned, and learns nothing twice', async () => {
    const { learn, learned } = sealedKeeper(sealedAt, [{ month: month - 3, version: 'own' }]);
    await learn();
    expect(learned).toEqual(['-2 to -2, 1 frozen', '-1 to -1, 2 frozen', '0 to 0, 3 frozen']);
    await learn();
    expect(learned).toHaveLength(3);
  });

  test('begins with the next month where the last one is after its sealing', async () => {
    const { learn, learned } = sealedKeeper(sealedAt, [{ month: month - 1, version: 'own' }]);
    await learn();
    expect(learned).toEqual(['0 to 0, 1 frozen']);
  });

  test('never learns a month up to its sealing later, where there was nothing then', async () => {
    const { learn, learned, known } = sealedKeeper(sealedAt, [], (to) => to === month - 2);
    await learn();
    expect(learned).toEqual(['-9 to -2, 0 frozen', '-1 to -1, 0 frozen', '0 to 0, 1 frozen']);
    expect(known).toEqual([sealedAt + 1, monthStart(month - 1), monthStart(month)]);
  });
});
