/** Divides a recorded sale among the lots that its units came from, for tax reports. */
import { shareOut } from '../../kernel/money.ts';
import type { LotFacts, Take } from '../lots/lots.ts';
import {
  type LedgerSale,
  type Proceeds,
  proceedsOf,
  type SaleAmounts,
  splitAmounts,
  sumSales,
} from './ledger.ts';

/** Units that a sale took from a lot, with their purchase. */
export interface LotTake
  extends Take,
    Pick<LotFacts, 'purchaseDate' | 'dateBasis' | 'boughtAt' | 'priceCents'> {}

/** The holding period: long is more than one year. */
export type Term = 'short' | 'long';

/** The part of a sale that belongs to one lot. */
export interface SoldLot extends SaleAmounts, Proceeds {
  readonly quantity: number;
  /** Null if the sale took no units from lots, because its cost was given. */
  readonly bought: Purchase | null;
}

/** The lot sold. The date and term are null unless the purchase date is known. */
export interface Purchase {
  readonly lotId: number;
  readonly date: string | null;
  readonly term: Term | null;
  /** Where it was bought; null: not known. */
  readonly boughtAt: string | null;
}

/**
 * One part per lot. The parts add up to the sale to the cent: proceeds, fees and shipping are
 * divided by units, the cost by the units' cost at the time of the sale.
 */
export function soldLots(sale: LedgerSale, takes: readonly LotTake[]): SoldLot[] {
  if (takes.length === 0) {
    return [{ ...sumSales([sale]), quantity: sale.quantity, bought: null }];
  }
  const units = takes.map(({ quantity }) => quantity);
  const costs = takes.map(({ costCents }) => costCents);
  const partOf = splitAmounts((field) =>
    shareOut(sale[field], field === 'costCents' ? costs : units),
  );
  return takes.map((take, index) => {
    const amounts = partOf(index);
    const bought = purchaseOf(take, sale.saleDate);
    return { ...amounts, ...proceedsOf(amounts), quantity: take.quantity, bought };
  });
}

function purchaseOf(take: LotTake, saleDate: string): Purchase {
  const { lotId, purchaseDate, dateBasis, boughtAt } = take;
  if (dateBasis !== 'known') return { lotId, boughtAt, date: null, term: null };
  return { lotId, boughtAt, date: purchaseDate, term: termOf(purchaseDate, saleDate) };
}

/**
 * Long if sold after the anniversary of the purchase. Dates are compared as text, so a purchase on
 * February 29 is long from March 1 on.
 */
export function termOf(purchaseDate: string, saleDate: string): Term {
  const yearLater = `${Number(purchaseDate.slice(0, 4)) + 1}${purchaseDate.slice(4)}`;
  return saleDate > yearLater ? 'long' : 'short';
}
