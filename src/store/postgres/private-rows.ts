/** Collections, lots and recorded sales into PostgreSQL, a batch at a time. */
import type { PrivateRow } from '../../domain/account/account-store.ts';
import { emailKey } from '../../domain/account/email.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import type { RowOutcome } from '../../domain/market/market-store.ts';
import type { LedgerSaleFacts, Take } from '../../domain/portfolio/lots.ts';
import { applyPrivateRows, hasRejected } from '../private-rows.ts';
import type { CountedTable, CountMemory } from '../row-counts.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Client, Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { type LockedAccount, MemoryTables } from './private-tables.ts';

/**
 * Applies private rows in order, in one transaction. The accounts stay locked, so that nobody else
 * changes what is theirs: everything that the rows can touch is read at once, the rules run in
 * memory, and what they changed is written at once. Together: nothing is written when one of them
 * is rejected.
 */
export async function applyPostgresRows(
  client: Client,
  rows: readonly PrivateRow[],
  { time, together, memory }: ApplyOptions,
): Promise<RowOutcome[]> {
  const { tables, outcomes } = await client.transaction(async (tx) => {
    const tables = new MemoryTables(await lockAccounts(tx, rows, time), memory);
    await loadTables(tx, tables, rows);
    const outcomes = applyPrivateRows(tables, rows);
    if (!together || !hasRejected(outcomes)) await tables.save(tx);
    return { tables, outcomes };
  });
  tables.keepCounts();
  return outcomes;
}

interface ApplyOptions {
  readonly time: ReturnType<StoreClock>;
  readonly together: boolean;
  readonly memory: CountMemory;
}

/** In the order of their ids, so that no two batches wait for each other in a circle. */
function lockAccounts(
  tx: Connection,
  rows: readonly PrivateRow[],
  time: ReturnType<StoreClock>,
): Promise<LockedAccount[]> {
  const emails = new Set(rows.map((row) => emailKey(row.email)));
  return tx.query<LockedAccount>(
    `SELECT id, email_key AS "emailKey", published.instant($1::bigint, $2::bigint) AS at,
       private_version AS version
     FROM private.account WHERE email_key = ANY($3::text[]) ORDER BY id FOR NO KEY UPDATE`,
    [...time, [...emails]],
  );
}

/** A row by its owner and what its owner calls it. */
interface Named {
  readonly accountId: number;
  readonly name: string;
}

/** How many of the oldest open lots of one set and condition the sales of a batch can need. */
interface LotsWanted {
  readonly accountId: number;
  readonly setKey: string;
  readonly condition: string;
  count: number;
}

async function loadTables(
  tx: Connection,
  tables: MemoryTables,
  rows: readonly PrivateRow[],
): Promise<void> {
  const owned = rows.flatMap((row) => {
    const accountId = tables.findAccount(emailKey(row.email));
    return accountId === null ? [] : [{ accountId, row }];
  });
  if (owned.length === 0) return;
  await loadBrickfolios(tx, tables, [...new Set(owned.map(({ accountId }) => accountId))]);
  const holdings: Named[] = [];
  const sales: { accountId: number; facts: LedgerSaleFacts }[] = [];
  for (const { accountId, row } of owned) {
    if (row.kind === 'holding') holdings.push({ accountId, name: row.facts.sourceId });
    if (row.kind === 'ledger_sale') sales.push({ accountId, facts: row.facts });
  }
  const takes = sales.length === 0 ? [] : await loadSales(tx, tables, sales);
  const sold = sales.flatMap(({ accountId, facts }) => {
    const settled = facts.settled?.takes.map((take) => take.lot) ?? [];
    const names = facts.lot === null ? settled : [facts.lot, ...settled];
    return names.map((name) => ({ accountId, name }));
  });
  await loadLots(tx, tables, {
    named: [...holdings, ...sold],
    ids: takes.map((take) => take.lotId),
    oldest: lotsWanted(sales, holdings.length),
  });
  const newLots = holdings.filter(({ accountId, name }) => !tables.findLot(accountId, name));
  await countRows(tx, tables, { table: 'lot', rows: newLots });
  const newSales = sales.filter(({ accountId, facts }) => {
    return !tables.findSale(accountId, facts.sourceId);
  });
  await countRows(tx, tables, { table: 'ledger_sale', rows: newSales });
}

/** Where rows are to be added, it is known how many there are. */
async function countRows(
  tx: Connection,
  { counts }: MemoryTables,
  added: { readonly table: CountedTable; readonly rows: readonly { accountId: number }[] },
): Promise<void> {
  const { table } = added;
  const accountIds = [...new Set(added.rows.map((row) => row.accountId))];
  for (const accountId of accountIds) {
    const known = counts.get(accountId);
    if (!known || known[table] !== undefined) continue;
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*) AS count FROM private.${table} WHERE account_id = $1::bigint`,
      [accountId],
    );
    known[table] = row?.count ?? 0;
  }
}

async function loadBrickfolios(
  tx: Connection,
  { brickfolios }: MemoryTables,
  accountIds: readonly number[],
): Promise<void> {
  brickfolios.load(
    await tx.query(
      `SELECT ${brickfolios.columns('b')} FROM private.brickfolio b
       WHERE b.account_id = ANY($1::bigint[])`,
      [accountIds],
    ),
  );
}

const namedRows = `json_to_recordset($1::text::json) AS w ("accountId" bigint, name text)`;

async function loadSales(
  tx: Connection,
  tables: MemoryTables,
  wanted: readonly { accountId: number; facts: LedgerSaleFacts }[],
): Promise<Take[]> {
  const names = wanted.map(({ accountId, facts }) => ({ accountId, name: facts.sourceId }));
  const sales = await tx.query<Parameters<typeof tables.sales.load>[0][number]>(
    `SELECT DISTINCT ${tables.sales.columns('s')} FROM ${namedRows}
     JOIN private.ledger_sale s ON s.account_id = w."accountId" AND s.source_id = w.name`,
    [jsonRows(names)],
  );
  tables.sales.load(sales);
  const takes = await tx.query<Take & { saleId: number }>(
    `SELECT sale_id AS "saleId", lot_id AS "lotId", quantity FROM private.ledger_take
     WHERE sale_id = ANY($1::bigint[])`,
    [sales.map((sale) => sale.id)],
  );
  tables.loadTakes(takes);
  return takes;
}

/**
 * Each unit that is sold uses up one lot at most, and each holding row moves one at most: with so
 * many lots loaded, the oldest that are open are always among them.
 */
function lotsWanted(
  sales: readonly { accountId: number; facts: LedgerSaleFacts }[],
  holdings: number,
): LotsWanted[] {
  const wanted = new Map<string, LotsWanted>();
  for (const { accountId, facts } of sales) {
    if (facts.costCents !== null) continue;
    const setKey = itemKey('set', facts.setNumber);
    const { condition, quantity } = facts;
    const name = [accountId, condition, setKey].join(' ');
    const known = wanted.get(name) ?? { accountId, setKey, condition, count: holdings };
    known.count += quantity;
    wanted.set(name, known);
  }
  return [...wanted.values()];
}

async function loadLots(
  tx: Connection,
  { lots }: MemoryTables,
  options: {
    readonly named: readonly Named[];
    readonly ids: readonly number[];
    readonly oldest: readonly LotsWanted[];
  },
): Promise<void> {
  if (options.named.length + options.ids.length + options.oldest.length === 0) return;
  const columns = lots.columns('l');
  lots.load(
    await tx.query(
      `SELECT ${columns} FROM ${namedRows}
         JOIN private.lot l ON l.account_id = w."accountId" AND l.source_id = w.name
       UNION
       SELECT ${columns} FROM private.lot l WHERE l.id = ANY($2::bigint[])
       UNION
       SELECT ${columns} FROM json_to_recordset($3::text::json)
         AS w ("accountId" bigint, "setKey" text, condition text, count bigint)
         CROSS JOIN LATERAL (
           SELECT * FROM private.lot o
           WHERE o.account_id = w."accountId" AND o.set_key = w."setKey"
             AND o.condition = w.condition AND o.sold < o.quantity
           ORDER BY o.purchase_date, o.id LIMIT w.count
         ) l`,
      [jsonRows(options.named), options.ids, jsonRows(options.oldest)],
    ),
  );
}
