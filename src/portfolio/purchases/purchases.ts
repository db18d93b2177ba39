/**
 * Purchases of several items with one receipt. Their lots are ordinary lots, whose source IDs
 * consist of that of the purchase, the row of the receipt and, if a row has several lots, the part.
 */
import type { ItemRef } from '../../catalog/items/numbers.ts';
import { nounText } from '../../kernel/format.ts';
import { pageSourcePrefix } from '../lots/lots.ts';

export const purchaseLimits = { purchases: 20_000, store: 100, returns: 200 } as const;

/** Units that went back to the store. */
export interface PurchaseReturn {
  readonly date: string;
  readonly units: number;
  readonly costCents: number;
  readonly refundCents: number;
  /** Such as `2 × 75192, 10179`. */
  readonly items: string;
  /** The ID of what undoes it, which is kept for a day. */
  readonly editId: number;
}

export interface PurchaseFacts {
  readonly sourceId: string;
  /** Null if unknown. */
  readonly store: string | null;
  readonly purchaseDate: string;
  /** Everything paid, including tax and shipping. */
  readonly totalCents: number;
  readonly taxCents: number;
  readonly shippingCents: number;
  /** Prices of single units on the receipt, by row (`rowOfLot`). */
  readonly prices: Readonly<Record<string, number>>;
  readonly returns: readonly PurchaseReturn[];
}

export interface Purchase extends PurchaseFacts {
  readonly id: number;
  readonly createdAt: number;
}

export interface ListedPurchase extends Purchase {
  /** Units of its lots, also sold ones. */
  readonly units: number;
}

/** A purchase with a receipt, or a lot that was bought alone. */
export interface BoughtRow {
  /** Null for a lot. */
  readonly purchaseId: number | null;
  readonly store: string | null;
  readonly purchaseDate: string;
  readonly units: number;
  readonly totalCents: number;
  readonly refundedCents: number;
  /** Null for a purchase. */
  readonly lot: (ItemRef & { readonly id: number; readonly number: string }) | null;
}

export function purchaseLotId(purchase: string, row: string, part?: string | number): string {
  return part === undefined ? `${purchase}:${row}` : `${purchase}:${row}.${part}`;
}

/** The source IDs of the lots of a receipt. Only further lots of a row have the part in theirs. */
export function purchaseLotIds(
  purchase: string,
  lots: readonly { readonly row: string }[],
): string[] {
  const counts = new Map<string, number>();
  return lots.map(({ row }) => {
    const part = (counts.get(row) ?? 0) + 1;
    counts.set(row, part);
    return purchaseLotId(purchase, row, part === 1 ? undefined : part);
  });
}

/** The row of the receipt that a lot of a purchase is part of. */
export function rowOfLot({ sourceId }: { readonly sourceId: string }): string {
  const name = sourceId.slice(pageSourcePrefix.length).split(':')[1] ?? '';
  return name.split('.')[0] ?? '';
}

export function purchaseOfLot(sourceId: string): string | null {
  const [purchase = '', name] = sourceId.slice(pageSourcePrefix.length).split(':');
  return sourceId.startsWith(pageSourcePrefix) && name !== undefined
    ? pageSourcePrefix + purchase
    : null;
}

export function refundedCents(returns: readonly PurchaseReturn[]): number {
  return returns.reduce((sum, each) => sum + each.refundCents, 0);
}

/** Why the costs of a purchase are final; null if it can be changed or undone. */
export function fixedReason(
  { returns }: Pick<PurchaseFacts, 'returns'>,
  lots: readonly { readonly sold: number }[],
): string | null {
  const sold = lots.reduce((sum, lot) => sum + lot.sold, 0);
  if (sold > 0) {
    const were = sold === 1 ? 'was' : 'were';
    const what = `${nounText(sold, 'unit')} of this purchase ${were} sold`;
    return `${what}, and the cost of a sale is final. Delete the sales first.`;
  }
  return returns.length > 0
    ? 'Units of this purchase were returned, so its costs are final.'
    : null;
}
