/** What can be found of one kind, kept in memory and in step with what is published. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import { type Clock, dayOf } from '../domain/kernel/time.ts';
import type { ListedEntry, MarketReading } from '../domain/market/market-reading.ts';
import { wantedInterest } from '../domain/search/interest.ts';
import { SearchCatalog } from '../domain/search/search-catalog.ts';
import type { SearchEntry } from '../domain/search/search-entry.ts';
import { SegmentBuilder } from '../domain/search/search-segment.ts';

/** Entries that are read in one go; requests are answered in between. */
const sliceRows = 1_000;

/** With more changes than this, everything is read again: at once, or beside searches. */
const newsMax = 20_000;
const changedMax = 2_000;

interface Filling {
  /** Published since it began. */
  readonly news: Map<string, ListedEntry>;
  promise: Promise<void>;
}

/** Where the entries are read from, and the day by which interest goes. */
export interface EntrySource {
  readonly kind: ItemKind;
  readonly market: Pick<MarketReading, 'listSearchEntries'>;
  readonly clock: Clock;
  /** Called when the order may be another than before. */
  onRefilled(): void;
}

/** The entries of one kind. */
export class SearchEntries {
  private current: { readonly catalog: SearchCatalog; readonly day: number } | null = null;
  /** On its way from the store; null when nothing is, or what is has been overtaken. */
  private filling: Filling | null = null;
  /** Published since the entries were last used; put in before the next search, not before. */
  private news = new Map<string, ListedEntry>();

  constructor(private readonly source: EntrySource) {}

  /** Takes notice of what was published; null: too much to be told. */
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

  /** Reads everything if there is nothing in memory. */
  async fillIfEmpty(): Promise<void> {
    while (!this.current) await this.fill();
  }

  /** What can be found, with all that is known to be published; null when it has to be read. */
  takeCurrent(): SearchCatalog | null {
    if (!this.current) return null;
    const { catalog, day } = this.current;
    if (this.news.size > 0) {
      catalog.change([...this.news.values()].map((entry) => toSearchEntry(entry, day)));
      this.news.clear();
    }
    const isOld = day !== dayOf(this.source.clock()) || catalog.changedCount > changedMax;
    // Searches go on with what there is; when reading fails, the next one tries again.
    if (isOld) this.fill().catch(() => {});
    return catalog;
  }

  /** Reads everything, once for all who wait for it. */
  private fill(): Promise<void> {
    if (this.filling) return this.filling.promise;
    const filling: Filling = { news: new Map(), promise: Promise.resolve() };
    this.filling = filling;
    filling.promise = this.read(filling).finally(() => {
      if (this.filling === filling) this.filling = null;
    });
    return filling.promise;
  }

  /** What is published meanwhile is news to it; when that was too much, it has been in vain. */
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
      if (isMore) await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.filling !== filling) return;
    this.current = { catalog: new SearchCatalog(builder.build()), day };
    this.news = filling.news;
    onRefilled();
  }
}

function toSearchEntry(entry: ListedEntry, day: number): SearchEntry {
  const { wanted } = entry;
  if (wanted === null) return entry;
  return { ...entry, interest: entry.interest + wantedInterest(wanted, day) };
}
