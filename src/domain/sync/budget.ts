/**
 * How often a source may be called. A call is counted before it is made, so that one that never
 * ends is counted, too.
 */

/** What a source allows. */
export type BudgetRule =
  /** So many calls in any 24 hours, whichever midnight the source goes by. */
  | { readonly kind: 'day'; readonly calls: number }
  /** A bucket that fills again, and whose level the source tells with every answer. */
  | { readonly kind: 'tokens' };

/** What was spent, as far as it still counts. */
export interface BudgetState {
  /** Calls by hour since 1970, oldest first. */
  readonly hours: readonly (readonly [hour: number, calls: number])[];
  /** What the source said last; null until it did. */
  readonly tokens: TokenLevel | null;
}

/** The level of a bucket at an instant. */
export interface TokenLevel {
  readonly left: number;
  readonly at: number;
  readonly perMinute: number;
}
