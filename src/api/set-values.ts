/** Names, values and months of sets, kept in memory as long as the store proves them fresh. */

import { identifierLengthMax } from '../contract/limits.ts';
import { entryRoom } from '../domain/kernel/bounded-map.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { ListedSet, MarketReading } from '../domain/market/market-reading.ts';
import type { RecentMonths, SetValues } from '../domain/market/set-values.ts';
import { type Condition, conditions } from '../domain/market/source-rows.ts';
import type { Freshness } from './freshness.ts';
import { KeptSets } from './kept-sets.ts';

/** What the values of a set take, in characters: two conditions with 14 months each. */
const valuesRoom = 1_000;

/** How much is kept: some 60,000 sets, more than there are, with room for many years. */
const keptRoomMax = 72 * 1024 * 1024;

/** Sets that are read at once when the server starts; requests are answered in between. */
const warmSlice = 1_000;
const warmRoom = warmSlice * (entryRoom + identifierLengthMax + valuesRoom);

/** Reads values; what was read is kept until it is published again. */
export class SetValueCache {
  private readonly kept: KeptSets<SetValues>;

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
  ) {
    const read = async (setKeys: readonly string[]) =>
      byKey(setKeys, await market.findSetValues(setKeys));
    const source = { read, roomMax: keptRoomMax, roomOf: () => valuesRoom };
    this.kept = new KeptSets(source, freshness);
  }

  /** The values of sets in the same order; null where nothing is published. */
  find(setKeys: readonly string[]): Promise<(SetValues | null)[]> {
    return this.kept.find(setKeys);
  }

  /** Reads ahead, so that the first who asks does not wait. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    for (let afterKey = ''; this.kept.size + warmRoom <= keptRoomMax; ) {
      const stamp = this.freshness.stamp;
      const read = await this.market.listSetValues(afterKey, warmSlice);
      this.kept.keep(read, stamp);
      const lastKey = [...read.keys()].at(-1);
      if (lastKey === undefined) return;
      afterKey = lastKey;
      await yieldToEventLoop();
    }
  }
}

/** Room for the names of some 60,000 sets, and for all months of some 10,000. */
const namesRoomMax = 24 * 1024 * 1024;
const monthsRoomMax = 24 * 1024 * 1024;

/** Reads what sets are called and worth, as lists of holdings show it. */
export class ListedSetCache {
  private readonly kept: KeptSets<ListedSet>;

  constructor(market: Pick<MarketReading, 'findListedSets'>, freshness: Freshness) {
    const read = (setKeys: readonly string[]) => market.findListedSets(setKeys);
    const roomOf = ({ number, title, theme }: ListedSet) =>
      number.length + title.length + theme.length;
    this.kept = new KeptSets({ read, roomMax: namesRoomMax, roomOf }, freshness);
  }

  /** The published sets, by lookup key. */
  async find(setKeys: readonly string[]): Promise<Map<string, ListedSet>> {
    return byKey(setKeys, await this.kept.find(setKeys));
  }
}

type SetMonths = Readonly<Record<Condition, RecentMonths | null>>;

/** Reads the months of sets from the first on. */
export class MonthCache {
  private readonly kept: KeptSets<SetMonths>;

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
    // Four characters for a month, which is a number of eight bytes.
    const roomOf = (months: SetMonths) =>
      conditions.reduce((sum, each) => sum + 4 * (months[each]?.valueCents.length ?? 0), 0);
    this.kept = new KeptSets({ read, roomMax: monthsRoomMax, roomOf }, freshness);
  }

  /** The months of sets in the same order; null where there are none. */
  async find(
    sets: readonly { readonly setKey: string; readonly condition: Condition }[],
  ): Promise<(RecentMonths | null)[]> {
    const found = await this.kept.find(sets.map(({ setKey }) => setKey));
    return sets.map(({ condition }, index) => found[index]?.[condition] ?? null);
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
