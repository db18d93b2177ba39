/** Collections, lots and sales of an account as records that can be imported again. */

import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import { pagesOf } from '../../kernel/pages.ts';
import type { KnownItems } from '../../market/source-rows/known-items.store.ts';
import { lotFields } from '../lots/lot-fields.ts';
import type { NamedTake, Recorded, StoredLot } from '../lots/lots.ts';
import { wireNames, wireValues } from '../lots/wire-fields.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';
import type { StoredLedgerSale } from '../sales/ledger.ts';
import { saleFields } from '../sales/sale-fields.ts';

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
  readonly accounts: Pick<PortfolioRoomStore, 'listBrickfolios' | 'listLots' | 'listRecordedSales'>;
  readonly accountId: number;
  /** Rows per read, for tests. */
  readonly pageRows?: number;
}

/** Titles of items, published or not. */
export function titlesFrom(
  market: Pick<KnownItems, 'findKnownSets' | 'findKnownMinifigs'>,
): ExportSource['market'] {
  return {
    findTitles: (kind, keys) =>
      kind === 'set' ? market.findKnownSets(keys) : market.findKnownMinifigs(keys),
  };
}

export const exportColumns: Readonly<Record<ExportKind, readonly string[]>> = {
  collection: [
    'kind',
    ...wireNames(lotFields, {
      brickfolio: ['description', 'is_default'],
      set_number: ['title'],
      date_basis: ['sold'],
      own_fields: ['minifig_number'],
    }),
  ],
  sales: [
    'kind',
    ...wireNames(saleFields, {
      set_number: ['title', 'condition'],
      shipping_cost_usd: ['cost_from'],
      lot: ['takes', 'minifig_number'],
    }),
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
  const values = { kind: 'lot', ...wireValues(lotFields, lot), title, sold: lot.sold };
  return inColumns('collection', values);
}

function saleRecord(sale: StoredLedgerSale, title: string | null): ExportRecord {
  const { settled } = sale;
  const isGiven = sale.costCents !== null;
  return inColumns('sales', {
    kind: 'sale',
    ...wireValues(saleFields, { ...sale, costCents: settled.costCents }),
    title,
    cost_from: isGiven ? 'given' : sale.lot === null ? 'fifo' : 'lot',
    takes: isGiven ? null : settled.takes.map(takeRecord),
  });
}

/** In the order of the columns, without those of other records. */
function inColumns(kind: ExportKind, values: ExportRecord): ExportRecord {
  const names = exportColumns[kind].filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function takeRecord({ lot, quantity, costCents }: NamedTake): ExportRecord {
  return { lot, quantity, cost_basis_usd: toUsdOrNull(costCents) };
}
