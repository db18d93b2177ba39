/** Private rows to be written: collections, lots and recorded sales. */
import type { LotPrediction } from '../buying/prediction.ts';
import type { RowOutcome } from '../market/market-ingest.ts';
import type { BrickfolioFacts, GivenLot, LedgerSaleFacts, LotFacts } from './lots.ts';

/** Sets are known to exist. */
export type PrivateRow = { readonly email: string } & (
  | { readonly kind: 'brickfolio'; readonly facts: BrickfolioFacts }
  | {
      readonly kind: 'holding';
      readonly facts: GivenLot;
      /** The lot when its owner opened it; if it has changed since, it is not changed. */
      readonly seen?: LotFacts;
      /**
       * The prediction, saved only when the lot is added; null for none, undefined if the store
       * should create it.
       */
      readonly prediction?: LotPrediction | null;
    }
  | {
      readonly kind: 'ledger_sale';
      readonly facts: LedgerSaleFacts;
      /** Whether units must have been bought by the sale date; not required for files. */
      readonly checksPurchase?: boolean;
      /** The other keys of a minifig, whose lots it may be sold from; the store adds them. */
      readonly otherKeys?: readonly string[];
    }
);

export type PrivateRowOf<Kind extends PrivateRow['kind']> = Extract<
  PrivateRow,
  { readonly kind: Kind }
>;

/** Applies private rows in order, in one transaction; one outcome per row. */
export type ApplyRows = (rows: readonly PrivateRow[], at: number) => Promise<RowOutcome[]>;

/** A place to try rows of one account; nothing is kept. */
export interface OwnRehearsal {
  /** The outcomes that `applyRows` would have, after the rows tried before. */
  readonly applyRows: ApplyRows;
  close(): Promise<void>;
}
