/** What a set's offers add up to, per retailer. */
import type { Offer, Retailer } from './market.ts';
import { retailers } from './market.ts';
import { percentOf } from './money.ts';

/** The current price at one retailer. */
export interface RetailerPrice {
  readonly retailer: Retailer;
  readonly priceCents: number;
  readonly listPriceCents: number;
  readonly discountPercent: number;
  readonly inStock: boolean;
  readonly isFirstParty: boolean;
  readonly productUrl: string | null;
  readonly lastCheckedAt: number;
}

/** One entry per retailer that ever had a price, in the order of the retailers. */
export function summarizeOffers(
  offers: readonly Offer[],
  msrpCents: number | null,
): RetailerPrice[] {
  return retailers.flatMap((retailer) => {
    const own = offers.filter((offer) => offer.retailer === retailer);
    const summary = summarize(own.sort((a, b) => a.observedAt - b.observedAt));
    return summary ? [priced(retailer, summary, msrpCents)] : [];
  });
}

interface LastKnown {
  readonly latest: Offer;
  /** The latest offer that had a price, which may be the latest one. */
  readonly latestPriced: Offer & { readonly priceCents: number };
  readonly listPriceCents: number | null;
  readonly productUrl: string | null;
}

function summarize(sorted: readonly Offer[]): LastKnown | null {
  const latest = sorted.at(-1);
  const latestPriced = sorted.findLast(hasPrice);
  if (!latest || !latestPriced) return null;
  return {
    latest,
    latestPriced,
    listPriceCents: sorted.findLast((o) => o.listPriceCents !== null)?.listPriceCents ?? null,
    productUrl: sorted.findLast((o) => o.productUrl !== null)?.productUrl ?? null,
  };
}

function hasPrice(offer: Offer): offer is Offer & { readonly priceCents: number } {
  return offer.priceCents !== null;
}

function priced(retailer: Retailer, known: LastKnown, msrpCents: number | null): RetailerPrice {
  const { latest, latestPriced } = known;
  const listPriceCents = known.listPriceCents ?? msrpCents ?? latestPriced.priceCents;
  const discount = percentOf(listPriceCents - latestPriced.priceCents, listPriceCents);
  return {
    retailer,
    priceCents: latestPriced.priceCents,
    listPriceCents,
    discountPercent: Math.max(0, discount),
    inStock: latest.priceCents !== null && latest.inStock !== false,
    isFirstParty: (latest.sellerType ?? latestPriced.sellerType) === 'retailer',
    productUrl: known.productUrl,
    lastCheckedAt: latest.observedAt,
  };
}
