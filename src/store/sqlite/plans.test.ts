/**
 * The indexes with which SQLite reads large tables. It has no statistics, because ANALYZE is never
 * run, so its plans depend only on schema and statements.
 */

import { expect, test } from 'bun:test';
import { lotStore } from '../../portfolio/lots/lots.store.ts';
import { ledgerStore } from '../../portfolio/sales/ledger.store.ts';
import { bulkReading } from '../../publish/bulk/bulk.store.ts';
import type { MigrationStep } from '../sql/migrations.ts';
import type { Engine } from '../sql/operation.ts';
import { openDatabase } from './database.ts';
import { sqliteEngine } from './engine.ts';
import { accountMigrations, marketMigrations } from './schema.ts';

/** The steps of the plans of everything that is read from some tables. */
async function stepsOf(
  migrations: readonly MigrationStep[],
  table: RegExp,
  read: (engine: Engine) => Promise<unknown>,
): Promise<string[]> {
  using db = openDatabase(':memory:', { durability: 'process', migrations });
  const engine = sqliteEngine(db);
  const statements: string[] = [];
  const prepared = db.prepared.bind(db);
  db.prepared = (sql) => {
    statements.push(sql);
    return prepared(sql);
  };
  await read(engine);
  const steps = statements.flatMap((sql) =>
    db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all(),
  );
  return steps.map(({ detail }) => detail).filter((detail) => table.test(detail));
}

const lotsIn = (read: (engine: Engine) => Promise<unknown>) =>
  stepsOf(accountMigrations, /(?:SEARCH|SCAN) lot\b/, read);

const byPosition = 'SEARCH lot USING COVERING INDEX lot_position';

test('lots are found by item, and analytics reads nothing but an index', async () => {
  const kind = 'set';
  expect(await lotsIn((engine) => lotStore(engine).listHeldCosts(1, kind, ['1']))).toEqual([
    'SEARCH lot USING INDEX lot_open (account_id=? AND kind=? AND key=?)',
  ]);
  const positions = (after: string) =>
    lotsIn((engine) => lotStore(engine).listPositions(1, { kind, after, limit: 9 }));
  const span = '(account_id=? AND kind=? AND key>? AND key<?)';
  expect(await positions('1')).toEqual([
    `${byPosition} (account_id=? AND kind=? AND key>?)`,
    `${byPosition} ${span}`,
    `${byPosition} ${span}`,
  ]);
  const trades = { kind, keys: ['1'] } as const;
  expect(await lotsIn((engine) => ledgerStore(engine).listItemTrades(1, trades, 9))).toEqual([
    `${byPosition} (account_id=? AND kind=? AND key=?)`,
  ]);
});

test('only the latest purchases are read as rows', async () => {
  expect(await lotsIn((engine) => lotStore(engine).listPurchases(1, 9))).toEqual([
    'SEARCH lot USING INTEGER PRIMARY KEY (rowid=?)',
    `${byPosition} (account_id=?)`,
  ]);
});

test('removed documents are found by stamp', async () => {
  const after = { stamp: 1, rank: 1 };
  const steps = await stepsOf(marketMigrations, /removed_document/, (engine) =>
    bulkReading(engine).listBulkChanges(after, ['sets'], 9),
  );
  expect(steps).toEqual([
    'SEARCH d USING COVERING INDEX removed_document_stamp ((stamp,place)>(?,?))',
  ]);
});
