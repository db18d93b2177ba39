/** Changes of an account's collections, lots, sales and purchases, and their outcomes. */

import type { BoughtBox } from '../../buying/boxes/saved-box.ts';
import type { LotPrediction } from '../../buying/prices/prediction.ts';
import type { RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { Purchase, PurchaseFacts, PurchaseReturn } from '../purchases/purchases.ts';
import type { EditKind, EditRefusal, LotChange, RefusedCounts } from './lot-edits.ts';
import type { BrickfolioFacts, GivenLot, LedgerSaleFacts, LotFacts } from './lots.ts';

/** A row that files may have, too. Sets are known to exist. */
export type RecordedRow =
  | {
      readonly kind: 'brickfolio';
      readonly facts: BrickfolioFacts;
      /** Null: it is refused if there is one with its name. */
      readonly seen?: null;
    }
  | {
      readonly kind: 'holding';
      readonly facts: GivenLot;
      /**
       * The lot when its owner opened it, if it has changed since, it is not changed; null: the lot
       * is new, and if there is one, it stays.
       */
      readonly seen?: LotFacts | null;
      /**
       * The prediction, saved only when the lot is added; null for none, undefined if the store
       * should create it.
       */
      readonly prediction?: LotPrediction | null;
    }
  | {
      readonly kind: 'ledger_sale';
      readonly facts: LedgerSaleFacts;
      /** The sale when its owner opened it; if it has changed since, it is not changed. */
      readonly seen?: LedgerSaleFacts;
      /** The other keys of a minifig, whose lots it may be sold from; the store adds them. */
      readonly otherKeys?: readonly string[];
    };

/** A row of a file, with the email of its account. */
export type PrivateRow = RecordedRow & { readonly email: string };

export type PrivateRowOf<Kind extends PrivateRow['kind']> = Extract<
  PrivateRow,
  { readonly kind: Kind }
>;

/** A row of a change. */
export type AccountRow =
  | RecordedRow
  | { readonly kind: 'lot_change'; readonly lotId: number; readonly change: LotChange }
  | {
      readonly kind: 'lot_removal';
      readonly lotId: number;
      /** The lot when its owner opened it. */
      readonly seen?: LotFacts;
    }
  | { readonly kind: 'sale_removal'; readonly saleId: number }
  | {
      readonly kind: 'purchase';
      readonly facts: PurchaseFacts;
      /** The purchase when its owner opened it; null if it is new. */
      readonly seen: Purchase | null;
      /** The return, if the change is one. The purchase does not have it yet. */
      readonly returned?: Omit<PurchaseReturn, 'editId'>;
      /** The box that becomes the purchase, if there is one. */
      readonly box?: BoughtBox;
    }
  /** Removes a purchase with its lots. */
  | { readonly kind: 'purchase_removal'; readonly purchaseId: number };

export type AccountRowOf<Kind extends AccountRow['kind']> = Extract<
  AccountRow,
  { readonly kind: Kind }
>;

/** All that a form, an entry of a device or a part of a file changes, in one transaction. */
export interface AccountChange {
  /** Applied in order. */
  readonly rows: readonly AccountRow[];
  /** Where it comes from, so that it is applied once; left out if repeating it has no effect. */
  readonly sent?: SentForm;
  /** Apply the other rows if some are rejected. Otherwise nothing is written then. */
  readonly isPartial?: boolean;
  /** Records are entered late, so files may have what forms refuse, with a warning. */
  readonly isFile?: boolean;
  /** Keep what undoes it, as a change of this kind. */
  readonly undoAs?: EditKind;
}

/** Identifies a form with its content, or an entry of a device. */
export interface SentForm {
  readonly id: string;
  /** When it was made, for entries that may have waited. */
  readonly madeAt?: number;
}

export type AccountOutcome =
  | Exclude<RowOutcome, { readonly kind: 'rejected' }>
  | (Extract<RowOutcome, { readonly kind: 'rejected' }> & {
      /** The field that caused the rejection, if there is one. */
      readonly field?: 'sale_date' | 'purchase_date';
      /** Why a lot, or something else that is removed, was not changed. */
      readonly refusal?: EditRefusal;
    });

export type Rejection = Extract<AccountOutcome, { readonly kind: 'rejected' }>;

export function isRejected(outcome: AccountOutcome): outcome is Rejection {
  return outcome.kind === 'rejected';
}

export interface ChangeResult {
  /** One per row; empty if the form was applied before. */
  readonly outcomes: readonly AccountOutcome[];
  /** The ID of what undoes the change; that of the first time if the form was applied before. */
  readonly editId: number | null;
  readonly wasApplied: boolean;
}

/** How many lots were not changed, by reason. */
export function refusedCounts(outcomes: readonly AccountOutcome[]): RefusedCounts {
  const counts: Partial<Record<EditRefusal, number>> = {};
  for (const outcome of outcomes) {
    if (outcome.kind !== 'rejected' || !outcome.refusal) continue;
    counts[outcome.refusal] = (counts[outcome.refusal] ?? 0) + 1;
  }
  return counts;
}

export type ChangeAccount = (
  accountId: number,
  change: AccountChange,
  at: number,
) => Promise<ChangeResult>;

/** Tries rows of one account; nothing is kept. */
export interface OwnRehearsal {
  /** The results that `change` would have, after the changes tried before. */
  readonly change: ChangeAccount;
  close(): Promise<void>;
}
