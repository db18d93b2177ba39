/** Collections, entries and recorded sales of an account, joined with published values. */

import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { compareText, type ItemKind, type ItemRef } from '../../catalog/items/numbers.ts';
import type { PageRange } from '../../kernel/page.ts';
import { foldText } from '../../kernel/text.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { type Grade, type GradeShare, gradeShare } from '../../market/grades/grades.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import { readEffects } from '../returns/grade-effects.work.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import {
  type LedgerSale,
  type Proceeds,
  proceedsOf,
  type SaleFilter,
  type SaleOrder,
} from '../sales/ledger.ts';
import type { Brickfolio, PurchaseMonth } from './brickfolios.ts';
import {
  type Gain,
  gainOf,
  type HeldLot,
  type HoldingsTotal,
  type Stake,
  totalOf,
  unitValueCents,
  type ValuedStake,
  valueTier,
} from './holdings.ts';

export interface BrickfolioSummary extends Brickfolio {
  readonly total: HoldingsTotal;
}

export interface Brickfolios {
  readonly brickfolios: readonly BrickfolioSummary[];
  readonly purchases: readonly PurchaseMonth[];
}

/**
 * Collections with their holdings of a kind, or all if it is null: default first, then by name; and
 * the months of purchases, oldest first.
 */
export async function readBrickfolios(
  { accounts, market }: PortfolioData,
  accountId: number,
  kind: ItemKind | null,
): Promise<Brickfolios> {
  const { brickfolios, stakes, purchases } = await accounts.findHoldings(accountId, kind);
  const valued = await valueStakes(market, stakes);
  const byBrickfolio = Map.groupBy(valued, (stake) => stake.brickfolioId);
  const summaries = brickfolios.map((brickfolio) => ({
    ...brickfolio,
    total: totalOf(byBrickfolio.get(brickfolio.id) ?? []),
  }));
  return { brickfolios: summaries.sort(byDefaultAndName), purchases };
}

export async function valueStakes<T extends Stake & { readonly grade: Grade | null }>(
  market: PortfolioData['market'],
  stakes: readonly T[],
): Promise<(T & ValuedStake)[]> {
  const values = await findEachItem(stakes, async (kind, keys) => {
    const found = await market.findItemValues(kind, keys);
    return new Map(keys.map((key, index) => [key, found[index] ?? null]));
  });
  const effects = await readEffects(market, stakes);
  const shareOf = ({ grade }: T) => gradeShare(grade, effects);
  return stakes.map((stake) => ({
    ...stake,
    unitCents: unitValueCents(values(stake), stake.condition, shareOf(stake)),
  }));
}

function byDefaultAndName(a: Brickfolio, b: Brickfolio): number {
  return (
    Number(b.isDefault) - Number(a.isDefault) ||
    compareText(foldText(a.name), foldText(b.name)) ||
    a.id - b.id
  );
}

/** A lot with its item and value. */
export interface Entry {
  readonly lot: HeldLot;
  readonly item: ListedItem;
  /** The value of a unit; the purchase price if there is no value. */
  readonly unitCents: number;
  readonly gain: Gain;
  /** Null: no value. */
  readonly tier: DataTier | null;
}

/** A page of lots of sets with units left; null: the collection belongs to another account. */
export async function readEntries(
  { accounts, market }: PortfolioData,
  accountId: number,
  page: PageRange & { readonly brickfolioId: number | null },
): Promise<{ total: number; entries: Entry[] } | null> {
  const found = await accounts.listEntries(accountId, page);
  if (found === null) return null;
  const itemOf = await findListed(market, found.rows);
  const effects = await readEffects(market, found.rows);
  const entries = found.rows.map((lot) =>
    entryOf(lot, itemOf(lot), gradeShare(lot.grade, effects)),
  );
  return { total: found.total, entries };
}

export function entryOf(lot: HeldLot, item: ListedItem, share: GradeShare): Entry {
  const unitCents = unitValueCents(item, lot.condition, share) ?? lot.priceCents;
  const gain = gainOf(lot.priceCents * lot.units, unitCents * lot.units);
  return { lot, item, unitCents, gain, tier: valueTier(item, lot.condition, share) };
}

/** A recorded sale with its item and proceeds. */
export interface SaleEntry {
  readonly sale: LedgerSale;
  readonly item: ListedItem;
  readonly proceeds: Proceeds;
}

export async function readSales(
  { accounts, market }: PortfolioData,
  accountId: number,
  page: PageRange & SaleFilter & { readonly order?: SaleOrder },
): Promise<{ total: number; sales: SaleEntry[] }> {
  const { total, rows } = await accounts.listSales(accountId, page);
  const itemOf = await findListed(market, rows);
  const sales = rows.map((sale) => ({
    sale,
    item: itemOf(sale),
    proceeds: proceedsOf(sale),
  }));
  return { total, sales };
}

/** An item of an account, under the number it was entered. */
type NumberedItem = ItemRef & { readonly number: string };

/**
 * The published items of rows. One that is not published yet has only its number, and a minifig has
 * the number it was entered under.
 */
export async function findListed(
  market: Pick<PortfolioData['market'], 'findListedItems'>,
  rows: readonly ItemRef[],
): Promise<(row: NumberedItem) => ListedItem> {
  const found = await findEachItem(rows, (kind, keys) => market.findListedItems(kind, keys));
  return (row) => {
    const item = found(row);
    if (!item) return unlistedItem(row.number);
    return row.kind === 'set' ? item : { ...item, number: row.number };
  };
}

export function unlistedItem(number: string): ListedItem {
  const unvalued = { newCents: null, usedCents: null, newTier: null, usedTier: null };
  return { number, title: number, theme: '', ...unvalued };
}
