/** Collections, lots and sales of an account as records that can be imported again. */

import { findEachItem } from '../domain/catalog/find-each-item.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { at } from '../domain/kernel/at.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { toUsdOrNull } from '../domain/kernel/money.ts';
import { pagesOf } from '../domain/kernel/pages.ts';
import type { StoredLedgerSale } from '../domain/portfolio/ledger.ts';
import { detailFields, wireDetail } from '../domain/portfolio/lot-details.ts';
import {
  type NamedTake,
  numberFields,
  type Recorded,
  type StoredLot,
} from '../domain/portfolio/lots.ts';
import type { AccountStore, MarketIngest } from '../store/store.ts';

/**
 * Rows per read, and the maximum in memory. Finding a page scans all rows of the account, so pages
 * are large; but writing one blocks the event loop.
 */
const rowsAtOnce = 4_000;

export const exportKinds = ['collection', 'sales'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** By column name. */
export type ExportRecord = Readonly<Record<string, unknown>>;

export interface ExportSource {
  readonly market: {
    /** The titles of items, by lookup key. */
    findTitles(
      kind: ItemKind,
      keys: readonly string[],
    ): Promise<ReadonlyMap<string, { readonly title: string }>>;
  };
  readonly accounts: Pick<AccountStore, 'listBrickfolios' | 'listLots' | 'listRecordedSales'>;
  readonly accountId: number;
  /** Rows per read, for tests. */
  readonly pageRows?: number;
}

/** Titles of items, published or not. */
export function titlesFrom(
  market: Pick<MarketIngest, 'findKnownSets' | 'findKnownMinifigs'>,
): ExportSource['market'] {
  return {
    findTitles: (kind, keys) =>
      kind === 'set' ? market.findKnownSets(keys) : market.findKnownMinifigs(keys),
  };
}

/** Columns in order. */
export const exportColumns: Readonly<Record<ExportKind, readonly string[]>> = {
  collection: [
    'kind',
    'source_id',
    'brickfolio',
    'description',
    'is_default',
    'set_number',
    'title',
    'quantity',
    'condition',
    'purchase_price_usd',
    'purchase_date',
    'status',
    'is_estimated',
    'date_basis',
    'sold',
    ...detailFields.map(({ wire }) => wire),
    'minifig_number',
  ],
  sales: [
    'kind',
    'source_id',
    'set_number',
    'title',
    'condition',
    'platform',
    'sale_date',
    'quantity',
    'gross_proceeds_usd',
    'platform_fees_usd',
    'payment_fees_usd',
    'shipping_cost_usd',
    'cost_from',
    'cost_basis_usd',
    'lot',
    'takes',
    'minifig_number',
  ],
};

/** All records in the order they were added, page by page. */
export async function* exportRecords(
  kind: ExportKind,
  source: ExportSource,
): AsyncGenerator<ExportRecord[]> {
  if (kind === 'collection') yield brickfolioRecords(source);
  yield* rowRecords(kind, source);
}

/** Without collections: only lots, or sales. */
export async function* rowRecords(
  kind: ExportKind,
  source: ExportSource,
): AsyncGenerator<ExportRecord[]> {
  const pages = kind === 'collection' ? lotPages(source) : salePages(source);
  for await (const page of pages) {
    const refs = page.map(({ kind, number }) => ({ kind, key: itemKey(kind, number) }));
    const find = await findEachItem(refs, (kind, keys) => source.market.findTitles(kind, keys));
    yield page.map((row, index) => {
      const title = find(at(refs, index))?.title ?? null;
      return 'settled' in row ? saleRecord(row, title) : lotRecord(row, title);
    });
  }
}

export function lotPages(source: ExportSource): AsyncGenerator<readonly Recorded<StoredLot>[]> {
  return pages(source, (options) => source.accounts.listLots(source.accountId, options));
}

export function salePages(
  source: ExportSource,
): AsyncGenerator<readonly Recorded<StoredLedgerSale>[]> {
  return pages(source, (options) => source.accounts.listRecordedSales(source.accountId, options));
}

async function* pages<T extends { readonly sequence: number }>(
  { pageRows = rowsAtOnce }: ExportSource,
  list: (options: { after: number; limit: number }) => Promise<T[]>,
): AsyncGenerator<readonly T[]> {
  const read = (last: T | null) => list({ after: last?.sequence ?? 0, limit: pageRows });
  for await (const page of pagesOf(read)) {
    yield page;
    await yieldToEventLoop();
  }
}

export async function brickfolioRecords({
  accounts,
  accountId,
}: ExportSource): Promise<ExportRecord[]> {
  const brickfolios = await accounts.listBrickfolios(accountId);
  return brickfolios.map(({ name, description, isDefault }) => ({
    kind: 'brickfolio',
    brickfolio: name,
    description,
    is_default: isDefault,
  }));
}

function lotRecord(lot: StoredLot, title: string | null): ExportRecord {
  return {
    kind: 'lot',
    source_id: lot.sourceId,
    brickfolio: lot.brickfolio,
    set_number: numberFields(lot).set_number,
    title,
    quantity: lot.quantity,
    condition: lot.condition,
    purchase_price_usd: lot.priceCents / 100,
    purchase_date: lot.purchaseDate,
    status: lot.status,
    is_estimated: lot.isEstimated,
    date_basis: lot.dateBasis,
    sold: lot.sold,
    ...Object.fromEntries(
      detailFields.map(({ field, wire }) => [wire, wireDetail(field, lot[field])]),
    ),
    minifig_number: numberFields(lot).minifig_number,
  };
}

function saleRecord(sale: StoredLedgerSale, title: string | null): ExportRecord {
  const { settled } = sale;
  const isGiven = sale.costCents !== null;
  return {
    kind: 'sale',
    source_id: sale.sourceId,
    set_number: numberFields(sale).set_number,
    title,
    condition: sale.condition,
    platform: sale.platform,
    sale_date: sale.saleDate,
    quantity: sale.quantity,
    gross_proceeds_usd: sale.grossCents / 100,
    platform_fees_usd: sale.platformFeesCents / 100,
    payment_fees_usd: sale.paymentFeesCents / 100,
    shipping_cost_usd: sale.shippingCents / 100,
    cost_from: isGiven ? 'given' : sale.lot === null ? 'fifo' : 'lot',
    cost_basis_usd: settled.costCents / 100,
    lot: sale.lot,
    takes: isGiven ? null : settled.takes.map(takeRecord),
    minifig_number: numberFields(sale).minifig_number,
  };
}

function takeRecord({ lot, quantity, costCents }: NamedTake): ExportRecord {
  return { lot, quantity, cost_basis_usd: toUsdOrNull(costCents) };
}
