/** API keys and their usage. */
import { activeKeysMax, keysListedMax } from '../../contract/limits.ts';
import { dayOf } from '../../kernel/time.ts';
import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods, changeAccount, lockAccountOf } from '../people/account-methods.store.ts';
import { hasConfirmedEmail, instant } from '../people/account-registry.store.ts';
import { emailKey } from '../people/email.ts';
import type { Role } from '../people/role.ts';
import { lastWarningMs, soonMs, warningsDue } from './key-expiry.ts';
import { chooseKeyPlace, type KeyPlaceDay, type PlacedKey, usageByKey } from './key-places.ts';
import {
  type AccountUsage,
  type ApiKey,
  type EndingKey,
  type KeyAccess,
  type NewKey,
  oldSecretMs,
  type RolledKey,
} from './keys.ts';
import { allScopes } from './scopes.ts';

export function keyStore(engine: db.Engine, clock: StoreClock) {
  return {
    ...accountMethods(engine, { setAllowance, renameKey, setKeyAccess }),
    ...db.methods(engine.transaction, { noteKeyUse, noteKeyWarned }),
    ...db.methods(engine.run, { findKeyOwner, listEndingKeys }),
    ...db.methods(engine.snapshot, { findUsage }),
    addKey: (key: NewKey) => engine.transaction(() => addKey(key, clock(key.at))),
    /** Null if there is no such account. */
    listKeys: (email: string, at: number) => engine.snapshot(() => listKeys(email, clock(at))),
    /** Those of these keys that can be used: not revoked, expired or deleted with their account. */
    listActiveKeys: async (ids: readonly number[], at: number): Promise<number[]> => {
      const found = await engine.run(() =>
        db.query<{ id: number }>(
          `SELECT k.id FROM ${instant} CROSS JOIN private.api_key k
           WHERE k.id = ANY($3::bigint[]) AND k.revoked_at IS NULL
             AND (k.expires_at IS NULL OR k.expires_at > clock.at)`,
          [...clock(at), ids],
        ),
      );
      return found.map(({ id }) => id);
    },
    /** Gives a key another secret; the one before works for a day more. */
    rollKey: (accountId: number, rolled: RolledKey) =>
      changeAccount(engine, accountId, () => rollKey(accountId, rolled, clock(rolled.at))),
    /** Ends the earlier secret of a rolled key now. False if there is none. */
    endOldSecret: (accountId: number, keyId: number, at: number) =>
      changeAccount(engine, accountId, () =>
        db.runAny(
          `UPDATE private.api_key
           SET old_until = least(old_until, published.instant($1::bigint, $2::bigint))
           WHERE account_id = $3::bigint AND id = $4::bigint AND old_until IS NOT NULL`,
          [...clock(at), accountId, keyId],
        ),
      ),
    /** Revoking a key again changes nothing. False if there is no such key. */
    revokeKey: (accountId: number, keyId: number, at: number) =>
      changeAccount(engine, accountId, () =>
        db.runAny(
          `UPDATE private.api_key
           SET revoked_at = coalesce(revoked_at, published.instant($1::bigint, $2::bigint))
           WHERE account_id = $3::bigint AND id = $4::bigint`,
          [...clock(at), accountId, keyId],
        ),
      ),
  };
}

export interface KeyStore extends ReturnType<typeof keyStore> {}

/** The account of a key and its role; null if there is no such key. */
function findKeyOwner(keyId: number): db.Reading<{
  readonly accountId: number;
  readonly email: string;
  readonly role: Role | null;
} | null> {
  return db.first(
    `SELECT a.id AS "accountId", a.email, a.role FROM private.api_key k
     JOIN private.account a ON a.id = k.account_id WHERE k.id = $1::bigint`,
    [keyId],
  );
}

function* setAllowance(accountId: number, keyId: number, allowance: number): db.Operation<boolean> {
  return (yield* db.changeRows(tables.apiKey, { allowance }, { accountId, id: keyId })) > 0;
}

function* renameKey(accountId: number, keyId: number, name: string): db.Operation<boolean> {
  return (yield* db.changeRows(tables.apiKey, { name }, { accountId, id: keyId })) > 0;
}

/**
 * An operator's change limits the key. False if there is no such key, or if it is limited and this
 * is a change of its owner.
 */
function setKeyAccess(
  accountId: number,
  keyId: number,
  { scopes, networks, isLimited }: KeyAccess & { readonly isLimited: boolean },
): db.Operation<boolean> {
  return db.runAny(
    `UPDATE private.api_key SET scopes = $1::integer, networks = $2::text
       ${isLimited ? ', is_limited = true' : ''}
     WHERE account_id = $3::bigint AND id = $4::bigint ${isLimited ? '' : 'AND NOT is_limited'}`,
    [scopes, networks, accountId, keyId],
  );
}

/** Records a use that is not charged: of a test key, or of the earlier secret of a rolled one. */
function* noteKeyUse(
  keyId: number,
  { isOld, at }: { readonly isOld: boolean; readonly at: number },
): db.Operation<void> {
  const column = isOld ? 'old_used_at' : 'last_used_at';
  yield* db.run(
    `UPDATE private.api_key SET ${column} = greatest(coalesce(${column}, $1::bigint), $1::bigint)
     WHERE id = $2::bigint`,
    [at, keyId],
  );
}

/**
 * False if there is no such active key, or it was rolled since it was seen: of two rolls at once,
 * the second would end the secret that programs use, and both promise that it works for a day.
 */
function rollKey(
  accountId: number,
  { keyId, seen, hash, prefix, expiresAt, at }: RolledKey,
  time: ReturnType<StoreClock>,
): db.Operation<boolean> {
  const now = 'published.instant($1::bigint, $2::bigint)';
  const warned = warningsDue(expiresAt, at);
  return db.runAny(
    `UPDATE private.api_key SET old_hash = hash, old_prefix = prefix,
       old_until = ${now} + $3::bigint, old_used_at = NULL,
       hash = $4::bytea, prefix = $5::text, expires_at = $6::bigint, warned = $7::integer
     WHERE account_id = $8::bigint AND id = $9::bigint AND prefix = $10::text
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`,
    [...time, oldSecretMs, hash, prefix, expiresAt, warned, accountId, keyId, seen],
  );
}

/**
 * Keys that expire soon and whose owners were not told, after one of them, by the time they expire.
 * With confirmed addresses only: anybody can sign up with any address.
 */
function listEndingKeys(
  at: number,
  { after, limit }: { readonly after: EndingKey | null; readonly limit: number },
): db.Reading<EndingKey[]> {
  return db.query(
    `SELECT k.id, k.prefix, k.expires_at AS "expiresAt", a.email
     FROM private.api_key k JOIN private.account a ON a.id = k.account_id
     WHERE k.revoked_at IS NULL AND k.expires_at > $1::bigint AND k.expires_at <= $2::bigint
       AND k.warned < CASE WHEN k.expires_at <= $3::bigint THEN 2 ELSE 1 END
       AND ${hasConfirmedEmail} AND (k.expires_at, k.id) > ($5::bigint, $6::bigint)
     ORDER BY k.expires_at, k.id LIMIT $4::integer`,
    [at, at + soonMs, at + lastWarningMs, limit, after?.expiresAt ?? 0, after?.id ?? 0],
  );
}

function* noteKeyWarned(keyId: number, warnings: number): db.Operation<void> {
  yield* db.changeRows(tables.apiKey, { warned: warnings }, { id: keyId });
}

interface KeyRow
  extends PlacedKey,
    Omit<ApiKey, keyof PlacedKey | 'usedToday' | 'countedToday' | 'old'> {
  readonly oldPrefix: string | null;
  readonly oldUntil: number | null;
  readonly oldUsedAt: number | null;
}

function* listKeys(email: string, time: ReturnType<StoreClock>): db.Reading<ApiKey[] | null> {
  const owner = yield* findOwner(email, time);
  if (!owner) return null;
  const today = yield* countsOn(owner.id, dayOf(owner.at));
  return toApiKeys(yield* keysOf(owner.id), today);
}

function toApiKeys(keys: readonly KeyRow[], today: readonly KeyPlaceDay[]): ApiKey[] {
  const own = new Map(usageByKey(keys, today).map((row) => [row.keyId, row.used]));
  const counted = new Map(today.map((row) => [row.place, row.used]));
  return keys.map(({ place, usedBefore: _, oldPrefix, oldUntil, oldUsedAt, ...key }) => ({
    ...key,
    old:
      oldPrefix === null || oldUntil === null
        ? null
        : { prefix: oldPrefix, until: oldUntil, lastUsedAt: oldUsedAt },
    usedToday: own.get(key.id) ?? 0,
    countedToday: key.isTest ? 0 : (counted.get(place) ?? 0),
  }));
}

/**
 * The usage of all keys of an account from a day on, including revoked ones. One snapshot, because
 * the sweep moves old days into the total.
 */
function* findUsage(accountId: number, fromDay: number): db.Reading<AccountUsage> {
  const account = yield* db.first<{ calls: number }>(
    'SELECT calls_earlier AS calls FROM private.account WHERE id = $1::bigint',
    [accountId],
  );
  const days = yield* daysOf(accountId, fromDay);
  return { days: usageByKey(yield* keysOf(accountId), days), earlier: account?.calls ?? 0 };
}

function findOwner(
  email: string,
  time: ReturnType<StoreClock>,
): db.Reading<{ readonly id: number; readonly at: number } | null> {
  return db.first(
    `SELECT a.id, clock.at FROM ${instant} CROSS JOIN private.account a
     WHERE a.email_key = $3::text`,
    [...time, emailKey(email)],
  );
}

function keysOf(accountId: number): db.Reading<KeyRow[]> {
  return db.query(
    `SELECT id, name, prefix, allowance, scopes, networks, is_test::boolean AS "isTest",
       is_limited::boolean AS "isLimited", place, used_before AS "usedBefore",
       old_prefix AS "oldPrefix", old_until AS "oldUntil", old_used_at AS "oldUsedAt",
       created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
       greatest(coalesce(last_used_at, spent.at), coalesce(spent.at, last_used_at))
         AS "lastUsedAt"
     FROM private.api_key LEFT JOIN (
       SELECT key_id, max(last_at) AS at FROM private.usage
       WHERE account_id = $1::bigint GROUP BY key_id
     ) AS spent ON spent.key_id = id
     WHERE account_id = $1::bigint ORDER BY id`,
    [accountId],
  );
}

function daysOf(accountId: number, fromDay: number): db.Reading<KeyPlaceDay[]> {
  return db.query(
    `SELECT place, day, used, key_id AS "keyId" FROM private.usage
     WHERE account_id = $1::bigint AND day >= $2::integer`,
    [accountId, fromDay],
  );
}

/** Without later days, which there are after a clock was set back. */
function* countsOn(accountId: number, day: number): db.Reading<KeyPlaceDay[]> {
  return (yield* daysOf(accountId, day)).filter((row) => row.day === day);
}

/** The account is locked, so that the number of keys stays within its limit. */
function* addKey(
  { email, at: _, ...key }: NewKey,
  time: ReturnType<StoreClock>,
): db.Operation<{ readonly id: number } | 'no account' | 'too many active'> {
  const locked = yield* lockAccountOf(email);
  const owner = locked && (yield* findOwner(email, time));
  if (!owner) return 'no account';
  const { id: accountId, at: createdAt } = owner;
  const keys = yield* keysOf(accountId);
  const chosen = chooseKeyPlace(keys, yield* countsOn(accountId, dayOf(createdAt)), {
    at: createdAt,
    places: activeKeysMax,
  });
  if (chosen === 'too many active') return chosen;
  yield* noteLastUses(accountId);
  const warned = warningsDue(key.expiresAt, createdAt);
  const row = { ...key, scopes: key.scopes ?? allScopes, ...chosen, accountId, createdAt, warned };
  const id = yield* db.insertRow(tables.apiKey, row);
  yield* removeOldest(accountId, createdAt);
  return { id };
}

/** Saves when keys were last used, before a place is given to another key. */
function* noteLastUses(accountId: number): db.Operation<void> {
  yield* db.run(
    `UPDATE private.api_key SET last_used_at = greatest(coalesce(last_used_at, spent.at), spent.at)
     FROM (SELECT key_id, max(last_at) AS at FROM private.usage
       WHERE account_id = $1::bigint GROUP BY key_id) AS spent
     WHERE spent.key_id = api_key.id`,
    [accountId],
  );
}

/** The usage of removed keys stays with their places. */
function* removeOldest(accountId: number, at: number): db.Operation<void> {
  yield* db.run(
    `DELETE FROM private.api_key
     WHERE account_id = $1::bigint AND (revoked_at IS NOT NULL OR expires_at <= $2::bigint)
       AND id < (SELECT min(id) FROM (SELECT id FROM private.api_key
         WHERE account_id = $1::bigint ORDER BY id DESC LIMIT $3::integer) AS kept)`,
    [accountId, at, keysListedMax],
  );
}
