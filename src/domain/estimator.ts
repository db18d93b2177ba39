/** How a value is asked for. The method behind it can change; publishing does not notice. */
import type { Condition, StoredSale } from './market.ts';
import type { Month } from './time.ts';

/** How well sales support a value, best first. */
export const dataTiers = ['high', 'medium', 'low', 'modeled'] as const;
export type DataTier = (typeof dataTiers)[number];

/** What is known of an item apart from its sales. Instants; null is unknown. */
export interface ValuationFacts {
  readonly msrpCents: number | null;
  readonly pieces: number | null;
  readonly releasedAt: number | null;
  readonly retiredAt: number | null;
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
  /**
   * When the tier changes without any new row; null when it does not. Values that follow the age
   * of a set drift slowly, and are refreshed with every month.
   */
  readonly changesAt: number | null;
}

/** A month that is asked for, and up to when its rows must have been known. */
export interface MonthQuestion {
  readonly month: Month;
  /** Rows learned of at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
}

/** The value at the end of a month. */
export interface MonthAnswer {
  /** Null before the first sale. */
  readonly value: Value | null;
  /** Sales of the month that support the value. */
  readonly salesCount: number;
  /** Whether recent sales support the value well enough to call a move a jump. */
  readonly wellSupported: boolean;
}

/** Makes values from sales. Pure: the same rows and instant give the same answer. */
export interface Estimator {
  /** Names the method, so that a stored value can tell how it was made. */
  readonly version: string;
  valueSet(facts: ValuationFacts, sales: readonly StoredSale[], at: number): SetValuation;
  /** Null without any sale that counts. */
  valueMinifig(sales: readonly StoredSale[], at: number): Value | null;
  /** One answer per question; the questions come in order of month. */
  valueMonths(
    sales: readonly StoredSale[],
    condition: Condition,
    questions: readonly MonthQuestion[],
  ): MonthAnswer[];
  /** The first sale that counts in a condition, known before an instant; null for none. */
  firstSaleAt(
    sales: readonly StoredSale[],
    condition: Condition,
    knownBefore: number | null,
  ): number | null;
}
