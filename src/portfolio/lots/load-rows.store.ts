/** Reads the rows that a change of an account can touch. */

import { findBox } from '../../buying/boxes/saved-boxes.store.ts';
import { type ItemRef, itemKey } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, type Table, tables } from '../../store/sql/tables.ts';
import { lotsOfPurchase, type PurchaseRow } from '../purchases/purchases.store.ts';
import type { Take } from './lots.ts';
import type { AccountRowOf } from './private-rows.ts';
import type { LotRow, PrivateTables, SaleRow } from './private-tables.store.ts';

/** The rows that a change needs; names are source ids. */
export interface Needs {
  readonly lotNames: readonly string[];
  readonly lotIds: readonly number[];
  readonly sales: readonly Pick<AccountRowOf<'ledger_sale'>, 'facts' | 'otherKeys'>[];
  readonly saleIds: readonly number[];
  readonly purchaseNames: readonly string[];
  /** Purchases with all their lots. */
  readonly purchaseIds: readonly number[];
  readonly boxIds: readonly number[];
  readonly hasOwnFields: boolean;
  /** Whether purchase dates may change, which must not be after sales. */
  readonly hasDates: boolean;
}

export function* loadRows(loaded: PrivateTables, needs: Needs): db.Reading<void> {
  const accountId = loaded.account.id;
  const order = 't.id';
  loaded.brickfolios.load(yield* db.listRows(tables.brickfolio, { accountId }, { order }));
  if (needs.hasOwnFields) {
    loaded.ownFields.load(yield* db.listRows(tables.ownField, { accountId }, { order }));
  }
  yield* loadPurchases(loaded, needs);
  yield* loadSales(loaded, needs);
  yield* loadLots(loaded, needs);
  if (needs.hasDates) yield* loadFirstSales(loaded);
  yield* loaded.lots.countFor(needs.lotNames, accountId);
  const saleNames = needs.sales.map(({ facts }) => facts.sourceId);
  yield* loaded.sales.countFor(saleNames, accountId);
  yield* loaded.purchases.countFor(needs.purchaseNames, accountId);
}

/** Rows by their source ids or ids. */
function* findRows<Row>(
  { account }: PrivateTables,
  table: Table,
  by: { readonly names: readonly string[] } | { readonly ids: readonly number[] },
): db.Reading<Row[]> {
  const [among, values] =
    'names' in by
      ? ['t.source_id = ANY($2::text[])', by.names]
      : ['t.id = ANY($2::bigint[])', by.ids];
  if (values.length === 0) return [];
  return yield* db.query<Row>(
    `SELECT ${columnsOf(table, 't')} FROM ${table.target} t
     WHERE t.account_id = $1::bigint AND ${among}`,
    [account.id, values],
  );
}

function* loadPurchases(loaded: PrivateTables, needs: Needs): db.Reading<void> {
  const { purchaseNames: names, purchaseIds: ids, boxIds } = needs;
  loaded.purchases.load(yield* findRows<PurchaseRow>(loaded, tables.purchase, { names }));
  loaded.purchases.load(yield* findRows<PurchaseRow>(loaded, tables.purchase, { ids }));
  for (const id of boxIds) {
    const box = yield* findBox(loaded.account.id, id);
    if (box) loaded.boxes.set(id, box);
  }
  for (const id of ids) {
    const purchase = loaded.purchases.findById(id);
    if (!purchase) continue;
    loaded.lots.load(
      yield* db.query<LotRow>(
        `SELECT ${columnsOf(tables.lot, 'lot')} FROM private.lot
         WHERE lot.account_id = $1::bigint AND ${lotsOfPurchase('$2::text')}`,
        [loaded.account.id, purchase.sourceId],
      ),
    );
  }
}

function* loadSales(loaded: PrivateTables, { sales, saleIds }: Needs): db.Reading<void> {
  const names = sales.map(({ facts }) => facts.sourceId);
  loaded.sales.load(yield* findRows<SaleRow>(loaded, tables.ledgerSale, { names }));
  loaded.sales.load(yield* findRows<SaleRow>(loaded, tables.ledgerSale, { ids: saleIds }));
  const ids = loaded.sales.rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const takes = yield* db.query<Take & { saleId: number }>(
    `SELECT t.sale_id AS "saleId", t.lot_id AS "lotId", t.quantity, t.cost_cents AS "costCents"
     FROM private.ledger_take t WHERE t.sale_id = ANY($1::bigint[]) ORDER BY t.lot_id`,
    [ids],
  );
  loaded.loadTakes(takes);
  const lotIds = takes.map(({ lotId }) => lotId);
  loaded.lots.load(yield* findRows<LotRow>(loaded, tables.lot, { ids: lotIds }));
}

/** Lots named by rows, and lots that sales may take units from. */
function* loadLots(loaded: PrivateTables, needs: Needs): db.Reading<void> {
  const { lotNames, lotIds, sales } = needs;
  const soldNames = sales.flatMap(({ facts }) => {
    const settled = facts.settled?.takes.map((take) => take.lot) ?? [];
    return facts.lot === null ? settled : [facts.lot, ...settled];
  });
  const names = [...lotNames, ...soldNames];
  loaded.lots.load(yield* findRows<LotRow>(loaded, tables.lot, { names }));
  loaded.lots.load(yield* findRows<LotRow>(loaded, tables.lot, { ids: lotIds }));
  loaded.lots.load(
    yield* db.queryEach<LotRow>(
      `SELECT ${columnsOf(tables.lot, 'l')} FROM private.lot l
       WHERE l.account_id = r."accountId" AND l.kind = r.kind AND l.key = r.key
         AND l.condition = r.condition AND l.sold < l.quantity
       ORDER BY l.purchase_date, l.id LIMIT r.count`,
      {
        types: {
          accountId: 'bigint',
          kind: 'text',
          key: 'text',
          condition: 'text',
          count: 'bigint',
        },
        rows: oldestLots(loaded.account.id, needs),
      },
    ),
  );
}

/** How many of the oldest open lots of an item and condition the sales of a change may need. */
interface OldestLots extends ItemRef {
  readonly accountId: number;
  readonly condition: string;
  count: number;
}

/**
 * Each sold unit uses up at most one lot, and each row about a lot moves at most one, so the oldest
 * open lots are always among those loaded.
 */
function oldestLots(accountId: number, { sales, lotNames, lotIds }: Needs): OldestLots[] {
  const needed = new Map<string, OldestLots>();
  for (const { facts, otherKeys = [] } of sales) {
    if (facts.costCents !== null) continue;
    const { kind, condition, quantity } = facts;
    for (const key of [itemKey(kind, facts.number), ...otherKeys]) {
      const name = [condition, kind, key].join(' ');
      const count = lotNames.length + lotIds.length;
      const known = needed.get(name) ?? { accountId, kind, key, condition, count };
      known.count += quantity;
      needed.set(name, known);
    }
  }
  return [...needed.values()];
}

function* loadFirstSales(loaded: PrivateTables): db.Reading<void> {
  const ids = loaded.lots.rows.filter(({ sold }) => sold > 0).map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = yield* db.query<{ lotId: number; saleDate: string }>(
    `SELECT t.lot_id::float8 AS "lotId", min(s.sale_date) AS "saleDate"
     FROM private.ledger_take t JOIN private.ledger_sale s ON s.id = t.sale_id
     WHERE t.lot_id = ANY($1::bigint[]) GROUP BY t.lot_id`,
    [ids],
  );
  for (const { lotId, saleDate } of rows) loaded.firstSales.set(lotId, saleDate);
}
