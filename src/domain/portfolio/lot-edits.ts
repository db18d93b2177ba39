/** Changes to many lots at once. Each is one transaction, and can be undone for a day. */
import { dayMs } from '../kernel/time.ts';
import type { OwnLot } from './lot-store.ts';
import type { HoldingStatus } from './lots.ts';

/** How many lots can be changed at once. */
export const editLotsMax = 5_000;

/** How many of an account's latest changes can be undone, and for how long. */
export const editsKept = 20;
export const editsKeptMs = dayMs;

/** A price for one lot. With `seenCents` it only applies while the lot still has that price. */
export interface LotPrice {
  readonly lotId: number;
  readonly priceCents: number;
  readonly seenCents?: number;
}

/** What is done to lots, by their ids. */
export type LotEdit =
  | { readonly kind: 'move'; readonly lotIds: readonly number[]; readonly brickfolioId: number }
  | { readonly kind: 'price'; readonly prices: readonly LotPrice[] }
  | { readonly kind: 'date'; readonly lotIds: readonly number[]; readonly purchaseDate: string }
  | { readonly kind: 'status'; readonly lotIds: readonly number[]; readonly status: HoldingStatus }
  | { readonly kind: 'delete'; readonly lotIds: readonly number[] };

/** Why a lot stays as it is. */
export type EditRefusal =
  /** It is not there, or not the account's. */
  | 'missing'
  /** Units were sold from it, so that it cannot be deleted. */
  | 'sold'
  /** Units were sold before the day that would be its purchase date. */
  | 'sold earlier'
  /** No unit is left that could be listed for sale. */
  | 'sold out'
  /** It was changed after its owner last saw it. */
  | 'changed';

/** How many lots were refused, by reason. */
export type RefusedCounts = Readonly<Partial<Record<EditRefusal, number>>>;

/** What became of a change. */
export interface EditResult {
  readonly kind: LotEdit['kind'];
  readonly changed: number;
  readonly refused: RefusedCounts;
}

/** A change that can be undone. */
export interface StoredEdit extends EditResult {
  readonly id: number;
  readonly at: number;
}

/** The fields of a lot that can be changed for many at once. */
export type EditedFields = Partial<
  Pick<
    OwnLot,
    'brickfolioId' | 'priceCents' | 'isEstimated' | 'purchaseDate' | 'dateBasis' | 'status'
  >
>;

/** The lots that a change names, each once. */
export function editedLotIds(edit: LotEdit): number[] {
  const ids = edit.kind === 'price' ? edit.prices.map(({ lotId }) => lotId) : edit.lotIds;
  return [...new Set(ids)];
}

/** A lot as far as a change depends on it. */
export type EditableLot = Pick<
  OwnLot,
  | 'id'
  | 'brickfolioId'
  | 'quantity'
  | 'priceCents'
  | 'isEstimated'
  | 'purchaseDate'
  | 'status'
  | 'sold'
> & {
  /** The day of the first sale from it; null when there is none, or when it is not asked for. */
  readonly firstSale: string | null;
};

/** Says of each lot its new fields, or why it stays as it is. What is deleted gets none. */
export function lotEditor(edit: LotEdit): (lot: EditableLot) => EditedFields | EditRefusal {
  switch (edit.kind) {
    case 'move':
      return () => ({ brickfolioId: edit.brickfolioId });
    case 'price':
      return priceEditor(edit.prices);
    case 'date': {
      const { purchaseDate } = edit;
      return ({ firstSale }) =>
        firstSale !== null && firstSale < purchaseDate
          ? 'sold earlier'
          : { purchaseDate, dateBasis: 'known' };
    }
    case 'status': {
      const { status } = edit;
      return ({ sold, quantity }) =>
        status === 'listed' && sold >= quantity ? 'sold out' : { status };
    }
    case 'delete':
      return ({ sold }) => (sold > 0 ? 'sold' : {});
  }
}

/** Whoever writes a price or a day knows it. */
function priceEditor(prices: readonly LotPrice[]): ReturnType<typeof lotEditor> {
  const byLot = new Map(prices.map((price) => [price.lotId, price]));
  return (lot) => {
    const price = byLot.get(lot.id);
    if (!price) return 'missing';
    const { priceCents, seenCents = lot.priceCents } = price;
    return seenCents === lot.priceCents ? { priceCents, isEstimated: false } : 'changed';
  };
}

/** Changing many lots. Ids of others are as good as none. */
export interface LotEdits {
  /**
   * Changes lots; those for which it cannot be done are counted. Without a change there is no id:
   * nothing is written. `no collection` when lots would go where there is none.
   */
  editLots(
    accountId: number,
    edit: LotEdit,
    at: number,
  ): Promise<(EditResult & { readonly id: number | null }) | 'no collection'>;
  /** A change that can still be undone; null when it is too old, undone, or not the account's. */
  findEdit(accountId: number, editId: number, at: number): Promise<StoredEdit | null>;
  /**
   * Takes a change back, all of it or nothing: `changed` when one of its lots is not as the change
   * left it, or has no place to go back to. Else how many lots are as before.
   */
  undoEdit(accountId: number, editId: number, at: number): Promise<number | 'missing' | 'changed'>;
}
