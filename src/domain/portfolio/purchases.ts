/**
 * Purchases of several items with one receipt. Their lots are ordinary lots, whose source IDs begin
 * with that of the purchase.
 */
import { itemKey } from '../catalog/numbers.ts';
import { type LotFacts, pageSourcePrefix } from './lots.ts';

export const purchaseLimits = { purchases: 20_000, store: 100, returns: 200 } as const;

/** Units that went back to the store. */
export interface PurchaseReturn {
  readonly date: string;
  readonly units: number;
  /** Their cost. */
  readonly costCents: number;
  readonly refundCents: number;
  /** Such as `2 × 75192, 10179`. */
  readonly items: string;
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
  /** Prices of single units on the receipt, by `purchaseItem`. */
  readonly prices: Readonly<Record<string, number>>;
  readonly returns: readonly PurchaseReturn[];
}

/** Names the units of a purchase that have one price. */
export function purchaseItem({
  kind,
  number,
  condition,
  grade,
}: Pick<LotFacts, 'kind' | 'number' | 'condition' | 'grade'>): string {
  return [kind, itemKey(kind, number), grade ?? condition].join(' ');
}

export interface Purchase extends PurchaseFacts {
  readonly id: number;
  readonly createdAt: number;
}

export interface ListedPurchase extends Purchase {
  /** Units of its lots, also sold ones. */
  readonly units: number;
}

/** The source ID of a lot of a purchase. */
export function purchaseLotId(purchase: string, name: string | number): string {
  return `${purchase}:${name}`;
}

/** The source ID of the purchase that a lot belongs to; null if it belongs to none. */
export function purchaseOfLot(sourceId: string): string | null {
  const [purchase = '', name] = sourceId.slice(pageSourcePrefix.length).split(':');
  return sourceId.startsWith(pageSourcePrefix) && name !== undefined
    ? pageSourcePrefix + purchase
    : null;
}
