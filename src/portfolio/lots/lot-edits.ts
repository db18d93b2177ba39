/** Changes of lots that exist, and changes that can be undone for a day. */

import type { ItemRef } from '../../catalog/items/numbers.ts';
import { dayMs } from '../../kernel/time.ts';
import { conditionOfGrade } from '../../market/grades/grades.ts';
import { ownText, ownValues } from './lot-details.ts';
import type { LotDetails } from './lot-fields.ts';
import { type HoldingStatus, type InventoryLot, isSoldTooEarly, type OwnLot } from './lots.ts';

/** How many lots can be changed at once. */
export const editLotsMax = 5_000;

/** How many of an account's latest changes can be undone, and for how long. */
export const editsKept = 20;
export const editsKeptMs = dayMs;

/** A change of a lot. With `seenCents` a price applies only if the lot still has that price. */
export type LotChange =
  | { readonly kind: 'move'; readonly brickfolioId: number }
  | { readonly kind: 'price'; readonly priceCents: number; readonly seenCents?: number }
  | {
      readonly kind: 'asking';
      readonly askingCents: number | null;
      readonly seenCents: number | null;
    }
  | { readonly kind: 'date'; readonly purchaseDate: string }
  | { readonly kind: 'status'; readonly status: HoldingStatus }
  | { readonly kind: 'details'; readonly change: DetailChange };

/** Changes to the details of lots; own fields by name. */
export interface DetailChange {
  readonly details: Partial<Omit<LotDetails, 'ownFields'>>;
  readonly own: readonly (readonly [name: string, value: string | null])[];
}

/** Changes of many lots at once. */
export type LotEditKind = LotChange['kind'] | 'delete';

/** Changes that can be undone. */
export type EditKind = LotEditKind | 'sale' | 'return';

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
  | 'other condition'
  /** The collection that it should move to does not exist. */
  | 'no collection';

export type RefusedCounts = Readonly<Partial<Record<EditRefusal, number>>>;

export interface EditResult {
  readonly kind: LotEditKind;
  readonly changed: number;
  readonly refused: RefusedCounts;
}

/** A change of many lots that can be undone, and the items of its lots, each once. */
export interface FoundEdit extends EditResult {
  readonly id: number;
  readonly at: number;
  readonly items: readonly (ItemRef & { readonly number: string })[];
}

export type EditedFields = Partial<
  Omit<InventoryLot, 'id' | 'kind' | 'number' | 'key' | 'quantity' | 'condition' | 'sold'>
>;

/** The fields of a lot that changes depend on. */
export type EditableLot = Pick<
  OwnLot,
  'quantity' | 'priceCents' | 'askingCents' | 'sold' | 'condition' | 'ownFields'
> & {
  /** The day of its first sale; null if there is none. */
  readonly firstSale: string | null;
};

/** Returns a lot's changed fields, or why it is refused. */
export function editLot(lot: EditableLot, edit: LotChange): EditedFields | EditRefusal {
  switch (edit.kind) {
    case 'move':
      return { brickfolioId: edit.brickfolioId };
    case 'price': {
      // A price or date that is entered is known, no longer estimated.
      const { priceCents, seenCents = lot.priceCents } = edit;
      return seenCents === lot.priceCents ? { priceCents, isEstimated: false } : 'changed';
    }
    case 'asking':
      return edit.seenCents === lot.askingCents ? { askingCents: edit.askingCents } : 'changed';
    case 'date': {
      const dated = { purchaseDate: edit.purchaseDate, dateBasis: 'known' } as const;
      return isSoldTooEarly(dated, lot.firstSale) ? 'sold earlier' : dated;
    }
    case 'status':
      return edit.status === 'listed' && lot.sold >= lot.quantity
        ? 'sold out'
        : { status: edit.status };
    case 'details':
      return editDetails(lot, edit.change);
  }
}

function editDetails(
  { condition, ownFields }: EditableLot,
  { details, own }: DetailChange,
): EditedFields | EditRefusal {
  const grade = details.grade ?? null;
  if (grade !== null && conditionOfGrade(grade) !== condition) return 'other condition';
  return own.length === 0 ? details : { ...details, ownFields: withOwn(ownFields, own) };
}

/** Own fields with some of them changed; null removes one. */
function withOwn(stored: string | null, changes: DetailChange['own']): string | null {
  const values = new Map<string, string | null>(Object.entries(ownValues(stored)));
  for (const [name, value] of changes) values.set(name, value);
  return ownText([...values].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
