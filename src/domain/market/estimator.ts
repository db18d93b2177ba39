/** How a value is asked for. The method behind it can change; publishing does not notice. */

import type { ItemClass } from '../catalog/item-class.ts';
import type { Month } from '../kernel/time.ts';
import type { DataTier, Evidence } from './evidence.ts';
import type { Condition, StoredSale } from './source-rows.ts';

/** What is known of a set apart from its sales. Instants; null is unknown. */
export interface ValuationFacts {
  readonly msrpCents: number | null;
  readonly pieces: number | null;
  readonly minifigs: number | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly releasedAt: number | null;
  readonly retiredAt: number | null;
  readonly weightLbs: number | null;
  /** The volume of the box. */
  readonly cubicInches: number | null;
  readonly itemClass: ItemClass;
}

/** What is known of a minifig apart from its sales. */
export interface MinifigValuationFacts {
  readonly category: string | null;
  readonly releasedAt: number | null;
  /** How many sets it is in. */
  readonly sets: number;
}

/** The lowest price in a week at which a retailer itself had a set in stock. */
export interface RetailWeek {
  /** Weeks since the Monday before 1 January 1970. */
  readonly week: number;
  readonly priceCents: number;
}

/** A set as it is valued. Sales are in order of sale, source and source id. */
export interface SetToValue {
  readonly facts: ValuationFacts;
  readonly sales: readonly StoredSale[];
  readonly retailWeeks: readonly RetailWeek[];
}

/** A minifig as it is valued. */
export interface MinifigToValue {
  readonly facts: MinifigValuationFacts;
  readonly sales: readonly StoredSale[];
}

/** A value with the range of the next ordinary sale; low ≤ value ≤ high. */
export interface Value {
  readonly valueCents: number;
  readonly lowCents: number;
  readonly highCents: number;
}

/** The values of a set; null where nothing is known. */
export interface SetValuation {
  readonly sealed: Value | null;
  readonly used: Value | null;
  readonly tier: DataTier;
  /** When the tier or the value changes without any new row; null when it does not. */
  readonly changesAt: number | null;
  readonly evidence: Evidence;
}

/** The value of a minifig: used and complete. Null without any sale that counts. */
export interface MinifigValuation {
  readonly value: Value | null;
  readonly tier: DataTier;
  readonly changesAt: number | null;
  readonly evidence: Evidence;
}

/** A month that is asked for, and up to when its rows must have been known. */
export interface MonthQuery {
  readonly month: Month;
  /** Rows learned of at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
}

/** What a month was made from: the same inputs make the same month again. */
export interface Provenance {
  /** A hash of everything that the value depends on: a whole number below 2⁵². */
  readonly inputHash: number;
  /** The parameters in force at the end of the month. */
  readonly parameters: string;
}

/** The value at the end of a month. */
export interface MonthValuation {
  /** Null before the first sale. */
  readonly value: Value | null;
  /** Sales of the month that support the value. */
  readonly salesCount: number;
  /** Whether recent sales support the value well enough to call a move a jump. */
  readonly wellSupported: boolean;
  /** Whether several sales in a row forced the value to a new level in this month. */
  readonly hasShifted: boolean;
  /** Whether no sale of the item, in any condition and counted or not, was known by then. */
  readonly isUnsold: boolean;
  readonly provenance: Provenance;
}

/** A sale as a value is compared with it. */
export interface ComparableSale {
  readonly condition: Condition;
  readonly soldAt: number;
  /** Logarithm of cents: what one complete unit cost, had it been sold at a fixed price. */
  readonly log: number;
}

/** Sales that came in after one instant, and were made after another. */
export interface SalesSince {
  readonly learnedAfter: number;
  readonly soldAfter: number;
}

/** A set with its sales sorted out, ready to be valued at any instant and by month. */
export interface PreparedSet {
  valueAt(at: number): SetValuation;
  /** One valuation per query; the queries come in order of month. */
  months(condition: Condition, queries: readonly MonthQuery[]): MonthValuation[];
  /** The first sale that counts in a condition, known before an instant; null for none. */
  firstSaleAt(condition: Condition, knownBefore: number | null): number | null;
  /** Sales since then, odd ones too, but none that never counts. */
  salesSince(since: SalesSince): readonly ComparableSale[];
}

/** A minifig with its sales sorted out, ready to be valued. */
export interface PreparedMinifig {
  valueAt(at: number): MinifigValuation;
  /** Sales since then, odd ones too, but none that never counts. */
  salesSince(since: SalesSince): readonly ComparableSale[];
}

/** Makes values from sales. Pure: the same rows and instant give the same answer. */
export interface Estimator {
  /** Names the method, so that a stored value shows how it was made. */
  readonly version: string;
  prepareSet(set: SetToValue): PreparedSet;
  prepareMinifig(minifig: MinifigToValue): PreparedMinifig;
}

/** What was learned across all items for one month, as it was frozen. */
export interface StoredParameters {
  readonly month: Month;
  /** Names the content: the same parameters have the same version. */
  readonly version: string;
  /** JSON, which only the engine that made it reads. */
  readonly body: string;
}

/** Which months to learn, and what is frozen already. */
export interface LearnOptions {
  readonly frozen: readonly StoredParameters[];
  readonly from: Month;
  readonly to: Month;
  /** Called now and then, so that a process which serves can answer meanwhile. */
  pause?(): Promise<void>;
}

/** Learns across items, from all the rows that it is given. */
export interface Learner {
  /** Adds a set; of too many, those with the lowest ranks are learned from. */
  addSet(set: SetToValue, rank: number): void;
  addMinifig(minifig: MinifigToValue, rank: number): void;
  /** The month of the first sale; null without any. */
  firstMonth(): Month | null;
  /** The parameters of each month asked for, learned from the sales of earlier months. */
  learn(options: LearnOptions): Promise<StoredParameters[]>;
}

/** The method as a whole: it learns, and with what it has learned it values. */
export interface ValueEngine {
  readonly version: string;
  /** From so many items of a kind, sold before it began, a month is learned. */
  readonly learnedItemsMax: number;
  startLearning(): Learner;
  makeEstimator(parameters: readonly StoredParameters[]): Estimator;
  /** Whether it learned these itself, and not an engine with another name. */
  hasLearned(parameters: StoredParameters): boolean;
}
