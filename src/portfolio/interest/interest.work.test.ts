/** Counting look-ups and holders: limited, in slices, without losing counts. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { smallCollection, smallMarket } from '../../../test/support/market.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import type { LookUpCount } from '../../catalog/interest/interest.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import { countHolders, LookUps, startInterest } from './interest.work.ts';

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const silent = { failure: () => {} };

async function wantedOf(key: string) {
  const entries = await world.store.market.listSearchEntries('set', '', 100);
  return entries.find((entry) => entry.key === key)?.interestCounts ?? null;
}

test('look-ups are summed in memory, and saved when the server stops', async () => {
  await world.load(smallMarket);
  const { market } = world.store;
  const clock = () => world.now;
  for (const times of [2, 3]) {
    const lookUps = new LookUps();
    const stop = startInterest({ lookUps, market, accounts: null, clock, log: silent });
    for (let time = 0; time < times; time++) lookUps.add('set', '75192');
    await stop();
  }
  const day = dayOf(world.now);
  const counted = { day, lookedUp: 5, lookedUpBefore: 0, held: 0, heldBefore: 0, units: 0 };
  expect(await wantedOf('75192')).toEqual(counted);
  expect(await wantedOf('6001')).toBeNull();
});

test('counts that cannot be saved are kept, and a failure is logged unless the store is busy', async () => {
  const failures: unknown[] = [];
  const log = { failure: (event: string) => failures.push(event) };
  const lookUps = new LookUps();
  lookUps.add('minifig', 'cas001');
  for (const error of [new StoreBusyError('busy'), new Error('away')]) {
    const market = { ...world.store.market, addLookUps: () => Promise.reject(error) };
    await startInterest({ lookUps, market, accounts: null, clock: () => world.now, log })();
  }
  expect(failures).toEqual(['interest']);
  expect(lookUps.take(9)).toEqual([{ kind: 'minifig', key: 'cas001', times: 1 }]);
});

test('a set counts once for each account that holds it, until it is sold', async () => {
  await world.load(smallMarket);
  for (const account of ['a@example.com', 'b@example.com']) {
    await world.addAccount(account);
    await world.load(smallCollection(account));
  }
  const { market, accounts } = world.store;
  const count = () => countHolders({ market, accounts, clock: () => world.now }, async () => {});
  await count();
  expect(await market.listHolders()).toContainEqual({
    kind: 'set',
    key: '75192',
    held: 2,
    units: 2,
  });
  const saved: unknown[] = [];
  const watched = {
    ...market,
    saveHolders: async (counts: readonly unknown[]) => void saved.push(...counts),
  };
  await countHolders({ market: watched, accounts, clock: () => world.now }, async () => {});
  expect(saved).toEqual([]);
  const more = {
    ...accounts,
    listHeldItems: async () => [{ accountId: 1, kind: 'set' as const, key: '75192', units: 3 }],
  };
  const more2 = {
    ...accounts,
    listHeldItems: async () => [{ accountId: 1, kind: 'set' as const, key: '75192', units: 8 }],
  };
  for (const held of [more, more2]) {
    await countHolders({ market, accounts: held, clock: () => world.now }, async () => {});
  }
  expect(await market.listHolders()).toEqual([{ kind: 'set', key: '75192', held: 1, units: 8 }]);
  await count();
  world.now += dayMs;
  const noHolders = { ...accounts, listHeldItems: async () => [] };
  await countHolders({ market, accounts: noHolders, clock: () => world.now }, async () => {});
  expect(await market.listHolders()).toEqual([]);
  expect(await wantedOf('75192')).toMatchObject({ held: 0, heldBefore: 2, units: 0 });
});

test('watching an item counts as one unit, on however many lists it is', async () => {
  await world.load(smallMarket);
  const { market, accounts } = world.store;
  await world.addAccount('watcher@example.com');
  const found = await accounts.findPasswordHash('watcher@example.com');
  const id = found?.accountId ?? 0;
  const items = [watched('set', '75192'), watched('minifig', 'sw0001')];
  for (const name of ['Wanted', 'Gifts']) {
    const list = await accounts.addWatchList(id, { name, at: world.now });
    if (typeof list === 'string') throw new Error(list);
    await accounts.saveWatchedItems(id, list.id, { items, at: world.now });
  }
  await countHolders({ market, accounts, clock: () => world.now }, async () => {});
  expect(await market.listHolders()).toEqual([
    { kind: 'minifig', key: 'sw0001', held: 0, units: 1 },
    { kind: 'set', key: '75192', held: 0, units: 1 },
  ]);
});

const watched = (kind: ItemKind, key: string) => ({
  kind,
  key,
  number: key,
  targetCents: null,
  note: '',
});

test('further items are not counted once there are too many', () => {
  const lookUps = new LookUps();
  for (let item = 0; item < 20_001; item++) lookUps.add('set', String(item));
  lookUps.add('set', '0');
  const taken: LookUpCount[] = lookUps.take(100_000);
  expect(taken).toHaveLength(20_000);
  expect(taken[0]).toEqual({ kind: 'set', key: '0', times: 2 });
  expect(lookUps.take(1)).toEqual([]);
});
