/** Search in memory, and the pages that were asked for lately. */

import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import { type AskedRange, rangeOf } from '../domain/kernel/page.ts';
import { type Clock, dayOf } from '../domain/kernel/time.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { findMatches } from '../domain/search/search.ts';
import { type SearchTerms, searchTerms } from '../domain/search/search-terms.ts';
import { Paced } from '../http/paced.ts';
import { AnswerData, roomOf } from './answer-data.ts';
import type { Freshness } from './freshness.ts';
import { SearchEntries } from './search-entries.ts';

/** How much text of rendered pages is kept, in characters; and of the rows of others. */
const pagesLengthMax = 16 * 1024 * 1024;
const foundLengthMax = 4 * 1024 * 1024;

/** A page of a search. */
export interface SearchQuery extends AskedRange {
  readonly kind: ItemKind;
  readonly term: string;
}

/** The search rows of a page, finished, and how many there are in all. */
export interface SearchPage {
  readonly rows: readonly string[];
  readonly total: number;
}

/** Finds sets and minifigs by number or name. */
export class SearchIndex {
  /** Grows when what was found before may be found no more: pages of earlier ones are not kept. */
  private generation = 0;
  private readonly entries: Readonly<Record<ItemKind, SearchEntries>>;
  /** A search may take milliseconds, and many may ask for something new at once. */
  private readonly scans = new Paced();
  private readonly pages = new BoundedMap<AnswerData>(pagesLengthMax, roomOf);
  private readonly found = new BoundedMap<SearchPage>(foundLengthMax, ({ rows }) =>
    rows.reduce((sum, row) => sum + row.length, 0),
  );

  constructor(
    private readonly market: MarketReading,
    private readonly freshness: Freshness,
    private readonly clock: Clock,
  ) {
    const onRefilled = () => this.clear();
    const entriesOf = (kind: ItemKind) => new SearchEntries({ kind, market, clock, onRefilled });
    this.entries = { set: entriesOf('set'), minifig: entriesOf('minifig') };
    freshness.follow((changes) => {
      this.clear();
      for (const entries of Object.values(this.entries)) entries.follow(changes);
    });
  }

  private clear(): void {
    this.generation++;
    this.pages.clear();
    this.found.clear();
  }

  /** A rendered page if it is in memory and fresh; undefined when it has to be made. */
  peek(query: SearchQuery): AnswerData | undefined {
    return this.freshness.isFresh() ? this.pages.get(this.pageKey(query)) : undefined;
  }

  /** Finds a page, renders it, and keeps it. */
  async find(query: SearchQuery, render: (page: SearchPage) => string): Promise<AnswerData> {
    await this.freshness.refresh();
    return this.findFresh(query, this.pages, (page) => new AnswerData(render(page)));
  }

  /** Finds the rows of a page, and keeps them. */
  async findPage(query: SearchQuery): Promise<SearchPage> {
    await this.freshness.refresh();
    return this.found.get(this.pageKey(query)) ?? this.findFresh(query, this.found, (page) => page);
  }

  /** The keys of all that a term finds, best first. */
  async findKeys(kind: ItemKind, term: string): Promise<readonly string[]> {
    await this.freshness.refresh();
    const query = { kind, term, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const terms = { ...searchTerms(kind, term), key: await this.findAlias(query) };
    return (await this.match(terms, query)).matches.keys;
  }

  private async findFresh<Made>(
    query: SearchQuery,
    kept: BoundedMap<Made>,
    make: (page: SearchPage) => Made,
  ): Promise<Made> {
    const { kind, term } = query;
    const terms = { ...searchTerms(kind, term), key: await this.findAlias(query) };
    const { matches, generation } = await this.match(terms, query);
    const rows = await this.market.findSearchRows(kind, matches.keys);
    const made = make({ rows, total: matches.total });
    if (this.generation === generation) kept.set(this.pageKey(query), made);
    return made;
  }

  /** What matches, and of which generation that is. */
  private async match(terms: SearchTerms, query: SearchQuery) {
    const entries = this.entries[query.kind];
    const range = rangeOf(query);
    for (;;) {
      await entries.fillIfEmpty();
      const found = await this.scans.run(() => {
        const { generation } = this;
        const catalog = entries.takeCurrent();
        return catalog && { matches: findMatches(catalog.segments, terms, range), generation };
      });
      // Null: so much was published meanwhile that everything has to be read again.
      if (found) return found;
    }
  }

  /** The minifig that has the whole term as another number, if there is one: it comes first. */
  private async findAlias({ kind, term }: SearchQuery): Promise<string | null> {
    if (kind !== 'minifig') return null;
    const found = await this.market.findDocument('minifig', itemKey('minifig', term));
    return found?.key ?? null;
  }

  /** What a page is kept under: another name each day, because interest changes the order. */
  private pageKey({ kind, limit, offset, term }: SearchQuery): string {
    return `${dayOf(this.clock())} ${kind} ${limit} ${offset} ${term}`;
  }

  /** Loads both kinds ahead of the first search. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    await this.entries.set.fillIfEmpty();
    await this.entries.minifig.fillIfEmpty();
  }
}
