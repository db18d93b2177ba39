/** Accounts and their keys on PostgreSQL. */
import { activeKeysMax, newKeysPerDayMax } from '../../contract/limits.ts';
import type {
  Account,
  AccountStore,
  ApiKey,
  KeyUsage,
  NewAccount,
  NewKey,
} from '../../domain/account-store.ts';
import { emailKey } from '../../domain/email.ts';
import { type KeyDates, newKeyRefusal } from '../../domain/keys.ts';
import type { Client, Connection, Value } from './client.ts';
import type { DatabaseClock } from './clock.ts';
import { retried } from './retried.ts';

/** The first two values of a statement make this its clock. */
const instant = '(SELECT published.instant($1::bigint, $2::bigint) AS at) clock';

const selectAccounts = `
  SELECT a.id, a.email, a.plan, a.is_operator AS "isOperator", a.created_at AS "createdAt",
    (SELECT count(*) FROM private.api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > clock.at)) AS "activeKeys"
  FROM ${instant} CROSS JOIN private.account a`;

type Accounts = Pick<
  AccountStore,
  'addAccount' | 'listAccounts' | 'findAccount' | 'setPlan' | 'removeAccount'
>;

/** Accounts on PostgreSQL. */
export function postgresAccountRows(client: Client, clock: DatabaseClock): Accounts {
  const change = async (sql: string, ...values: Value[]) => (await client.run(sql, values)) > 0;
  const findAccount = async (email: string, at: number) => {
    const sql = `${selectAccounts} WHERE a.email_key = $3::text`;
    const [account] = await client.query<Account>(sql, [...clock(at), emailKey(email)]);
    return account ?? null;
  };
  return {
    findAccount,
    addAccount: async (account) => {
      const added = await addAccount(client, clock, account);
      return added ? findAccount(account.email, account.at) : null;
    },
    listAccounts: (at) =>
      client.query<Account>(`${selectAccounts} ORDER BY a.email_key`, clock(at)),
    setPlan: (email, plan) =>
      change(
        'UPDATE private.account SET plan = $1::text WHERE email_key = $2::text',
        plan,
        emailKey(email),
      ),
    removeAccount: (email) =>
      retried(() => client.transaction((tx) => removeAccount(tx, emailKey(email)))),
  };
}

/** An e-mail that has an account already uses up no id, unless two come at the very same time. */
async function addAccount(
  client: Connection,
  clock: DatabaseClock,
  account: NewAccount,
): Promise<boolean> {
  const written = await client.run(
    `INSERT INTO private.account (email, email_key, password_hash, plan, is_operator, created_at)
     SELECT $3::text, $4::text, $5::text, $6::text, $7::boolean, clock.at FROM ${instant}
     WHERE NOT EXISTS (SELECT 1 FROM private.account WHERE email_key = $4::text)
     ON CONFLICT DO NOTHING`,
    [
      ...clock(account.at),
      account.email.trim(),
      emailKey(account.email),
      account.passwordHash,
      account.plan,
      account.isOperator,
    ],
  );
  return written > 0;
}

/**
 * Usage is locked first, in the order in which it is spent. A key that is used for the first time
 * that day at this very moment can still make a deadlock; whoever loses tries again.
 */
async function removeAccount(tx: Connection, key: string): Promise<boolean> {
  const [account] = await tx.query<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR UPDATE',
    [key],
  );
  if (!account) return false;
  await tx.run(
    `SELECT 1 FROM private.usage u JOIN private.api_key k ON k.id = u.key_id
     WHERE k.account_id = $1::bigint ORDER BY u.key_id, u.day FOR UPDATE OF u`,
    [account.id],
  );
  return (await tx.run('DELETE FROM private.account WHERE id = $1::bigint', [account.id])) > 0;
}

type Keys = Pick<AccountStore, 'addKey' | 'listKeys' | 'listUsage' | 'setAllowance' | 'revokeKey'>;

/** Keys on PostgreSQL. */
export function postgresKeys(client: Client, clock: DatabaseClock): Keys {
  return {
    addKey: (key) => client.transaction((tx) => addKey(tx, clock, key)),
    listKeys: (email, at) => listKeys(client, [...clock(at), emailKey(email)]),
    listUsage: (accountId, fromDay) =>
      client.query<KeyUsage>(
        `SELECT u.key_id AS "keyId", u.day, u.used
         FROM private.api_key k JOIN private.usage u ON u.key_id = k.id AND u.day >= $2::integer
         WHERE k.account_id = $1::bigint ORDER BY u.day, u.key_id`,
        [accountId, fromDay],
      ),
    setAllowance: async (keyId, allowance) =>
      (await client.run('UPDATE private.api_key SET allowance = $1::bigint WHERE id = $2::bigint', [
        allowance,
        keyId,
      ])) > 0,
    revokeKey: async (keyId, at) =>
      (await client.run(
        `UPDATE private.api_key
         SET revoked_at = coalesce(revoked_at, published.instant($1::bigint, $2::bigint))
         WHERE id = $3::bigint`,
        [...clock(at), keyId],
      )) > 0,
  };
}

/** While the account is locked no other key is made for it, so that the count stays true. */
async function addKey(tx: Connection, clock: DatabaseClock, key: NewKey) {
  const [account] = await tx.query<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR NO KEY UPDATE',
    [emailKey(key.email)],
  );
  if (!account) return 'no account' as const;
  const keys = await tx.query<KeyDates>(
    `SELECT created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM private.api_key WHERE account_id = $1::bigint`,
    [account.id],
  );
  const [time] = await tx.query<{ at: number }>(`SELECT at FROM ${instant}`, clock(key.at));
  const at = time?.at ?? key.at;
  const refusal = newKeyRefusal(keys, { at, active: activeKeysMax, perDay: newKeysPerDayMax });
  if (refusal) return refusal;
  const [made] = await tx.query<{ id: number }>(
    `INSERT INTO private.api_key
       (account_id, name, hash, prefix, allowance, created_at, expires_at)
     VALUES ($1::bigint, $2::text, $3::bytea, $4::text, $5::bigint, $6::bigint, $7::bigint)
     RETURNING id`,
    [account.id, key.name, key.hash, key.prefix, key.allowance, at, key.expiresAt],
  );
  if (!made) throw new Error('The key was not written.');
  return made;
}

/** An account without keys has one row without a key; no account has none. */
async function listKeys(client: Connection, values: readonly Value[]): Promise<ApiKey[] | null> {
  const rows = await client.query<ApiKey & { readonly id: number | null }>(
    `SELECT k.id, k.name, k.prefix, k.allowance, k.created_at AS "createdAt",
       k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
       coalesce(u.used, 0) AS "usedToday",
       (SELECT max(last_at) FROM private.usage WHERE key_id = k.id) AS "lastUsedAt"
     FROM ${instant} CROSS JOIN private.account a
     LEFT JOIN private.api_key k ON k.account_id = a.id
     LEFT JOIN private.usage u
       ON u.key_id = k.id AND u.day = floor(clock.at / 86400000.0)
     WHERE a.email_key = $3::text ORDER BY k.id`,
    values,
  );
  return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
}
