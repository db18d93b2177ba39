/** What is read of sets, kept in memory as long as the store proves it fresh. */
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { Freshness } from './freshness.ts';

/** Sets that are read at once: other requests are answered in between. */
const setsAtOnce = 1_000;

/** Where it comes from, and how much is kept, in characters. */
export interface SetSource<T> {
  /** By set key; those of which nothing is published are left out. */
  readonly read: (setKeys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  readonly roomMax: number;
  readonly roomOf: (value: T) => number;
}

/** Reads something of sets; what was read is kept until the set is published again. */
export class KeptSets<T> {
  private readonly kept: BoundedMap<T>;

  constructor(
    private readonly source: SetSource<T>,
    private readonly freshness: Pick<Freshness, 'follow' | 'refresh' | 'stamp'>,
  ) {
    this.kept = new BoundedMap<T>(source.roomMax, source.roomOf);
    freshness.follow((changes) => {
      if (changes === null) this.kept.clear();
      else for (const { kind, key } of changes) if (kind === 'set') this.kept.delete(key);
    });
  }

  /** What all that is kept takes of the room. */
  get size(): number {
    return this.kept.size;
  }

  /** What is published of sets, in the same order; null where nothing is. */
  async find(setKeys: readonly string[]): Promise<(T | null)[]> {
    await this.freshness.refresh();
    const found = setKeys.map((key) => this.kept.get(key) ?? null);
    const missing = setKeys.filter((_, index) => found[index] === null);
    if (missing.length === 0) return found;
    const read = new Map<string, T>();
    for (let from = 0; from < missing.length; from += setsAtOnce) {
      const stamp = this.freshness.stamp;
      const part = await this.source.read(missing.slice(from, from + setsAtOnce));
      this.keep(part, stamp);
      for (const [key, value] of part) read.set(key, value);
      if (from + setsAtOnce < missing.length) await yieldToEventLoop();
    }
    return found.map((value, index) => value ?? read.get(setKeys[index] ?? '') ?? null);
  }

  /** Keeps what was read at a stamp, unless it may have been published again meanwhile. */
  keep(read: ReadonlyMap<string, T>, stamp: number): void {
    if (this.freshness.stamp !== stamp) return;
    for (const [key, value] of read) this.kept.set(key, value);
  }
}
