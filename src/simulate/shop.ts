/** A set at one retailer, and the observation of an empty shelf. */

import { minuteMs } from '../domain/kernel/time.ts';
import type { Offer, Retailer } from '../domain/market/source-rows.ts';
import type { MarketSet } from './catalog.ts';
import type { ValuePath } from './prices.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A set at one retailer. */
export interface Shop {
  readonly world: World;
  readonly set: MarketSet;
  readonly path: ValuePath;
  readonly retailer: Retailer;
  readonly asin: string;
  readonly random: Random;
  /** The first observation of it. */
  readonly from: number;
  /** When the retailer's own offer ends. */
  readonly ownUntil: number;
}

/** An observation without an offer. Other offers start from this and add what they ask. */
export function noOffer({ retailer, set, asin }: Shop, at: number): Offer {
  const isFirst = retailer === 'retailer_a';
  return {
    retailer,
    setKey: set.facts.number,
    observedAt: Math.floor(at / minuteMs) * minuteMs,
    priceCents: null,
    listPriceCents: set.facts.msrpCents,
    sellerType: null,
    inStock: false,
    asin: isFirst ? asin : null,
    productUrl: isFirst
      ? `https://retailer-a.example.com/item/${asin}`
      : `https://retailer-b.example.com/bricks/${set.facts.number}`,
    lowestFbaCents: null,
    fbaSellers: isFirst ? 0 : null,
    buyBoxCents: null,
  };
}
