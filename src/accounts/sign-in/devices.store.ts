/** Browsers that signed in to an account before. Only hashes of their tokens are stored. */
import { sessionsMax } from '../../contract/limits.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { hasConfirmedEmail } from '../people/account-registry.store.ts';
import { emailKey } from '../people/email.ts';
import type { TokenHash } from './session.ts';

export function deviceStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { hasDevice, findConfirmedEmail }),
    ...db.methods(engine.transaction, { rememberDevice }),
  };
}

/** Whether a browser signed in to the account with this email. */
function* hasDevice(email: string, tokenHash: TokenHash): db.Reading<boolean> {
  return (
    (yield* db.first(
      `SELECT 1 FROM private.device d JOIN private.account a ON a.id = d.account_id
       WHERE d.token_hash = $1::bytea AND a.email_key = $2::text`,
      [tokenHash, emailKey(email)],
    )) !== null
  );
}

/** Returns whether the device is new. The oldest ones beyond the limit are removed. */
function* rememberDevice(
  accountId: number,
  { tokenHash, at }: { readonly tokenHash: TokenHash; readonly at: number },
): db.Operation<boolean> {
  const known = yield* db.changeRows(tables.device, { lastUsedAt: at }, { accountId, tokenHash });
  if (known > 0) return false;
  yield* db.addRow(tables.device, { accountId, tokenHash, lastUsedAt: at });
  yield* db.run(
    `DELETE FROM private.device WHERE account_id = $1::bigint AND id NOT IN (
       SELECT id FROM private.device WHERE account_id = $1::bigint
       ORDER BY last_used_at DESC, id DESC LIMIT $2::integer)`,
    [accountId, sessionsMax],
  );
  return true;
}

/** The address of an account; null if its owner has not confirmed it with a link. */
function* findConfirmedEmail(accountId: number): db.Reading<string | null> {
  const found = yield* db.first<{ email: string }>(
    `SELECT a.email FROM private.account a WHERE a.id = $1::bigint AND ${hasConfirmedEmail}`,
    [accountId],
  );
  return found?.email ?? null;
}
