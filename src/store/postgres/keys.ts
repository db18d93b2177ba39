/** Accounts and their keys on PostgreSQL. */
import { activeKeysMax, keysListedMax } from '../../contract/limits.ts';
import type {
  Account,
  AccountStore,
  NewAccount,
  NewKey,
} from '../../domain/account/account-store.ts';
import { emailKey } from '../../domain/account/email.ts';
import { choosePlace, type PlaceDay, usageByKey } from '../../domain/account/key-places.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { type KeyRow, toApiKeys } from '../key-rows.ts';
import type { StoreClock } from '../sql/clock.ts';
import { isThere, removeAccount } from './account-removal.ts';
import type { Client, Connection, Value } from './client.ts';

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
export function postgresAccountRows(client: Client, clock: StoreClock): Accounts {
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
      client.query<Account>(`${selectAccounts} WHERE ${isThere} ORDER BY a.email_key`, clock(at)),
    setPlan: (email, plan) =>
      change(
        'UPDATE private.account SET plan = $1::text WHERE email_key = $2::text',
        plan,
        emailKey(email),
      ),
    removeAccount: (email) => removeAccount(client, email),
  };
}

/** An e-mail that has an account already uses up no id, unless two come at the very same time. */
async function addAccount(
  client: Connection,
  clock: StoreClock,
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

type Keys = Pick<AccountStore, 'addKey' | 'listKeys' | 'findUsage' | 'setAllowance' | 'revokeKey'>;

/** Keys on PostgreSQL. */
export function postgresKeys(client: Client, clock: StoreClock): Keys {
  return {
    addKey: (key) => client.transaction((tx) => addKey(tx, clock, key)),
    listKeys: async (email, at) => {
      const account = await findOwner(client, clock(at), email);
      if (!account) return null;
      const today = await daysOf(client, account.id, dayOf(account.at));
      return toApiKeys(await keysOf(client, account.id), today);
    },
    // Days that are added up meanwhile are in one of the two.
    findUsage: (accountId, fromDay) =>
      client.snapshot(async (tx) => {
        const [account] = await tx.query<{ calls: number }>(
          'SELECT calls_earlier AS calls FROM private.account WHERE id = $1::bigint',
          [accountId],
        );
        const days = await daysOf(tx, accountId, fromDay);
        return {
          days: usageByKey(await keysOf(tx, accountId), days),
          earlier: account?.calls ?? 0,
        };
      }),
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

/** The account of an e-mail, with the database's time. */
async function findOwner(
  client: Connection,
  time: ReturnType<StoreClock>,
  email: string,
): Promise<{ readonly id: number; readonly at: number } | null> {
  const [account] = await client.query<{ id: number; at: number }>(
    `SELECT a.id, clock.at FROM ${instant} CROSS JOIN private.account a
     WHERE a.email_key = $3::text`,
    [...time, emailKey(email)],
  );
  return account ?? null;
}

function keysOf(client: Connection, accountId: number): Promise<KeyRow[]> {
  return client.query<KeyRow>(
    `SELECT id, name, prefix, allowance, place, used_before AS "usedBefore",
       created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
       greatest(last_used_at, spent.at) AS "lastUsedAt"
     FROM private.api_key LEFT JOIN (
       SELECT key_id, max(last_at) AS at FROM private.usage
       WHERE account_id = $1::bigint GROUP BY key_id
     ) AS spent ON spent.key_id = id
     WHERE account_id = $1::bigint ORDER BY id`,
    [accountId],
  );
}

function daysOf(client: Connection, accountId: number, fromDay: number): Promise<PlaceDay[]> {
  return client.query<PlaceDay>(
    `SELECT place, day, used, key_id AS "keyId" FROM private.usage
     WHERE account_id = $1::bigint AND day >= $2::integer ORDER BY day, place`,
    [accountId, fromDay],
  );
}

/** While the account is locked no other key is made for it, so that the count stays true. */
async function addKey(tx: Connection, clock: StoreClock, key: NewKey) {
  const [locked] = await tx.query<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR NO KEY UPDATE',
    [emailKey(key.email)],
  );
  const account = locked && (await findOwner(tx, clock(key.at), key.email));
  if (!account) return 'no account' as const;
  const { id, at } = account;
  const chosen = choosePlace(await keysOf(tx, id), await daysOf(tx, id, dayOf(at)), {
    at,
    places: activeKeysMax,
  });
  if (chosen === 'too many active') return chosen;
  await noteLastUse(tx, id, chosen.place);
  const [made] = await tx.query<{ id: number }>(
    `INSERT INTO private.api_key
       (account_id, name, hash, prefix, allowance, created_at, expires_at, place, used_before)
     VALUES ($1::bigint, $2::text, $3::bytea, $4::text, $5::bigint, $6::bigint, $7::bigint,
       $8::integer, $9::bigint)
     RETURNING id`,
    [
      id,
      key.name,
      key.hash,
      key.prefix,
      key.allowance,
      at,
      key.expiresAt,
      chosen.place,
      chosen.usedBefore,
    ],
  );
  if (!made) throw new Error('The key was not written.');
  await removeOldest(tx, id, at);
  return made;
}

/** The place is to be used by another: when those before it were used last is written down. */
async function noteLastUse(tx: Connection, accountId: number, place: number): Promise<void> {
  await tx.run(
    `UPDATE private.api_key k SET last_used_at = greatest(last_used_at, spent.at)
     FROM (SELECT key_id, max(last_at) AS at FROM private.usage
       WHERE account_id = $1::bigint AND place = $2::integer GROUP BY key_id) spent
     WHERE spent.key_id = k.id`,
    [accountId, place],
  );
}

/** What removed keys spent stays with their places. */
async function removeOldest(tx: Connection, accountId: number, at: number): Promise<void> {
  await tx.run(
    `DELETE FROM private.api_key
     WHERE account_id = $1::bigint AND (revoked_at IS NOT NULL OR expires_at <= $2::bigint)
       AND id <= (SELECT id FROM private.api_key WHERE account_id = $1::bigint
         ORDER BY id DESC LIMIT 1 OFFSET $3::integer)`,
    [accountId, at, keysListedMax],
  );
}
