/** Caches names, values, months and offers of sets until the sets are published again. */

import { type BestOffer, bestOffer } from '../../buying/best-offer.ts';
import { identifierLengthMax } from '../../contract/limits.ts';
import { at } from '../../domain/kernel/at.ts';
import { BoundedMap, entryRoom } from '../../domain/kernel/bounded-map.ts';
import { yieldToEventLoop } from '../../domain/kernel/event-loop.ts';
import type { ListedSet } from '../../domain/market/published-records.ts';
import type { RecentMonths, SetValues } from '../../domain/market/set-values.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { MarketReading } from '../../store/store.ts';
import type { Freshness } from './freshness.ts';

/** Size of the values of a set, in characters: two conditions with 14 months each. */
const valuesRoom = 1_000;

/** Cache size: about 60,000 sets, more than exist. */
const valuesRoomMax = 72 * 1024 * 1024;

/** Sets per read at startup; requests are answered in between. */
const warmSlice = 1_000;
const warmRoom = warmSlice * (entryRoom + identifierLengthMax + valuesRoom);

export class SetValueCache {
  private readonly cache: SetCache<SetValues>;

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
  ) {
    const read = async (setKeys: readonly string[]) =>
      byKey(setKeys, await market.findSetValues(setKeys));
    const source = { read, roomMax: valuesRoomMax, roomOf: () => valuesRoom };
    this.cache = new SetCache(source, freshness);
  }

  /** In the order of the keys; null: not published. */
  find(setKeys: readonly string[]): Promise<(SetValues | null)[]> {
    return this.cache.find(setKeys);
  }

  /** Fills the cache before the first request. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    for (let afterKey = ''; this.cache.size + warmRoom <= valuesRoomMax; ) {
      const stamp = this.freshness.stamp;
      const read = await this.market.listSetValues(afterKey, warmSlice);
      this.cache.add(read, stamp);
      const lastKey = [...read.keys()].at(-1);
      if (lastKey === undefined) return;
      afterKey = lastKey;
      await yieldToEventLoop();
    }
  }
}

/** Names of about 60,000 sets, and all months of about 10,000. */
const namesRoomMax = 24 * 1024 * 1024;
const monthsRoomMax = 24 * 1024 * 1024;

/** Titles and values of sets, for lists of holdings. */
export class ListedSetCache {
  private readonly cache: SetCache<ListedSet>;

  constructor(market: Pick<MarketReading, 'findListedSets'>, freshness: Freshness) {
    const read = (setKeys: readonly string[]) => market.findListedSets(setKeys);
    const roomOf = ({ number, title, theme }: ListedSet) =>
      number.length + title.length + theme.length;
    this.cache = new SetCache({ read, roomMax: namesRoomMax, roomOf }, freshness);
  }

  /** By lookup key; sets that are not published are omitted. */
  async find(setKeys: readonly string[]): Promise<Map<string, ListedSet>> {
    return byKey(setKeys, await this.cache.find(setKeys));
  }
}

type SetMonths = Readonly<Record<Condition, RecentMonths | null>>;

/** All months of sets. */
export class MonthCache {
  private readonly cache: SetCache<SetMonths>;

  constructor(market: Pick<MarketReading, 'findMonthValues'>, freshness: Freshness) {
    const read = async (setKeys: readonly string[]) => {
      const asked = setKeys.flatMap((setKey) =>
        conditions.map((condition) => ({ setKey, condition })),
      );
      const months = await market.findMonthValues(asked);
      const at = (set: number, condition: Condition) =>
        months[set * conditions.length + conditions.indexOf(condition)] ?? null;
      return new Map(
        setKeys.map((key, set) => [key, { sealed: at(set, 'sealed'), used: at(set, 'used') }]),
      );
    };
    // Four characters per month, which is a number of eight bytes.
    const roomOf = (months: SetMonths) =>
      conditions.reduce((sum, each) => sum + 4 * (months[each]?.valueCents.length ?? 0), 0);
    this.cache = new SetCache({ read, roomMax: monthsRoomMax, roomOf }, freshness);
  }

  /** In the given order; null: no months. */
  async find(
    sets: readonly { readonly setKey: string; readonly condition: Condition }[],
  ): Promise<(RecentMonths | null)[]> {
    const found = await this.cache.find(sets.map(({ setKey }) => setKey));
    return sets.map(({ condition }, index) => found[index]?.[condition] ?? null);
  }
}

/** Size of an offer, and of the cache for about 60,000 sets, in characters. */
const offerRoom = 50;
const offersRoomMax = 16 * 1024 * 1024;

/** The cheapest offers of sets, and which sets have none. */
export class BestOfferCache {
  private readonly cache: SetCache<{ readonly offer: BestOffer | null }>;

  constructor(market: Pick<MarketReading, 'listRetail'>, freshness: CachedFreshness) {
    const read = async (setKeys: readonly string[]) => {
      const rows = await market.listRetail(setKeys, null);
      const offers = new Map(rows.map(({ setKey, body }) => [setKey, bestOffer(JSON.parse(body))]));
      return new Map(setKeys.map((key) => [key, { offer: offers.get(key) ?? null }]));
    };
    const source = { read, roomMax: offersRoomMax, roomOf: () => offerRoom };
    this.cache = new SetCache(source, freshness);
  }

  /** By set key; sets without an offer are omitted. */
  async find(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>> {
    const found = await this.cache.find(setKeys);
    return byKey(
      setKeys,
      found.map((each) => each?.offer ?? null),
    );
  }
}

type CachedFreshness = Pick<Freshness, 'follow' | 'refresh' | 'stamp'>;

/** Sets per read; requests are answered in between. */
const sliceSets = 1_000;

/** The source of cached data, and the cache size in characters. */
interface SetSource<T> {
  /** By set key; sets that are not published are omitted. */
  readonly read: (setKeys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  readonly roomMax: number;
  readonly roomOf: (value: T) => number;
}

/** Caches data of sets until they are published again. */
class SetCache<T> {
  private readonly values: BoundedMap<T>;

  constructor(
    private readonly source: SetSource<T>,
    private readonly freshness: CachedFreshness,
  ) {
    this.values = new BoundedMap<T>(source.roomMax, source.roomOf);
    freshness.follow((changes) => {
      if (changes === null) this.values.clear();
      else for (const { kind, key } of changes) if (kind === 'set') this.values.delete(key);
    });
  }

  /** In characters. */
  get size(): number {
    return this.values.size;
  }

  /** In the order of the keys; null: not published. */
  async find(setKeys: readonly string[]): Promise<(T | null)[]> {
    await this.freshness.refresh();
    const found = setKeys.map((key) => this.values.get(key) ?? null);
    const missing = setKeys.filter((_, index) => found[index] === null);
    const read = new Map<string, T>();
    for (let from = 0; from < missing.length; from += sliceSets) {
      const stamp = this.freshness.stamp;
      const part = await this.source.read(missing.slice(from, from + sliceSets));
      this.add(part, stamp);
      for (const [key, value] of part) read.set(key, value);
      if (from + sliceSets < missing.length) await yieldToEventLoop();
    }
    return found.map((value, index) => value ?? read.get(at(setKeys, index)) ?? null);
  }

  /** Caches what was read at a stamp, unless something was published since. */
  add(read: ReadonlyMap<string, T>, stamp: number): void {
    if (this.freshness.stamp !== stamp) return;
    for (const [key, value] of read) this.values.set(key, value);
  }
}

function byKey<T>(setKeys: readonly string[], found: readonly (T | null)[]): Map<string, T> {
  const map = new Map<string, T>();
  for (const [index, key] of setKeys.entries()) {
    const value = found[index];
    if (value) map.set(key, value);
  }
  return map;
}
