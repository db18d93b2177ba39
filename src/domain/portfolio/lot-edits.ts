/** Bulk edits of lots. Each is one transaction, and can be undone for a day. */
import type { ItemRef } from '../catalog/numbers.ts';
import { dayMs } from '../kernel/time.ts';
import { conditionOfGrade } from '../market/grades.ts';
import { type LotDetails, ownText, ownValues } from './lot-details.ts';
import type { HoldingStatus, OwnLot } from './lots.ts';

export const editLotsMax = 5_000;

/** How many of an account's latest edits can be undone, and for how long. */
export const editsKept = 20;
export const editsKeptMs = dayMs;

/** A new price of a lot. With `seenCents` it applies only if the lot still has that price. */
export interface LotPrice {
  readonly lotId: number;
  readonly priceCents: number;
  readonly seenCents?: number;
}

/** A bulk edit of lots by ID. */
export type LotEdit =
  | { readonly kind: 'move'; readonly lotIds: readonly number[]; readonly brickfolioId: number }
  | { readonly kind: 'price'; readonly prices: readonly LotPrice[] }
  | { readonly kind: 'date'; readonly lotIds: readonly number[]; readonly purchaseDate: string }
  | { readonly kind: 'status'; readonly lotIds: readonly number[]; readonly status: HoldingStatus }
  | {
      readonly kind: 'details';
      readonly lotIds: readonly number[];
      readonly change: DetailChange;
    }
  | { readonly kind: 'delete'; readonly lotIds: readonly number[] };

/** Changes to the details of lots; own fields by name. */
export interface DetailChange {
  readonly details: Partial<Omit<LotDetails, 'ownFields'>>;
  readonly own: readonly (readonly [name: string, value: string | null])[];
}

/** Why a lot was not changed. */
export type EditRefusal =
  /** It does not exist or belongs to another account. */
  | 'missing'
  /** It has sales, so it cannot be deleted. */
  | 'sold'
  /** It has sales before the new purchase date. */
  | 'sold earlier'
  /** It has no units left to be listed for sale. */
  | 'sold out'
  /** It has changed since its owner last saw it. */
  | 'changed'
  /** Its condition does not have the new grade. */
  | 'other condition';

/** The number of refused lots by reason. */
export type RefusedCounts = Readonly<Partial<Record<EditRefusal, number>>>;

export interface EditResult {
  readonly kind: LotEdit['kind'];
  readonly changed: number;
  readonly refused: RefusedCounts;
}

/** An edit that can be undone. */
export interface StoredEdit extends EditResult {
  readonly id: number;
  readonly at: number;
}

/** An edit, and the items of its lots, each once. */
export interface FoundEdit extends StoredEdit {
  readonly items: readonly (ItemRef & { readonly number: string })[];
}

export type EditedFields = Partial<
  Pick<
    OwnLot,
    | 'brickfolioId'
    | 'priceCents'
    | 'isEstimated'
    | 'purchaseDate'
    | 'dateBasis'
    | 'status'
    | keyof LotDetails
  >
>;

/** Each ID once. */
export function editedLotIds(edit: LotEdit): number[] {
  const ids = edit.kind === 'price' ? edit.prices.map(({ lotId }) => lotId) : edit.lotIds;
  return [...new Set(ids)];
}

/** The fields of a lot that edits depend on. */
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
  | 'condition'
  | 'ownFields'
> & {
  /** The day of its first sale; null if there is none, or if the edit does not need it. */
  readonly firstSale: string | null;
};

/** Returns a lot's changed fields (none for a deletion), or why it is refused. */
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
    case 'details':
      return detailEditor(edit.change);
    case 'delete':
      return ({ sold }) => (sold > 0 ? 'sold' : {});
  }
}

function detailEditor({ details, own }: DetailChange): ReturnType<typeof lotEditor> {
  return ({ condition, ownFields }) => {
    const grade = details.grade ?? null;
    if (grade !== null && conditionOfGrade(grade) !== condition) return 'other condition';
    return own.length === 0 ? details : { ...details, ownFields: withOwn(ownFields, own) };
  };
}

/** Own fields with some of them changed; null removes one. */
function withOwn(stored: string | null, changes: DetailChange['own']): string | null {
  const values = new Map<string, string | null>(Object.entries(ownValues(stored)));
  for (const [name, value] of changes) values.set(name, value);
  return ownText([...values].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/** A price or date that is entered is known, no longer estimated. */
function priceEditor(prices: readonly LotPrice[]): ReturnType<typeof lotEditor> {
  const byLot = new Map(prices.map((price) => [price.lotId, price]));
  return (lot) => {
    const price = byLot.get(lot.id);
    if (!price) return 'missing';
    const { priceCents, seenCents = lot.priceCents } = price;
    return seenCents === lot.priceCents ? { priceCents, isEstimated: false } : 'changed';
  };
}
