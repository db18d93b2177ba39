/** Holdings and sales of sets and minifigs, page by page, and their totals by kind. */
import { type ItemKind, type ItemRef, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import type { RowsAfter } from '../../kernel/page.ts';
import { gradeShare } from '../../market/grades/grades.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { readEffects } from '../returns/grade-effects.work.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { type LedgerSale, proceedsOf, type SaleFilter } from '../sales/ledger.ts';
import { type Entry, entryOf, findListed, type SaleEntry, valueStakes } from './collection.work.ts';
import { type HoldingFilter, type HoldingsTotal, type ListedHolding, totalOf } from './holdings.ts';

/** Rows after a position; `next` is that of the last one. */
export interface PageAfter<T> {
  readonly rows: readonly T[];
  readonly next: number;
  readonly hasMore: boolean;
}

export type HoldingEntry = Entry & { readonly lot: ListedHolding };

export async function readHoldings(
  { accounts, market }: PortfolioData,
  accountId: number,
  query: RowsAfter & { readonly filter: HoldingFilter },
): Promise<PageAfter<HoldingEntry>> {
  const { filter } = query;
  const page = await readAfter(query, (range) => accounts.listHoldings(accountId, range, filter));
  const itemOf = await findListed(market, page.rows);
  const effects = await readEffects(market, page.rows);
  const rows = page.rows.map((lot) => {
    return { ...entryOf(lot, itemOf(lot), gradeShare(lot.grade, effects)), lot };
  });
  return { ...page, rows };
}

export async function readSalesAfter(
  { accounts, market }: PortfolioData,
  accountId: number,
  query: RowsAfter & { readonly filter: SaleFilter },
): Promise<PageAfter<SaleEntry>> {
  const { filter } = query;
  const page = await readAfter<LedgerSale>(query, (range) =>
    accounts.listSalesAfter(accountId, range, filter),
  );
  const itemOf = await findListed(market, page.rows);
  const rows = page.rows.map((sale) => ({
    sale,
    item: itemOf(sale),
    proceeds: proceedsOf(sale),
  }));
  return { ...page, rows };
}

/** Reads one row more, to find out whether there are more. */
async function readAfter<T extends { readonly id: number }>(
  { after, limit }: RowsAfter,
  read: (range: RowsAfter) => Promise<readonly T[]>,
): Promise<PageAfter<T>> {
  const found = await read({ after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, next: rows.at(-1)?.id ?? after, hasMore: found.length > limit };
}

export type TotalsByKind = Readonly<Record<ItemKind | 'all', HoldingsTotal>>;

/** Of one collection, or of all if it is null. */
export async function readTotals(
  { accounts, market }: PortfolioData,
  accountId: number,
  brickfolioId: number | null,
): Promise<TotalsByKind> {
  const { stakes } = await accounts.findHoldings(accountId, null);
  const matching = stakes.filter(
    (stake) => brickfolioId === null || stake.brickfolioId === brickfolioId,
  );
  const valued = await valueStakes(market, matching);
  const ofKind = (kind: ItemKind) => totalOf(valued.filter((stake) => stake.kind === kind));
  return { all: totalOf(valued), set: ofKind('set'), minifig: ofKind('minifig') };
}

/** The set with a number, and the minifig with it, under all numbers that it has. */
export async function findNumbered(
  market: Pick<MarketReading, 'findAllKeys'>,
  number: string,
): Promise<ItemRef[]> {
  const keyOf = (kind: ItemKind) => [itemKey(kind, number)];
  const keys = await market.findAllKeys({ set: keyOf('set'), minifig: keyOf('minifig') });
  return itemKinds.flatMap((kind) => keys[kind].map((key) => ({ kind, key })));
}
