/** The interface of the valuation engine, so that publishing does not depend on the method. */

import type { ItemClass } from '../../catalog/items/item-class.ts';
import type { Month } from '../../kernel/time.ts';
import type { DataTier, Evidence } from '../evidence/evidence.ts';
import type { Condition, StoredSale } from '../source-rows/source-rows.ts';
import type { Checkpoint, CheckpointUse } from './checkpoint.ts';
import type { ItemListings } from './listings.ts';

/** Facts about a set other than its sales. Times are instants; null is unknown. */
export interface ValuationFacts {
  readonly msrpCents: number | null;
  readonly pieces: number | null;
  readonly minifigs: number | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly releasedAt: number | null;
  readonly retiredAt: number | null;
  readonly weightLbs: number | null;
  readonly cubicInches: number | null;
  readonly itemClass: ItemClass;
}

export interface MinifigValuationFacts {
  readonly category: string | null;
  readonly releasedAt: number | null;
  /** The number of sets that contain it. */
  readonly sets: number;
}

/** The lowest price in a week at which a retailer sold a set itself, in stock. */
export interface RetailWeek {
  /** Weeks since the Monday before 1 January 1970. */
  readonly week: number;
  readonly priceCents: number;
}

/** The inputs for valuing a minifig. Sales are ordered by sale date, source and source ID. */
export interface MinifigToValue {
  readonly facts: MinifigValuationFacts;
  readonly sales: readonly StoredSale[];
  /** If given, the sales are those since its checkpoint. */
  readonly checkpoints?: CheckpointUse;
}

export interface SetToValue extends Omit<MinifigToValue, 'facts'> {
  readonly facts: ValuationFacts;
  readonly retailWeeks: readonly RetailWeek[];
}

/** A value with a range for the next ordinary sale; low ≤ value ≤ high. */
export interface Value {
  readonly valueCents: number;
  readonly lowCents: number;
  readonly highCents: number;
}

interface Valuation {
  readonly tier: DataTier;
  /** When the tier or a value changes without new rows; null if never. */
  readonly changesAt: number | null;
  readonly evidence: Evidence;
}

/** The values of a set; null where there is no basis for one. */
export interface SetValuation extends Valuation, Readonly<Record<Condition, Value | null>> {}

/** The value of a used, complete minifig; null without a sale that counts. */
export interface MinifigValuation extends Valuation {
  readonly value: Value | null;
}

/** A requested month, and which rows count for it. */
export interface MonthQuery {
  readonly month: Month;
  /** Rows learned of at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
}

/** The inputs of a month: the same inputs reproduce the same month. */
export interface Provenance {
  /** A hash of everything that the value depends on: an integer below 2⁵². */
  readonly inputHash: number;
  /** The parameters in force at the end of the month. */
  readonly parameters: string;
}

/** The value at the end of a month. */
export interface MonthValuation {
  /** Null before the first sale. */
  readonly value: Value | null;
  /** Sales in the month that support the value. */
  readonly salesCount: number;
  /** Whether recent sales support the value well enough to call a change a jump. */
  readonly wellSupported: boolean;
  /** Whether several consecutive sales forced the value to a new level in this month. */
  readonly hasShifted: boolean;
  /** Whether no sale of the item was known, in any condition, counted or not. */
  readonly isUnsold: boolean;
  readonly provenance: Provenance;
}

/** A sale, normalized for comparison with a value. */
export interface ComparableSale {
  readonly condition: Condition;
  readonly soldAt: number;
  /** Logarithm of cents: the price of one complete unit, adjusted to a fixed-price sale. */
  readonly log: number;
}

/** Sales that were both learned of and made after these instants. */
export interface SalesSince {
  readonly learnedAfter: number;
  readonly soldAfter: number;
}

/**
 * An item with classified sales, which can be valued at any instant. If it starts from a
 * checkpoint, methods throw `EarlierRowsNeeded` if a result depends on rows before it.
 */
interface Prepared<Valued> {
  valueAt(at: number): Valued;
  /** Includes outliers, but no rejected sales. */
  salesSince(since: SalesSince): readonly ComparableSale[];
  /** The checkpoints that were passed by valuing it. */
  checkpoints(): readonly Checkpoint[];
}

export type PreparedMinifig = Prepared<MinifigValuation>;

export interface PreparedSet extends Prepared<SetValuation> {
  /** One valuation per query; queries must be ordered by month. */
  months(condition: Condition, queries: readonly MonthQuery[]): MonthValuation[];
  /** The first sale that counts in a condition and was known before an instant. */
  firstSaleAt(condition: Condition, knownBefore: number | null): number | null;
  /** The first month that can be computed, if it starts from a checkpoint; null: any month. */
  readonly startMonth: Month | null;
}

/** Computes values from sales. Pure: the same rows and instant give the same result. */
export interface Estimator {
  /** Identifies the method, and is stored with each value. */
  readonly version: string;
  prepareSet(set: SetToValue): PreparedSet;
  prepareMinifig(minifig: MinifigToValue): PreparedMinifig;
}

/** Parameters learned across all items for one month, frozen once saved. */
export interface StoredParameters {
  readonly month: Month;
  /** Identifies the content: equal parameters have equal versions. */
  readonly version: string;
  /** JSON that only the engine that created it can read. */
  readonly body: string;
}

/** The range of months to learn, and the parameters that are already frozen. */
export interface LearnOptions {
  readonly frozen: readonly StoredParameters[];
  readonly from: Month;
  readonly to: Month;
  /** Called regularly, so that a serving process can answer requests in between. */
  pause?(): Promise<void>;
}

/** Learns parameters across items, from all rows added to it. */
export interface Learner {
  /**
   * Adds a set, and its units for sale if they were counted. If there are too many items, those
   * with the lowest ranks are used.
   */
  addSet(set: SetToValue, rank: number, listings?: ItemListings | null): void;
  addMinifig(minifig: MinifigToValue, rank: number, listings?: ItemListings | null): void;
  /** The month of the first sale; null without any. */
  firstMonth(): Month | null;
  /** The parameters of each month in the range, learned from the sales of earlier months. */
  learn(options: LearnOptions): Promise<StoredParameters[]>;
}

/** The valuation method: learns parameters, and creates estimators that use them. */
export interface ValueEngine {
  readonly version: string;
  /** The maximum number of items per kind that a month is learned from. */
  readonly learnedItemsMax: number;
  startLearning(): Learner;
  makeEstimator(parameters: readonly StoredParameters[]): Estimator;
  /** Whether this engine learned them, not one with another version. */
  hasLearned(parameters: StoredParameters): boolean;
}

/** The saved parameters, and whether rows that they were learned from have changed. */
export interface ParameterState {
  /** In order of month. */
  readonly parameters: readonly StoredParameters[];
  /**
   * The earliest month with rows that changed since the parameters were saved; null for none. Month
   * 0 if facts of a sold item changed, because they affect all months.
   */
  readonly changedFrom: Month | null;
  /** Incremented by every batch that changes a row which parameters depend on. */
  readonly change: number;
}

/** Without the bodies, so that it is cheap to read often. */
export interface ParameterVersions extends Omit<ParameterState, 'parameters'> {
  readonly versions: readonly Omit<StoredParameters, 'body'>[];
}
