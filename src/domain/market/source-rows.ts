/** Source rows of the market: sales, offers and exchange rates. Licensed; never shown. */
import type { ItemKind } from '../catalog/numbers.ts';

/** Condition of an item: sealed is new, used is complete unless said otherwise. */
export const conditions = ['sealed', 'used'] as const;
export type Condition = (typeof conditions)[number];

/** How an item was sold. */
export const channels = ['fixed', 'auction', 'bricklink', 'amazon', 'other'] as const;
export type Channel = (typeof channels)[number];

/** What a sold item lacked. */
export const completenesses = [
  'complete',
  'no_box',
  'no_instructions',
  'damaged_box',
  'incomplete',
  'unknown',
] as const;
export type Completeness = (typeof completenesses)[number];

/** The retailers whose prices are tracked. */
export const retailers = ['retailer_a', 'retailer_b'] as const;
export type Retailer = (typeof retailers)[number];

/** Who sells on a retailer's page: the retailer itself, or somebody else. */
export const sellerTypes = ['retailer', 'third_party'] as const;
export type SellerType = (typeof sellerTypes)[number];

/** A sale as its source reports it. Amounts are hundredths of the currency's unit. */
export interface Sale {
  readonly source: string;
  readonly sourceId: string;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly condition: Condition;
  /** Items only, for the whole lot. */
  readonly priceCents: number;
  /** Paid by the buyer, for the whole lot. */
  readonly shippingCents: number;
  readonly currency: string;
  readonly quantity: number;
  readonly soldAt: number;
  readonly channel: Channel | null;
  readonly seller: string | null;
  readonly completeness: Completeness | null;
}

/** A sale in the store, with when we learned of it and of its cancellation. */
export interface StoredSale extends Omit<Sale, 'itemKind' | 'itemKey'> {
  readonly ingestedAt: number;
  readonly retractedAt: number | null;
  /** US dollars for one unit of the currency on the day of the sale. */
  readonly usdPerUnit: number;
}

/** What a retailer asked at an instant. Null price: no offer. */
export interface Offer {
  readonly retailer: Retailer;
  readonly setKey: string;
  readonly observedAt: number;
  readonly priceCents: number | null;
  readonly listPriceCents: number | null;
  readonly sellerType: SellerType | null;
  readonly inStock: boolean | null;
  readonly asin: string | null;
  readonly productUrl: string | null;
  readonly lowestFbaCents: number | null;
  readonly fbaSellers: number | null;
  readonly buyBoxCents: number | null;
}

/** What the retailer itself asks for what it has in stock; null when it asks nothing. */
export function ownPriceCents(
  offer: Pick<Offer, 'priceCents' | 'sellerType' | 'inStock'>,
): number | null {
  return offer.inStock === true && offer.sellerType === 'retailer' ? offer.priceCents : null;
}

/** A day's exchange rate. */
export interface ExchangeRate {
  readonly date: string;
  readonly currency: string;
  readonly usdPerUnit: number;
}
