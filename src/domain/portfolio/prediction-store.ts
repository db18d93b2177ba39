/** What the private side of a store tells about predictions of purchases, and how they came out. */
import type { Grade, LotPrediction } from '../buying/prediction.ts';
import type { RowsAfter } from '../kernel/page.ts';
import type { Recorded } from './lot-store.ts';

/**
 * Reading predictions; they are written with their lots and go with them. Every method is limited
 * to one account.
 */
export interface PredictionStore {
  findPrediction(accountId: number, lotId: number): Promise<LotPrediction | null>;
  /** Predictions with the source ids of their lots, in the order of recording. */
  listPredictions(
    accountId: number,
    options: RowsAfter,
  ): Promise<Recorded<LotPrediction & { readonly lot: string }>[]>;
  /** What became of units that were predicted and are sold: of one lot, or of all. */
  gradePurchases(accountId: number, lotId?: number): Promise<Grade>;
}
