/** Finished documents, kept in memory as long as the store proves them fresh. */
import type { MarketReading } from '../domain/market-store.ts';
import type { ItemKind } from '../domain/numbers.ts';
import type { Freshness } from './freshness.ts';

/** How much text the cache holds, in characters. */
const cacheLengthMax = 48 * 1024 * 1024;

/** Reads documents; what was read is kept until it is published again. */
export class Documents {
  private readonly kept = new Map<string, string>();
  private keptLength = 0;
  private themes: string | null = null;

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
  ) {
    freshness.follow((changes) => {
      this.themes = null;
      if (changes === null) this.forgetAll();
      else for (const { kind, key } of changes) this.forget(cacheKey(kind, key));
    });
  }

  /** The document if it is in memory and fresh; undefined when the store has to be asked. */
  peek(kind: ItemKind, key: string): string | undefined {
    return this.freshness.isFresh() ? this.kept.get(cacheKey(kind, key)) : undefined;
  }

  /** The document of an item; null when there is none. */
  async find(kind: ItemKind, key: string): Promise<string | null> {
    await this.freshness.refresh();
    const kept = this.kept.get(cacheKey(kind, key));
    if (kept !== undefined) return kept;
    const stamp = this.freshness.stamp;
    const found = await this.market.findDocument(kind, key);
    // What was found by another number is not kept: publications name items by their own. Nor is
    // what may have been published again while it was read.
    if (found?.key === key && this.freshness.stamp === stamp) {
      this.keep(cacheKey(kind, key), found.body);
    }
    return found?.body ?? null;
  }

  /** The theme list; the empty list before anything is published. */
  async findThemes(): Promise<string> {
    await this.freshness.refresh();
    this.themes ??= await this.market.findThemes();
    return this.themes ?? '{"themes":[]}';
  }

  private keep(key: string, body: string): void {
    this.forget(key);
    this.kept.set(key, body);
    this.keptLength += body.length;
    // A map keeps its order of insertion: the first are the oldest.
    for (const oldest of this.kept.keys()) {
      if (this.keptLength <= cacheLengthMax) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.keptLength -= this.kept.get(key)?.length ?? 0;
    this.kept.delete(key);
  }

  private forgetAll(): void {
    this.kept.clear();
    this.keptLength = 0;
  }
}

function cacheKey(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}
