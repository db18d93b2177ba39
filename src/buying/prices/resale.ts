/** Inputs for the resale of one unit of an item, and its price in each channel. */

import {
  type ConditionEvidence,
  type DataTier,
  type Evidence,
  publicSpreads,
  type SalesRate,
  type Season,
} from '../../market/evidence/evidence.ts';
import type { Parcel } from '../../market/fees/postage.ts';
import { type GradeShare, gradedCents } from '../../market/grades/grades.ts';
import type { Channel, Condition } from '../../market/source-rows/source-rows.ts';
import type { Listings } from '../../market/values/listings.ts';
import { normalAbove, type PriceTerms, priceAt } from '../../market/values/price.ts';
import { tierIn } from '../../market/values/tiers.ts';
import type { SellingChannel } from './selling-channels.ts';

/** Resale data of one unit in a condition. */
export interface Resale {
  /** Modeled if it was never sold in this condition. */
  readonly tier: DataTier;
  /** Another price that recent sales agree on, which is not confirmed; null for none. */
  readonly doubtedCents: number | null;
  /** Inputs of its price at the price level of values, which are fixed-price sales. */
  readonly price: Omit<PriceTerms, 'offset'>;
  readonly offsets: NonNullable<Evidence['offsets']>;
  /** Null if no sales rate was learned. */
  readonly rate: SalesRate | null;
  /** Null if none was learned. */
  readonly season: Season | null;
  /** Of values like it (log scale); null if it was not learned. */
  readonly growthPerYear: number | null;
  /** Units for sale in this condition, where they were counted. */
  readonly listings: readonly Listings[];
  readonly parcel: Parcel;
  /** The number of other FBA sellers; null if unknown. */
  readonly fbaSellers: number | null;
  /** Amazon's own price for a new unit; null if Amazon does not sell it. */
  readonly amazonAskCents: number | null;
}

/** Null if there is no value in this condition. */
export function resaleOf(
  evidence: Evidence,
  condition: Condition,
  facts: Pick<Resale, 'parcel' | 'fbaSellers' | 'amazonAskCents'>,
): Resale | null {
  const valued = evidence[condition];
  if (valued === null) return null;
  return {
    tier: tierIn(evidence, condition),
    doubtedCents: valued.doubt?.valueCents ?? null,
    price: priceTerms(evidence, valued),
    // Evidence of other engines may lack offsets; values are at the fixed-price level.
    offsets: evidence.offsets ?? { fixed: 0 },
    rate: valued.rate ?? null,
    season: evidence.season ?? null,
    growthPerYear: valued.growthPerYear ?? null,
    listings: evidence.listings?.[condition] ?? [],
    parcel: facts.parcel,
    fbaSellers: facts.fbaSellers,
    amazonAskCents: facts.amazonAskCents,
  };
}

/** The resale of a unit of a grade: prices are lower by the effect of the grade. */
export function gradedResale(resale: Resale, grade: GradeShare): Resale {
  if (grade.share === 1) return resale;
  const { price, doubtedCents } = resale;
  return {
    ...resale,
    price: { ...price, valueCents: Math.round(price.valueCents * grade.share) },
    doubtedCents: gradedCents(doubtedCents, grade),
  };
}

/** Null unless Amazon is the seller. Unknown stock counts, because buyers may prefer it. */
export function amazonAsk(offer: {
  readonly priceCents: number | null;
  readonly sellerType: string | null;
  readonly inStock: boolean | null;
}): number | null {
  return offer.sellerType === 'retailer' && offer.inStock !== false ? offer.priceCents : null;
}

function priceTerms(evidence: Evidence, valued: ConditionEvidence): Resale['price'] {
  const { valueCents, soldAbove = normalAbove } = valued;
  return { valueCents, ...publicSpreads(evidence, valued), soldAbove };
}

/** The channel of sales from which a selling channel's prices are learned; null for none. */
export function pricedAs(channel: SellingChannel): Channel | null {
  if (channel === 'ebay') return 'fixed';
  if (channel === 'bricklink') return 'bricklink';
  return isAtAmazon(channel) ? 'amazon' : null;
}

/** The price, delivered and without tax, that a share of ordinary sales in a channel exceeds. */
export function priceIn(resale: Resale, channel: SellingChannel, share: number): number {
  const { valueSpread, saleSpread, soldAbove } = resale.price;
  const valueCents = cautiousCents(resale);
  const offset = offsetIn(resale, channel);
  const priceCents = priceAt({ valueCents, valueSpread, saleSpread, soldAbove, offset }, share);
  return payableIn(resale, channel, priceCents);
}

/** The value, or the other price while it is doubted, whichever is lower. */
export function cautiousCents({ price, doubtedCents }: Resale): number {
  return Math.min(price.valueCents, doubtedCents ?? price.valueCents);
}

/** While Amazon sells an item itself, its price is the limit on Amazon. */
export function payableIn(
  { amazonAskCents }: Pick<Resale, 'amazonAskCents'>,
  channel: SellingChannel,
  priceCents: number,
): number {
  return isAtAmazon(channel) ? Math.min(priceCents, amazonAskCents ?? priceCents) : priceCents;
}

/** Whether sales there compete with Amazon's own offer. */
export function isAtAmazon(channel: SellingChannel): boolean {
  return channel === 'amazon' || channel === 'fba';
}

/** The price level of a channel relative to fixed-price sales (log scale). */
export function offsetIn({ offsets }: Pick<Resale, 'offsets'>, channel: SellingChannel): number {
  return offsets[pricedAs(channel) ?? 'other'] ?? 0;
}

/** Whether the price level of a channel was not learned. */
export function isAssumed({ offsets }: Resale, channel: SellingChannel): boolean {
  const learned = pricedAs(channel);
  return learned === null || offsets[learned] === undefined;
}
