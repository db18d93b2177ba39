/**
 * A place to try an account's rows in: its own rows, copied into memory. Copying the files, as a
 * rehearsal of a whole store does, would take as long as the market is large; trying in the file
 * itself would keep everybody's quota waiting.
 */
import type { OwnRehearsal } from '../../domain/portfolio/private-rows.ts';
import { privateRows } from '../accounts/private-rows.ts';
import { givenClock } from '../sql/clock.ts';
import { accountMigrations } from './accounts-schema.ts';
import { StoreFile } from './database.ts';
import { sqliteEngine } from './engine.ts';

/** What is copied, by how its rows are told to be the account's. */
const copied = {
  account: 'id = ?1',
  brickfolio: 'account_id = ?1',
  lot: 'account_id = ?1',
  ledger_sale: 'account_id = ?1',
  ledger_take: 'sale_id IN (SELECT id FROM real.ledger_sale WHERE account_id = ?1)',
} as const;

/** Copies what is an account's own. */
export function rehearseSqlite(path: string, accountId: number): OwnRehearsal {
  const copy = new StoreFile(':memory:', { strict: true });
  try {
    for (const sql of accountMigrations) copy.run(sql);
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
  const { applyRows } = privateRows(sqliteEngine(copy), givenClock);
  return { applyRows, close: async () => copy.close() };
}
