/** Search in memory: folded names and numbers, and the pages that were asked for lately. */

import { compareText, type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { type FoldedEntry, findMatches, foldEntries } from '../domain/catalog/search.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { Paced } from '../http/paced.ts';
import type { Change, Freshness } from './freshness.ts';

/** How much text of rendered pages is kept, in characters; and of the rows of others. */
const pagesLengthMax = 16 * 1024 * 1024;
const foundLengthMax = 4 * 1024 * 1024;

/** With more news than this, loading everything again is cheaper. */
const newsMax = 20_000;

/** A page of a search. */
export interface SearchQuery {
  readonly kind: ItemKind;
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

/** The search rows of a page, finished, and how many there are in all. */
export interface SearchPage {
  readonly rows: readonly string[];
  readonly total: number;
}

/** Finds sets and minifigs by number or name. */
export class SearchIndex {
  private readonly entries: Record<ItemKind, FoldedEntry[] | null> = { set: null, minifig: null };
  /** On its way from the store; null when nothing is, or what is has been overtaken. */
  private readonly filling: Record<ItemKind, Promise<void> | null> = { set: null, minifig: null };
  /** Published since the entries were last used; put in before the next search, not before. */
  private readonly news: Record<ItemKind, Map<string, Change>> = {
    set: new Map(),
    minifig: new Map(),
  };
  /** Going through all names takes milliseconds, and many may ask for something new at once. */
  private readonly scans = new Paced();
  private readonly pages = new BoundedMap<string>(pagesLengthMax, (page) => page.length);
  private readonly found = new BoundedMap<SearchPage>(foundLengthMax, ({ rows }) =>
    rows.reduce((sum, row) => sum + row.length, 0),
  );

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
  ) {
    freshness.follow((changes) => this.follow(changes));
  }

  /** A rendered page if it is in memory and fresh; undefined when it has to be made. */
  peek(query: SearchQuery): string | undefined {
    return this.freshness.isFresh() ? this.pages.get(pageKey(query)) : undefined;
  }

  /** Finds a page, renders it, and keeps it. */
  async find(query: SearchQuery, render: (page: SearchPage) => string): Promise<string> {
    await this.freshness.refresh();
    const stamp = this.freshness.stamp;
    const page = render(await this.findFresh(query));
    if (this.freshness.stamp === stamp) this.pages.set(pageKey(query), page);
    return page;
  }

  /** Finds the rows of a page, and keeps them. */
  async findPage(query: SearchQuery): Promise<SearchPage> {
    await this.freshness.refresh();
    const known = this.found.get(pageKey(query));
    if (known) return known;
    const stamp = this.freshness.stamp;
    const page = await this.findFresh(query);
    if (this.freshness.stamp === stamp) this.found.set(pageKey(query), page);
    return page;
  }

  private async findFresh(query: SearchQuery): Promise<SearchPage> {
    const entries = await this.load(query.kind);
    const matches = await this.scans.run(() => findMatches(entries, query));
    const keys = await this.withAlias(query, matches);
    const wanted = keys.slice(query.offset, query.offset + query.limit);
    const rows = await this.market.findSearchRows(query.kind, wanted);
    return { rows, total: keys.length };
  }

  /** A minifig that has the whole term as another number comes first. */
  private async withAlias({ kind, term }: SearchQuery, keys: string[]): Promise<string[]> {
    if (kind !== 'minifig') return keys;
    const number = itemKey('minifig', term);
    const named = (await this.market.findDocument('minifig', number))?.key ?? number;
    return named === number ? keys : [named, ...keys.filter((key) => key !== named)];
  }

  /** Loads both kinds ahead of the first search. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    await this.load('set');
    await this.load('minifig');
  }

  /** The entries with all that is known to be published. */
  private async load(kind: ItemKind): Promise<FoldedEntry[]> {
    let entries = this.entries[kind];
    for (; !entries; entries = this.entries[kind]) await this.fill(kind);
    const news = [...this.news[kind].values()];
    this.news[kind].clear();
    this.entries[kind] = withChanges(entries, news);
    return this.entries[kind];
  }

  /**
   * Lists everything once for all who wait for it. What is published meanwhile is news to it; when
   * that was too much to be told, it is listed again.
   */
  private fill(kind: ItemKind): Promise<void> {
    const known = this.filling[kind];
    if (known) return known;
    const filling: Promise<void> = this.market
      .listSearchEntries(kind)
      .then((listed) => {
        if (this.filling[kind] === filling) this.entries[kind] = foldEntries(listed);
      })
      .finally(() => {
        if (this.filling[kind] === filling) this.filling[kind] = null;
      });
    this.filling[kind] = filling;
    return filling;
  }

  private follow(changes: readonly Change[] | null): void {
    this.pages.clear();
    this.found.clear();
    for (const change of changes ?? []) this.news[change.kind].set(change.key, change);
    for (const kind of ['set', 'minifig'] as const) {
      if (changes === null || this.news[kind].size > newsMax) this.forget(kind);
    }
  }

  private forget(kind: ItemKind): void {
    this.entries[kind] = null;
    this.filling[kind] = null;
    this.news[kind].clear();
  }
}

/** Replaces the entries that were renamed and adds the new ones. */
function withChanges(entries: FoldedEntry[], changes: readonly Change[]): FoldedEntry[] {
  if (changes.length === 0) return entries;
  const news = new Map(foldEntries(changes).map((entry) => [entry.key, entry]));
  const kept = entries.map((entry) => {
    const changed = news.get(entry.key);
    news.delete(entry.key);
    return changed ?? entry;
  });
  if (news.size === 0) return kept;
  return [...kept, ...news.values()].sort((a, b) => compareText(a.key, b.key));
}

function pageKey(query: SearchQuery): string {
  return `${query.kind} ${query.limit} ${query.offset} ${query.term}`;
}
