/** Recorded sales, and the lots they took units from. */

import type { ChargedLedgerSale } from '../../buying/fees/fee-audit.ts';
import { type ItemKind, type ItemRef, refText } from '../../catalog/items/numbers.ts';
import { allDays, type Page, type PageRange, type RowsAfter } from '../../kernel/page.ts';
import { dayOf, parseDay } from '../../kernel/time.ts';
import { type Filtered, itemFilter, withFilters } from '../../store/sql/filters.ts';
import * as db from '../../store/sql/operation.ts';
import { queryPage } from '../../store/sql/pages.ts';
import { saleFigures } from '../../store/sql/sale-figures.ts';
import { columnOf, columnsBut, columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import { byName } from '../lots/fields.ts';
import { type NamedTake, pageSourcePrefix, type Recorded } from '../lots/lots.ts';
import {
  amountFields,
  filterTerms,
  type ItemTrade,
  type LedgerSale,
  type LotSale,
  type OwnSale,
  orderFields,
  proceedsOf,
  type SaleAmounts,
  type SaleFilter,
  type SaleLot,
  type SaleOrder,
  type SaleResult,
  type SaleSum,
  type StoredLedgerSale,
} from './ledger.ts';
import { saleNames } from './sale-fields.ts';
import type { LotTake } from './sold-lots.ts';

export function ledgerStore(engine: db.Engine) {
  return db.methods(engine.run, {
    listSales,
    listSalesAfter,
    findSale,
    listRecordedSales,
    listChargedSales,
    listLotSales,
    listSaleLots,
    findSaleIds,
    listSoldItems,
    listItemTrades,
    listTakes,
    listSaleResults,
    listSaleSums,
  });
}

/** Newest first. Sales entered on a page are left out, because their fees may be presets. */
function listChargedSales(accountId: number, limit: number): db.Reading<ChargedLedgerSale[]> {
  return db.query<ChargedLedgerSale>(chargedSales, [accountId, limit]);
}

/** Newest first. */
function listLotSales(accountId: number, lotId: number, limit: number): db.Reading<LotSale[]> {
  return db.query<LotSale>(
    `SELECT sale.id AS "saleId", sale_date AS "saleDate", platform, take.quantity ${takes}
     WHERE lot.account_id = $1::bigint AND take.lot_id = $2::bigint
     ORDER BY sale_date DESC, sale.id DESC LIMIT $3::bigint`,
    [accountId, lotId, limit],
  );
}

/** Oldest purchase first. */
function listSaleLots(accountId: number, saleId: number, limit: number): db.Reading<SaleLot[]> {
  return db.query<SaleLot>(
    `SELECT lot.id AS "lotId", purchase_date AS "purchaseDate", date_basis AS "dateBasis",
       brickfolio.name AS brickfolio, take.quantity
     ${takes} JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id
     WHERE sale.account_id = $1::bigint AND take.sale_id = $2::bigint
     ORDER BY purchase_date, lot.id LIMIT $3::bigint`,
    [accountId, saleId, limit],
  );
}

function* findSaleIds(
  accountId: number,
  sourceIds: readonly string[],
): db.Reading<Map<string, number>> {
  const found = yield* db.query<{ readonly id: number; readonly sourceId: string }>(
    `SELECT id, source_id AS "sourceId" FROM private.ledger_sale
     WHERE account_id = $1::bigint AND source_id = ANY($2::text[])`,
    [accountId, sourceIds],
  );
  return new Map(found.map(({ id, sourceId }) => [sourceId, id]));
}

/** All items that were sold, in order. */
function listSoldItems(accountId: number): db.Reading<ItemRef[]> {
  return db.query<ItemRef>(
    `SELECT DISTINCT kind, key FROM private.ledger_sale
     WHERE account_id = $1::bigint ORDER BY kind, key`,
    [accountId],
  );
}

/**
 * Purchases with a known date, sold out or not, and sales of an item by day and condition, oldest
 * first; the latest if there are more than `limit`. A minifig may have several keys.
 */
function* listItemTrades(
  accountId: number,
  { kind, keys }: { readonly kind: ItemKind; readonly keys: readonly string[] },
  limit: number,
): db.Reading<ItemTrade[]> {
  const trades = yield* db.query<ItemTrade>(
    `SELECT 'purchase' AS type, purchase_date AS date, condition, sum(quantity)::float8 AS units,
       sum(quantity * price_cents)::float8 AS cents
     FROM private.lot
     WHERE account_id = $1::bigint AND kind = $2::text AND key = ANY($3::text[])
       AND date_basis = 'known'
     GROUP BY purchase_date, condition
     UNION ALL
     SELECT 'sale' AS type, sale_date AS date, condition, sum(quantity)::float8 AS units,
       sum(gross_cents)::float8 AS cents
     FROM private.ledger_sale
     WHERE account_id = $1::bigint AND kind = $2::text AND key = ANY($3::text[])
     GROUP BY sale_date, condition
     ORDER BY date DESC, type, condition LIMIT $4::bigint`,
    [accountId, kind, keys, limit],
  );
  return trades.reverse();
}

/** Takes by sale id, oldest purchase first; sales without lots are left out. */
function* listTakes(
  accountId: number,
  saleIds: readonly number[],
): db.Reading<Map<number, LotTake[]>> {
  const taken = yield* db.query<LotTake & { readonly saleId: number }>(
    `SELECT sale.id AS "saleId", lot.id AS "lotId", purchase_date AS "purchaseDate",
       date_basis AS "dateBasis", bought_at AS "boughtAt", price_cents AS "priceCents",
       take.quantity, take.cost_cents AS "costCents"
     ${takes} WHERE sale.account_id = $1::bigint AND sale.id = ANY($2::bigint[])
     ORDER BY purchase_date, lot.id`,
    [accountId, saleIds],
  );
  return Map.groupBy(taken, ({ saleId }) => saleId);
}

const takes = `FROM private.ledger_take take
  JOIN private.ledger_sale sale ON sale.id = take.sale_id
  JOIN private.lot ON lot.id = take.lot_id`;

const saleColumns = columnsBut(tables.ledgerSale, 's', ['accountId', 'sourceId', 'given']);

/** The `FROM … WHERE …` of a filter, and its values. */
function filteredSales(accountId: number, filter: SaleFilter): Filtered {
  const { span = allDays, kind = null, items = null, condition = null } = filter;
  const ofAccount = {
    from: `FROM private.ledger_sale s
      WHERE account_id = $1::bigint AND sale_date BETWEEN $2::text AND $3::text`,
    values: [accountId, span.from, span.to],
  };
  return withFilters(ofAccount, [
    ...filterTerms.map(
      (row) => [`${columnOf(row.field)} = ?::text`, filter[row.field] ?? null] as const,
    ),
    ['kind = ?::text', kind],
    ['condition = ?::text', condition],
    [itemFilter, items?.map(refText) ?? null],
    [isSoldFrom, filter.brickfolioId ?? null],
  ]);
}

/** SQLite keeps the order of a CROSS JOIN; otherwise it would read every lot for each sale. */
const isSoldFrom = `EXISTS (
  SELECT 1 FROM private.ledger_take take CROSS JOIN private.lot
  WHERE take.sale_id = s.id AND lot.id = take.lot_id AND lot.brickfolio_id = ?::bigint)`;

const orderColumns: Readonly<Record<SaleOrder['by'], string>> = {
  ...byName(saleNames, orderFields, ({ field }) => `s.${columnOf(field)}`),
  set: 'key',
  fees: saleFigures.fees,
  net: saleFigures.net,
  profit: saleFigures.profit,
  roi: saleFigures.roi,
};

/** Newest first unless another order is requested. */
function listSales(
  accountId: number,
  options: PageRange & SaleFilter & { readonly order?: SaleOrder },
): db.Reading<Page<LedgerSale>> {
  const { limit, offset, order = { by: 'date', isDescending: true }, ...filter } = options;
  const { from, values } = filteredSales(accountId, filter);
  const direction = order.isDescending ? 'DESC' : 'ASC';
  // Sales without a return are last in both directions.
  const nulls = order.by === 'roi' ? ' NULLS LAST' : '';
  const sorted = `${orderColumns[order.by]} ${direction}${nulls}`;
  const then = order.by === 'date' ? 's.id' : 'sale_date DESC, s.id';
  const list = { columns: saleColumns, from, order: `${sorted}, ${then}` };
  return queryPage<LedgerSale>(list, values, { limit, offset });
}

/** In order of recording. */
function listSalesAfter(
  accountId: number,
  { after, limit }: RowsAfter,
  filter: SaleFilter,
): db.Reading<LedgerSale[]> {
  const { from, values } = withFilters(filteredSales(accountId, filter), [
    ['s.id > ?::bigint', after],
  ]);
  return db.query<LedgerSale>(
    `SELECT ${saleColumns} ${from} ORDER BY s.id LIMIT $${values.length + 1}::bigint`,
    [...values, limit],
  );
}

function* findSale(accountId: number, saleId: number): db.Reading<OwnSale | null> {
  const named = { accountId, id: saleId };
  const sale = yield* db.findRow<{ given: string; costCents: number }>(tables.ledgerSale, named);
  return sale && { id: saleId, facts: JSON.parse(sale.given), costCents: sale.costCents };
}

const salesAfter = `FROM private.ledger_sale
  WHERE account_id = $1::bigint AND id > $2::bigint ORDER BY id LIMIT $3::bigint`;

const recordedSales = {
  sales: `SELECT id AS sequence, given, cost_cents AS "costCents" ${salesAfter}`,
  takes: `SELECT take.sale_id AS "saleId", lot.source_id AS lot, take.quantity,
      take.cost_cents AS "costCents"
    FROM private.ledger_take take JOIN private.lot ON lot.id = take.lot_id
    WHERE take.sale_id IN (SELECT id ${salesAfter}) ORDER BY take.lot_id`,
};

interface RecordedRows {
  readonly sales: {
    readonly sequence: number;
    readonly given: string;
    readonly costCents: number;
  }[];
  readonly takes: (NamedTake & { readonly saleId: number })[];
}

/** Sales with the origin of their cost, in order of recording. */
function* listRecordedSales(
  accountId: number,
  { after, limit }: RowsAfter,
): db.Reading<Recorded<StoredLedgerSale>[]> {
  const rows = yield* db.queryLists<RecordedRows>(recordedSales, [accountId, after, limit]);
  const takesOf = Map.groupBy(rows.takes, (take) => take.saleId);
  return rows.sales.map(({ sequence, given, costCents }) => {
    const taken = (takesOf.get(sequence) ?? []).map(({ saleId: _, ...take }) => take);
    return { ...JSON.parse(given), sequence, settled: { costCents, takes: taken } };
  });
}

const amountSums = amountFields
  .map((field) => `sum(${columnOf(field)})::float8 AS "${field}"`)
  .join();

const notCharged = ['accountId', 'sourceId', 'given', 'key', 'condition', 'costCents'];
const chargedFields = fieldsOf(tables.ledgerSale, notCharged);

const chargedSales = `
  SELECT ${columnsOf(tables.ledgerSale, 's', chargedFields)} FROM private.ledger_sale s
  WHERE account_id = $1::bigint AND ${saleFigures.fees} > 0
    AND substr(source_id, 1, ${pageSourcePrefix.length}) <> '${pageSourcePrefix}'
  ORDER BY sale_date DESC, s.id LIMIT $2::bigint`;

/** Newest month first, then by platform. */
function listSaleSums(accountId: number, filter: SaleFilter = {}): db.Reading<SaleSum[]> {
  const { from, values } = filteredSales(accountId, filter);
  return db.query<SaleSum>(
    `SELECT substr(sale_date, 1, 7) AS month, platform, count(*) AS sales, sum(quantity) AS units,
       ${amountSums} ${from} GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    values,
  );
}

/** Totals by day, in no particular order. */
function* listSaleResults(accountId: number): db.Reading<SaleResult[]> {
  const days = yield* db.query<SaleAmounts & { readonly saleDate: string }>(
    `SELECT sale_date AS "saleDate", ${amountSums}
     FROM private.ledger_sale WHERE account_id = $1::bigint GROUP BY sale_date`,
    [accountId],
  );
  return days.map(({ saleDate, ...sums }) => {
    const { netCents, profitCents } = proceedsOf(sums);
    return { day: dayOf(parseDay(saleDate) ?? 0), netCents, profitCents };
  });
}
