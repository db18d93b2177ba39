/**
 * What the market side of a store does. Each method is one whole operation with its transaction
 * inside. Methods reject only on a fault; an expected outcome is always a value.
 */
import type { MinifigFacts, SetDescription } from '../catalog/catalog.ts';
import type { ItemKind } from '../catalog/numbers.ts';
import type { Month } from '../kernel/time.ts';
import type { StoredParameters } from './estimator.ts';
import type { Evidence } from './evidence.ts';
import type { Series } from './history.ts';
import type { Journal } from './journal.ts';
import type { LearningInputs, SoldItem } from './learning-inputs.ts';
import type { MarketLookups } from './market-lookups.ts';
import type { MarketReading } from './market-reading.ts';
import type { RetailMonth, RetailState } from './retail-state.ts';
import type { ScoreCount } from './scorecard.ts';
import type { Condition, ExchangeRate, Offer, Retailer, Sale } from './source-rows.ts';

/** A source row on its way into the store. `source` names who describes the item. */
export type MarketRow =
  | { readonly kind: 'set'; readonly source: string; readonly facts: SetDescription }
  | { readonly kind: 'minifig'; readonly source: string; readonly facts: MinifigFacts }
  | { readonly kind: 'sale'; readonly sale: Sale }
  | { readonly kind: 'retract'; readonly source: string; readonly sourceId: string }
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'fx'; readonly rate: ExchangeRate };

/** What became of a row. `missing`: it refers to something that may still arrive. */
export type RowOutcome =
  | { readonly kind: 'added' | 'updated' | 'unchanged' }
  | { readonly kind: 'rejected'; readonly reason: string; readonly missing: boolean };

/** Bringing source rows in. */
export interface MarketIngest extends MarketLookups {
  /** Applies rows in order, all in one transaction; one outcome per row. */
  applyRows(rows: readonly MarketRow[], at: number): Promise<RowOutcome[]>;
  /** The canonical numbers of the sets that exist, by lookup key. */
  findSetNumbers(keys: readonly string[]): Promise<Map<string, string>>;
}

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
  readonly name: string;
  readonly theme: string | null;
  /** The barcodes of a set, in the form in which they are compared. */
  readonly upcKey: string | null;
  readonly eanKey: string | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** The set at the retailers; null when none ever looked at it, and for minifigs. */
  readonly retail: PublishedRetail | null;
  readonly evidence: Evidence;
  /** New sales, held against what was published before them. */
  readonly scores: readonly ScoreCount[];
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

/** An explicit change of sealed history, for all to see. */
export interface Restatement {
  readonly id: number;
  readonly fromMonth: Month;
  readonly reason: string;
  readonly at: number;
}

/** The state of finalized history. */
export interface HistoryState {
  /** When history was sealed; null while the past is still being loaded. */
  readonly sealedAt: number | null;
  readonly restatements: readonly Restatement[];
}

/** Which parameters there are, and whether rows that they were learned from have changed. */
export interface ParameterState {
  /** In order of month. */
  readonly parameters: readonly StoredParameters[];
  /**
   * The earliest month of which rows changed since the parameters were saved; null for none. Month
   * 0 when facts changed of an item that was sold: they count for all months.
   */
  readonly changedFrom: Month | null;
  /** Grows by one with every batch that changed a row which counts for parameters. */
  readonly change: number;
}

/** The same without what the parameters are: cheap to ask for again and again. */
export interface ParameterVersions extends Omit<ParameterState, 'parameters'> {
  readonly versions: readonly Omit<StoredParameters, 'body'>[];
}

/** What stands behind an item's value, and whether rows have come in since. */
export interface ItemEvidence {
  readonly id: number;
  /** The canonical number. */
  readonly number: string;
  /** Null, like the evidence, as long as nothing was published. */
  readonly name: string | null;
  readonly evidence: Evidence | null;
  readonly isStale: boolean;
}

/** What one source says of an item, and by which of its numbers. */
export interface StoredRecord {
  readonly source: string;
  readonly number: string;
  readonly facts: SetDescription | MinifigFacts;
  /** When the item was no longer in the source's complete list; null while it is there. */
  readonly goneAt: number | null;
}

/** What all sources say of an item, in order of source. */
export interface ItemSources {
  /** The canonical number. */
  readonly number: string;
  readonly records: readonly StoredRecord[];
}

/** How many published sets a theme has. */
export interface ThemeCount {
  readonly theme: string;
  readonly setCount: number;
}

/** Turning rows into documents. */
export interface MarketPublishing {
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
   * The inputs of items: offers and retail weeks up to an instant, stored series only where asked
   * for and null elsewhere.
   */
  loadInputs(
    ids: readonly number[],
    options: { readonly at: number; readonly withSeries: boolean },
  ): Promise<ItemInputs[]>;
  /** Every item with a sale that was known before an instant; null: with any. */
  listSold(knownBefore: number | null): Promise<readonly SoldItem[]>;
  /** What learning needs of items, with the retail weeks up to an instant. */
  loadLearningInputs(ids: readonly number[], at: number): Promise<LearningInputs[]>;
  /**
   * Writes documents with their evidence and months, and adds the scores of those that were stale;
   * nothing of items that changed meanwhile, which are left stale. How many were written.
   */
  publish(items: readonly PublishedItem[]): Promise<number>;
  /** Counts sets per theme over all published sets and writes the list, if it differs. */
  publishThemes(render: (counts: readonly ThemeCount[]) => string): Promise<void>;
  findParameters(): Promise<ParameterState>;
  findParameterVersions(): Promise<ParameterVersions>;
  /**
   * Replaces all parameters; every item becomes stale unless they only go on where the old ones
   * ended. `change` is the state they were learned at: when more has changed since then, all of it
   * still counts as changed. Nothing is done once history is sealed, or when parameters are there
   * that were learned at a later state.
   */
  saveParameters(parameters: readonly StoredParameters[], change: number): Promise<void>;
  /** Adds parameters of months that have none; those that are there stay. */
  freezeParameters(parameters: readonly StoredParameters[]): Promise<void>;
  /** The evidence of an item, looked up by key or alias; null when there is no such item. */
  findEvidence(kind: ItemKind, key: string): Promise<ItemEvidence | null>;
  /** What sources say of an item, looked up by key or alias; null when there is no such item. */
  findSources(kind: ItemKind, key: string): Promise<ItemSources | null>;
  /** The scorecard of the weeks from one on, in order of all that the counts are kept by. */
  listScores(fromWeek: number): Promise<ScoreCount[]>;
  findHistoryState(): Promise<HistoryState>;
  /** Seals history; `false`, and nothing done, while items are stale or months are due. */
  sealHistory(at: number): Promise<boolean>;
  /**
   * Records a restatement and makes every item stale, so that publishing applies it. It covers all
   * rows in the store: its instant is never before one of them came in.
   */
  restateHistory(restatement: Omit<Restatement, 'id'>): Promise<Restatement>;
  /** Takes or renews a lease; false while another holder has it. */
  takeLease(lease: {
    readonly name: string;
    readonly holder: string;
    readonly at: number;
    readonly until: number;
  }): Promise<boolean>;
}

/** The market side of a store. */
export interface MarketStore extends MarketIngest, MarketPublishing, MarketReading, Journal {
  close(): Promise<void>;
}
