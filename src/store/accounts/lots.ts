/** What a store tells about an account's lots. */
import type { Page, PageRange } from '../../domain/kernel/page.ts';
import type { HeldLot } from '../../domain/portfolio/holdings.ts';
import type {
  HeldCost,
  HeldSets,
  HeldUnits,
  InventoryLot,
  LotStore,
  OwnLot,
  Recorded,
  SetsAfter,
  StoredLot,
} from '../../domain/portfolio/lot-store.ts';
import type { Exit, Position } from '../../domain/portfolio/value-history.ts';
import { type Engine, first, type Operation, query } from '../sql/operation.ts';
import { queryPage } from '../sql/pages.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { openLots, unitsAndCost } from './brickfolios.ts';

/** Reading lots. */
export function lotStore(engine: Engine): LotStore & HeldSets {
  return {
    listHeldSets: ({ accountId, setKey }, limit) =>
      engine.run(() =>
        query<HeldUnits>(
          `SELECT lot.account_id::float8 AS "accountId", lot.set_key AS "setKey",
             sum(lot.quantity - lot.sold)::float8 AS units FROM private.lot
           WHERE sold < quantity AND (lot.account_id, lot.set_key) > ($1::bigint, $2::text)
           GROUP BY lot.account_id, lot.set_key
           ORDER BY lot.account_id, lot.set_key LIMIT $3::bigint`,
          [accountId, setKey, limit],
        ),
      ),
    listEntries: (accountId, page) => engine.run(() => listEntries(accountId, page)),
    findLot: (accountId, lotId) =>
      engine.run(() =>
        first<OwnLot>(
          `SELECT ${ownColumns} ${ownLots}
           WHERE lot.account_id = $1::bigint AND lot.id = $2::bigint`,
          [accountId, lotId],
        ),
      ),
    findLots: async (accountId, sourceIds) => {
      const lots = await engine.run(() =>
        query<StoredLot>(
          `SELECT ${storedColumns} ${ownLots}
           WHERE lot.account_id = $1::bigint AND lot.source_id = ANY($2::text[])`,
          [accountId, sourceIds],
        ),
      );
      return new Map(lots.map((lot) => [lot.sourceId, lot]));
    },
    listLots: (accountId, { after, limit }) =>
      engine.run(() =>
        query<Recorded<StoredLot>>(
          `SELECT lot.id AS place, ${storedColumns} ${ownLots}
           WHERE lot.account_id = $1::bigint AND lot.id > $2::bigint
           ORDER BY lot.id LIMIT $3::bigint`,
          [accountId, after, limit],
        ),
      ),
    listInventory: (accountId, { after, limit }) =>
      engine.run(() => query<InventoryLot>(inventory, [accountId, after, limit])),
    listPurchases: (accountId, limit) =>
      engine.run(() => query<InventoryLot>(latestPurchases, [accountId, limit])),
    listLotsOfSet: (accountId, setKey, limit) =>
      engine.run(() => query<OwnLot>(lotsOfSet, [accountId, setKey, limit])),
    findPrivateVersion: (accountId) => engine.run(() => findPrivateVersion(accountId)),
    listPositions: (accountId, sets) => engine.snapshot(() => listPositions(accountId, sets)),
    listHeldCosts: (accountId, setKeys) =>
      engine.run(() =>
        setKeys
          ? query<HeldCost>(heldAmong, [accountId, setKeys])
          : query<HeldCost>(held, [accountId]),
      ),
  };
}

const lotColumns = (without: readonly string[]) =>
  columnsOf(tables.lot, 'lot', fieldsOf(tables.lot, without));

const inventoryColumns = lotColumns(['accountId', 'sourceId']);
const inventory = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.account_id = $1::bigint AND lot.id > $2::bigint ORDER BY lot.id LIMIT $3::bigint`;
const ownLots = 'FROM private.lot JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id';
const ownColumns = `${lotColumns(['accountId'])}, brickfolio.name AS brickfolio`;
const storedColumns = `${lotColumns(['id', 'accountId', 'brickfolioId', 'setKey'])},
  brickfolio.name AS brickfolio`;

/** Of the lots that are not among them, the index alone is read. */
const latestPurchases = `SELECT ${inventoryColumns} FROM private.lot
  WHERE lot.id IN (SELECT id FROM private.lot /* INDEXED BY lot_position */
    WHERE account_id = $1::bigint AND date_basis = 'known'
    ORDER BY purchase_date DESC, id LIMIT $2::bigint)
  ORDER BY purchase_date DESC, lot.id`;
const lotsOfSet = `SELECT ${ownColumns} ${ownLots}
  WHERE lot.account_id = $1::bigint AND set_key = $2::text AND sold < quantity
  ORDER BY purchase_date, lot.id LIMIT $3::bigint`;

/** Entries of everything, or of one collection: an index has them in this order. */
const entries = {
  columns: `${lotColumns(['accountId', 'sourceId', 'quantity', 'sold'])},
    quantity - sold AS units`,
  from: openLots,
  order: 'purchase_date DESC, lot.id',
};
const ownBrickfolio =
  'SELECT id FROM private.brickfolio WHERE account_id = $1::bigint AND id = $2::bigint';
const brickfolioEntries = {
  ...entries,
  from: `FROM private.lot WHERE brickfolio_id = (${ownBrickfolio}) AND sold < quantity`,
};

function* listEntries(
  accountId: number,
  { brickfolioId, ...page }: PageRange & { readonly brickfolioId: number | null },
): Operation<Page<HeldLot> | null> {
  if (brickfolioId === null) return yield* queryPage<HeldLot>(entries, [accountId], page);
  const values = [accountId, brickfolioId];
  const found = yield* queryPage<HeldLot>(brickfolioEntries, values, page);
  // Where there is nothing it may be because the collection is not the account's.
  if (found.total === 0 && !(yield* first(ownBrickfolio, values))) return null;
  return found;
}

const held = `SELECT set_key AS "setKey", ${unitsAndCost} ${openLots}
  GROUP BY set_key ORDER BY set_key`;
const heldAmong = `SELECT set_key AS "setKey", ${unitsAndCost}
  FROM private.lot /* INDEXED BY lot_open */
  WHERE account_id = $1::bigint AND set_key = ANY($2::text[]) AND sold < quantity
  GROUP BY set_key ORDER BY set_key`;

function* findPrivateVersion(accountId: number): Operation<number> {
  const account = yield* first<{ readonly version: number }>(
    'SELECT private_version::float8 AS version FROM private.account WHERE id = $1::bigint',
    [accountId],
  );
  return account?.version ?? 0;
}

type Exits = readonly Exit[];
type PositionRow = Position & { readonly id: number; exits: Exits };
type ExitRow = Exits[number] & { readonly lotId: number };

const noExits: Exits = [];

/** Greater than every key. */
const endOfKeys = '\u{10ffff}';

/**
 * There may be thousands: numbers come as such, rows become positions in place, and an index has
 * them in this order.
 */
function* listPositions(accountId: number, { after, limit }: SetsAfter): Operation<Position[]> {
  const last = yield* first<{ readonly setKey: string }>(
    `SELECT set_key AS "setKey" FROM private.lot /* INDEXED BY lot_position */
     WHERE account_id = $1::bigint AND set_key > $2::text
     ORDER BY set_key LIMIT 1 OFFSET $3::bigint - 1`,
    [accountId, after, limit],
  );
  const lots = yield* query<PositionRow>(
    `SELECT id::float8, set_key AS "setKey", condition,
       purchase_date::date - DATE '1970-01-01' AS "boughtOn", quantity::float8,
       price_cents::float8 AS "priceCents", is_estimated AS "isEstimated",
       date_basis <> 'unknown' AS "isDated", NULL AS exits
     FROM private.lot /* INDEXED BY lot_position */
     WHERE account_id = $1::bigint AND set_key > $2::text AND set_key <= $3::text
     ORDER BY set_key, condition, purchase_date, lot.quantity, price_cents, date_basis,
       lot.is_estimated, lot.id`,
    [accountId, after, last?.setKey ?? endOfKeys],
  );
  const isAll = after === '' && last === null;
  const takes = yield* isAll
    ? query<ExitRow>(exitsFrom(takesOfAccount), [accountId])
    : query<ExitRow>(exitsFrom(takesOfSets), [accountId, after, last?.setKey ?? endOfKeys]);
  const exits = Map.groupBy(takes, (take) => take.lotId);
  for (const lot of lots) lot.exits = exits.get(lot.id) ?? noExits;
  return lots;
}

/** SQLite would leave out the fractions of cents: it divides whole numbers by whole numbers. */
const exitsFrom = (from: string) => `
  SELECT t.lot_id::float8 AS "lotId", s.sale_date::date - DATE '1970-01-01' AS day,
    t.quantity::float8,
    (s.gross_cents - s.platform_fees_cents - s.payment_fees_cents - s.shipping_cents)::float8
      * 1.0 * t.quantity / s.quantity AS "netCents"
  ${from} ORDER BY s.sale_date DESC, s.id`;

/** From sales to lots is the shorter way where all lots are read. */
const takesOfAccount = `FROM private.ledger_sale s JOIN private.ledger_take t ON t.sale_id = s.id
  WHERE s.account_id = $1::bigint`;
const takesOfSets = `FROM private.lot /* INDEXED BY lot_position */
  JOIN private.ledger_take t ON t.lot_id = lot.id JOIN private.ledger_sale s ON s.id = t.sale_id
  WHERE lot.account_id = $1::bigint AND lot.set_key > $2::text AND lot.set_key <= $3::text`;
