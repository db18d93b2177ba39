/** Purchases with one receipt. Their lots are found by their source ids. */
import { countText } from '../../domain/kernel/format.ts';
import type { Page, PageRange } from '../../domain/kernel/page.ts';
import type { OwnLot } from '../../domain/portfolio/lots.ts';
import {
  type ListedPurchase,
  type Purchase,
  type PurchaseFacts,
  purchaseLimits,
} from '../../domain/portfolio/purchases.ts';
import {
  changeRows,
  deleteRows,
  type Engine,
  first,
  insertIds,
  methods,
  type Operation,
  query,
  run,
} from '../sql/operation.ts';
import { queryPage } from '../sql/pages.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { accountMethods } from './account-methods.ts';
import { raiseVersion } from './holding-edits.ts';
import { ownLotColumns, ownLots } from './lots.ts';

export function purchaseStore(engine: Engine) {
  return {
    ...methods(engine.run, { pagePurchases, findPurchase, findPurchaseId, listPurchaseLots }),
    ...accountMethods(engine, { removePurchase }),
  };
}

type StoredPurchase = Omit<Purchase, 'prices' | 'returns'> &
  Readonly<Record<'prices' | 'returns', string>>;

const purchaseColumns = columnsOf(tables.purchase, 'p', fieldsOf(tables.purchase, ['accountId']));

/** The source ids of the lots of a purchase are between these. */
const lotsOf = (purchase: string) =>
  `lot.source_id > ${purchase} || ':' AND lot.source_id < ${purchase} || ';'`;

/** Newest first. */
function* pagePurchases(accountId: number, range: PageRange): Operation<Page<ListedPurchase>> {
  const list = {
    columns: `${purchaseColumns}, (SELECT coalesce(sum(lot.quantity), 0) FROM private.lot
      WHERE lot.account_id = $1::bigint AND ${lotsOf('p.source_id')})::float8 AS units`,
    from: 'FROM private.purchase p WHERE p.account_id = $1::bigint',
    order: 'p.purchase_date DESC, p.id DESC',
  };
  const page = yield* queryPage<StoredPurchase & { units: number }>(list, [accountId], range);
  return { ...page, rows: page.rows.map(parsed) };
}

function parsed<Row extends StoredPurchase>({ prices, returns, ...row }: Row) {
  return { ...row, prices: JSON.parse(prices), returns: JSON.parse(returns) };
}

export function* findPurchase(accountId: number, id: number): Operation<Purchase | null> {
  const found = yield* first<StoredPurchase>(
    `SELECT ${purchaseColumns} FROM private.purchase p
     WHERE p.account_id = $1::bigint AND p.id = $2::bigint`,
    [accountId, id],
  );
  return found && parsed(found);
}

/** Null if there is no such purchase. */
export function* findPurchaseId(accountId: number, sourceId: string): Operation<number | null> {
  const found = yield* first<{ id: number }>(
    `SELECT id::float8 AS id FROM private.purchase
     WHERE account_id = $1::bigint AND source_id = $2::text`,
    [accountId, sourceId],
  );
  return found?.id ?? null;
}

/** Including sold-out ones, in order of recording. */
export function listPurchaseLots(accountId: number, sourceId: string): Operation<OwnLot[]> {
  return query<OwnLot>(
    `SELECT ${ownLotColumns} ${ownLots}
     WHERE lot.account_id = $1::bigint AND ${lotsOf('$2::text')} ORDER BY lot.id`,
    [accountId, sourceId],
  );
}

/** Removes a purchase with its lots, unless units of them were sold. Its box is not bought then. */
function* removePurchase(accountId: number, id: number): Operation<'done' | 'missing' | 'sold'> {
  const purchase = yield* findPurchase(accountId, id);
  if (!purchase) return 'missing';
  const lots = yield* listPurchaseLots(accountId, purchase.sourceId);
  if (lots.some(({ sold }) => sold > 0)) return 'sold';
  yield* run('DELETE FROM private.lot WHERE id = ANY($1::bigint[])', [lots.map((lot) => lot.id)]);
  yield* deleteRows(tables.purchase, { id });
  yield* changeRows(
    tables.savedBox,
    { boughtAs: null },
    { accountId, boughtAs: purchase.sourceId },
  );
  yield* raiseVersion([accountId]);
  return 'done';
}

/**
 * Why a purchase may not be changed: it or one of the lots is not as its owner last saw it. Null if
 * it may. `seen` is null for a new purchase.
 */
export function* changedFault(
  accountId: number,
  change: {
    readonly sourceId: string;
    readonly seen: Purchase | null;
    readonly lots: readonly OwnLot[];
  },
): Operation<string | null> {
  const { sourceId, seen, lots } = change;
  const id = yield* findPurchaseId(accountId, sourceId);
  const stored = id === null ? null : yield* findPurchase(accountId, id);
  const found = lots.length === 0 ? [] : yield* listPurchaseLots(accountId, sourceId);
  const now = new Map(found.map((lot) => [lot.id, lot]));
  const isAsSeen =
    Bun.deepEquals(stored, seen) && lots.every((lot) => Bun.deepEquals(now.get(lot.id), lot));
  return isAsSeen ? null : 'the purchase was changed since you opened it; check it and try again';
}

/** Why a purchase cannot be written; null if it can. */
export function* purchaseFault(accountId: number, sourceId: string): Operation<string | null> {
  if ((yield* findPurchaseId(accountId, sourceId)) !== null) return null;
  const counted = yield* first<{ n: number }>(
    'SELECT count(*)::int AS n FROM private.purchase WHERE account_id = $1::bigint',
    [accountId],
  );
  const { purchases: max } = purchaseLimits;
  return (counted?.n ?? 0) >= max ? `the limit of ${countText(max)} purchases is reached` : null;
}

/** Adds a purchase, or replaces the facts of one. */
export function* writePurchase(
  accountId: number,
  { prices, returns, ...facts }: PurchaseFacts,
  at: number,
): Operation<void> {
  const row = { ...facts, prices: JSON.stringify(prices), returns: JSON.stringify(returns) };
  const changed = yield* changeRows(
    tables.purchase,
    {
      store: row.store,
      purchaseDate: row.purchaseDate,
      totalCents: row.totalCents,
      taxCents: row.taxCents,
      shippingCents: row.shippingCents,
      prices: row.prices,
      returns: row.returns,
    },
    { accountId, sourceId: row.sourceId },
  );
  if (changed > 0) return;
  const added = { accountId, ...row, createdAt: at };
  yield* insertIds(tables.purchase, Object.keys(added) as (keyof typeof added)[], [added]);
}
