/** Purchases with one receipt. Their lots are found by their source ids. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Page, PageRange } from '../../kernel/page.ts';
import * as db from '../../store/sql/operation.ts';
import { queryPage } from '../../store/sql/pages.ts';
import { columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import { ownLotColumns, ownLots } from '../lots/lots.store.ts';
import type { OwnLot } from '../lots/lots.ts';
import { type BoughtRow, type ListedPurchase, type Purchase, refundedCents } from './purchases.ts';

export function purchaseStore(engine: db.Engine) {
  return db.methods(engine.run, {
    pageBought,
    pagePurchases,
    findPurchase,
    findPurchaseId,
    listPurchaseLots,
  });
}

type StoredPurchase = Omit<Purchase, 'prices' | 'returns'> &
  Readonly<Record<'prices' | 'returns', string>>;

export type PurchaseRow = StoredPurchase & { readonly accountId: number };

const purchaseFields = fieldsOf(tables.purchase, ['accountId']);
const purchaseColumns = columnsOf(tables.purchase, 'p', purchaseFields);

/** The source ids of the lots of a purchase are between these. */
export const lotsOfPurchase = (purchase: string) =>
  `lot.source_id > ${purchase} || ':' AND lot.source_id < ${purchase} || ';'`;

/** Newest first. */
function* pagePurchases(accountId: number, range: PageRange): db.Reading<Page<ListedPurchase>> {
  const list = {
    columns: `${purchaseColumns}, (SELECT coalesce(sum(lot.quantity), 0) FROM private.lot
      WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('p.source_id')})::float8 AS units`,
    from: 'FROM private.purchase p WHERE p.account_id = $1::bigint',
    order: 'p.purchase_date DESC, p.id DESC',
  };
  const page = yield* queryPage<StoredPurchase & { units: number }>(list, [accountId], range);
  return { ...page, rows: page.rows.map(parsedPurchase) };
}

interface StoredBought extends Omit<BoughtRow, 'refundedCents' | 'lot'> {
  readonly returns: string;
  readonly lotId: number | null;
  readonly kind: ItemKind;
  readonly key: string;
  readonly number: string;
}

/** Lots whose price and date are known, and that are of no purchase. */
const lotsAlone = `lot.account_id = $1::bigint AND lot.date_basis = 'known'
  AND NOT lot.is_estimated AND lot.price_cents > 0
  AND lot.id NOT IN (SELECT lot.id FROM private.purchase p JOIN private.lot
    ON lot.account_id = p.account_id AND ${lotsOfPurchase('p.source_id')}
    WHERE p.account_id = $1::bigint)`;

/** Purchases and lots that were bought alone, newest first. */
function* pageBought(accountId: number, range: PageRange): db.Reading<Page<BoughtRow>> {
  const list = {
    columns: '*',
    from: `FROM (
      SELECT p.id::float8 AS "purchaseId", NULL::float8 AS "lotId", p.store AS "store",
        p.purchase_date AS "purchaseDate", p.total_cents::float8 AS "totalCents",
        (SELECT coalesce(sum(lot.quantity), 0)::float8 FROM private.lot
          WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('p.source_id')}) AS "units",
        p.returns AS "returns", 'set' AS "kind", '' AS "key", '' AS "number"
      FROM private.purchase p WHERE p.account_id = $1::bigint
      UNION ALL
      SELECT NULL, lot.id::float8, lot.bought_at, lot.purchase_date,
        (lot.quantity * lot.price_cents)::float8, lot.quantity::float8, '[]',
        lot.kind, lot.key, lot.number
      FROM private.lot WHERE ${lotsAlone}
    ) bought`,
    order: '"purchaseDate" DESC, "purchaseId" DESC NULLS LAST, "lotId" DESC',
  };
  const page = yield* queryPage<StoredBought>(list, [accountId], range);
  const rows = page.rows.map(({ lotId, kind, key, number, returns, ...row }) => ({
    ...row,
    refundedCents: refundedCents(JSON.parse(returns)),
    lot: lotId === null ? null : { id: lotId, kind, key, number },
  }));
  return { ...page, rows };
}

export function parsedPurchase<Row extends StoredPurchase>({ prices, returns, ...row }: Row) {
  return { ...row, prices: JSON.parse(prices), returns: JSON.parse(returns) };
}

function* findPurchase(accountId: number, id: number): db.Reading<Purchase | null> {
  const found = yield* db.findRow<StoredPurchase>(
    tables.purchase,
    { accountId, id },
    purchaseFields,
  );
  return found && parsedPurchase(found);
}

/** Null if there is no such purchase. */
function* findPurchaseId(accountId: number, sourceId: string): db.Reading<number | null> {
  const named = { accountId, sourceId };
  const found = yield* db.findRow<{ id: number }>(tables.purchase, named, ['id']);
  return found?.id ?? null;
}

/** Including sold-out ones, in order of recording. */
function listPurchaseLots(accountId: number, sourceId: string): db.Reading<OwnLot[]> {
  return db.query<OwnLot>(
    `SELECT ${ownLotColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('$2::text')} ORDER BY lot.id`,
    [accountId, sourceId],
  );
}
