/**
 * Tries an import on a copy of the account's own rows in memory. Copying the files would take too
 * long with a large market, and trying in the file would block quota.
 */

import { privateRows } from '../../portfolio/lots/private-rows.store.ts';
import type { OwnRehearsal } from '../../portfolio/lots/private-rows.ts';
import { givenClock } from '../sql/clock.ts';
import { scriptsIn } from '../sql/migrations.ts';
import { StoreFile } from './database.ts';
import { sqliteEngine } from './engine.ts';
import { accountMigrations } from './schema.ts';

/** The copied tables, with the condition for rows of the account. */
const copied = {
  account: 'id = ?1',
  brickfolio: 'account_id = ?1',
  lot: 'account_id = ?1',
  own_field: 'account_id = ?1',
  ledger_sale: 'account_id = ?1',
  ledger_take: 'sale_id IN (SELECT id FROM real.ledger_sale WHERE account_id = ?1)',
} as const;

export function rehearseSqlite(path: string, accountId: number): OwnRehearsal {
  const copy = new StoreFile(':memory:', { strict: true });
  try {
    for (const sql of scriptsIn(accountMigrations)) copy.run(sql);
    copy.query('ATTACH ? AS real').run(path);
    copy.transaction(() => {
      for (const [table, own] of Object.entries(copied)) {
        const rows = `SELECT * FROM real.${table} WHERE ${own}`;
        copy.query(`INSERT INTO main.${table} ${rows}`).run(accountId);
      }
    })();
    copy.run('DETACH real');
  } catch (error) {
    copy.close();
    throw error;
  }
  const { change } = privateRows(sqliteEngine(copy), givenClock);
  return { change, close: async () => copy.close() };
}
