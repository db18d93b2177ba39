/** Source rows of the market: sales, offers and exchange rates. Licensed data, never shown. */
import type { ItemKind } from '../../catalog/items/numbers.ts';

/** Sealed is new; used is complete unless stated otherwise. */
export const conditions = ['sealed', 'used'] as const;
export type Condition = (typeof conditions)[number];

/** The condition that is meant if none is named: minifigs are mostly bought and sold used. */
export function usualCondition(kind: ItemKind): Condition {
  return kind === 'set' ? 'sealed' : 'used';
}

/** How an item was sold. */
export const channels = ['fixed', 'auction', 'bricklink', 'amazon', 'other'] as const;
export type Channel = (typeof channels)[number];

/** How complete a sold item was. */
export const completenesses = [
  'complete',
  'no_box',
  'no_instructions',
  'damaged_box',
  'incomplete',
  'unknown',
] as const;
export type Completeness = (typeof completenesses)[number];

export const retailers = ['retailer_a', 'retailer_b'] as const;
export type Retailer = (typeof retailers)[number];

/** The seller on a retailer's page: the retailer itself or a third party. */
export const sellerTypes = ['retailer', 'third_party'] as const;
export type SellerType = (typeof sellerTypes)[number];

/** A sale as its source reports it. Amounts are hundredths of the currency unit. */
export interface Sale {
  readonly source: string;
  readonly sourceId: string;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly condition: Condition;
  /** Without shipping, for the whole lot. */
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

/** A stored sale, with the instants at which it and its retraction were received. */
export interface StoredSale extends Omit<Sale, 'itemKind' | 'itemKey'> {
  /** When it could first be used: when it was received or, if that was later, a rate for it. */
  readonly ingestedAt: number;
  readonly retractedAt: number | null;
  /** US dollars per unit of the currency on the day of the sale; 0 while it waits for a rate. */
  readonly usdPerUnit: number;
}

/** An observation of a retailer's page. Null price: no offer. */
export interface Offer {
  readonly retailer: Retailer;
  readonly setKey: string;
  readonly observedAt: number;
  /** Of all amounts, which are hundredths of its unit. */
  readonly currency: string;
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

/** Units of an item for sale in a channel, as a source counted them. */
export interface ListingCount {
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly condition: Condition;
  readonly channel: Channel;
  readonly observedAt: number;
  readonly units: number;
  /** In hundredths of the currency unit; null if unknown. */
  readonly lowestCents: number | null;
  readonly currency: string;
}

/** The value of a set's parts, sold one by one, as a source shows it. */
export interface PartOutValue {
  readonly setKey: string;
  readonly condition: Condition;
  readonly source: string;
  readonly observedAt: number;
  /** In hundredths of the currency unit. */
  readonly amountCents: number;
  readonly currency: string;
  /** Different parts in each color, and all parts; null if the source does not say. */
  readonly lots: number | null;
  readonly units: number | null;
}

/** The retailer's own price, if in stock; otherwise null. */
export function ownPriceCents(
  offer: Pick<Offer, 'priceCents' | 'sellerType' | 'inStock'>,
): number | null {
  return offer.inStock === true && offer.sellerType === 'retailer' ? offer.priceCents : null;
}

export interface ExchangeRate {
  /** Its day, YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  readonly usdPerUnit: number;
}
