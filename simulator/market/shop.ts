/** A set at a retailer, and observations without an offer. */

import { minuteMs } from '../../src/kernel/time.ts';
import type { Offer, Retailer } from '../../src/market/source-rows/source-rows.ts';
import type { MarketSet } from './catalog.ts';
import type { ValuePath } from './prices.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface Shop {
  readonly world: World;
  readonly set: MarketSet;
  readonly path: ValuePath;
  readonly retailer: Retailer;
  readonly asin: string;
  readonly random: Random;
  /** The first observation. */
  readonly from: number;
  /** End of the retailer's own offer. */
  readonly ownUntil: number;
}

/** A base for other observations. */
export function noOffer({ retailer, set, asin }: Shop, at: number): Offer {
  const isFirst = retailer === 'retailer_a';
  return {
    retailer,
    setKey: set.facts.number,
    observedAt: Math.floor(at / minuteMs) * minuteMs,
    currency: 'USD',
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
