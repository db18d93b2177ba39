/** Writes collections, lots and recorded sales to the private tables, in batches. */
import { emailKey } from '../../domain/account/email.ts';
import type { BoughtBox } from '../../domain/buying/saved-box.ts';
import { type ItemRef, itemKey } from '../../domain/catalog/numbers.ts';
import type { RowOutcome } from '../../domain/market/market-ingest.ts';
import type { LedgerSaleFacts, OwnLot, TakenUnits } from '../../domain/portfolio/lots.ts';
import type { PrivateRow } from '../../domain/portfolio/private-rows.ts';
import type { Purchase, PurchaseFacts, PurchaseReturn } from '../../domain/portfolio/purchases.ts';
import type { StoreClock } from '../sql/clock.ts';
import { type Engine, first, type Operation, query, queryEach, run } from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';
import { lockingAccount } from './account-methods.ts';
import { raiseVersion } from './holding-edits.ts';
import {
  type BrickfolioRow,
  type LockedAccount,
  type LotRow,
  type OwnFieldRow,
  PrivateTables,
  type SaleRow,
} from './private-tables.ts';
import { keepReturn } from './purchase-returns.ts';
import { changedFault, purchaseFault, writePurchase } from './purchases.ts';
import { type CountedTable, CountMemory } from './row-counts.ts';
import { applyPrivateRows, hasRejected } from './row-rules.ts';
import { boxFault, markBought } from './saved-boxes.ts';

/**
 * Applies private rows in order, in one transaction. The accounts are locked; all rows that a batch
 * can touch are read at once, the rules run in memory, and all changes are written at once.
 */
export function privateRows(engine: Engine, clock: StoreClock) {
  const memory = new CountMemory();
  const apply = async (rows: readonly PrivateRow[], at: number, together: boolean) => {
    const applied = await engine.transaction(() =>
      applyBatch(rows, { time: clock(at), together, memory }),
    );
    applied.loaded.keepCounts();
    return applied.outcomes;
  };
  return {
    applyRows: (rows: readonly PrivateRow[], at: number) => apply(rows, at, false),
    /** The same, but nothing is written if one of the rows is rejected. */
    applyTogether: (rows: readonly PrivateRow[], at: number) => apply(rows, at, true),
    /**
     * Writes a purchase with its lots, all or nothing, and removes lots that are no longer part of
     * it. Returns why not; null if it was done.
     */
    savePurchase: async (accountId: number, change: PurchaseChange, at: number) =>
      engine.transaction(() =>
        lockingAccount(accountId, () =>
          applyPurchase(accountId, change, { time: clock(at), together: true, memory }),
        ),
      ),
  };
}

/** A purchase with the lots to write and to remove. */
export interface PurchaseChange {
  readonly purchase: PurchaseFacts;
  /** The purchase when its owner opened it; null if it is new. */
  readonly seen: Purchase | null;
  readonly rows: readonly PrivateRow[];
  /** As their owner last saw them. */
  readonly removedLots: readonly OwnLot[];
  /** The return, if the change is one. The purchase does not have it yet. */
  readonly returned?: Omit<PurchaseReturn, 'editId'>;
  /** The box that becomes the purchase, if there is one. */
  readonly box?: BoughtBox;
}

function* applyPurchase(
  accountId: number,
  change: PurchaseChange,
  options: ApplyOptions,
): Operation<string | null> {
  const { purchase, seen, rows, removedLots, returned, box } = change;
  const removedIds = removedLots.map(({ id }) => id);
  const sold = yield* first(
    `SELECT 1 FROM private.lot
     WHERE account_id = $1::bigint AND id = ANY($2::bigint[]) AND sold > 0`,
    [accountId, removedIds],
  );
  if (sold) return 'units of it were sold meanwhile; check it and try again';
  const fault =
    (yield* changedFault(accountId, { sourceId: purchase.sourceId, seen, lots: removedLots })) ??
    (box ? yield* boxFault(accountId, box) : null) ??
    (yield* purchaseFault(accountId, purchase.sourceId));
  if (fault) return fault;
  const { outcomes } = yield* applyBatch(rows, options);
  const rejected = outcomes.find((outcome) => outcome.kind === 'rejected');
  if (rejected?.kind === 'rejected') return rejected.reason;
  const [owner] = yield* raiseVersion([accountId]);
  if (!owner) return 'the account does not exist';
  const now = yield* first<{ at: number }>(
    'SELECT published.instant($1::bigint, $2::bigint)::float8 AS at',
    [...options.time],
  );
  const at = now?.at ?? 0;
  const gone = { purchase: purchase.sourceId, removedIds, rows };
  const returns = returned
    ? [...purchase.returns, { ...returned, editId: yield* keepReturn(accountId, gone, at) }]
    : purchase.returns;
  yield* run('DELETE FROM private.lot WHERE account_id = $1::bigint AND id = ANY($2::bigint[])', [
    accountId,
    removedIds,
  ]);
  yield* writePurchase(accountId, { ...purchase, returns }, at);
  if (box) yield* markBought(accountId, box, { as: purchase.sourceId, at });
  return null;
}

export interface ApplyOptions {
  readonly time: ReturnType<StoreClock>;
  /** Write nothing if one of the rows is rejected. */
  readonly together: boolean;
  readonly memory: CountMemory;
}

export function* applyBatch(
  rows: readonly PrivateRow[],
  { time, together, memory }: ApplyOptions,
): Operation<{ loaded: PrivateTables; outcomes: RowOutcome[] }> {
  const loaded = new PrivateTables(yield* lockAccounts(rows, time), memory);
  yield* load(loaded, rows);
  const outcomes = applyPrivateRows(loaded, rows);
  if (!together || !hasRejected(outcomes)) yield* loaded.save();
  return { loaded, outcomes };
}

/** Locks accounts in order of their ids, to avoid deadlocks. */
function lockAccounts(
  rows: readonly PrivateRow[],
  time: ReturnType<StoreClock>,
): Operation<LockedAccount[]> {
  const emails = new Set(rows.map((row) => row.email));
  return query<LockedAccount>(
    `SELECT id, email_key AS "emailKey", published.instant($1::bigint, $2::bigint) AS at,
       private_version AS version
     FROM private.account WHERE email_key = ANY($3::text[]) ORDER BY id FOR NO KEY UPDATE`,
    [...time, [...emails].map(emailKey)],
  );
}

/** Identifies a row by its account and its name. */
interface Named {
  readonly accountId: number;
  readonly name: string;
}

interface OwnedSale {
  readonly accountId: number;
  readonly facts: LedgerSaleFacts;
  readonly otherKeys: readonly string[];
}

function* load(loaded: PrivateTables, rows: readonly PrivateRow[]): Operation<void> {
  const accountIds = new Set<number>();
  const holdings: Named[] = [];
  const sales: OwnedSale[] = [];
  for (const row of rows) {
    const accountId = loaded.findAccount(row.email);
    if (accountId === null) continue;
    accountIds.add(accountId);
    if (row.kind === 'holding') holdings.push({ accountId, name: row.facts.sourceId });
    if (row.kind === 'ledger_sale') {
      sales.push({ accountId, facts: row.facts, otherKeys: row.otherKeys ?? [] });
    }
  }
  yield* loadBrickfolios(loaded, [...accountIds]);
  if (rows.some(namesOwnFields)) yield* loadOwnFields(loaded, [...accountIds]);
  const takes = sales.length === 0 ? [] : yield* loadSales(loaded, sales);
  yield* loadLots(loaded, { holdings, sales, takes });
  const newLots = holdings.filter(({ accountId, name }) => !loaded.findLot(accountId, name));
  yield* countRows(loaded, 'lot', newLots);
  const newSales = sales.filter(({ accountId, facts }) => {
    return !loaded.findSale(accountId, facts.sourceId);
  });
  yield* countRows(loaded, 'ledger_sale', newSales);
}

/** Loads row counts of accounts that get new rows. */
function* countRows(
  { counts }: PrivateTables,
  table: CountedTable,
  added: readonly { readonly accountId: number }[],
): Operation<void> {
  for (const accountId of new Set(added.map((row) => row.accountId))) {
    const known = counts.get(accountId);
    if (!known || known[table] !== undefined) continue;
    const counted = yield* first<{ n: number }>(
      `SELECT count(*) AS n FROM private.${table} WHERE account_id = $1::bigint`,
      [accountId],
    );
    known[table] = counted?.n ?? 0;
  }
}

function* loadBrickfolios(
  { brickfolios }: PrivateTables,
  accountIds: readonly number[],
): Operation<void> {
  brickfolios.load(
    yield* query<BrickfolioRow>(
      `SELECT ${columnsOf(tables.brickfolio, 'b')} FROM private.brickfolio b
       WHERE b.account_id = ANY($1::bigint[])`,
      [accountIds],
    ),
  );
}

function namesOwnFields(row: PrivateRow): boolean {
  return row.kind === 'holding' && (row.facts.ownFields ?? null) !== null;
}

function* loadOwnFields(
  { ownFields }: PrivateTables,
  accountIds: readonly number[],
): Operation<void> {
  ownFields.load(
    yield* query<OwnFieldRow>(
      `SELECT ${columnsOf(tables.ownField, 'f')} FROM private.own_field f
       WHERE f.account_id = ANY($1::bigint[])`,
      [accountIds],
    ),
  );
}

const namedTypes = { accountId: 'bigint', name: 'text' };

function* loadSales(loaded: PrivateTables, sales: readonly OwnedSale[]): Operation<TakenUnits[]> {
  const stored = yield* queryEach<SaleRow>(
    `SELECT ${columnsOf(tables.ledgerSale, 's')} FROM private.ledger_sale s
     WHERE s.account_id = r."accountId" AND s.source_id = r.name`,
    {
      types: namedTypes,
      rows: sales.map(({ accountId, facts }) => ({ accountId, name: facts.sourceId })),
    },
  );
  loaded.sales.load(stored);
  if (stored.length === 0) return [];
  const takes = yield* query<TakenUnits & { saleId: number }>(
    `SELECT sale_id AS "saleId", lot_id AS "lotId", quantity FROM private.ledger_take
     WHERE sale_id = ANY($1::bigint[])`,
    [stored.map((sale) => sale.id)],
  );
  loaded.loadTakes(takes);
  return takes;
}

const lotColumns = columnsOf(tables.lot, 'l');

/** Lots named by rows, lots of the existing sales, and lots that sales may take units from. */
function* loadLots(
  { lots }: PrivateTables,
  batch: {
    readonly holdings: readonly Named[];
    readonly sales: readonly OwnedSale[];
    readonly takes: readonly TakenUnits[];
  },
): Operation<void> {
  const { holdings, sales, takes } = batch;
  const sold = sales.flatMap(({ accountId, facts }) => {
    const settled = facts.settled?.takes.map((take) => take.lot) ?? [];
    const names = facts.lot === null ? settled : [facts.lot, ...settled];
    return names.map((name) => ({ accountId, name }));
  });
  lots.load(
    yield* queryEach<LotRow>(
      `SELECT ${lotColumns} FROM private.lot l
       WHERE l.account_id = r."accountId" AND l.source_id = r.name`,
      { types: namedTypes, rows: [...holdings, ...sold] },
    ),
  );
  lots.load(
    yield* queryEach<LotRow>(
      `SELECT ${lotColumns} FROM private.lot l
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
        rows: oldestLots(sales, holdings.length),
      },
    ),
  );
  if (takes.length === 0) return;
  lots.load(
    yield* query<LotRow>(`SELECT ${lotColumns} FROM private.lot l WHERE l.id = ANY($1::bigint[])`, [
      takes.map((take) => take.lotId),
    ]),
  );
}

/** How many of the oldest open lots of an item and condition the sales of a batch may need. */
interface OldestLots extends ItemRef {
  readonly accountId: number;
  readonly condition: string;
  count: number;
}

/**
 * Each sold unit uses up at most one lot, and each holding row moves at most one, so the oldest
 * open lots are always among those loaded.
 */
function oldestLots(sales: readonly OwnedSale[], holdings: number): OldestLots[] {
  const needed = new Map<string, OldestLots>();
  for (const { accountId, facts, otherKeys } of sales) {
    if (facts.costCents !== null) continue;
    const { kind, condition, quantity } = facts;
    for (const key of [itemKey(kind, facts.number), ...otherKeys]) {
      const name = [accountId, condition, kind, key].join(' ');
      const known = needed.get(name) ?? { accountId, kind, key, condition, count: holdings };
      known.count += quantity;
      needed.set(name, known);
    }
  }
  return [...needed.values()];
}
