/** Places for keys: which one a new key gets, and how usage is attributed to keys. */
import { expect, test } from 'bun:test';
import { dayMs, dayOf } from '../../kernel/time.ts';
import { chooseKeyPlace, leftToday, type PlacedKey, usageByKey } from './key-places.ts';

const noon = Date.UTC(2026, 10, 15, 12);
const today = dayOf(noon);

const key = (id: number, place: number, more: Partial<PlacedKey> = {}): PlacedKey => ({
  id,
  place,
  usedBefore: 0,
  createdAt: noon - 30 * dayMs,
  expiresAt: null,
  revokedAt: null,
  ...more,
});

const ended = { revokedAt: noon - 1000 };

const used = (place: number, count: number, keyId = 0, day = today) => ({
  place,
  day,
  used: count,
  keyId,
});

const choose = (keys: readonly PlacedKey[], days: Parameters<typeof chooseKeyPlace>[1] = []) =>
  chooseKeyPlace(keys, days, { at: noon, places: 5 });

test('keys get the first free place', () => {
  expect(choose([])).toEqual({ place: 1, usedBefore: 0 });
  expect(choose([key(1, 1), key(2, 2)])).toEqual({ place: 3, usedBefore: 0 });
});

test('a sixth active key is refused; revoked and expired keys free their places', () => {
  const five = [1, 2, 3, 4, 5].map((place) => key(place, place));
  expect(choose(five)).toBe('too many active');
  const revoked = five.map((it) => (it.id === 3 ? { ...it, ...ended } : it));
  expect(choose(revoked)).toEqual({ place: 3, usedBefore: 0 });
  const expired = five.map((it) => (it.id === 4 ? { ...it, expiresAt: noon } : it));
  expect(choose(expired)).toEqual({ place: 4, usedBefore: 0 });
});

test('an unused place comes first, otherwise the least used one with its count', () => {
  const keys = [key(1, 1, ended), key(2, 2), key(3, 3, ended)];
  expect(choose(keys, [used(1, 7), used(2, 9)])).toEqual({ place: 3, usedBefore: 0 });
  const all = [used(1, 7), used(2, 1), used(3, 5), used(4, 8), used(5, 6)];
  expect(choose(keys, all)).toEqual({ place: 3, usedBefore: 5 });
});

test('the usage of a place with one key on a day belongs to that key', () => {
  const keys = [key(1, 1, ended), key(2, 1, { createdAt: noon - dayMs })];
  const days = [used(1, 4, 1, today - 3), used(1, 6, 2)];
  expect(usageByKey(keys, days)).toEqual([
    { keyId: 1, day: today - 3, used: 4 },
    { keyId: 2, day: today, used: 6 },
  ]);
});

test('successive keys on one day each have their own usage', () => {
  const keys = [
    key(1, 1, ended),
    key(2, 1, { createdAt: noon - 3, usedBefore: 10, ...ended }),
    key(3, 1, { createdAt: noon - 2, usedBefore: 10, ...ended }),
    key(4, 1, { createdAt: noon - 1, usedBefore: 15 }),
  ];
  for (const inAnyOrder of [keys, keys.toReversed()]) {
    expect(usageByKey(inAnyOrder, [used(1, 18, 4)])).toEqual([
      { keyId: 1, day: today, used: 10 },
      { keyId: 3, day: today, used: 5 },
      { keyId: 4, day: today, used: 3 },
    ]);
  }
});

test('usage is ordered by day, then by key; usage without a key comes first', () => {
  const keys = [key(1, 1), key(2, 2)];
  const days = [used(2, 5, 2), used(1, 4, 1), used(3, 1, 9), used(1, 3, 1, today - 1)];
  expect(usageByKey(keys, days).map(({ day, keyId }) => [day - today, keyId])).toEqual([
    [-1, 1],
    [0, null],
    [0, 1],
    [0, 2],
  ]);
});

test('usage of keys that are no longer listed is combined without a key', () => {
  const keys = [key(9, 1, { createdAt: noon - 1, usedBefore: 12 })];
  const days = [used(1, 20, 9), used(2, 3, 7)];
  expect(usageByKey(keys, days)).toEqual([
    { keyId: null, day: today, used: 15 },
    { keyId: 9, day: today, used: 8 },
  ]);
});

test('the remaining allowance is that of the place, and never negative', () => {
  expect(leftToday({ allowance: 10, countedToday: 4 })).toBe(6);
  expect(leftToday({ allowance: 3, countedToday: 4 })).toBe(0);
});

test('usage without a listed key comes before that of keys on the same day', () => {
  const days = [used(1, 4, 1), used(2, 5, 99), used(3, 6, 2), used(1, 3, 1, today - 1)];
  expect(usageByKey([key(1, 1), key(2, 3)], days)).toEqual([
    { keyId: 1, day: today - 1, used: 3 },
    { keyId: null, day: today, used: 5 },
    { keyId: 1, day: today, used: 4 },
    { keyId: 2, day: today, used: 6 },
  ]);
});
