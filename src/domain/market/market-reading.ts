/** What the API and the pages read of the market: what is published, never source rows. */

import type { ItemClass } from '../catalog/item-class.ts';
import type { ItemKind } from '../catalog/numbers.ts';
import type { Page, PageRange, RowsAfter } from '../kernel/page.ts';
import type { WantedCounts } from '../search/interest.ts';
import type { SearchEntry } from '../search/search-entry.ts';
import type { BulkReading } from './bulk.ts';
import type { DealScore } from './deal-scorecard.ts';
import type { DealName, DealRow, LoggedDeal } from './deals.ts';
import type { EventItems, EventPage, EventQuery, EventsGone } from './events.ts';
import type { Evidence } from './evidence.ts';
import type { Series } from './history.ts';
import type { Restatement } from './history-store.ts';
import type { MarketRecord } from './market-list.ts';
import type { RetailChange } from './price-steps.ts';
import type { PublishedRetail, RetailMonths } from './publishing-store.ts';
import type { RecentMonths, SetValues, UnitValues } from './set-values.ts';
import type { Condition } from './source-rows.ts';
import type { UnitTiers } from './tiers.ts';

/** Names a set at the retailers, by identifiers in the forms in which they are compared. */
export interface RetailIdentifiers {
  readonly setKey?: string | undefined;
  readonly asinKey?: string | undefined;
  readonly barcodeKey?: string | undefined;
}

/** A published retail row with the columns that it is found by. */
export interface RetailRecord extends Omit<PublishedRetail, 'newStates' | 'months'> {
  readonly setKey: string;
}

/** A set as holdings show it. */
export interface ListedSet extends UnitValues, UnitTiers {
  readonly number: string;
  readonly title: string;
  readonly theme: string;
}

/** What pages say of a set beside its record; null is unknown. */
export interface SetDetails {
  readonly year: number | null;
  readonly itemClass: ItemClass | null;
  readonly minifigsCount: number | null;
}

/** A published item as search lists it, with what accounts make of it; null when nobody does. */
export interface ListedEntry extends SearchEntry {
  readonly kind: ItemKind;
  readonly wanted: WantedCounts | null;
}

/** How an item is called. */
export interface ItemName {
  /** The canonical number. */
  readonly number: string;
  readonly name: string;
}

/** All that is published of an item that decides what selling it brings. */
export interface ResaleRecord {
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  /** The exact JSON of its record. */
  readonly body: string;
  /** What stands behind its values; null when nothing does. */
  readonly evidence: Evidence | null;
  /** The exact JSON of its retail row; null where no retailer ever had it. */
  readonly retail: string | null;
}

/** What the API reads: documents and series, never source rows. */
export interface MarketReading extends BulkReading {
  /** Grows with every publication. Cheap: asked on every turn of the event loop. */
  publishStamp(): number | Promise<number>;
  /**
   * What was published after a stamp; null when that is more than `limit` documents, or when some
   * were removed.
   */
  listChanges(afterStamp: number, limit: number): Promise<ListedEntry[] | null>;
  /** The document of an item and its own key, looked up by key or alias; null when none. */
  findDocument(
    kind: ItemKind,
    key: string,
  ): Promise<{ readonly key: string; readonly body: string } | null>;
  /** What decides the resale of items, by the key asked for; missing ones are left out. */
  findResaleRecords(
    kind: ItemKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, ResaleRecord>>;
  /**
   * All keys that the items of some keys have now, those included: a minifig may have several
   * numbers, and events tell of it under the one that it had then.
   */
  findAllKeys(items: EventItems): Promise<EventItems>;
  /** How items are called now, by the key asked for; missing ones are left out. */
  findNames(kind: ItemKind, keys: readonly string[]): Promise<ReadonlyMap<string, ItemName>>;
  findThemes(): Promise<string | null>;
  /** The keys of all items of a kind, in order. */
  listKeys(kind: ItemKind): Promise<string[]>;
  /** Some of them, those after one. */
  listKeysAfter(kind: ItemKind, afterKey: string, limit: number): Promise<string[]>;
  /** What can be found, in order of the keys after one. */
  listSearchEntries(kind: ItemKind, afterKey: string, limit: number): Promise<ListedEntry[]>;
  /** The search rows of keys, in the same order; missing ones are left out. */
  findSearchRows(kind: ItemKind, keys: readonly string[]): Promise<string[]>;
  /** The search rows of a theme's sets, the newest first, those of one year by number. */
  listThemeSets(theme: string, page: PageRange): Promise<Page<string>>;
  /** Items as lists of the market show them, in order of the keys after one. */
  listMarketRecords(kind: ItemKind, afterKey: string, limit: number): Promise<MarketRecord[]>;
  /** The same of some items; missing ones are left out. */
  findMarketRecords(kind: ItemKind, keys: readonly string[]): Promise<MarketRecord[]>;
  /** What a set's record does not say; null when there is no such set. */
  findSetDetails(setKey: string): Promise<SetDetails | null>;
  /** The search rows of the other variants of a set, whether or not it is there itself. */
  listVariants(setKey: string): Promise<string[]>;
  /** The keys of the sets that have barcodes, by barcode, in order; a few of each at most. */
  findBarcodeSets(barcodeKeys: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  /**
   * The canonical number and the series of a set, without provenance; null when there is no such
   * set.
   */
  findSeries(
    key: string,
    condition: Condition,
  ): Promise<{ readonly number: string; readonly series: Series | null } | null>;
  listRestatements(): Promise<readonly Restatement[]>;
  /** The one retail row that has all the identifiers given; null for none, and for several. */
  findRetail(identifiers: RetailIdentifiers): Promise<RetailRecord | null>;
  /** The lowest price of each month at each retailer; null when none is published. */
  findRetailMonths(setKey: string): Promise<RetailMonths | null>;
  /** The latest changes of price and stock of a set that the log still has, oldest first. */
  listRetailChanges(setKey: string, limit: number): Promise<RetailChange[]>;
  /** The sets that have one of the ASINs, and one of the barcodes; null does not limit. */
  findRetailKeys(lists: {
    readonly asinKeys: readonly string[] | null;
    readonly barcodeKeys: readonly string[] | null;
  }): Promise<string[]>;
  /** The retail rows of sets, only those changed since an instant if one is given. */
  listRetail(setKeys: readonly string[], changedSince: number | null): Promise<RetailRecord[]>;
  /** Those of them that changed last since an instant, latest change first. */
  listLatestRetail(
    setKeys: readonly string[],
    latest: { readonly since: number; readonly limit: number },
  ): Promise<RetailRecord[]>;
  /** What may be a deal for somebody, in order of its name, after one; null: from the beginning. */
  listDeals(after: DealName | null, limit: number): Promise<DealRow[]>;
  /** The same of some sets. */
  findDeals(setKeys: readonly string[]): Promise<DealRow[]>;
  /** Deals at the usual terms in the order in which they began, also those that are over. */
  listDealLog(after: RowsAfter): Promise<LoggedDeal[]>;
  /** The same of some sets, all of them. */
  findDealLog(setKeys: readonly string[]): Promise<LoggedDeal[]>;
  /** How many deals began at an instant or later. */
  countDealLog(openedFrom: number): Promise<number>;
  /** How deals did in the weeks from one on, in order of all that the counts are kept by. */
  listDealScores(fromWeek: number): Promise<DealScore[]>;
  /** The published sets, by lookup key. */
  findListedSets(setKeys: readonly string[]): Promise<Map<string, ListedSet>>;
  /** The values of sets in the same order; null where nothing is published. */
  findSetValues(setKeys: readonly string[]): Promise<(SetValues | null)[]>;
  /** The months of sets from the first on, in the same order; null where there are none. */
  findMonthValues(
    sets: readonly { readonly setKey: string; readonly condition: Condition }[],
  ): Promise<(RecentMonths | null)[]>;
  /** The values of the sets after a key, in order of their keys. */
  listSetValues(afterKey: string, limit: number): Promise<Map<string, SetValues>>;
  /** Some of what happened after a position; it may be less than asked for with more to come. */
  listEvents(query: EventQuery): Promise<EventPage | EventsGone>;
}
