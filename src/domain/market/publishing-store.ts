/** How rows become documents: what is to be published, what from, and writing it. */
import type { ItemClass } from '../catalog/item-class.ts';
import type { LeaseStore } from '../kernel/lease.ts';
import type { SearchFacts } from '../search/search-entry.ts';
import type { DealScore } from './deal-scorecard.ts';
import type { GradedDeal, PublishedDeal } from './deals.ts';
import type { Evidence } from './evidence.ts';
import type { Series } from './history.ts';
import type { LearningInputs, SoldItem } from './learning-inputs.ts';
import type { EventFacts } from './next-events.ts';
import type { RetailMonth, RetailState } from './retail-state.ts';
import type { ScoreCount } from './scorecard.ts';
import type { Condition, Offer, Retailer } from './source-rows.ts';
import type { Outlook } from './uncertainty.ts';

/** Everything a document is made from. */
export interface ItemInputs extends LearningInputs {
  /** The canonical number, as answers show it. */
  readonly number: string;
  /** Grows with every change of the inputs; publishing is refused when it has moved on. */
  readonly version: number;
  /** Per retailer: what earlier offers added up to, and the offers since, oldest first. */
  readonly retail: Readonly<Record<Retailer, RetailInputs>>;
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** What stood behind the value that is published; null when none is. */
  readonly evidence: Evidence | null;
  /** Deals that began not long before the moment asked for (`gradedMs`), the oldest first. */
  readonly deals: readonly GradedDeal[];
}

/** A set's offers at one retailer: a fold that is taken up where it was left. */
export interface RetailInputs {
  readonly kept: RetailState | null;
  readonly offers: readonly Offer[];
  /** When the first offer was observed that lies ahead of the moment asked for; null for none. */
  readonly nextAt: number | null;
}

/** A finished document with the few typed columns that joins need. */
export interface PublishedItem {
  readonly id: number;
  readonly version: number;
  /** The moment that it speaks of. */
  readonly at: number;
  /** The exact JSON of `data`. */
  readonly body: string;
  /** The exact JSON of its search result. */
  readonly searchRow: string;
  /** What it is found by besides its number and its name. */
  readonly search: SearchFacts;
  readonly name: string;
  readonly theme: string | null;
  /** The class of a set, and how many minifigs it has; null for minifigs, and when not known. */
  readonly itemClass: ItemClass | null;
  readonly minifigsCount: number | null;
  /** The barcodes of a set, in the form in which they are compared. */
  readonly upcKey: string | null;
  readonly eanKey: string | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** The set at the retailers; null when none ever looked at it, and for minifigs. */
  readonly retail: PublishedRetail | null;
  /** What was found where a retailer had it; null leaves alone what is known of deals. */
  readonly deals: readonly PublishedDeal[] | null;
  readonly evidence: Evidence;
  /** What events can be about; null tells nothing, and leaves alone what was told. */
  readonly events: EventFacts | null;
  /** What a plan needs to know of it. */
  readonly outlook: Outlook;
  /** New sales, held against what was published before them. */
  readonly scores: readonly ScoreCount[];
  /** The same sales, held against what was expected of deals that began before them. */
  readonly dealScores: readonly DealScore[];
  /** When it will differ by time alone. */
  readonly dueAt: number;
}

/** The lowest prices of months, by retailer. */
export type RetailMonths = Readonly<Record<Retailer, readonly RetailMonth[]>>;

/** A finished retail row, the columns that it is found by, and the states that went on. */
export interface PublishedRetail {
  /** The exact JSON of the row, without what differs by caller. */
  readonly body: string;
  /** Identifiers in the forms in which they are compared. */
  readonly asinKey: string | null;
  readonly upcKey: string | null;
  readonly eanKey: string | null;
  /** When the price last changed at either retailer. */
  readonly changedAt: number | null;
  /** The lowest price of each month at each retailer. */
  readonly months: RetailMonths;
  readonly newStates: readonly RetailState[];
}

/** How many published sets a theme has. */
export interface ThemeCount {
  readonly theme: string;
  readonly setCount: number;
}

/** How much there is to read of an item. */
export interface InputCount {
  readonly id: number;
  readonly rows: number;
}

/** Turns rows into documents. */
export interface PublishingStore extends LeaseStore {
  /** Ids of items whose document is older than their rows, in order, after `afterId`. */
  listStale(afterId: number, limit: number): Promise<number[]>;
  countStale(): Promise<number>;
  /** Ids of items whose document is due at an instant, most overdue first. */
  listDue(at: number, limit: number): Promise<number[]>;
  countDue(at: number): Promise<number>;
  /** Puts off items that were due, so that others get their turn. */
  postponeDue(ids: readonly number[], until: number): Promise<void>;
  /** Makes every item stale; how many there are. */
  markAllStale(): Promise<number>;
  /**
   * How many rows the inputs of each item have at an instant: sales, and offers that are not added
   * up yet. It need not be exact: it decides how many items are read at once.
   */
  countInputs(ids: readonly number[], at: number): Promise<readonly InputCount[]>;
  /**
   * The inputs of items: offers and retail weeks up to an instant, stored series only where asked
   * for and null elsewhere.
   */
  loadInputs(
    ids: readonly number[],
    options: { readonly at: number; readonly withSeries: boolean },
  ): Promise<ItemInputs[]>;
  /** Gives back what memory reading has filled; what is read next is as it was. */
  releaseMemory(): Promise<void>;
  /** Every item with a sale that was known before an instant; null: with any. */
  listSold(knownBefore: number | null): Promise<readonly SoldItem[]>;
  /** What learning needs of items, with the retail weeks up to an instant. */
  loadLearningInputs(ids: readonly number[], at: number): Promise<LearningInputs[]>;
  /**
   * Writes documents with their evidence and months, tells the events that follow from them, and
   * adds the scores of those that were stale; nothing of items that changed meanwhile, which are
   * left stale. How many were written.
   */
  publish(items: readonly PublishedItem[]): Promise<number>;
  /** Counts sets per theme over all published sets and writes the list, if it differs. */
  publishThemes(render: (counts: readonly ThemeCount[]) => string): Promise<void>;
  /** Removes some of the events before an instant; how many. */
  pruneEvents(before: number, limit: number): Promise<number>;
}
