/** Accounts and their keys. */
import type { Database } from 'bun:sqlite';
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
import { newKeyRefusal } from '../../domain/keys.ts';
import type { Plan } from '../../domain/quota.ts';
import { dayOf } from '../../domain/time.ts';
import { inTransaction } from './database.ts';

interface AccountRow {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  readonly is_operator: number;
  readonly created_at: number;
  readonly active_keys: number;
}

const selectAccounts = `
  SELECT a.id, a.email, a.plan, a.is_operator, a.created_at,
    (SELECT count(*) FROM api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ?1)) AS active_keys
  FROM account a`;

type Accounts = Pick<
  AccountStore,
  'addAccount' | 'listAccounts' | 'findAccount' | 'setPlan' | 'removeAccount'
>;

/** Accounts on SQLite. */
export function sqliteAccounts(db: Database): Accounts {
  const change = (sql: string, ...values: (string | number | null)[]) =>
    db.query(sql).run(...values).changes > 0;
  const findAccount = async (email: string, at: number) => {
    const sql = `${selectAccounts} WHERE a.email_key = ?2`;
    const row = db.query<AccountRow, [number, string]>(sql).get(at, emailKey(email));
    return row ? toAccount(row) : null;
  };
  return {
    findAccount,
    addAccount: async (account: NewAccount) => {
      const added = change(
        `INSERT INTO account (email, email_key, password_hash, plan, is_operator, created_at)
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        account.email.trim(),
        emailKey(account.email),
        account.passwordHash,
        account.plan,
        Number(account.isOperator),
        account.at,
      );
      return added ? findAccount(account.email, account.at) : null;
    },
    listAccounts: async (at: number) =>
      db
        .query<AccountRow, [number]>(`${selectAccounts} ORDER BY a.email_key`)
        .all(at)
        .map(toAccount),
    setPlan: async (email, plan) =>
      change('UPDATE account SET plan = ? WHERE email_key = ?', plan, emailKey(email)),
    removeAccount: async (email) =>
      change('DELETE FROM account WHERE email_key = ?', emailKey(email)),
  };
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan,
    isOperator: row.is_operator === 1,
    createdAt: row.created_at,
    activeKeys: row.active_keys,
  };
}

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly allowance: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly used_today: number | null;
  readonly last_at: number | null;
}

type Keys = Pick<AccountStore, 'addKey' | 'listKeys' | 'listUsage' | 'setAllowance' | 'revokeKey'>;

/** Keys on SQLite. */
export function sqliteKeys(db: Database): Keys {
  const accountId = (email: string) =>
    db
      .query<{ id: number }, [string]>('SELECT id FROM account WHERE email_key = ?')
      .get(emailKey(email))?.id ?? null;
  const keysOf = (account: number, day: number) =>
    db
      .query<KeyRow, [number, number]>(
        `SELECT k.*, u.used AS used_today,
           (SELECT max(last_at) FROM usage WHERE key_id = k.id) AS last_at
         FROM api_key k LEFT JOIN usage u ON u.key_id = k.id AND u.day = ?2
         WHERE k.account_id = ?1 ORDER BY k.id`,
      )
      .all(account, day)
      .map(toKey);
  return {
    addKey: async (key) => inTransaction(db, () => addKey(db, { key, accountId, keysOf })),
    listKeys: async (email, at) => {
      const account = accountId(email);
      return account === null ? null : keysOf(account, dayOf(at));
    },
    listUsage: async (account, fromDay) =>
      db
        .query<KeyUsage, [number, number]>(
          `SELECT u.key_id AS keyId, u.day, u.used
           FROM api_key k JOIN usage u ON u.key_id = k.id AND u.day >= ?2
           WHERE k.account_id = ?1 ORDER BY u.day, u.key_id`,
        )
        .all(account, fromDay),
    setAllowance: async (keyId, allowance) =>
      db.query('UPDATE api_key SET allowance = ? WHERE id = ?').run(allowance, keyId).changes > 0,
    revokeKey: async (keyId, at) =>
      db
        .query('UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
        .run(at, keyId).changes > 0,
  };
}

function addKey(
  db: Database,
  work: {
    key: NewKey;
    accountId(email: string): number | null;
    keysOf(account: number, day: number): ApiKey[];
  },
) {
  const { key } = work;
  const account = work.accountId(key.email);
  if (account === null) return 'no account' as const;
  const refusal = newKeyRefusal(work.keysOf(account, dayOf(key.at)), {
    at: key.at,
    active: activeKeysMax,
    perDay: newKeysPerDayMax,
  });
  if (refusal) return refusal;
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO api_key (account_id, name, hash, prefix, allowance, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(account, key.name, key.hash, key.prefix, key.allowance, key.at, key.expiresAt);
  return { id: Number(lastInsertRowid) };
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    allowance: row.allowance,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    usedToday: row.used_today ?? 0,
    lastUsedAt: row.last_at,
  };
}
