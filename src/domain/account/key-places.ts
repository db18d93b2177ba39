/**
 * Places for keys. An account has as many as it may have active keys, and each has one counter a
 * UTC day, which whatever key is in it spends from. A key that is made in a place that was used
 * today goes on from its count: revoking keys and making new ones gives nobody more calls.
 */

import { dayOf } from '../kernel/time.ts';
import { isActiveKey, type KeyDates } from './keys.ts';

/** A key in its place. */
export interface PlacedKey extends KeyDates {
  readonly id: number;
  readonly place: number;
  /** What others had spent in the place on the day on which this key was made, before it was. */
  readonly usedBefore: number;
}

/** What was spent in a place on a day. */
export interface PlaceDay {
  readonly place: number;
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly used: number;
  /** Whichever key spent last. */
  readonly keyId: number;
}

/** What a key spent on a day on which it was used. */
export interface KeyUsage {
  /** Null: a key that is no longer listed. */
  readonly keyId: number | null;
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly used: number;
}

/** What a key may still spend today. */
export function leftToday(key: {
  readonly allowance: number;
  readonly countedToday: number;
}): number {
  return Math.max(0, key.allowance - key.countedToday);
}

/**
 * The place for a new key, with what was spent there today: of those without an active key the
 * one that was used least, so one that was not used where there is one.
 */
export function choosePlace(
  keys: readonly PlacedKey[],
  today: readonly PlaceDay[],
  limits: { readonly at: number; readonly places: number },
): Pick<PlacedKey, 'place' | 'usedBefore'> | 'too many active' {
  const active = keys.filter((key) => isActiveKey(key, limits.at));
  if (active.length >= limits.places) return 'too many active';
  const taken = new Set(active.map((key) => key.place));
  const used = new Map(today.map((row) => [row.place, row.used]));
  const [chosen] = Array.from({ length: limits.places }, (_, index) => index + 1)
    .filter((place) => !taken.has(place))
    .map((place) => ({ place, usedBefore: used.get(place) ?? 0 }))
    .sort((a, b) => a.usedBefore - b.usedBefore);
  if (!chosen) throw new Error('More places are taken than there are active keys.');
  return chosen;
}

/** What each key spent on each of these days, in the order of days, then of keys. */
export function usageByKey(
  keys: readonly PlacedKey[],
  days: readonly PlaceDay[],
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

/** Each key spent what lies between the count it found and the count that the next one found. */
function sharesOf(row: PlaceDay, keys: readonly PlacedKey[]): Share[] {
  const inOrder = keys.toSorted((a, b) => a.id - b.id);
  const made = inOrder.filter((key) => dayOf(key.createdAt) === row.day);
  const [first] = made;
  if (!first) return [{ id: row.keyId, used: row.used }];
  const before = inOrder.findLast((key) => key.id < first.id);
  const ends = [...made.slice(1).map((key) => key.usedBefore), row.used];
  const shares = made.map((key, index) => ({
    id: key.id,
    used: (ends[index] ?? row.used) - key.usedBefore,
  }));
  return [{ id: before?.id ?? null, used: first.usedBefore }, ...shares];
}
