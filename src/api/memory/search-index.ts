/** In-memory search with a cache of recent pages. */

import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { findMatches, type SearchMatches } from '../../catalog/search/search.ts';
import { type SearchTerms, searchTerms } from '../../catalog/search/search-terms.ts';
import { Paced } from '../../http/paced.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { type RequestedRange, rangeOf } from '../../kernel/page.ts';
import { type Clock, dayOf } from '../../kernel/time.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { AnswerData, roomOf } from '../answer-data.ts';
import type { Freshness } from './freshness.ts';
import { SearchEntries } from './search-entries.ts';

/** Size of the cached rendered pages, and of cached rows, in characters. */
const pagesLengthMax = 16 * 1024 * 1024;
const foundLengthMax = 4 * 1024 * 1024;

export interface SearchQuery extends RequestedRange {
  readonly kind: ItemKind;
  readonly term: string;
}

/** The rows of a page, serialized, and the total number. */
export interface SearchPage extends Omit<SearchMatches, 'keys'> {
  readonly rows: readonly string[];
}

/** Finds sets and minifigs by number or name. */
export class SearchIndex {
  /** Replaced when results may have changed; pages of earlier generations are not cached. */
  private generation = {};
  private readonly entries: Readonly<Record<ItemKind, SearchEntries>>;
  /** A search can take milliseconds, and many new ones can come at once. */
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
    this.generation = {};
    this.pages.clear();
    this.found.clear();
  }

  /** The rendered page if it is cached and fresh; undefined: it has to be made. */
  peek(query: SearchQuery): AnswerData | undefined {
    return this.freshness.isFresh() ? this.pages.get(this.pageKey(query)) : undefined;
  }

  async find(query: SearchQuery, render: (page: SearchPage) => string): Promise<AnswerData> {
    await this.freshness.refresh();
    return this.findFresh(query, this.pages, (page) => new AnswerData(render(page)));
  }

  async findPage(query: SearchQuery): Promise<SearchPage> {
    await this.freshness.refresh();
    return this.found.get(this.pageKey(query)) ?? this.findFresh(query, this.found, (page) => page);
  }

  /** All results, best first. */
  async findAll(kind: ItemKind, term: string): Promise<SearchMatches> {
    await this.freshness.refresh();
    const query = { kind, term, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const terms = { ...searchTerms(kind, term), key: await this.findAlias(query) };
    return (await this.match(terms, query)).matches;
  }

  private async findFresh<Made>(
    query: SearchQuery,
    kept: BoundedMap<Made>,
    make: (page: SearchPage) => Made,
  ): Promise<Made> {
    const { kind, term } = query;
    const terms = { ...searchTerms(kind, term), key: await this.findAlias(query) };
    const { matches, generation } = await this.match(terms, query);
    const { keys, ...found } = matches;
    const made = make({ ...found, rows: await this.market.findSearchRows(kind, keys) });
    if (this.generation === generation) kept.set(this.pageKey(query), made);
    return made;
  }

  /** The results, with their generation. */
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
      // Null: too much was published in the meantime, so everything has to be read again.
      if (found) return found;
    }
  }

  /** The minifig with the term as an alias, or as the number of its bag; it comes first. */
  private async findAlias({ kind, term }: SearchQuery): Promise<string | null> {
    if (kind !== 'minifig') return null;
    const found = await this.market.findDocument('minifig', itemKey('minifig', term));
    return found?.key ?? this.market.findFigureKey(itemKey('set', term));
  }

  /** Includes the day, because interest changes the order daily. */
  private pageKey({ kind, limit, offset, term }: SearchQuery): string {
    return `${dayOf(this.clock())} ${kind} ${limit} ${offset} ${term}`;
  }

  /** Loads both kinds before the first search. */
  async warm(): Promise<void> {
    await this.freshness.refresh();
    await this.entries.set.fillIfEmpty();
    await this.entries.minifig.fillIfEmpty();
  }
}
