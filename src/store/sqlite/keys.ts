/** Accounts and their keys. */
import type { Database } from 'bun:sqlite';
import { activeKeysMax, keysListedMax } from '../../contract/limits.ts';
import type {
  Account,
  AccountStore,
  NewAccount,
  NewKey,
} from '../../domain/account/account-store.ts';
import { emailKey } from '../../domain/account/email.ts';
import { choosePlace, type PlaceDay, usageByKey } from '../../domain/account/key-places.ts';
import type { Plan } from '../../domain/account/quota.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { type KeyRow, toApiKeys } from '../key-rows.ts';
import { isThere, removeAccount } from './account-removal.ts';
import { inSnapshot, inTransaction } from './database.ts';

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
        .query<AccountRow, [number]>(`${selectAccounts} WHERE ${isThere} ORDER BY a.email_key`)
        .all(at)
        .map(toAccount),
    setPlan: async (email, plan) =>
      change('UPDATE account SET plan = ? WHERE email_key = ?', plan, emailKey(email)),
    removeAccount: (email) => removeAccount(db, email),
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

type Keys = Pick<AccountStore, 'addKey' | 'listKeys' | 'findUsage' | 'setAllowance' | 'revokeKey'>;

/** Keys on SQLite. */
export function sqliteKeys(db: Database): Keys {
  return {
    addKey: async (key) => inTransaction(db, () => addKey(db, key)),
    listKeys: async (email, at) => {
      const account = findAccountId(db, email);
      if (account === null) return null;
      return inSnapshot(db, () => toApiKeys(keysOf(db, account), daysOf(db, account, dayOf(at))));
    },
    findUsage: async (account, fromDay) =>
      inSnapshot(db, () => {
        const earlier = 'SELECT calls_earlier AS calls FROM account WHERE id = ?';
        return {
          days: usageByKey(keysOf(db, account), daysOf(db, account, fromDay)),
          earlier: db.query<{ calls: number }, [number]>(earlier).get(account)?.calls ?? 0,
        };
      }),
    setAllowance: async (keyId, allowance) =>
      db.query('UPDATE api_key SET allowance = ? WHERE id = ?').run(allowance, keyId).changes > 0,
    revokeKey: async (keyId, at) =>
      db
        .query('UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
        .run(at, keyId).changes > 0,
  };
}

function findAccountId(db: Database, email: string): number | null {
  const find = 'SELECT id FROM account WHERE email_key = ?';
  return db.query<{ id: number }, [string]>(find).get(emailKey(email))?.id ?? null;
}

function keysOf(db: Database, account: number): KeyRow[] {
  return db
    .query<KeyRow, [number]>(
      `SELECT id, name, prefix, allowance, place, used_before AS usedBefore,
         created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt,
         coalesce(max(last_used_at, spent.at), last_used_at, spent.at) AS lastUsedAt
       FROM api_key LEFT JOIN (
         SELECT key_id, max(last_at) AS at FROM usage WHERE account_id = ?1 GROUP BY key_id
       ) AS spent ON spent.key_id = id
       WHERE account_id = ?1 ORDER BY id`,
    )
    .all(account);
}

function daysOf(db: Database, account: number, fromDay: number): PlaceDay[] {
  return db
    .query<PlaceDay, [number, number]>(
      `SELECT place, day, used, key_id AS keyId FROM usage WHERE account_id = ? AND day >= ?
       ORDER BY day, place`,
    )
    .all(account, fromDay);
}

function addKey(db: Database, key: NewKey) {
  const account = findAccountId(db, key.email);
  if (account === null) return 'no account' as const;
  const chosen = choosePlace(keysOf(db, account), daysOf(db, account, dayOf(key.at)), {
    at: key.at,
    places: activeKeysMax,
  });
  if (chosen === 'too many active') return chosen;
  noteLastUse(db, account, chosen.place);
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO api_key (account_id, name, hash, prefix, allowance, created_at, expires_at,
         place, used_before)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      account,
      key.name,
      key.hash,
      key.prefix,
      key.allowance,
      key.at,
      key.expiresAt,
      chosen.place,
      chosen.usedBefore,
    );
  removeOldest(db, account, key.at);
  return { id: Number(lastInsertRowid) };
}

/** The place is to be used by another: when those before it were used last is written down. */
function noteLastUse(db: Database, account: number, place: number): void {
  db.query(
    `UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), spent.at)
     FROM (SELECT key_id, max(last_at) AS at FROM usage WHERE account_id = ?1 AND place = ?2
       GROUP BY key_id) AS spent WHERE spent.key_id = api_key.id`,
  ).run(account, place);
}

/** What removed keys spent stays with their places. */
function removeOldest(db: Database, account: number, at: number): void {
  db.query(
    `DELETE FROM api_key WHERE account_id = ?1 AND (revoked_at IS NOT NULL OR expires_at <= ?2)
       AND id <= (SELECT id FROM api_key WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
  ).run(account, at, keysListedMax);
}
