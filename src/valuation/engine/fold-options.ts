/** What is asked of a fold, and what it tells on its way. */
import type { Month } from '../../domain/kernel/time.ts';
import type { Row } from './admit.ts';

/** A sale before it is taken in. */
export interface TestedSale {
  readonly row: Row;
  /** How many sales of its condition there were within 180 days, as far as that matters. */
  readonly support: number;
  /** How far it was off, in proportion to what was to be expected of an ordinary sale. */
  readonly error: number;
}

/** Which rows to fold, and whom to tell. */
export interface FoldOptions {
  /** Rows learned of at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
  /** Nobody will ask for the hash of the inputs. */
  readonly isUnnamed?: boolean;
  /** When a month has ended, from the month of the first row on. */
  onMonthEnd?(month: Month): void;
  /** For every sale that is admitted. */
  onSale?(tested: TestedSale): void;
}

/** Everything that is known, and nobody to tell. */
export const allRows: FoldOptions = { knownBefore: null };
