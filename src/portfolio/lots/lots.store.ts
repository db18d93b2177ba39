/** The lots of an account. */
import { type ItemKind, type ItemRef, refText } from '../../catalog/items/numbers.ts';
import type { Page, PageRange, RowsAfter } from '../../kernel/page.ts';
import { itemFilter, withFilters } from '../../store/sql/filters.ts';
import * as db from '../../store/sql/operation.ts';
import { queryPage } from '../../store/sql/pages.ts';
import { saleFigures } from '../../store/sql/sale-figures.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import type { Exit, GradedPosition } from '../returns/value-history.ts';
import { openLots, unitsAndCost } from './brickfolios.store.ts';
import type { HeldLot, HoldingFilter, ListedHolding } from './holdings.ts';
import type {
  HeldCost,
  HeldItem,
  HeldUnits,
  InventoryLot,
  ItemsAfter,
  OwnLot,
  Recorded,
  StoredLot,
} from './lots.ts';

export function lotStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, {
      listEntries,
      findPrivateVersion,
      listHeldItems,
      findLot,
      findLotsBySourceIds,
      listLots,
      listInventory,
      listPurchases,
      listListed,
      listAsked,
      listLotsOfItem,
      listHeldCosts,
      listHoldings,
    }),
    ...db.methods(engine.snapshot, {
      listPositions,
    }),
  };
}

/** Pairs of account and held item, in order, after a pair. */
function listHeldItems({ accountId, kind, key }: HeldItem, limit: number): db.Reading<HeldUnits[]> {
  return db.query<HeldUnits>(
    `SELECT lot.account_id::float8 AS "accountId", lot.kind, lot.key,
       sum(lot.quantity - lot.sold)::float8 AS units FROM private.lot
     WHERE sold < quantity
       AND (lot.account_id, lot.kind, lot.key) > ($1::bigint, $2::text, $3::text)
     GROUP BY lot.account_id, lot.kind, lot.key
     ORDER BY lot.account_id, lot.kind, lot.key LIMIT $4::bigint`,
    [accountId, kind, key, limit],
  );
}

function findLot(accountId: number, lotId: number): db.Reading<OwnLot | null> {
  return db.first<OwnLot>(
    `SELECT ${ownLotColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND lot.id = $2::bigint`,
    [accountId, lotId],
  );
}

function* findLotsBySourceIds(
  accountId: number,
  sourceIds: readonly string[],
): db.Reading<Map<string, OwnLot>> {
  const lots = yield* db.query<OwnLot>(
    `SELECT ${ownLotColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND lot.source_id = ANY($2::text[])`,
    [accountId, sourceIds],
  );
  return new Map(lots.map((lot) => [lot.sourceId, lot]));
}

/** All lots including sold-out ones, in order of recording. */
function listLots(
  accountId: number,
  { after, limit }: RowsAfter,
): db.Reading<Recorded<StoredLot>[]> {
  return db.query<Recorded<StoredLot>>(
    `SELECT lot.id AS sequence, ${storedColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND lot.id > $2::bigint
     ORDER BY lot.id LIMIT $3::bigint`,
    [accountId, after, limit],
  );
}

/** All lots including sold-out ones, in order of ids. */
function listInventory(accountId: number, { after, limit }: RowsAfter): db.Reading<InventoryLot[]> {
  return db.query<InventoryLot>(inventory, [accountId, after, limit]);
}

/** The latest purchases with a known date, including sold-out lots, newest first. */
function listPurchases(accountId: number, limit: number): db.Reading<InventoryLot[]> {
  return db.query<InventoryLot>(latestPurchases, [accountId, limit]);
}

/** Lots for sale with units left and a known listing date, those listed longest first. */
function listListed(accountId: number, limit: number): db.Reading<InventoryLot[]> {
  return db.query<InventoryLot>(listed, [accountId, limit]);
}

/** Lots for sale with units left and an asking price, those with the highest one first. */
function listAsked(accountId: number, limit: number): db.Reading<InventoryLot[]> {
  return db.query<InventoryLot>(asked, [accountId, limit]);
}

/** Lots of an item with units left, oldest purchase first. */
function listLotsOfItem(
  accountId: number,
  { kind, key }: ItemRef,
  limit: number,
): db.Reading<OwnLot[]> {
  return db.query<OwnLot>(lotsOfItem, [accountId, kind, key, limit]);
}

/** Held units and cost by item, for all items of a kind or some. */
function listHeldCosts(accountId: number, kind: ItemKind, keys?: readonly string[]) {
  return keys
    ? db.query<HeldCost>(heldAmong, [accountId, kind, keys])
    : db.query<HeldCost>(held, [accountId, kind]);
}

const lotColumns = (without: readonly string[]) => columnsBut(tables.lot, 'lot', without);

const inventoryColumns = lotColumns(['accountId', 'sourceId']);
const inventory = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.account_id = $1::bigint AND lot.id > $2::bigint ORDER BY lot.id LIMIT $3::bigint`;
export const ownLots =
  'FROM private.lot JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id';
export const ownLotColumns = `${lotColumns(['accountId'])}, brickfolio.name AS brickfolio`;
const storedColumns = `${lotColumns(['id', 'accountId', 'brickfolioId', 'key'])},
  brickfolio.name AS brickfolio`;

/** For all other lots, only the index is read. */
const latestPurchases = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.id IN (SELECT id FROM private.lot
    WHERE account_id = $1::bigint AND date_basis = 'known'
    ORDER BY purchase_date DESC, id LIMIT $2::bigint)
  ORDER BY purchase_date DESC, lot.id`;
const listed = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.account_id = $1::bigint AND status = 'listed' AND sold < quantity
    AND lot.listed_at IS NOT NULL
  ORDER BY lot.listed_at, lot.id LIMIT $2::bigint`;
const asked = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.account_id = $1::bigint AND status = 'listed' AND sold < quantity
    AND lot.asking_cents IS NOT NULL
  ORDER BY lot.asking_cents DESC, lot.id LIMIT $2::bigint`;
const lotsOfItem = `SELECT ${ownLotColumns} ${ownLots}
  WHERE lot.account_id = $1::bigint AND kind = $2::text AND key = $3::text AND sold < quantity
  ORDER BY purchase_date, lot.id LIMIT $4::bigint`;

/** There is an index with this order, for all lots and for one collection. */
const entries = {
  columns: `${lotColumns(['accountId', 'sourceId', 'quantity', 'sold'])},
    quantity - sold AS units`,
  from: `${openLots} AND kind = 'set'`,
  order: 'purchase_date DESC, lot.id',
};
const ownBrickfolio =
  'SELECT id FROM private.brickfolio WHERE account_id = $1::bigint AND id = $2::bigint';
const brickfolioEntries = {
  ...entries,
  from: `FROM private.lot WHERE brickfolio_id = (${ownBrickfolio}) AND sold < quantity
    AND kind = 'set'`,
};

/**
 * Lots of sets with units left, newest purchase first; null if the collection does not belong to
 * the account.
 */
function* listEntries(
  accountId: number,
  { brickfolioId, ...page }: PageRange & { readonly brickfolioId: number | null },
): db.Reading<Page<HeldLot> | null> {
  if (brickfolioId === null) return yield* queryPage<HeldLot>(entries, [accountId], page);
  const values = [accountId, brickfolioId];
  const found = yield* queryPage<HeldLot>(brickfolioEntries, values, page);
  // An empty page may mean that the collection belongs to another account.
  if (found.total === 0 && !(yield* db.first(ownBrickfolio, values))) return null;
  return found;
}

/** Lots with units left, in order of recording. */
function listHoldings(
  accountId: number,
  { after, limit }: RowsAfter,
  filter: HoldingFilter,
): db.Reading<ListedHolding[]> {
  const { from, values } = withFilters(
    {
      from: `${openLots} AND lot.id > $2::bigint AND purchase_date BETWEEN $3::text AND $4::text`,
      values: [accountId, after, filter.span.from, filter.span.to],
    },
    [
      ['kind = ?::text', filter.kind],
      ['brickfolio_id = ?::bigint', filter.brickfolioId],
      ['condition = ?::text', filter.condition],
      ['status = ?::text', filter.status],
      [itemFilter, filter.items?.map(refText) ?? null],
    ],
  );
  return db.query<ListedHolding>(
    `SELECT ${holdingColumns} ${from} ORDER BY lot.id LIMIT $${values.length + 1}::bigint`,
    [...values, limit],
  );
}

const holdingColumns = `${lotColumns(['accountId', 'sourceId', 'sold'])},
  quantity - sold AS units`;

const held = `SELECT kind, key, ${unitsAndCost} ${openLots} AND kind = $2::text
  GROUP BY kind, key ORDER BY key`;
const heldAmong = `SELECT kind, key, ${unitsAndCost}
  FROM private.lot
  WHERE account_id = $1::bigint AND kind = $2::text AND key = ANY($3::text[]) AND sold < quantity
  GROUP BY kind, key ORDER BY key`;

/** Increases with every change to the data of an account; 0 if there is no such account. */
function* findPrivateVersion(accountId: number): db.Reading<number> {
  const account = yield* db.first<{ readonly version: number }>(
    'SELECT private_version::float8 AS version FROM private.account WHERE id = $1::bigint',
    [accountId],
  );
  return account?.version ?? 0;
}

type Exits = readonly Exit[];
type PositionRow = GradedPosition & { readonly id: number; exits: Exits };
type ExitRow = Exits[number] & { readonly lotId: number };

const noExits: Exits = [];

const endOfKeys = '\u{10ffff}';

/**
 * All lots of a kind with their sales, in order of item, condition and grade. There may be
 * thousands, so rows are turned into positions in place, and an index has this order.
 */
function* listPositions(
  accountId: number,
  { kind, after, limit }: ItemsAfter,
): db.Reading<GradedPosition[]> {
  const last = yield* db.first<{ readonly key: string }>(
    `SELECT key FROM private.lot
     WHERE account_id = $1::bigint AND kind = $2::text AND key > $3::text
     ORDER BY key LIMIT 1 OFFSET $4::bigint - 1`,
    [accountId, kind, after, limit],
  );
  const lots = yield* db.query<PositionRow>(
    `SELECT id::float8, key, condition, grade,
       purchase_date::date - DATE '1970-01-01' AS "boughtOn", quantity::float8,
       price_cents::float8 AS "priceCents", is_estimated::boolean AS "isEstimated",
       (date_basis <> 'unknown')::boolean AS "isDated", NULL AS exits
     FROM private.lot
     WHERE account_id = $1::bigint AND kind = $2::text AND key > $3::text AND key <= $4::text
     ORDER BY key, condition, lot.grade, purchase_date, lot.quantity, price_cents, date_basis,
       lot.is_estimated, lot.id`,
    [accountId, kind, after, last?.key ?? endOfKeys],
  );
  const isAll = after === '' && last === null;
  const takes = yield* isAll
    ? db.query<ExitRow>(exitsFrom(takesOfKind), [accountId, kind])
    : db.query<ExitRow>(exitsFrom(takesOfItems), [accountId, kind, after, last?.key ?? endOfKeys]);
  const exits = Map.groupBy(takes, (take) => take.lotId);
  for (const lot of lots) lot.exits = exits.get(lot.id) ?? noExits;
  return lots;
}

const exitsFrom = (from: string) => `
  SELECT t.lot_id::float8 AS "lotId", s.sale_date::date - DATE '1970-01-01' AS day,
    t.quantity::float8, ${saleFigures.netOfTake} AS "netCents"
  ${from} ORDER BY s.sale_date DESC, s.id`;

/** Starting from sales is faster if all lots are read. */
const takesOfKind = `FROM private.ledger_sale s JOIN private.ledger_take t ON t.sale_id = s.id
  WHERE s.account_id = $1::bigint AND s.kind = $2::text`;
const takesOfItems = `FROM private.lot
  JOIN private.ledger_take t ON t.lot_id = lot.id JOIN private.ledger_sale s ON s.id = t.sale_id
  WHERE lot.account_id = $1::bigint AND lot.kind = $2::text
    AND lot.key > $3::text AND lot.key <= $4::text`;
