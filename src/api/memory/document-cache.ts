/** Caches published documents until they are published again. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { CacheFacts } from '../../http/metrics-server.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { LookUps } from '../../portfolio/interest/interest.work.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { AnswerData, roomOf } from '../answer-data.ts';
import type { Freshness } from './freshness.ts';

/** Cache sizes in characters: the whole catalog, and some more. */
const cacheLengthMax: Readonly<Record<ItemKind, number>> = {
  set: 32 * 1024 * 1024,
  minifig: 16 * 1024 * 1024,
};

const noThemes = new AnswerData('{"themes":[]}');

export class DocumentCache {
  private readonly cached: Readonly<Record<ItemKind, BoundedMap<AnswerData>>> = {
    set: new BoundedMap(cacheLengthMax.set, roomOf),
    minifig: new BoundedMap(cacheLengthMax.minifig, roomOf),
  };
  private themes: AnswerData | null = null;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
    private readonly lookUps: LookUps,
  ) {
    freshness.follow((changes) => {
      this.themes = null;
      if (changes === null) {
        this.cached.set.clear();
        this.cached.minifig.clear();
      } else for (const { kind, key } of changes) this.cached[kind].delete(key);
    });
  }

  /** The document if it is cached and fresh; undefined: ask the store. */
  peek(kind: ItemKind, key: string): AnswerData | undefined {
    const cached = this.freshness.isFresh() ? this.cached[kind].get(key) : undefined;
    // A miss is counted by `find`.
    if (cached !== undefined) this.hits++;
    return cached;
  }

  /** Null: does not exist. */
  async find(kind: ItemKind, key: string): Promise<AnswerData | null> {
    await this.freshness.refresh();
    const cached = this.cached[kind].get(key);
    if (cached !== undefined) {
      this.hits++;
      return cached;
    }
    this.misses++;
    const stamp = this.freshness.stamp;
    const found = await this.market.findDocument(kind, key);
    if (!found) return null;
    const document = new AnswerData(found.body);
    // Do not cache a document found under another number, because publications use the item's own;
    // nor one that may have been published again during the read.
    if (found.key === key && this.freshness.stamp === stamp) {
      this.cached[kind].set(key, document);
    }
    return document;
  }

  noteLookUp(kind: ItemKind, key: string): void {
    this.lookUps.add(kind, key);
  }

  /** For metrics. */
  get facts(): CacheFacts {
    const { hits, misses } = this;
    const { set, minifig } = this.cached;
    const entries = set.count + minifig.count;
    return { entries, characters: set.size + minifig.size, hits, misses };
  }

  /** An empty list before the first publication. */
  async findThemes(): Promise<AnswerData> {
    await this.freshness.refresh();
    if (this.themes !== null) return this.themes;
    const stamp = this.freshness.stamp;
    const found = await this.market.findThemes();
    if (found === null) return noThemes;
    const themes = new AnswerData(found);
    if (this.freshness.stamp === stamp) this.themes = themes;
    return themes;
  }
}
