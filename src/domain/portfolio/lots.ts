/** Lots, and the sales that take units from them. A lot stays as it was bought. */
import type { Platform } from '../fees/platforms.ts';
import type { Condition } from '../market/source-rows.ts';

/** What a holding may be: kept, or kept and offered for sale. */
export const holdingStatuses = ['owned', 'listed'] as const;
export type HoldingStatus = (typeof holdingStatuses)[number];

/**
 * How the day of purchase is known: it was said; it was not, and the release day stands in; or it
 * is not known at all, and the lot has no part in returns, though its `purchaseDate` is filled.
 */
export const dateBases = ['known', 'assumed', 'unknown'] as const;
export type DateBasis = (typeof dateBases)[number];

/** What the source ids of lots and sales begin with that were typed into a page. */
export const pageSourcePrefix = 'web:';

/** A collection as its owner describes it. */
export interface BrickfolioFacts {
  readonly name: string;
  readonly description: string | null;
  readonly isDefault: boolean;
}

/** A lot as it was bought. */
export interface LotFacts {
  readonly sourceId: string;
  /** The collection, by name. */
  readonly brickfolio: string;
  readonly setNumber: string;
  readonly quantity: number;
  readonly condition: Condition;
  /** Per unit. */
  readonly priceCents: number;
  readonly purchaseDate: string;
  readonly status: HoldingStatus;
  /** The price is an assumption, because what was paid is not known. */
  readonly isEstimated: boolean;
  readonly dateBasis: DateBasis;
}

/**
 * The day that a lot without a day of purchase is taken to be bought on: when the set came out, at
 * the beginning of its year where no more is known, else today.
 */
export function standInDate(
  set: { readonly releaseDate: string | null; readonly year: number | null },
  today: string,
): string {
  const released = set.releaseDate ?? (set.year === null ? today : `${set.year}-01-01`);
  return released < today ? released : today;
}

/** Of a lot that is stored, what its owner describes; a field that is left out does not compile. */
export function lotFacts(lot: LotFacts): Required<LotFacts> {
  return {
    sourceId: lot.sourceId,
    brickfolio: lot.brickfolio,
    setNumber: lot.setNumber,
    quantity: lot.quantity,
    condition: lot.condition,
    priceCents: lot.priceCents,
    purchaseDate: lot.purchaseDate,
    status: lot.status,
    isEstimated: lot.isEstimated,
    dateBasis: lot.dateBasis,
  };
}

/** Units of a lot, by its source id. */
export interface NamedTake {
  readonly lot: string;
  readonly quantity: number;
  /** What they cost when they were sold; null in a file that does not say. */
  readonly costCents: number | null;
}

/** What a sale took and cost where it was recorded first. */
export interface Settlement {
  readonly costCents: number;
  readonly takes: readonly NamedTake[];
}

/** A sale as its seller records it. */
export interface LedgerSaleFacts {
  readonly sourceId: string;
  readonly setNumber: string;
  readonly condition: Condition;
  readonly platform: Platform;
  readonly saleDate: string;
  readonly quantity: number;
  readonly grossCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  readonly shippingCents: number;
  /** Cost of the whole sale, when given: then no lot is touched. */
  readonly costCents: number | null;
  /** The lot it was sold from, by its source id, when named. */
  readonly lot: string | null;
  /** A sale that moves here from another store stays as it was settled there. */
  readonly settled?: Settlement;
}

/** Units of a lot that are still there. */
export interface LotUnits {
  readonly lotId: number;
  readonly purchaseDate: string;
  readonly priceCents: number;
  readonly unitsLeft: number;
}

/** Units of a lot that a sale has taken. */
export interface TakenUnits {
  readonly lotId: number;
  readonly quantity: number;
}

/** Units that a sale takes from a lot. */
export interface Take extends TakenUnits {
  /** What they cost when they were sold: a price that is corrected later does not change it. */
  readonly costCents: number;
}

/** Which units a sale takes, and what they cost; or how many there are when that is too few. */
export type Allocation =
  | { readonly takes: readonly Take[]; readonly costCents: number }
  | { readonly unitsLeft: number };

/** First in, first out, by purchase date and then by the order of recording. */
export function allocateUnits(lots: readonly LotUnits[], quantity: number): Allocation {
  const unitsLeft = lots.reduce((sum, lot) => sum + lot.unitsLeft, 0);
  if (unitsLeft < quantity) return { unitsLeft };
  const takes: Take[] = [];
  let unitsToTake = quantity;
  let costCents = 0;
  for (const lot of [...lots].sort(byPurchase)) {
    const units = Math.min(unitsToTake, lot.unitsLeft);
    if (units <= 0) continue;
    const take = { lotId: lot.lotId, quantity: units, costCents: units * lot.priceCents };
    takes.push(take);
    costCents += take.costCents;
    unitsToTake -= units;
  }
  return { takes, costCents };
}

function byPurchase(a: LotUnits, b: LotUnits): number {
  if (a.purchaseDate !== b.purchaseDate) return a.purchaseDate < b.purchaseDate ? -1 : 1;
  return a.lotId - b.lotId;
}
