/** When parameters are learned again, and how they are saved. */
import { describe, expect, test } from 'bun:test';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs, monthOf, monthStart } from '../../kernel/time.ts';
import type { MarketPublishing } from '../../publish/publishing.store.ts';
import type { StoredParameters, ValueEngine } from './estimator.ts';
import { makeParameterKeeper, retryWhileBusy } from './parameters.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const month = monthOf(now);

describe('a keeper of a store that is not sealed', () => {
  /** A keeper that learns one version, on a store with the versions of some months. */
  function keeperOf(given: {
    readonly versions?: readonly { readonly month: number; readonly version: string }[];
    readonly changedFrom?: number | null;
    /** The only version that the engine did not learn itself. */
    readonly foreign?: string;
    readonly failures?: readonly Error[];
    readonly onSave?: () => void;
  }) {
    const { versions = [], changedFrom = null, foreign } = given;
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
        given.onSave?.();
        const failure = failures.shift();
        if (failure) throw failure;
        saved.push([parameters, change]);
      },
      saveGradeEffects: async () => {},
      listSold: async () => [],
      releaseMemory: async () => {},
    } as unknown as MarketPublishing;
    const learned = { month, version: 'new', body: '' };
    const engine: ValueEngine = {
      ...plainEngine,
      hasLearned: ({ version }) => version !== foreign,
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
  const older = { month: month - 1, version: 'older' };
  test.each([
    ['nothing was sold', {}, 0],
    ['something was sold', { changedFrom: month }, 1],
    ['a month has begun', { versions: [{ month: month - 1, version: 'own' }] }, 1],
    ['nothing has changed', { versions: own }, 0],
    ['rows of this month have changed', { versions: own, changedFrom: month }, 0],
    ['rows of the month before have changed', { versions: own, changedFrom: month - 1 }, 1],
    ['nothing has changed since the last of several months', { versions: [older, ...own] }, 0],
    ['another engine has learned', { versions: own, foreign: 'own' }, 1],
    ['another engine learned an earlier month', { versions: [older, ...own], foreign: 'older' }, 0],
    ['another engine learned the last month', { versions: [older, ...own], foreign: 'own' }, 1],
  ])('learns once if there is something new: %s', async (_, given, times) => {
    expect(await keeperOf(given).learn()).toBe(times);
  });

  test('saves parameters with the change number read before learning', async () => {
    const { learn, saved } = keeperOf({ changedFrom: month });
    await learn();
    expect(saved).toEqual([[[{ month, version: 'new', body: '' }], 5]]);
  });

  test('reads parameters once to identify their engine, and once for the estimator', async () => {
    const { learn, keeper, countReads } = keeperOf({ versions: [older, ...own] });
    await learn();
    await learn();
    expect(countReads()).toBe(1);
    const estimator = await keeper.findEstimator();
    expect(await keeper.findEstimator()).toBe(estimator);
    expect(countReads()).toBe(2);
  });

  test('knows whether a month can be valued', async () => {
    const { keeper } = keeperOf({ versions: own });
    const nextMonth = now + 31 * dayMs;
    expect([await keeper.hasMonth(now), await keeper.hasMonth(nextMonth)]).toEqual([true, false]);
  });

  test('retries saving while the store is busy, and not after another error', async () => {
    const busy = keeperOf({ changedFrom: month, failures: [new StoreBusyError()] });
    expect(await busy.learn()).toBe(1);
    const broken = keeperOf({ changedFrom: month, failures: [new Error('It is broken.')] });
    await expect(broken.learn()).rejects.toThrow('It is broken.');
  });

  test('gives up on a busy store after 60 attempts, half a second apart', async () => {
    const steps: unknown[] = [];
    const write = async () => {
      steps.push('write');
      throw new StoreBusyError();
    };
    const sleep = async (ms: number) => {
      await yieldToEventLoop();
      steps.push(ms);
    };
    await expect(retryWhileBusy(write, sleep)).rejects.toThrow(StoreBusyError);
    expect(steps).toEqual([...Array(59).fill(['write', 500]).flat(), 'write']);
  });

  test('does not consider a month empty because another process learned nothing', async () => {
    const { keeper } = keeperOf({ changedFrom: month });
    await keeper.learnApart(now, async () => {});
    expect(await keeper.hasMonth(now)).toBe(false);
  });
});

describe('a keeper of a store that is sealed', () => {
  /** A keeper on a sealed store, which records the learned months and their cutoffs. */
  function sealedKeeper(
    sealedAt: number,
    versions: { month: number; version: string }[],
    given: {
      readonly isEmpty?: (to: number) => boolean;
      readonly firstMonth?: number | null;
      /** The number of the store call that fails, from 1. */
      readonly failing?: number;
    } = {},
  ) {
    const { isEmpty = () => false, firstMonth = month - 9 } = given;
    let uses = 0;
    const use = async () => {
      if (++uses === given.failing) throw new Error('It is broken.');
    };
    const learned: string[] = [];
    const frozen: number[] = [];
    const known: (number | null)[] = [];
    const store = {
      findHistoryState: async () => {
        await use();
        return { sealedAt, restatements: [] };
      },
      findParameterVersions: async () => {
        await use();
        return { versions, changedFrom: month, change: 5 };
      },
      findParameters: async () => {
        await use();
        return { parameters: versions.map((each) => ({ ...each, body: '' })) };
      },
      saveGradeEffects: async () => {},
      freezeParameters: async (parameters: readonly StoredParameters[]) => {
        await use();
        frozen.push(parameters.length);
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
        firstMonth: () => firstMonth,
        learn: async ({ from, to, frozen: known }) => {
          learned.push(`${from - month} to ${to - month}, ${known.length} frozen`);
          if (isEmpty(to)) return [];
          return Array.from({ length: to - from + 1 }, (_, index) => {
            return { month: from + index, version: 'new', body: '' };
          });
        },
      }),
    };
    const keeper = makeParameterKeeper(store, engine);
    const learn = () => keeper.learn(now, { slice: { items: 1, rows: 1 } });
    return { keeper, learn, learned, frozen, known, countUses: () => uses };
  }
  const sealedAt = monthStart(month - 2) + dayMs;

  test('learns the months up to sealing together, and then each separately', async () => {
    const { learn, learned, known } = sealedKeeper(sealedAt, []);
    await learn();
    const steps = ['-9 to -2, 0 frozen', '-1 to -1, 8 frozen', '0 to 0, 9 frozen'];
    expect(learned).toEqual(steps);
    expect(known).toEqual([sealedAt + 1, monthStart(month - 1), monthStart(month)]);
  });

  test('continues after the last learned month, and learns nothing twice', async () => {
    const { learn, learned } = sealedKeeper(sealedAt, [{ month: month - 3, version: 'own' }]);
    await learn();
    expect(learned).toEqual(['-2 to -2, 1 frozen', '-1 to -1, 2 frozen', '0 to 0, 3 frozen']);
    await learn();
    expect(learned).toHaveLength(3);
  });

  test('starts after the last learned month if that is after sealing', async () => {
    const versions = [month - 3, month - 1].map((each) => ({ month: each, version: 'own' }));
    const { learn, learned } = sealedKeeper(sealedAt, versions);
    await learn();
    expect(learned).toEqual(['0 to 0, 2 frozen']);
  });

  test('never learns months up to sealing later if there was nothing to learn then', async () => {
    const isEmpty = (to: number) => to === month - 2;
    const { learn, learned, frozen, known } = sealedKeeper(sealedAt, [], { isEmpty });
    await learn();
    // Nothing is written for empty months.
    expect(frozen).toEqual([1, 1]);
    expect(learned).toEqual(['-9 to -2, 0 frozen', '-1 to -1, 0 frozen', '0 to 0, 1 frozen']);
    expect(known).toEqual([sealedAt + 1, monthStart(month - 1), monthStart(month)]);
  });

  test('tries a month without anything to learn from only once', async () => {
    const { keeper, learn, learned } = sealedKeeper(sealedAt, [], { isEmpty: () => true });
    expect(await keeper.hasMonth(now)).toBe(false);
    await learn();
    expect(await keeper.hasMonth(now)).toBe(true);
    await learn();
    expect(learned).toHaveLength(3);
  });

  test('considers a month empty for which another process found nothing to learn', async () => {
    const { keeper, learn, learned } = sealedKeeper(sealedAt, []);
    await keeper.learnApart(now, async () => {});
    expect(await keeper.hasMonth(now)).toBe(true);
    await learn();
    expect(learned).toEqual([]);
  });

  test('does not consider a month empty if the other process fails', async () => {
    const { keeper } = sealedKeeper(sealedAt, []);
    const failing = keeper.learnApart(now, async () => {
      throw new Error('Somebody has failed.');
    });
    await expect(failing).rejects.toThrow('Somebody has failed.');
    expect(await keeper.hasMonth(now)).toBe(false);
  });

  test('learns nothing without sales', async () => {
    const { learn, learned, frozen } = sealedKeeper(sealedAt, [], { firstMonth: null });
    await learn();
    expect([learned, frozen]).toEqual([[], []]);
  });

  test('fails if any read or write of the store fails', async () => {
    const { learn, countUses } = sealedKeeper(sealedAt, []);
    await learn();
    for (let failing = 1; failing <= countUses(); failing++) {
      const broken = sealedKeeper(sealedAt, [], { failing });
      await expect(broken.learn()).rejects.toThrow('It is broken.');
    }
    for (const failing of [1, 2]) {
      const { keeper } = sealedKeeper(sealedAt, [], { failing });
      await expect(keeper.learnApart(now, async () => {})).rejects.toThrow('It is broken.');
    }
  });
});
