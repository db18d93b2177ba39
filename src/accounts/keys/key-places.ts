/**
 * Places for keys. An account has as many places as it may have active keys, and each has one
 * counter per UTC day, which its current key spends from. A new key in a place continues its count,
 * so that replacing keys does not yield more calls.
 */

import { at } from '../../kernel/at.ts';
import { dayOf } from '../../kernel/time.ts';
import { isActiveKey, type KeyDates } from './keys.ts';

export interface PlacedKey extends KeyDates {
  readonly id: number;
  readonly place: number;
  /** The place's count when this key was created, on that day. */
  readonly usedBefore: number;
}

export interface KeyPlaceDay {
  readonly place: number;
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly used: number;
  /** The key that spent last. */
  readonly keyId: number;
}

/** The calls of a key on a day. */
export interface KeyUsage extends Pick<KeyPlaceDay, 'day' | 'used'> {
  /** Null: a key that is no longer listed. */
  readonly keyId: number | null;
}

export function leftToday(key: {
  readonly allowance: number;
  readonly countedToday: number;
}): number {
  return Math.max(0, key.allowance - key.countedToday);
}

/** The free place with the lowest count today, for a new key. */
export function chooseKeyPlace(
  keys: readonly PlacedKey[],
  today: readonly KeyPlaceDay[],
  limits: { readonly at: number; readonly places: number },
): Pick<PlacedKey, 'place' | 'usedBefore'> | 'too many active' {
  const active = keys.filter((key) => isActiveKey(key, limits.at));
  if (active.length >= limits.places) return 'too many active';
  const occupied = new Set(active.map((key) => key.place));
  const used = new Map(today.map((row) => [row.place, row.used]));
  const [chosen] = Array.from({ length: limits.places }, (_, index) => index + 1)
    .filter((place) => !occupied.has(place))
    .map((place) => ({ place, usedBefore: used.get(place) ?? 0 }))
    .sort((a, b) => a.usedBefore - b.usedBefore);
  if (!chosen) throw new Error('More places are occupied than there are active keys.');
  return chosen;
}

/** Ordered by day, then by key. */
export function usageByKey(
  keys: readonly PlacedKey[],
  days: readonly KeyPlaceDay[],
): readonly KeyUsage[] {
  const listed = new Set(keys.map((key) => key.id));
  const byPlace = Map.groupBy(keys, (key) => key.place);
  const sums = new Map<string, KeyUsage>();
  for (const row of days) {
    for (const { id, used } of sharesOf(row, byPlace.get(row.place) ?? [])) {
      const keyId = id !== null && listed.has(id) ? id : null;
      const name = `${row.day} ${keyId}`;
      const before = sums.get(name)?.used ?? 0;
      if (used > 0) sums.set(name, { keyId, day: row.day, used: before + used });
    }
  }
  const rankOf = ({ keyId }: KeyUsage) => keyId ?? 0;
  return [...sums.values()].sort((a, b) => a.day - b.day || rankOf(a) - rankOf(b));
}

interface Share {
  readonly id: number | null;
  readonly used: number;
}

/** A key's share is the difference between the counts when it and its successor were created. */
function sharesOf(row: KeyPlaceDay, keys: readonly PlacedKey[]): Share[] {
  const inOrder = keys.toSorted((a, b) => a.id - b.id);
  const createdOnDay = inOrder.filter((key) => dayOf(key.createdAt) === row.day);
  const [first] = createdOnDay;
  if (!first) return [{ id: row.keyId, used: row.used }];
  const before = inOrder.findLast((key) => key.id < first.id);
  const ends = [...createdOnDay.slice(1).map((key) => key.usedBefore), row.used];
  const shares = createdOnDay.map((key, index) => ({
    id: key.id,
    used: at(ends, index) - key.usedBefore,
  }));
  return [{ id: before?.id ?? null, used: first.usedBefore }, ...shares];
}
