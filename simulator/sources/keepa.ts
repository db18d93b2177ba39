/**
 * Simulates Keepa's API: a token bucket, products by ASIN or barcode with complete histories, and
 * 429 with the time of the next token.
 */
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import type { Offer } from '../../src/market/source-rows/source-rows.ts';
import type { SimulatedServer, SimulatedWorld } from './source-market.ts';

export interface KeepaRules {
  readonly key: string;
  readonly tokensPerMinute: number;
  /** A full bucket by default. */
  readonly tokensAtFirst?: number;
  /** Called after each call; below 0, the caller exceeded its tokens. */
  onSpent?(tokensLeft: number): void;
}

const productsMax = 100;
const [tokensPerProduct, tokensPerBuyBox] = [1, 2];

/** The bucket holds the tokens of an hour. */
const bucketMinutes = 60;

/** Keepa times are minutes since the start of 2011. */
const keepaEpochMinutes = 21_564_000;

export function simulateKeepa(world: SimulatedWorld, rules: KeepaRules): SimulatedServer {
  const bucket = new Bucket(rules, world.clock());
  const products = new ProductIndex(world);
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const at = world.clock();
    bucket.fill(at);
    if (searchParams.get('key') !== rules.key) return new Response('', { status: 402 });
    if (pathname.endsWith('/token')) return Response.json(bucket.status(at, 0));
    if (!pathname.endsWith('/product')) return new Response('', { status: 404 });
    const codes = (searchParams.get('asin') ?? searchParams.get('code') ?? '').split(',');
    if (searchParams.get('domain') !== '1' || codes.length > productsMax) {
      const error = { type: 'invalidParameter', message: 'at most 100 products', details: '' };
      return Response.json({ ...bucket.status(at, 0), error }, { status: 400 });
    }
    const each = tokensPerProduct + (searchParams.get('buybox') === '1' ? tokensPerBuyBox : 0);
    const cost = codes.length * each;
    if (cost > bucket.left) {
      const error = { type: 'NOT_ENOUGH_TOKEN', message: '', details: '' };
      return Response.json({ ...bucket.status(at, 0), error }, { status: 429 });
    }
    bucket.left -= cost;
    rules.onSpent?.(bucket.left);
    const isByAsin = searchParams.has('asin');
    const found = codes.flatMap((code) =>
      isByAsin ? [products.byAsin(code, at)] : products.byBarcode(code, at),
    );
    return Response.json({ ...bucket.status(at, cost), products: found });
  };
}

class Bucket {
  left: number;

  constructor(
    private readonly rules: KeepaRules,
    private filledAt: number,
  ) {
    this.left = rules.tokensAtFirst ?? this.most;
  }

  private get most(): number {
    return this.rules.tokensPerMinute * bucketMinutes;
  }

  /** Tokens are added at the end of each minute. */
  fill(at: number): void {
    const minutes = Math.max(0, Math.floor((at - this.filledAt) / minuteMs));
    this.filledAt += minutes * minuteMs;
    if (this.left < this.most) {
      this.left = Math.min(this.most, this.left + minutes * this.rules.tokensPerMinute);
    }
  }

  status(at: number, tokensConsumed: number): JsonObject {
    return {
      timestamp: at,
      tokensLeft: this.left,
      refillIn: minuteMs - (at - this.filledAt),
      refillRate: this.rules.tokensPerMinute,
      tokenFlowReduction: 0,
      tokensConsumed,
      processingTimeInMs: 12,
    };
  }
}

class ProductIndex {
  private readonly setsByAsin = new Map<string, SetFacts>();
  private readonly asins = new Map<SetFacts, string>();

  constructor(private readonly world: SimulatedWorld) {
    for (const { retailer, setKey, asin } of world.market.whole.offers) {
      const set = retailer === 'retailer_a' ? world.market.findSet(setKey) : null;
      if (set === null || asin === null) continue;
      this.setsByAsin.set(asin, set);
      this.asins.set(set, asin);
    }
  }

  /** Unknown products are returned, too. */
  byAsin(asin: string, at: number): JsonObject {
    const set = this.setsByAsin.get(asin);
    return set ? this.product(set, asin, at) : { asin, domainId: 1, productType: 4, csv: null };
  }

  byBarcode(code: string, at: number): JsonObject[] {
    return [...this.asins].flatMap(([set, asin]) =>
      set.ean === code || set.upc === code ? [this.product(set, asin, at)] : [],
    );
  }

  private product(set: SetFacts, asin: string, at: number): JsonObject {
    const offers = this.world.market.listOffers(set.number, 'retailer_a', at);
    const last = offers.at(-1);
    const csv: (number[] | null)[] = Array.from({ length: 36 }, () => null);
    csv[0] = series(offers, (offer) => (offer.sellerType === 'retailer' ? offer.priceCents : null));
    csv[1] = series(offers, (offer) => offer.priceCents);
    csv[4] = series(offers, (offer) => offer.listPriceCents);
    csv[10] = series(offers, (offer) => offer.lowestFbaCents);
    csv[18] = series(offers, (offer) => offer.buyBoxCents, [0]);
    csv[34] = series(offers, countOf);
    return {
      asin,
      domainId: 1,
      productType: 0,
      title: `LEGO ${set.theme} ${set.title} ${set.number}`,
      brand: 'LEGO',
      manufacturer: 'LEGO',
      model: set.number,
      partNumber: set.number,
      upcList: set.upc === null ? null : [set.upc],
      eanList: set.ean === null ? null : [set.ean],
      trackingSince: offers[0] ? minutesOf(offers[0].observedAt) : minutesOf(at),
      lastUpdate: minutesOf(at),
      lastPriceChange: last ? minutesOf(last.observedAt) : minutesOf(at),
      packageQuantity: 1,
      availabilityAmazon: last?.sellerType === 'retailer' && last.inStock ? 0 : -1,
      csv,
    };
  }
}

/** Includes Amazon. */
function countOf({ fbaSellers, sellerType }: Offer): number | null {
  return fbaSellers === null ? null : fbaSellers + (sellerType === 'retailer' ? 1 : 0);
}

/** Alternating times and values at each change; -1 is no value. Null if there never was one. */
function series(
  offers: readonly Offer[],
  read: (offer: Offer) => number | null,
  more: readonly number[] = [],
): number[] | null {
  const entries: number[] = [];
  let before: number | undefined;
  for (const offer of offers) {
    const value = read(offer) ?? -1;
    if (value !== before) entries.push(minutesOf(offer.observedAt), value, ...more);
    before = value;
  }
  return offers.every((offer) => read(offer) === null) ? null : entries;
}

function minutesOf(at: number): number {
  return Math.floor(at / minuteMs) - keepaEpochMinutes;
}
