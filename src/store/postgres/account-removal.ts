/** Removing an account: it is gone at once for everybody, and what it held bit by bit. */
import { emailKey } from '../../domain/account/email.ts';
import { removedKeys } from '../sweep.ts';
import type { Client, Connection } from './client.ts';
import { retried } from './retried.ts';

/** Rows in one statement, which may take only so long. */
export const sliceRows = 2_000;

const isRemoved = `(email_key >= '${removedKeys.from}' AND email_key < '${removedKeys.to}')`;

/** Tells accounts that are there from those on their way out. */
export const isThere = `NOT ${isRemoved}`;

/**
 * Removes an account; false when there is none. From the first transaction on nobody can sign in
 * or call, and the e-mail is free. A process that ends meanwhile leaves the rest to the sweep.
 */
export async function removeAccount(client: Client, email: string): Promise<boolean> {
  const close = () => client.transaction((tx) => closeAccount(tx, emailKey(email)));
  const id = await retried(close);
  if (id === null) return false;
  while ((await removeRows(client, id, sliceRows)) === sliceRows);
  await removeEmptied(client, id);
  return true;
}

/**
 * The account is locked first, then its usage, in the order in which it is spent. A key that is
 * used for the first time that day at this very moment can still make a deadlock; whoever loses
 * tries again.
 */
async function closeAccount(tx: Connection, key: string): Promise<number | null> {
  const [account] = await tx.query<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR UPDATE',
    [key],
  );
  if (!account) return null;
  const { id } = account;
  await tx.run(
    `SELECT 1 FROM private.usage WHERE account_id = $1::bigint ORDER BY place, day FOR UPDATE`,
    [id],
  );
  await tx.run(
    `UPDATE private.account SET email_key = '${removedKeys.from}' || id, password_hash = NULL
     WHERE id = $1::bigint`,
    [id],
  );
  for (const table of ['api_key', 'session', 'reset_link']) {
    await tx.run(`DELETE FROM private.${table} WHERE account_id = $1::bigint`, [id]);
  }
  return id;
}

/** Removes some of what an account held; how much. Sales point at lots, so they go first. */
async function removeRows(client: Client, id: number, rows: number): Promise<number> {
  const remove = (table: string, limit: number) =>
    client.run(
      `DELETE FROM private.${table} WHERE id IN (
         SELECT id FROM private.${table} WHERE account_id = $1::bigint LIMIT $2::integer)`,
      [id, limit],
    );
  const sales = await remove('ledger_sale', rows);
  return sales + (sales < rows ? await remove('lot', rows - sales) : 0);
}

function removeEmptied(client: Client, id: number): Promise<number> {
  return client.run('DELETE FROM private.account WHERE id = $1::bigint', [id]);
}

/** Goes on with an account whose removal was interrupted; how many rows that were. */
export async function sweepRemoved(client: Client, rows: number): Promise<number> {
  const [account] = await client.query<{ id: number }>(
    `SELECT id FROM private.account WHERE ${isRemoved} LIMIT 1`,
  );
  if (!account) return 0;
  const removed = await removeRows(client, account.id, rows);
  if (removed < rows) await removeEmptied(client, account.id);
  return Math.max(1, removed);
}
