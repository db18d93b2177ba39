/** Search entries of one kind in memory, updated with every publication. */

import { countedInterest } from '../../catalog/interest/interest.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { SearchCatalog } from '../../catalog/search/search-catalog.ts';
import type { SearchEntry } from '../../catalog/search/search-entry.ts';
import { SegmentBuilder } from '../../catalog/search/segment-builder.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { type Clock, dayOf } from '../../kernel/time.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';

/** Entries per read; requests are answered in between. */
const sliceRows = 1_000;

/** With more changes than this, everything is read again, in the background if possible. */
const newsMax = 20_000;
const changedMax = 2_000;

interface Filling {
  /** Entries published since the read began. */
  readonly news: Map<string, ListedEntry>;
  promise: Promise<void>;
}

/** The source of entries, and the day that interest refers to. */
export interface SearchEntrySource {
  readonly kind: ItemKind;
  readonly market: Pick<MarketReading, 'listSearchEntries'>;
  readonly clock: Clock;
  /** Called when the order may have changed. */
  onRefilled(): void;
}

export class SearchEntries {
  private current: { readonly catalog: SearchCatalog; readonly day: number } | null = null;
  /** A read in progress; null: none, or it is outdated. */
  private filling: Filling | null = null;
  /** Entries published since the last search; applied before the next one. */
  private news = new Map<string, ListedEntry>();

  constructor(private readonly source: SearchEntrySource) {}

  /** Notes publications; null: too many to list. */
  follow(changes: readonly ListedEntry[] | null): void {
    for (const change of changes ?? []) {
      if (change.kind !== this.source.kind) continue;
      this.news.set(change.key, change);
      this.filling?.news.set(change.key, change);
    }
    if (changes !== null && this.news.size <= newsMax) return;
    this.current = null;
    this.filling = null;
    this.news.clear();
  }

  async fillIfEmpty(): Promise<void> {
    while (!this.current) await this.fill();
  }

  /** The catalog with all known publications applied; null: it has to be read. */
  takeCurrent(): SearchCatalog | null {
    if (!this.current) return null;
    const { catalog, day } = this.current;
    catalog.change([...this.news.values()].map((entry) => toSearchEntry(entry, day)));
    this.news.clear();
    const isOld = day !== dayOf(this.source.clock()) || catalog.changedCount > changedMax;
    // Searches continue with the old entries; if reading fails, the next search retries.
    if (isOld) this.fill().catch(() => {});
    return catalog;
  }

  /** Concurrent callers share the read. */
  private fill(): Promise<void> {
    if (this.filling) return this.filling.promise;
    const filling: Filling = { news: new Map(), promise: Promise.resolve() };
    this.filling = filling;
    filling.promise = this.read(filling).finally(() => {
      if (this.filling === filling) this.filling = null;
    });
    return filling.promise;
  }

  /** If too much is published during the read, it is discarded. */
  private async read(filling: Filling): Promise<void> {
    const { kind, market, clock, onRefilled } = this.source;
    const day = dayOf(clock());
    const builder = new SegmentBuilder();
    let isMore = true;
    for (let afterKey = ''; isMore; ) {
      const entries = await market.listSearchEntries(kind, afterKey, sliceRows);
      for (const entry of entries) builder.add(toSearchEntry(entry, day));
      afterKey = entries.at(-1)?.key ?? '';
      isMore = entries.length === sliceRows;
      if (isMore) await yieldToEventLoop();
    }
    if (this.filling !== filling) return;
    this.current = { catalog: new SearchCatalog(builder.build()), day };
    this.news = filling.news;
    onRefilled();
  }
}

function toSearchEntry(entry: ListedEntry, day: number): SearchEntry {
  const { interestCounts } = entry;
  if (interestCounts === null) return entry;
  return { ...entry, interest: entry.interest + countedInterest(interestCounts, day) };
}
