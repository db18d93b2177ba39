/** Collections, entries and recorded sales of an account, joined with published values. */

import { compareText } from '../domain/catalog/numbers.ts';
import type { PageRange } from '../domain/kernel/page.ts';
import { foldText } from '../domain/kernel/text.ts';
import type { DataTier } from '../domain/market/evidence.ts';
import type { ListedSet } from '../domain/market/published-records.ts';
import type { Brickfolio, PurchaseMonth } from '../domain/portfolio/brickfolios.ts';
import {
  type Gain,
  gainOf,
  type HeldLot,
  type HoldingsTotal,
  totalOf,
  unitValueCents,
  valueTier,
} from '../domain/portfolio/holdings.ts';
import {
  type LedgerSale,
  type Proceeds,
  proceedsOf,
  type SaleFilter,
  type SaleOrder,
} from '../domain/portfolio/ledger.ts';
import type { PortfolioData } from './portfolio-data.ts';

export interface BrickfolioSummary extends Brickfolio {
  readonly total: HoldingsTotal;
}

/** Collections, default first, then by name; and the months of purchases, oldest first. */
export async function readBrickfolios(
  { accounts, market }: PortfolioData,
  accountId: number,
): Promise<{ brickfolios: BrickfolioSummary[]; purchases: readonly PurchaseMonth[] }> {
  const { brickfolios, stakes, purchases } = await accounts.findHoldings(accountId);
  const values = await market.findSetValues(stakes.map((stake) => stake.setKey));
  const valued = stakes.map((stake, index) => ({
    ...stake,
    unitCents: unitValueCents(values[index], stake.condition),
  }));
  const byBrickfolio = Map.groupBy(valued, (stake) => stake.brickfolioId);
  const summaries = brickfolios.map((brickfolio) => ({
    ...brickfolio,
    total: totalOf(byBrickfolio.get(brickfolio.id) ?? []),
  }));
  return { brickfolios: summaries.sort(byDefaultAndName), purchases };
}

function byDefaultAndName(a: Brickfolio, b: Brickfolio): number {
  return (
    Number(b.isDefault) - Number(a.isDefault) ||
    compareText(foldText(a.name), foldText(b.name)) ||
    a.id - b.id
  );
}

/** A lot with its set and value. */
export interface Entry {
  readonly lot: HeldLot;
  readonly set: ListedSet;
  /** The value of a unit; the purchase price if there is no value. */
  readonly unitCents: number;
  readonly gain: Gain;
  /** Null: no value. */
  readonly tier: DataTier | null;
}

/** A page of lots with units left; null: the collection does not belong to the account. */
export async function readEntries(
  { accounts, market }: PortfolioData,
  accountId: number,
  page: PageRange & { readonly brickfolioId: number | null },
): Promise<{ total: number; entries: Entry[] } | null> {
  const found = await accounts.listEntries(accountId, page);
  if (found === null) return null;
  const sets = await market.findListedSets(keysOf(found.rows));
  const entries = found.rows.map((lot) => {
    const set = listedSet(sets, lot);
    const unitCents = unitValueCents(set, lot.condition) ?? lot.priceCents;
    const gain = gainOf(lot.priceCents * lot.units, unitCents * lot.units);
    return { lot, set, unitCents, gain, tier: valueTier(set, lot.condition) };
  });
  return { total: found.total, entries };
}

/** A recorded sale with its set and proceeds. */
export interface SaleEntry {
  readonly sale: LedgerSale;
  readonly set: ListedSet;
  readonly proceeds: Proceeds;
}

export async function readSales(
  { accounts, market }: PortfolioData,
  accountId: number,
  page: PageRange & SaleFilter & { readonly order?: SaleOrder },
): Promise<{ total: number; sales: SaleEntry[] }> {
  const { total, rows } = await accounts.listSales(accountId, page);
  const sets = await market.findListedSets(keysOf(rows));
  const sales = rows.map((sale) => ({
    sale,
    set: listedSet(sets, sale),
    proceeds: proceedsOf(sale),
  }));
  return { total, sales };
}

function keysOf(rows: readonly { readonly setKey: string }[]): string[] {
  return [...new Set(rows.map((row) => row.setKey))];
}

/** A set that is not published yet has only its number. */
function listedSet(
  sets: ReadonlyMap<string, ListedSet>,
  row: { readonly setKey: string; readonly setNumber: string },
): ListedSet {
  return sets.get(row.setKey) ?? unlistedSet(row.setNumber);
}

export function unlistedSet(number: string): ListedSet {
  const unvalued = { newCents: null, usedCents: null, newTier: null, usedTier: null };
  return { number, title: number, theme: '', ...unvalued };
}
