/** Collections, lots and recorded sales on their way into the private side of a store. */
import type { LotPrediction } from '../buying/prediction.ts';
import type { RowOutcome } from '../market/market-ingest.ts';
import type { BrickfolioFacts, LedgerSaleFacts, LotFacts } from './lots.ts';

/** A private row on its way into the store; sets are known to exist. */
export type PrivateRow = { readonly email: string } & (
  | { readonly kind: 'brickfolio'; readonly facts: BrickfolioFacts }
  | {
      readonly kind: 'holding';
      readonly facts: LotFacts;
      /** As whoever changes the lot has seen it: if it is another by now, it stays as it is. */
      readonly seen?: LotFacts;
      /**
       * What is predicted of it, kept when the lot is added and at no other time; null: nothing.
       * Where it is left out, it is still to be made.
       */
      readonly prediction?: LotPrediction | null;
    }
  | {
      readonly kind: 'ledger_sale';
      readonly facts: LedgerSaleFacts;
      /** Whether its units must have been bought by the day of the sale; files may differ. */
      readonly checksPurchase?: boolean;
    }
);

/** A private row of one kind. */
export type PrivateRowOf<Kind extends PrivateRow['kind']> = Extract<
  PrivateRow,
  { readonly kind: Kind }
>;

/** Applies private rows in order, in one transaction; one outcome per row. */
export type ApplyRows = (rows: readonly PrivateRow[], at: number) => Promise<RowOutcome[]>;

/** Where rows of one account are tried; nothing of it lasts. */
export interface OwnRehearsal {
  /** What `applyRows` would make of rows, after those that were tried before. */
  readonly applyRows: ApplyRows;
  close(): Promise<void>;
}

/** Writing private rows, and trying it. */
export interface PrivateRowStore {
  readonly applyRows: ApplyRows;
  /** The same, but nothing at all is written when one of the rows is rejected. */
  readonly applyTogether: ApplyRows;
  /** A place to try rows of the account in, and of no other. */
  rehearse(accountId: number): Promise<OwnRehearsal>;
}
