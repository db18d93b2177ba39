/** Finished documents, kept in memory as long as the store proves them fresh. */

import type { LookUps } from '../accounts/interest.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { CacheFacts } from '../http/metrics-server.ts';
import { AnswerData, roomOf } from './answer-data.ts';
import type { Freshness } from './freshness.ts';

/** How much text the cache holds, in characters. */
const cacheLengthMax = 48 * 1024 * 1024;

const noThemes = new AnswerData('{"themes":[]}');

/** Reads documents; what was read is kept until it is published again. */
export class Documents {
  private readonly kept = new BoundedMap<AnswerData>(cacheLengthMax, roomOf);
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
      if (changes === null) this.kept.clear();
      else for (const { kind, key } of changes) this.kept.delete(documentName(kind, key));
    });
  }

  /** The document if it is in memory and fresh; undefined when the store has to be asked. */
  peek(kind: ItemKind, key: string): AnswerData | undefined {
    return this.peekNamed(documentName(kind, key));
  }

  /** The same by the name of the document, for whoever asks again and again. */
  peekNamed(name: string): AnswerData | undefined {
    const kept = this.freshness.isFresh() ? this.kept.get(name) : undefined;
    // What is not there is looked for by `find`, and counted there.
    if (kept !== undefined) this.hits++;
    return kept;
  }

  /** The document of an item; null when there is none. */
  async find(kind: ItemKind, key: string): Promise<AnswerData | null> {
    await this.freshness.refresh();
    const kept = this.kept.get(documentName(kind, key));
    if (kept !== undefined) {
      this.hits++;
      return kept;
    }
    this.misses++;
    const stamp = this.freshness.stamp;
    const found = await this.market.findDocument(kind, key);
    if (!found) return null;
    const document = new AnswerData(found.body);
    // What was found by another number is not kept: publications name items by their own. Nor is
    // what may have been published again while it was read.
    if (found.key === key && this.freshness.stamp === stamp) {
      this.kept.set(documentName(kind, key), document);
    }
    return document;
  }

  /** Counts that a document was shown to somebody. */
  noteLookUp(kind: ItemKind, key: string): void {
    this.lookUps.add(kind, key);
  }

  /** For operators. */
  get facts(): CacheFacts {
    const { hits, misses, kept } = this;
    return { entries: kept.count, characters: kept.size, hits, misses };
  }

  /** The theme list; the empty list before anything is published. */
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

/** What a document is kept under. */
export function documentName(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}
