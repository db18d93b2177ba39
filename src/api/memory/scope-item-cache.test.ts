/** The items of an account's streams are read once per state of the account. */
import { expect, test } from 'bun:test';
import { usualCaller } from '../../../test/support/callers.ts';
import { minuteMs } from '../../kernel/time.ts';
import type { Question } from '../account-answer-cache.ts';
import { ScopeItemCache } from './scope-item-cache.ts';

function makeItems() {
  const place = { held: ['1', '2'], reads: 0, isAway: false, now: 0, questions: [] as Question[] };
  const items = new ScopeItemCache(
    {
      findNow: async (_, question, make) => {
        place.questions.push(question);
        return make();
      },
    },
    {
      accounts: {
        listHeldCosts: async (_, kind) => {
          if (kind === 'minifig') return [];
          place.reads++;
          if (place.isAway) throw new Error('The store is away.');
          return place.held.map((key) => ({ kind, key, units: 1, costCents: 1 }));
        },
        listWatchedKeys: async () => ({ set: ['3'], minifig: ['cas001'] }),
      },
      market: { findAllKeys: async (keys) => keys },
    },
    () => place.now,
  );
  const find = async (privateVersion: number, accountId = 7) => {
    const caller = { ...usualCaller, accountId, privateVersion };
    return [...((await items.find(caller, 'holdings'))?.set ?? [])];
  };
  return { place, items, find };
}

test('is read once for concurrent callers, and again after the account changed', async () => {
  const { place, find } = makeItems();
  expect(await Promise.all([find(1), find(1)])).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  place.held = ['3'];
  expect(await find(1)).toEqual(['1', '2']);
  expect(place.reads).toBe(1);
  expect(await find(2)).toEqual(['3']);
  // A caller admitted before the change gets the current items.
  expect(await find(1)).toEqual(['3']);
  expect(place.reads).toBe(2);
  // In the form that the endpoint's handler expects.
  expect(place.questions[0]).toEqual({
    endpoint: 'streamEvents',
    input: { query: { scope: 'holdings' } },
  });
});

test('is read again after a minute, because aliases may have changed', async () => {
  const { place, find } = makeItems();
  await find(1);
  place.held = ['4'];
  place.now = minuteMs - 1;
  expect(await find(1)).toEqual(['1', '2']);
  place.now = minuteMs;
  expect(await find(1)).toEqual(['4']);
});

test('is separate for each account', async () => {
  const { place, find } = makeItems();
  await find(1, 7);
  place.held = ['9'];
  expect([await find(1, 8), await find(1, 7)]).toEqual([['9'], ['1', '2']]);
});

test('of watched items has sets and minifigs', async () => {
  const { items } = makeItems();
  const caller = { ...usualCaller, accountId: 7, privateVersion: 1 };
  const watched = await items.find(caller, 'watch');
  expect(watched).toEqual({ set: new Set(['3']), minifig: new Set(['cas001']) });
});

test('is read again after a failure', async () => {
  const { place, find } = makeItems();
  place.isAway = true;
  await expect(find(1)).rejects.toThrow('The store is away.');
  place.isAway = false;
  expect(await find(1)).toEqual(['1', '2']);
});

test('of all items has no list', async () => {
  const { place, items } = makeItems();
  const caller = { ...usualCaller, accountId: 7, privateVersion: 1 };
  expect(await items.find(caller, 'all')).toBeNull();
  expect(place.questions).toEqual([]);
});

test('is cached up to 16 million characters', async () => {
  const { place, find } = makeItems();
  place.held = ['x'.repeat(6 * 1024 * 1024)];
  for (const accountId of [1, 2, 1, 2, 3, 2, 1]) await find(1, accountId);
  // The third account evicts the first.
  expect(place.reads).toBe(4);
});
