/** Caches names, values, months and offers of items until the items are published again. */

import { type BestOffer, bestOffer } from '../../buying/best-offer.ts';
import { type ItemKind, type ItemRef, itemKinds, refText } from '../../domain/catalog/numbers.ts';
import { at } from '../../domain/kernel/at.ts';
import { BoundedMap } from '../../domain/kernel/bounded-map.ts';
import { yieldToEventLoop } from '../../domain/kernel/event-loop.ts';
import type { GradeEffects } from '../../domain/market/grades.ts';
import type { ListedItem } from '../../domain/market/published-records.ts';
import type { RecentMonths, SetValues } from '../../domain/market/set-values.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { MarketReading } from '../../store/store.ts';
import type { Freshness } from './freshness.ts';

/** Size of the values of a set, in characters: two conditions with 14 months each. */
const valuesRoom = 1_000;

/** Cache size: about 60,000 sets, more than exist. */
const valuesRoomMax = 72 * 1024 * 1024;

export class SetValueCache {
  private readonly cache: ItemCache<SetValues>;

  constructor(market: Pick<MarketReading, 'findItemValues'>, freshness: Freshness) {
    const read = async (kind: ItemKind, keys: readonly string[]) =>
      byKey(keys, await market.findItemValues(kind, keys));
    const source = { read, roomMax: valuesRoomMax, roomOf: () => valuesRoom };
    this.cache = new ItemCache(source, freshness);
  }

  /** In the order of the keys; null: not published. */
  find(kind: ItemKind, keys: readonly string[]): Promise<(SetValues | null)[]> {
    return this.cache.find(kind, keys);
  }
}

/** Names of about 60,000 sets, and all months of about 10,000. */
const namesRoomMax = 24 * 1024 * 1024;
const monthsRoomMax = 24 * 1024 * 1024;

/** Titles and values of items, for lists of holdings. */
export class ListedItemCache {
  private readonly cache: ItemCache<ListedItem>;

  constructor(market: Pick<MarketReading, 'findListedItems'>, freshness: Freshness) {
    const read = (kind: ItemKind, keys: readonly string[]) => market.findListedItems(kind, keys);
    const roomOf = ({ number, title, theme }: ListedItem) =>
      number.length + title.length + theme.length;
    this.cache = new ItemCache({ read, roomMax: namesRoomMax, roomOf }, freshness);
  }

  /** By requested key; items that are not published are omitted. */
  async find(kind: ItemKind, keys: readonly string[]): Promise<Map<string, ListedItem>> {
    return byKey(keys, await this.cache.find(kind, keys));
  }
}

type ItemMonths = Readonly<Record<Condition, RecentMonths | null>>;

/** All months of items. */
export class MonthCache {
  private readonly cache: ItemCache<ItemMonths>;

  constructor(market: Pick<MarketReading, 'findMonthValues'>, freshness: Freshness) {
    const read = async (kind: ItemKind, keys: readonly string[]) => {
      const asked = keys.flatMap((key) =>
        conditions.map((condition) => ({ kind, key, condition })),
      );
      const months = await market.findMonthValues(asked);
      const at = (item: number, condition: Condition) =>
        months[item * conditions.length + conditions.indexOf(condition)] ?? null;
      return new Map(
        keys.map((key, item) => [key, { sealed: at(item, 'sealed'), used: at(item, 'used') }]),
      );
    };
    // Four characters per month, which is a number of eight bytes.
    const roomOf = (months: ItemMonths) =>
      conditions.reduce((sum, each) => sum + 4 * (months[each]?.valueCents.length ?? 0), 0);
    this.cache = new ItemCache({ read, roomMax: monthsRoomMax, roomOf }, freshness);
  }

  /** In the given order; null: no months. */
  async find(
    items: readonly (ItemRef & { readonly condition: Condition })[],
  ): Promise<(RecentMonths | null)[]> {
    const found = new Map<string, ItemMonths>();
    for (const kind of itemKinds) {
      const keys = items.flatMap((item) => (item.kind === kind ? item.key : []));
      for (const [index, months] of (await this.cache.find(kind, keys)).entries()) {
        if (months) found.set(refText({ kind, key: at(keys, index) }), months);
      }
    }
    return items.map((item) => found.get(refText(item))?.[item.condition] ?? null);
  }
}

/** Size of an offer, and of the cache for about 60,000 sets, in characters. */
const offerRoom = 50;
const offersRoomMax = 16 * 1024 * 1024;

/** The cheapest offers of sets, and which sets have none. */
export class BestOfferCache {
  private readonly cache: ItemCache<{ readonly offer: BestOffer | null }>;

  constructor(market: Pick<MarketReading, 'listRetail'>, freshness: CachedFreshness) {
    const read = async (_: ItemKind, setKeys: readonly string[]) => {
      const rows = await market.listRetail(setKeys, null);
      const offers = new Map(rows.map(({ setKey, body }) => [setKey, bestOffer(JSON.parse(body))]));
      return new Map(setKeys.map((key) => [key, { offer: offers.get(key) ?? null }]));
    };
    const source = { read, roomMax: offersRoomMax, roomOf: () => offerRoom };
    this.cache = new ItemCache(source, freshness);
  }

  /** By set key; sets without an offer are omitted. */
  async find(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>> {
    const found = await this.cache.find('set', setKeys);
    return byKey(
      setKeys,
      found.map((each) => each?.offer ?? null),
    );
  }
}

/** The effects of grades on values, cached until the next publication. */
export class GradeEffectCache {
  private known: { readonly stamp: number; readonly effects: GradeEffects } | null = null;

  constructor(
    private readonly market: Pick<MarketReading, 'findGradeEffects'>,
    private readonly freshness: CachedFreshness,
  ) {}

  async find(): Promise<GradeEffects> {
    await this.freshness.refresh();
    const { stamp } = this.freshness;
    if (this.known?.stamp === stamp) return this.known.effects;
    const effects = await this.market.findGradeEffects();
    if (this.freshness.stamp === stamp) this.known = { stamp, effects };
    return effects;
  }
}

type CachedFreshness = Pick<Freshness, 'follow' | 'refresh' | 'stamp'>;

/** Items per read; requests are answered in between. */
const sliceItems = 1_000;

/** The source of cached data, and the cache size in characters. */
interface ItemSource<T> {
  /** By requested key; items that are not published are omitted. */
  readonly read: (kind: ItemKind, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  readonly roomMax: number;
  readonly roomOf: (value: T) => number;
}

/** Caches data of items until they are published again. */
class ItemCache<T> {
  private readonly values: BoundedMap<T>;
  /** Held by few accounts, so that a small part of the room is enough. */
  private readonly minifigs: BoundedMap<T>;

  constructor(
    private readonly source: ItemSource<T>,
    private readonly freshness: CachedFreshness,
  ) {
    this.values = new BoundedMap<T>(source.roomMax, source.roomOf);
    this.minifigs = new BoundedMap<T>(source.roomMax / 8, source.roomOf);
    freshness.follow((changes) => {
      if (changes === null) this.values.clear();
      else for (const { kind, key } of changes) if (kind === 'set') this.values.delete(key);
      // A minifig is cached under any of its numbers.
      if (changes?.some(({ kind }) => kind === 'minifig') ?? true) this.minifigs.clear();
    });
  }

  /** In the order of the keys; null: not published. */
  async find(kind: ItemKind, keys: readonly string[]): Promise<(T | null)[]> {
    if (keys.length === 0) return [];
    await this.freshness.refresh();
    const values = this.of(kind);
    const found = keys.map((key) => values.get(key) ?? null);
    const missing = keys.filter((_, index) => found[index] === null);
    const read = new Map<string, T>();
    for (let from = 0; from < missing.length; from += sliceItems) {
      const stamp = this.freshness.stamp;
      const part = await this.source.read(kind, missing.slice(from, from + sliceItems));
      this.add(kind, part, stamp);
      for (const [key, value] of part) read.set(key, value);
      if (from + sliceItems < missing.length) await yieldToEventLoop();
    }
    return found.map((value, index) => value ?? read.get(at(keys, index)) ?? null);
  }

  /** Caches what was read at a stamp, unless something was published since. */
  add(kind: ItemKind, read: ReadonlyMap<string, T>, stamp: number): void {
    if (this.freshness.stamp !== stamp) return;
    const values = this.of(kind);
    for (const [key, value] of read) values.set(key, value);
  }

  private of(kind: ItemKind): BoundedMap<T> {
    return kind === 'set' ? this.values : this.minifigs;
  }
}

function byKey<T>(keys: readonly string[], found: readonly (T | null)[]): Map<string, T> {
  const map = new Map<string, T>();
  for (const [index, key] of keys.entries()) {
    const value = found[index];
    if (value) map.set(key, value);
  }
  return map;
}
