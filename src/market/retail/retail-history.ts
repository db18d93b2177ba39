/**
 * The published changes of a set at its retailers, and what follows from them: the
 * lowest prices of recent days. Single observations belong to the source and are not in it.
 */
import { dayMs } from '../../kernel/time.ts';
import { type Retailer, retailers, type SellerType } from '../source-rows/source-rows.ts';
import type { RetailState } from './retail-state.ts';

/** A set at one retailer, as events report it. */
export interface PublishedOffer {
  /** The latest known price, even if there is no offer now; null if there never was one. */
  readonly priceCents: number | null;
  readonly hasOffer: boolean;
  /** The seller of the latest known price; null if unknown. */
  readonly sellerType: SellerType | null;
  /** Null if unknown. */
  readonly inStock: boolean | null;
}

/** The state of an offer since an instant; without an offer, price and seller are null. */
export interface OfferStep extends Omit<PublishedOffer, 'hasOffer'> {
  readonly retailer: Retailer;
}

/** A published change at one retailer, to be added to its history. */
export interface OfferChange {
  /** Null: the offer is as before. */
  readonly step: OfferStep | null;
  readonly retailer: Retailer;
  /**
   * If the lowest price rose, prices below it were wrong: undone or corrected later. Null if it did
   * not; beyond any price if none is known any more.
   */
  readonly lowestCents: number | null;
}

/** A change in the history of a set. */
export interface PastOffer extends OfferStep {
  readonly at: number;
  /** Whether the price turned out to be wrong; it is not a low. */
  readonly isCorrected: boolean;
}

/** The windows of the lowest prices, in days. */
export type LowDays = 30 | 90 | 365;

export function lowSince(days: LowDays, at: number): number {
  return at - days * dayMs;
}

export interface OfferPast {
  readonly retailer: Retailer;
  /** The first change that is known. */
  readonly since: number;
  /** The lowest price in force in each window; null if there was none. */
  readonly lows: Readonly<Record<LowDays, number | null>>;
}

/** A page of a set's history. */
export interface RetailHistory {
  /** Retailers that ever had a price. */
  readonly retailers: readonly OfferPast[];
  /** Latest first; at the same time, in order of retailers. */
  readonly changes: readonly PastOffer[];
  readonly hasMore: boolean;
}

export interface HistoryQuery {
  /** Null: both. */
  readonly retailer: Retailer | null;
  /** Changes from here on, and the one in force at this instant; null: all. */
  readonly from: number | null;
  /** Changes before this instant; null: all. */
  readonly to: number | null;
  /** Changes that follow this one; null: the latest ones. */
  readonly after: ChangePosition | null;
  readonly limit: number;
  /** The end of the windows of the lowest prices. */
  readonly at: number;
}

/** The position of a change in a page, which is ordered by time and retailer. */
export interface ChangePosition {
  readonly at: number;
  readonly retailer: Retailer;
}

/** Positions per millisecond: more than there are retailers. */
const positionsPerMs = 10;

/** A position as a number; smaller numbers come later in a page. */
export function formatChangePosition({ at, retailer }: ChangePosition): number {
  return at * positionsPerMs + (positionsPerMs - 1 - retailers.indexOf(retailer));
}

/** Any whole number is a position. */
export function parseChangePosition(position: number): ChangePosition {
  const at = Math.floor(position / positionsPerMs);
  const index = positionsPerMs - 1 - (position - at * positionsPerMs);
  return { at, retailer: retailers[index] ?? lastRetailer };
}

const lastRetailer: Retailer = 'retailer_b';

/** The end of a retailer's changes that follow a position; not included. */
export function endAfter(after: ChangePosition | null, retailer: Retailer): number {
  if (after === null) return Number.MAX_SAFE_INTEGER;
  const isLater = retailers.indexOf(retailer) > retailers.indexOf(after.retailer);
  return isLater ? after.at + 1 : after.at;
}

/** The order of a page. */
export function byPosition(a: ChangePosition, b: ChangePosition): number {
  return formatChangePosition(b) - formatChangePosition(a);
}

export function publishedOffer({ priced, latest }: RetailState): PublishedOffer {
  return {
    priceCents: priced?.cents ?? null,
    hasOffer: latest.priceCents !== null,
    sellerType: priced?.sellerType ?? null,
    inStock: latest.inStock,
  };
}

/** A retailer that never had a price is like one that was never seen. */
export function isSameOffer(a: PublishedOffer | undefined, b: PublishedOffer | undefined): boolean {
  const [first, second] = [a?.priceCents ?? null, b?.priceCents ?? null];
  if (first === null || second === null) return first === second;
  return (
    first === second &&
    a?.hasOffer === b?.hasOffer &&
    a?.sellerType === b?.sellerType &&
    a?.inStock === b?.inStock
  );
}

type LowestOffer = PublishedOffer & { readonly lowestCents: number | null };
type Offers = Readonly<Partial<Record<Retailer, LowestOffer>>>;

/** Rows that a publication adds to the history. */
export function offerChanges(before: Offers, now: Offers): OfferChange[] {
  return retailers.flatMap((retailer) => {
    const [first, second] = [before[retailer], now[retailer]];
    const step = nextStep(retailer, first, second);
    const lowestCents = raisedLowest(first?.lowestCents ?? null, second?.lowestCents ?? null);
    return step || lowestCents !== null ? [{ retailer, step, lowestCents }] : [];
  });
}

function nextStep(
  retailer: Retailer,
  before: PublishedOffer | undefined,
  now: PublishedOffer | undefined,
): OfferStep | null {
  const step = stepOf(retailer, now);
  if (before === undefined || before.priceCents === null) {
    return now === undefined || now.priceCents === null ? null : step;
  }
  const last = stepOf(retailer, before);
  const isSame =
    step.priceCents === last.priceCents &&
    step.sellerType === last.sellerType &&
    step.inStock === last.inStock;
  return isSame ? null : step;
}

/** Nothing is known of an offer that never had a price. */
function stepOf(retailer: Retailer, offer: PublishedOffer | undefined): OfferStep {
  if (!offer || offer.priceCents === null) {
    return { retailer, priceCents: null, sellerType: null, inStock: null };
  }
  const { priceCents, sellerType, hasOffer, inStock } = offer;
  return hasOffer
    ? { retailer, priceCents, sellerType, inStock }
    : { retailer, priceCents: null, sellerType: null, inStock };
}

function raisedLowest(before: number | null, now: number | null): number | null {
  if (before === null || (now !== null && now <= before)) return null;
  return now ?? Number.MAX_SAFE_INTEGER;
}
