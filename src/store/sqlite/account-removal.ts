/** Removing an account: it is gone at once for everybody, and what it held bit by bit. */
import type { Database } from 'bun:sqlite';
import { emailKey } from '../../domain/account/email.ts';
import { removedKeys } from '../sweep.ts';
import { inTransaction } from './database.ts';
import { tryAgain } from './patience.ts';
import { inSlices } from './slices.ts';

const isRemoved = `(email_key >= '${removedKeys.from}' AND email_key < '${removedKeys.to}')`;

/** Tells accounts that are there from those on their way out. */
export const isThere = `NOT ${isRemoved}`;

/** Whether there are any of those. */
export const hasRemoved = `EXISTS (SELECT 1 FROM account WHERE ${isRemoved})`;

/**
 * Removes an account; false when there is none. From the first transaction on nobody can sign in
 * or call, and the e-mail is free. A process that ends meanwhile leaves the rest to the sweep.
 */
export async function removeAccount(db: Database, email: string): Promise<boolean> {
  const id = inTransaction(db, () => closeAccount(db, emailKey(email)));
  if (id === null) return false;
  await inSlices(db, (rows) => (removeRows(db, id, rows) < rows ? null : 'more'));
  await tryAgain(async () => db.query('DELETE FROM account WHERE id = ?').run(id));
  return true;
}

function closeAccount(db: Database, key: string): number | null {
  const account = db
    .query<{ id: number }, [string]>(
      `UPDATE account SET email_key = '${removedKeys.from}' || id, password_hash = NULL
       WHERE email_key = ? RETURNING id`,
    )
    .get(key);
  if (!account) return null;
  for (const table of ['api_key', 'session', 'reset_link']) {
    db.query(`DELETE FROM ${table} WHERE account_id = ?`).run(account.id);
  }
  return account.id;
}

/** Removes some of what an account held; how much. Sales point at lots, so they go first. */
function removeRows(db: Database, id: number, rows: number): number {
  const remove = (table: string, limit: number) =>
    db
      .query(`DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE account_id = ? LIMIT ?)`)
      .run(id, limit).changes;
  const sales = remove('ledger_sale', rows);
  return sales + (sales < rows ? remove('lot', rows - sales) : 0);
}

/** Goes on with accounts whose removal was interrupted; how many rows that were. */
export function sweepRemoved(db: Database, rows: number): number {
  const account = db
    .query<{ id: number }, []>(`SELECT id FROM account WHERE ${isRemoved} LIMIT 1`)
    .get();
  if (!account) return 0;
  const left = removeRows(db, account.id, rows);
  if (left < rows) db.query('DELETE FROM account WHERE id = ?').run(account.id);
  return Math.max(1, left);
}
