/** Values of sets, kept in memory as long as the store proves them fresh. */

import { identifierLengthMax } from '../contract/limits.ts';
import { BoundedMap, entryRoom } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { SetValues } from '../domain/market/set-values.ts';
import type { Freshness } from './freshness.ts';

/** What the values of a set take, in characters: two conditions with 14 months each. */
const valuesRoom = 1_000;

/** How much is kept: some 60,000 sets, more than there are, with room for many years. */
const keptRoomMax = 72 * 1024 * 1024;

/** Sets that are read at once when the server starts; requests are answered in between. */
const warmSlice = 1_000;
const warmRoom = warmSlice * (entryRoom + identifierLengthMax + valuesRoom);

/** Reads values; what was read is kept until it is published again. */
export class SetValueCache {
  private readonly kept = new BoundedMap<SetValues>(keptRoomMax, () => valuesRoom);

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
  ) {
    freshness.follow((changes) => {
      if (changes === null) this.kept.clear();
      else for (const { kind, key } of changes) if (kind === 'set') this.kept.delete(key);
    });
  }

  /** The values of sets in the same order; null where nothing is published. */
  async find(setKeys: readonly string[]): Promise<(SetValues | null)[]> {
    await this.freshness.refresh();
    const found = setKeys.map((key) => this.kept.get(key) ?? null);
    const missing = setKeys.filter((_, index) => found[index] === null);
    if (missing.length === 0) return found;
    const stamp = this.freshness.stamp;
    const read = new Map<string, SetValues>();
    for (const [index, values] of (await this.market.findSetValues(missing)).entries()) {
      if (values) read.set(missing[index] ?? '', values);
    }
    this.keep(read, stamp);
    return found.map((values, index) => values ?? read.get(setKeys[index] ?? '') ?? null);
  }

  /** Reads ahead, so that the first who asks does not wait. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    for (let afterKey = ''; this.kept.size + warmRoom <= keptRoomMax; ) {
      const stamp = this.freshness.stamp;
      const read = await this.market.listSetValues(afterKey, warmSlice);
      this.keep(read, stamp);
      const lastKey = [...read.keys()].at(-1);
      if (lastKey === undefined) return;
      afterKey = lastKey;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Not what may have been published again while it was read. */
  private keep(read: ReadonlyMap<string, SetValues>, stamp: number): void {
    if (this.freshness.stamp !== stamp) return;
    for (const [key, values] of read) this.kept.set(key, values);
  }
}
