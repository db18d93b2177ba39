/** Collections of an account, and totals of what they contain. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { parseMonth } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import type { Brickfolio, Holdings, LotCount, PurchaseMonth } from './brickfolios.ts';

export function brickfolioStore(engine: db.Engine) {
  return db.methods(engine.run, { findHoldings, hasMoreRows, listBrickfolios, countLots });
}

/** Whether the account has more lots and sales, taken together, than `rows`. */
function* hasMoreRows(accountId: number, rows: number): db.Reading<boolean> {
  const found = yield* db.first<{ n: number }>(
    `SELECT count(*)::int AS n FROM (
     SELECT 1 FROM private.lot WHERE account_id = $1::bigint
     UNION ALL SELECT 1 FROM private.ledger_sale WHERE account_id = $1::bigint
     LIMIT $2::int) AS found`,
    [accountId, rows + 1],
  );
  return (found?.n ?? 0) > rows;
}

/** Oldest first. */
function listBrickfolios(accountId: number): db.Reading<Brickfolio[]> {
  return db.query<Brickfolio>(everyHolding.brickfolios, [accountId]);
}

/** Null if the collection does not belong to the account. */
export function countLots(accountId: number, brickfolioId: number): db.Reading<LotCount | null> {
  return db.first<LotCount>(
    `SELECT (SELECT count(*) FROM private.lot WHERE brickfolio_id = b.id) AS lots,
       (SELECT count(*) FROM private.lot WHERE brickfolio_id = b.id AND sold > 0)
         AS "withSales"
     FROM private.brickfolio b WHERE b.account_id = $1::bigint AND b.id = $2::bigint`,
    [accountId, brickfolioId],
  );
}

export const unitsAndCost = `sum(quantity - sold)::float8 AS units,
  sum((quantity - sold) * price_cents)::float8 AS "costCents"`;

export const openLots = 'FROM private.lot WHERE account_id = $1::bigint AND sold < quantity';

const holdingsSql = (among: string) => ({
  brickfolios: `
    SELECT ${columnsBut(tables.brickfolio, 'b', ['accountId'])}
    FROM private.brickfolio b WHERE account_id = $1::bigint ORDER BY b.id`,
  stakes: `
    SELECT brickfolio_id AS "brickfolioId", kind, key, condition, grade, ${unitsAndCost}
    ${openLots} ${among} GROUP BY kind, key, condition, grade, brickfolio_id
    ORDER BY kind, key, condition, coalesce(grade, ''), brickfolio_id`,
  purchases: `
    SELECT substr(purchase_date, 1, 7) AS month, count(*) AS lots, ${unitsAndCost}
    ${openLots} ${among} GROUP BY 1 ORDER BY 1`,
});

const everyHolding = holdingsSql('');
const holdingsOf: Readonly<Record<ItemKind, typeof everyHolding>> = {
  set: holdingsSql("AND kind = 'set'"),
  minifig: holdingsSql("AND kind = 'minifig'"),
};

interface HoldingRows {
  readonly brickfolios: Brickfolio[];
  readonly stakes: Holdings['stakes'];
  /** Months are YYYY-MM. */
  readonly purchases: (Omit<PurchaseMonth, 'month'> & { readonly month: string })[];
}

/** Of one kind, or all if it is null. */
function* findHoldings(accountId: number, kind: ItemKind | null): db.Reading<Holdings> {
  const sql = kind === null ? everyHolding : holdingsOf[kind];
  const { brickfolios, stakes, purchases } = yield* db.queryLists<HoldingRows>(sql, [accountId]);
  return {
    brickfolios,
    stakes,
    purchases: purchases.map((row) => ({ ...row, month: parseMonth(row.month) ?? 0 })),
  };
}
