/** What PostgreSQL tells about an account's own collections, lots and sales. */
import type { DaySpan, Page, PageRange } from '../../domain/kernel/page.ts';
import type {
  Brickfolio,
  HeldCost,
  HoldingStore,
  Holdings,
} from '../../domain/portfolio/holding-store.ts';
import type { HeldLot } from '../../domain/portfolio/holdings.ts';
import type { LedgerSale } from '../../domain/portfolio/ledger.ts';
import {
  allDays,
  type PurchaseMonthRow,
  type SaleResultRow,
  toPurchaseMonth,
  toSaleResult,
} from '../holding-rows.ts';
import type { Client, Connection } from './client.ts';
import { findLots, listLots, listRecordedSales } from './lots.ts';
import { listPositions } from './positions.ts';

/**
 * The reading half for private data. An answer that is made of several lists is one statement,
 * which sees one instant and is one round trip; its lists come as JSON.
 */
export function postgresHoldings(client: Client): HoldingStore {
  return {
    hasMoreRows: async (accountId, rows) => {
      const [found] = await client.query<{ n: number }>(countSome, [accountId, rows + 1]);
      return (found?.n ?? 0) > rows;
    },
    findHoldings: (accountId) => findHoldings(client, accountId),
    listEntries: (accountId, page) => listEntries(client, accountId, page),
    findLots: (accountId, sourceIds) => findLots(client, accountId, sourceIds),
    listLots: (accountId, options) => listLots(client, accountId, options),
    listRecordedSales: (accountId, options) => listRecordedSales(client, accountId, options),
    listPositions: (accountId) => client.snapshot((tx) => listPositions(tx, accountId)),
    listSales: (accountId, page) => listSales(client, accountId, page),
    listSaleResults: async (accountId) =>
      (await client.query<SaleResultRow>(selectSaleResults, [accountId])).map(toSaleResult),
    listHeldCosts: (accountId, setKeys) =>
      setKeys
        ? client.query<HeldCost>(selectHeldAmong, [accountId, setKeys])
        : client.query<HeldCost>(selectHeld, [accountId]),
  };
}

const countSome = `SELECT count(*)::int AS n FROM (
  SELECT 1 FROM private.lot WHERE account_id = $1::bigint
  UNION ALL SELECT 1 FROM private.ledger_sale WHERE account_id = $1::bigint
  LIMIT $2::int) AS found`;

/** The rows of a statement as a list, in their order. */
function listOf(sql: string): string {
  return `coalesce((SELECT json_agg(row) FROM (${sql}) row), '[]')`;
}

const open = 'account_id = $1::bigint AND sold < quantity';
const unitsAndCost = `sum(quantity - sold)::float8 AS units,
  sum((quantity - sold) * price_cents)::float8 AS "costCents"`;

const selectHoldings = `SELECT
  ${listOf(`SELECT id, name, description, is_default AS "isDefault", created_at AS "createdAt"
    FROM private.brickfolio WHERE account_id = $1::bigint ORDER BY id`)} AS brickfolios,
  ${listOf(`SELECT brickfolio_id AS "brickfolioId", set_key AS "setKey", condition,
      ${unitsAndCost}
    FROM private.lot WHERE ${open} GROUP BY set_key, condition, brickfolio_id
    ORDER BY set_key, condition, brickfolio_id`)} AS stakes,
  ${listOf(`SELECT substr(purchase_date, 1, 7) AS month, count(*) AS lots, ${unitsAndCost}
    FROM private.lot WHERE ${open} GROUP BY 1 ORDER BY 1`)} AS purchases`;

interface HoldingsRow {
  readonly brickfolios: Brickfolio[];
  readonly stakes: Holdings['stakes'];
  readonly purchases: PurchaseMonthRow[];
}

async function findHoldings(client: Connection, accountId: number): Promise<Holdings> {
  const [row] = await client.query<HoldingsRow>(selectHoldings, [accountId]);
  if (!row) throw new Error('Holdings are one row.');
  return { ...row, purchases: row.purchases.map(toPurchaseMonth) };
}

const lotColumns = `id, brickfolio_id AS "brickfolioId", set_key AS "setKey",
  set_number AS "setNumber", quantity - sold AS units, condition, price_cents AS "priceCents",
  purchase_date AS "purchaseDate", status, is_estimated AS "isEstimated"`;

/** A page of lots by a column that must be indexed in this order. */
function selectEntries(column: 'account_id' | 'brickfolio_id'): string {
  const where = `FROM private.lot WHERE ${column} = $2::bigint AND sold < quantity`;
  return `SELECT (SELECT count(*) ${where})::float8 AS total,
    ${listOf(`SELECT ${lotColumns} ${where} ORDER BY purchase_date DESC, id
      LIMIT $3::bigint OFFSET $4::bigint`)} AS rows`;
}

const selectAllEntries = `${selectEntries('account_id')} WHERE $1::bigint = $2::bigint`;

const selectBrickfolioEntries = `${selectEntries('brickfolio_id')}
  WHERE EXISTS (SELECT 1 FROM private.brickfolio
    WHERE id = $2::bigint AND account_id = $1::bigint)`;

async function listEntries(
  client: Connection,
  accountId: number,
  { brickfolioId, limit, offset }: PageRange & { readonly brickfolioId: number | null },
): Promise<Page<HeldLot> | null> {
  const sql = brickfolioId === null ? selectAllEntries : selectBrickfolioEntries;
  const values = [accountId, brickfolioId ?? accountId, limit, offset];
  const [page] = await client.query<Page<HeldLot>>(sql, values);
  return page ?? null;
}

const salesWanted = `FROM private.ledger_sale
  WHERE account_id = $1::bigint AND sale_date BETWEEN $2::text AND $3::text`;

const selectSales = `SELECT
  (SELECT count(*) ${salesWanted})::float8 AS total,
  ${listOf(`SELECT id, set_key AS "setKey", set_number AS "setNumber", platform,
      sale_date AS "saleDate", quantity, gross_cents AS "grossCents",
      platform_fees_cents AS "platformFeesCents", payment_fees_cents AS "paymentFeesCents",
      shipping_cents AS "shippingCents", cost_cents AS "costCents"
    ${salesWanted}
    ORDER BY sale_date DESC, id LIMIT $4::bigint OFFSET $5::bigint`)} AS rows`;

async function listSales(
  client: Connection,
  accountId: number,
  { limit, offset, span = allDays }: PageRange & { readonly span?: DaySpan | undefined },
): Promise<Page<LedgerSale>> {
  const values = [accountId, span.from, span.to, limit, offset];
  const [page] = await client.query<Page<LedgerSale>>(selectSales, values);
  return page ?? { total: 0, rows: [] };
}

const selectSaleResults = `
  SELECT sale_date AS "saleDate", sum(gross_cents)::float8 AS "grossCents",
    sum(platform_fees_cents)::float8 AS "platformFeesCents",
    sum(payment_fees_cents)::float8 AS "paymentFeesCents",
    sum(shipping_cents)::float8 AS "shippingCents", sum(cost_cents)::float8 AS "costCents",
    EXISTS (SELECT 1 FROM private.ledger_take WHERE sale_id = s.id) AS "isFromLots"
  FROM private.ledger_sale s WHERE account_id = $1::bigint GROUP BY sale_date, "isFromLots"`;

const heldColumns = `set_key AS "setKey", ${unitsAndCost}`;

const selectHeld = `
  SELECT ${heldColumns} FROM private.lot WHERE ${open} GROUP BY set_key ORDER BY set_key`;

const selectHeldAmong = `
  SELECT ${heldColumns} FROM private.lot WHERE ${open} AND set_key = ANY($2::text[])
  GROUP BY set_key ORDER BY set_key`;
