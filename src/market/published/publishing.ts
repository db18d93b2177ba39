/** Types for publishing: the inputs of an item's document, and the finished document. */
import type { ItemClass } from '../../catalog/items/item-class.ts';
import type { SearchFacts } from '../../catalog/search/search-entry.ts';
import type { EventFacts } from '../events/next-events.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { ScoreCount } from '../evidence/scorecard.ts';
import type { Series } from '../history/history.ts';
import type { DollarOffer } from '../rates/exchange.ts';
import type { RetailMonth, RetailState } from '../retail/retail-state.ts';
import type { Condition, Retailer } from '../source-rows/source-rows.ts';
import type { Checkpoint } from '../values/checkpoint.ts';
import type { LearningInputs } from '../values/learning-inputs.ts';
import type { ItemListings } from '../values/listings.ts';
import type { ItemShownParts } from '../values/parts.ts';
import type { Outlook } from '../values/uncertainty.ts';
import type { DealScore } from './deal-scorecard.ts';
import type { GradedDeal, PublishedDeal } from './deals.ts';

/** Everything that a document is created from. */
export interface ItemInputs extends LearningInputs {
  /** The canonical number, as shown in answers. */
  readonly number: string;
  /** Increases with every change of the inputs; publishing from an older version is refused. */
  readonly version: number;
  /** The collectible minifig that is valued as this set, with the sales of both; null for none. */
  readonly minifig: MinifigInputs | null;
  /** The sales are those since this one; null: all sales. */
  readonly checkpoint: Checkpoint | null;
  /** Per retailer: the stored state of earlier offers, and the offers since, oldest first. */
  readonly retail: Readonly<Record<Retailer, RetailInputs>>;
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** The evidence of the currently published value; null if there is none. */
  readonly evidence: Evidence | null;
  /** Units for sale; null if they were never counted. */
  readonly listings: ItemListings | null;
  /** The value of the parts of a set, as sources show it; null if none does. */
  readonly parts: ItemShownParts | null;
  /** Deals opened within `gradedMs` before the requested instant, oldest first. */
  readonly deals: readonly GradedDeal[];
}

/** A minifig that is published with the set that it is valued as. */
export interface MinifigInputs extends LearningInputs {
  readonly number: string;
  readonly version: number;
}

/** A set's offers at one retailer: a stored fold and the offers to continue it with. */
export interface RetailInputs {
  readonly kept: RetailState | null;
  readonly offers: readonly DollarOffer[];
  /** When the first offer after the requested instant was observed; null for none. */
  readonly nextAt: number | null;
}

/** A finished document, with the columns that queries need. */
export interface PublishedItem {
  readonly id: number;
  readonly version: number;
  /** The instant that it describes. */
  readonly at: number;
  /** The exact JSON of `data`. */
  readonly body: string;
  /** The exact JSON of its search result. */
  readonly searchRow: string;
  /** Search terms besides its number and name. */
  readonly search: SearchFacts;
  readonly name: string;
  readonly theme: string | null;
  /** The class and the number of minifigs of a set; null if unknown, and for minifigs. */
  readonly itemClass: ItemClass | null;
  readonly minifigsCount: number | null;
  /** A set's barcodes, normalized. */
  readonly upcKey: string | null;
  readonly eanKey: string | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** The set at the retailers; null if none was ever observed, and for minifigs. */
  readonly retail: PublishedRetail | null;
  /** The deals found; null leaves stored deals unchanged. */
  readonly deals: readonly PublishedDeal[] | null;
  readonly evidence: Evidence;
  /** The facts for events; null reports nothing and leaves the reported state unchanged. */
  readonly events: EventFacts | null;
  /** Input for planning source calls. */
  readonly outlook: Outlook;
  /** New sales, compared with the values published before them. */
  readonly scores: readonly ScoreCount[];
  /** The same sales, compared with the predictions of deals opened before them. */
  readonly dealScores: readonly DealScore[];
  /** New checkpoints. Stored ones are removed if they are at other times than these. */
  readonly checkpoints: readonly Checkpoint[];
  readonly checkpointTimes: readonly number[];
  /** When the document changes by the passage of time alone; null: it is published with a set. */
  readonly dueAt: number | null;
}

export type RetailMonths = Readonly<Record<Retailer, readonly RetailMonth[]>>;

/** A finished retail row, the columns that it is found by, and the states to store. */
export interface PublishedRetail {
  /** The exact JSON of the row, without the fields that depend on the caller. */
  readonly body: string;
  /** Normalized identifiers. */
  readonly asinKey: string | null;
  readonly upcKey: string | null;
  readonly eanKey: string | null;
  /** When the price last changed at either retailer. */
  readonly changedAt: number | null;
  readonly months: RetailMonths;
  readonly newStates: readonly RetailState[];
}

export interface ThemeCount {
  readonly theme: string;
  readonly setCount: number;
}

/** The number of input rows of an item. */
export interface InputCount {
  readonly id: number;
  readonly rows: number;
}
