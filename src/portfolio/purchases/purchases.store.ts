/** Purchases with one receipt. Their lots are found by their source ids. */

import type { Page, PageRange } from '../../kernel/page.ts';
import { type Engine, first, methods, query, type Reading } from '../../store/sql/operation.ts';
import { queryPage } from '../../store/sql/pages.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import { ownLotColumns, ownLots } from '../lots/lots.store.ts';
import type { OwnLot } from '../lots/lots.ts';
import type { ListedPurchase, Purchase } from './purchases.ts';

export function purchaseStore(engine: Engine) {
  return methods(engine.run, { pagePurchases, findPurchase, findPurchaseId, listPurchaseLots });
}

type StoredPurchase = Omit<Purchase, 'prices' | 'returns'> &
  Readonly<Record<'prices' | 'returns', string>>;

export type PurchaseRow = StoredPurchase & { readonly accountId: number };

const purchaseColumns = columnsBut(tables.purchase, 'p', ['accountId']);

/** The source ids of the lots of a purchase are between these. */
export const lotsOfPurchase = (purchase: string) =>
  `lot.source_id > ${purchase} || ':' AND lot.source_id < ${purchase} || ';'`;

/** Newest first. */
function* pagePurchases(accountId: number, range: PageRange): Reading<Page<ListedPurchase>> {
  const list = {
    columns: `${purchaseColumns}, (SELECT coalesce(sum(lot.quantity), 0) FROM private.lot
      WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('p.source_id')})::float8 AS units`,
    from: 'FROM private.purchase p WHERE p.account_id = $1::bigint',
    order: 'p.purchase_date DESC, p.id DESC',
  };
  const page = yield* queryPage<StoredPurchase & { units: number }>(list, [accountId], range);
  return { ...page, rows: page.rows.map(parsedPurchase) };
}

export function parsedPurchase<Row extends StoredPurchase>({ prices, returns, ...row }: Row) {
  return { ...row, prices: JSON.parse(prices), returns: JSON.parse(returns) };
}

function* findPurchase(accountId: number, id: number): Reading<Purchase | null> {
  const found = yield* first<StoredPurchase>(
    `SELECT ${purchaseColumns} FROM private.purchase p
     WHERE p.account_id = $1::bigint AND p.id = $2::bigint`,
    [accountId, id],
  );
  return found && parsedPurchase(found);
}

/** Null if there is no such purchase. */
function* findPurchaseId(accountId: number, sourceId: string): Reading<number | null> {
  const found = yield* first<{ id: number }>(
    `SELECT id::float8 AS id FROM private.purchase
     WHERE account_id = $1::bigint AND source_id = $2::text`,
    [accountId, sourceId],
  );
  return found?.id ?? null;
}

/** Including sold-out ones, in order of recording. */
function listPurchaseLots(accountId: number, sourceId: string): Reading<OwnLot[]> {
  return query<OwnLot>(
    `SELECT ${ownLotColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('$2::text')} ORDER BY lot.id`,
    [accountId, sourceId],
  );
}
