/** Rounds of counting with fake stores: which rows are read and saved, and when. */
import { beforeEach, describe, expect, test } from 'bun:test';
import type { Watcher } from '../../alerts/watchlists/watch-list.ts';
import type { HolderCount, LookUpCount } from '../../catalog/interest/interest.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs } from '../../kernel/time.ts';
import type { HeldUnits } from '../lots/lots.ts';
import { countHolders, type InterestDeps, LookUps, startInterest } from './interest.work.ts';

const today = 20_000;

class World {
  now = today * dayMs;
  held: HeldUnits[] = [];
  watchers: Watcher[] = [];
  holders: HolderCount[] = [];
  /** Reads and writes, in order. */
  readonly happened: string[] = [];
  readonly saved: HolderCount[] = [];
  readonly lookedUp: LookUpCount[] = [];
  readonly failures: unknown[] = [];
  fault: Error | null = null;
  readonly lookUps = new LookUps();

  deps(): InterestDeps & { accounts: NonNullable<InterestDeps['accounts']> } {
    const market = {
      addLookUps: async (counts: readonly LookUpCount[], day: number) => {
        this.happened.push(`${counts.length} look-ups on ${day}`);
        this.lookedUp.push(...counts);
      },
      listHolders: async () => this.holders,
      saveHolders: async (counts: readonly HolderCount[], day: number) => {
        this.happened.push(`${counts.length} saved on ${day}`);
        this.saved.push(...counts);
      },
    };
    const accounts = {
      listHeldItems: async (last: { readonly key: string }, limit: number) => {
        if (this.fault) throw this.fault;
        const rows = this.held.filter(({ key }) => key > last.key).slice(0, limit);
        this.happened.push(`${rows.length} held`);
        return rows;
      },
      listWatchers: async (last: Watcher | null, limit: number) => {
        const rows = this.watchers.filter(({ key }) => key > (last?.key ?? '')).slice(0, limit);
        this.happened.push(`${rows.length} watched`);
        return rows;
      },
    };
    return {
      lookUps: this.lookUps,
      market,
      accounts,
      clock: () => this.now,
      log: { failure: (_: string, error: unknown) => this.failures.push(error) },
    } as unknown as InterestDeps & { accounts: NonNullable<InterestDeps['accounts']> };
  }

  count(): Promise<void> {
    return countHolders(this.deps(), async () => {
      await yieldToEventLoop();
      this.happened.push('pause');
    });
  }
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => String(10_000 + index));
const heldOf = (key: string, units = 1): HeldUnits => ({ accountId: 1, kind: 'set', key, units });

describe('holders and watchers', () => {
  test('are summed by item', async () => {
    const world = new World();
    world.held = [heldOf('1', 2), heldOf('2', 3)];
    world.watchers = [
      { accountId: 1, kind: 'set', key: '2' },
      { accountId: 1, kind: 'minifig', key: '3' },
    ];
    await world.count();
    expect(world.saved).toEqual([
      { kind: 'set', key: '1', held: 1, units: 2 },
      { kind: 'set', key: '2', held: 1, units: 4 },
      { kind: 'minifig', key: '3', held: 0, units: 1 },
    ]);
  });

  test('are saved if they differ from last time, including items no longer held', async () => {
    const world = new World();
    world.held = [heldOf('1', 2), heldOf('2', 3), heldOf('3', 1)];
    world.holders = [
      { kind: 'set', key: '1', held: 1, units: 2 },
      { kind: 'set', key: '2', held: 1, units: 9 },
      { kind: 'set', key: '3', held: 2, units: 1 },
      { kind: 'set', key: '4', held: 1, units: 1 },
    ];
    await world.count();
    expect(world.saved).toEqual([
      { kind: 'set', key: '2', held: 1, units: 3 },
      { kind: 'set', key: '3', held: 1, units: 1 },
      { kind: 'set', key: '4', held: 0, units: 0 },
    ]);
  });

  test('are read and saved in slices, with a pause after each', async () => {
    const world = new World();
    world.held = keys(501).map((key) => heldOf(key));
    world.watchers = keys(500).map((key) => ({ accountId: 1, kind: 'set', key }));
    await world.count();
    expect(world.happened).toEqual([
      '500 held',
      'pause',
      '1 held',
      '500 watched',
      'pause',
      '0 watched',
      `500 saved on ${today}`,
      'pause',
      `1 saved on ${today}`,
      'pause',
    ]);
    expect(world.saved).toHaveLength(501);
  });

  test('are not saved if there are none', async () => {
    const world = new World();
    await world.count();
    expect(world.happened).toEqual(['0 held', '0 watched']);
  });
});

describe('look-ups', () => {
  test('are removed a few at a time, sets first', () => {
    const lookUps = new LookUps();
    for (const key of ['1', '2']) lookUps.add('set', key);
    lookUps.add('minifig', '3', 4);
    lookUps.add('minifig', '3');
    expect(lookUps.take(1)).toEqual([{ kind: 'set', key: '1', times: 1 }]);
    expect(lookUps.take(2)).toEqual([
      { kind: 'set', key: '2', times: 1 },
      { kind: 'minifig', key: '3', times: 5 },
    ]);
    expect(lookUps.take(2)).toEqual([]);
  });
});

describe('rounds', () => {
  let rests: { readonly ms: number; end(): void }[] = [];
  beforeEach(() => {
    rests = [];
  });
  const rest = () =>
    new StoppableWait((end, ms) => {
      rests.push({ ms, end });
      return () => {};
    });

  /** Ends the current pause; returns its length. */
  async function passTime(): Promise<number | undefined> {
    const next = rests.shift();
    next?.end();
    await yieldToEventLoop();
    return next?.ms;
  }

  test('start after five minutes, and count holders once a day', async () => {
    const world = new World();
    const stop = startInterest(world.deps(), rest());
    await yieldToEventLoop();
    expect(world.happened).toEqual([]);
    expect(await passTime()).toBe(300_000);
    expect(world.happened.splice(0)).toEqual(['0 held', '0 watched']);
    expect(await passTime()).toBe(300_000);
    expect(world.happened.splice(0)).toEqual([]);
    world.now += dayMs;
    await passTime();
    expect(world.happened.splice(0)).toEqual(['0 held', '0 watched']);
    await stop();
    expect(world.happened).toEqual([]);
  });

  test('save look-ups in slices, with a short pause after each', async () => {
    const world = new World();
    for (const key of keys(501)) world.lookUps.add('set', key);
    const stop = startInterest({ ...world.deps(), accounts: null }, rest());
    await passTime();
    expect(world.happened).toEqual([`500 look-ups on ${today}`]);
    expect(await passTime()).toBe(20);
    expect(world.lookedUp).toHaveLength(501);
    expect(await passTime()).toBe(20);
    await stop();
    expect(world.happened).toHaveLength(2);
  });

  test('that fail are retried with the next; a busy store is not a failure', async () => {
    const world = new World();
    const stop = startInterest(world.deps(), rest());
    for (const fault of [new StoreBusyError('busy'), new Error('away')]) {
      world.fault = fault;
      await passTime();
    }
    expect(world.failures).toEqual([new Error('away')]);
    world.fault = null;
    await passTime();
    expect(world.happened).toEqual(['0 held', '0 watched']);
    await stop();
  });

  test('that stop save look-ups, and count nothing else', async () => {
    const world = new World();
    const stop = startInterest(world.deps(), rest());
    world.lookUps.add('set', '1');
    await stop();
    expect(world.happened).toEqual([`1 look-ups on ${today}`]);
  });
});
