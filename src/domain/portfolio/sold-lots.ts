/** A recorded sale divided among the lots that it took units from, for whoever does the taxes. */
import { shareOut } from '../kernel/money.ts';
import { type LedgerSale, type Proceeds, proceedsOf, type SaleAmounts } from './ledger.ts';
import type { DateBasis } from './lots.ts';

/** Units of a lot that a sale took, with what is known of their purchase. */
export interface LotTake {
  readonly lotId: number;
  readonly purchaseDate: string;
  readonly dateBasis: DateBasis;
  /** Of one unit, as the lot says it now. */
  readonly priceCents: number;
  readonly quantity: number;
  /** What they cost when they were sold. */
  readonly costCents: number;
}

/** How long something was held: more than one year is long. */
export type Term = 'short' | 'long';

/** The part of a sale that is of one lot. */
export interface SoldLot extends SaleAmounts, Proceeds {
  readonly quantity: number;
  /** Null where the sale took no units of lots: its cost was given. */
  readonly bought: Purchase | null;
}

/** The lot that was sold. A date that only stands in for the real one is none, and has no term. */
export interface Purchase {
  readonly lotId: number;
  readonly date: string | null;
  readonly term: Term | null;
}

/**
 * The parts of a sale, one for each lot. They add up to the sale, cent by cent: proceeds, fees and
 * shipping are divided by units, the cost by what the units cost when they were sold.
 */
export function soldLots(sale: LedgerSale, takes: readonly LotTake[]): SoldLot[] {
  if (takes.length === 0) {
    return [{ ...amountsOf(sale), ...proceedsOf(sale), quantity: sale.quantity, bought: null }];
  }
  const units = takes.map(({ quantity }) => quantity);
  const gross = shareOut(sale.grossCents, units);
  const platformFees = shareOut(sale.platformFeesCents, units);
  const paymentFees = shareOut(sale.paymentFeesCents, units);
  const shipping = shareOut(sale.shippingCents, units);
  const cost = shareOut(
    sale.costCents,
    takes.map(({ costCents }) => costCents),
  );
  return takes.map((take, index) => {
    const amounts = {
      grossCents: gross[index] ?? 0,
      platformFeesCents: platformFees[index] ?? 0,
      paymentFeesCents: paymentFees[index] ?? 0,
      shippingCents: shipping[index] ?? 0,
      costCents: cost[index] ?? 0,
    };
    const bought = purchaseOf(take, sale.saleDate);
    return { ...amounts, ...proceedsOf(amounts), quantity: take.quantity, bought };
  });
}

function amountsOf(sale: LedgerSale): SaleAmounts {
  const { grossCents, platformFeesCents, paymentFeesCents, shippingCents, costCents } = sale;
  return { grossCents, platformFeesCents, paymentFeesCents, shippingCents, costCents };
}

function purchaseOf({ lotId, purchaseDate, dateBasis }: LotTake, saleDate: string): Purchase {
  if (dateBasis !== 'known') return { lotId, date: null, term: null };
  return { lotId, date: purchaseDate, term: termOf(purchaseDate, saleDate) };
}

/**
 * Long when it was sold after the day of the purchase came round again. What was bought on
 * February 29 is compared as such: it is long from March 1 on.
 */
export function termOf(purchaseDate: string, saleDate: string): Term {
  const yearLater = `${Number(purchaseDate.slice(0, 4)) + 1}${purchaseDate.slice(4)}`;
  return saleDate > yearLater ? 'long' : 'short';
}
