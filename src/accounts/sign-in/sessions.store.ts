/** Sessions, password reset links, and counts of failed attempts. */
import { sessionsMax } from '../../contract/limits.ts';
import { minuteMs } from '../../kernel/time.ts';
import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byAccount } from '../audit/audit.ts';
import { hasConfirmedEmail, isRemoved } from '../people/account-registry.store.ts';
import { emailKey } from '../people/email.ts';
import type { Passkey } from './passkey.ts';
import {
  type NewSession,
  nextVisit,
  type Session,
  type SignedIn,
  type Throttle,
  type TokenHash,
  type TryWindow,
  unseenAlertsMax,
} from './session.ts';
import { saveVisit } from './visits.store.ts';

/** `last_seen_at` is updated at most this often. */
const seenAgainMs = 5 * minuteMs;

export function sessionStore(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.transaction, {
      addSession,
      forgetTries,
      endSession,
      endOtherSessions,
      addResetLink,
    }),
    ...db.methods(engine.run, { findPasswordHash, listSessions, findResetLink, listKeepable }),
    /** The account of a session that has not expired; updates when both were last seen. */
    findSignedIn: async (tokenHash: TokenHash, at: number): Promise<SignedIn | null> => {
      const found = await engine.run(() => findSession(tokenHash, at));
      if (!found) return null;
      const { signedIn, visit, isSeenAgain } = toSeen(found, at);
      if (isSeenAgain || visit) {
        await engine.transaction(function* () {
          if (isSeenAgain)
            yield* db.changeRows(tables.session, { lastSeenAt: at }, { id: found.sessionId });
          if (visit) yield* saveVisit(found.accountId, visit);
        });
      }
      return signedIn;
    },
    /**
     * Sets the password and ends all sessions and reset links. False if there is no such account,
     * or if its password hash is not `replaced`.
     */
    setPassword: (email: string, hash: string, replaced?: string) =>
      engine.transaction(() => setPassword(email, hash, replaced ?? null)),
    /**
     * Sets the password, ends all sessions and revokes all keys and shares, because somebody else
     * may have created them. For the same reason, passkeys that are not in `kept` are removed, and
     * an address that was never confirmed loses all, and its link to the provider. Returns the
     * account; null if the link is invalid.
     */
    useResetLink: (
      tokenHash: TokenHash,
      passwordHash: string,
      at: number,
      kept: KeptPasskeys = [],
    ) =>
      engine.transaction(() =>
        useResetLink(tokenHash, passwordHash, { at, time: clock(at), kept }),
      ),
    /** Counts an attempt; false, without counting it, if a limit is reached. */
    countTry: (throttles: readonly Throttle[], { at, ms }: TryWindow) =>
      engine.transaction(() => countTry(throttles, { at, from: at - ms })),
  };
}

interface FoundPassword {
  readonly accountId: number;
  /** Null if it has no password yet. */
  readonly passwordHash: string | null;
  /** Whether the password alone is not enough. */
  readonly needsCode: boolean;
}

function findPasswordHash(email: string): db.Reading<FoundPassword | null> {
  return db.first<FoundPassword>(
    `SELECT id AS "accountId", password_hash AS "passwordHash", EXISTS (
       SELECT 1 FROM private.authenticator WHERE account_id = account.id AND last_step IS NOT NULL
     )::boolean AS "needsCode" FROM private.account
     WHERE email_key = $1::text`,
    [emailKey(email)],
  );
}

/** Active sessions, last seen first. */
function listSessions(accountId: number, at: number): db.Reading<Session[]> {
  return db.query<Session>(
    `SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
       expires_at AS "expiresAt", agent
     FROM private.session WHERE account_id = $1::bigint AND expires_at > $2::bigint
     ORDER BY last_seen_at DESC, id DESC`,
    [accountId, at],
  );
}

function* endSession(accountId: number, sessionId: number): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.session, { accountId, id: sessionId })) > 0;
}

/** Ends all sessions of an account except one; returns how many. */
function endOtherSessions(accountId: number, sessionId: number | null): db.Operation<number> {
  return db.run(
    `DELETE FROM private.session
     WHERE account_id = $1::bigint AND id IS DISTINCT FROM $2::bigint`,
    [accountId, sessionId],
  );
}

/** Replaces earlier reset links; false if there is no such account. */
function addResetLink({
  email,
  tokenHash,
  expiresAt,
}: {
  readonly email: string;
  readonly tokenHash: TokenHash;
  readonly expiresAt: number;
}): db.Operation<boolean> {
  return db.runAny(
    `INSERT INTO private.reset_link (account_id, token_hash, expires_at)
     SELECT id, $1::bytea, $2::bigint FROM private.account WHERE email_key = $3::text
     ON CONFLICT (account_id) DO UPDATE
       SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [tokenHash, expiresAt, emailKey(email)],
  );
}

/** The email of the account that a link is for; null if the link does not work. */
function* findResetLink(tokenHash: TokenHash, at: number): db.Reading<string | null> {
  const found = yield* db.first<{ email: string }>(
    `SELECT email FROM private.account WHERE id IN (
       SELECT account_id FROM private.reset_link
       WHERE token_hash = $1::bytea AND expires_at > $2::bigint)`,
    [tokenHash, at],
  );
  return found?.email ?? null;
}

/**
 * Null if the account has another password by now, or is being removed. The oldest sessions beyond
 * the limit are removed. The account is locked, so that a concurrent change of the password or
 * another sign-in is seen.
 */
export function* addSession(session: NewSession): db.Operation<number | null> {
  const { accountId, passwordHash, method, tokenHash, expiresAt, agent, at } = session;
  const added = yield* db.runFirst<{ id: number }>(
    `INSERT INTO private.session
       (account_id, token_hash, created_at, last_seen_at, expires_at, agent, method)
     SELECT id, $2::bytea, $3::bigint, $3::bigint, $4::bigint, $5::text, $7::text
     FROM private.account
     WHERE id = $1::bigint AND closed_at IS NULL AND NOT ${isRemoved}
       AND ($6::text IS NULL OR password_hash = $6::text) FOR NO KEY UPDATE
     RETURNING id`,
    [accountId, tokenHash, at, expiresAt, agent, passwordHash, method],
  );
  yield* db.run(
    `DELETE FROM private.session WHERE account_id = $1::bigint AND id < (
       SELECT min(id) FROM (SELECT id FROM private.session
         WHERE account_id = $1::bigint ORDER BY id DESC LIMIT $2::integer) AS kept)`,
    [accountId, sessionsMax],
  );
  if (!added) return null;
  if (session.isRenewed) return added.id;
  const by = byAccount(accountId);
  yield* recordAudit({ at, by, action: 'sign-in', accountId, network: session.network ?? null });
  return added.id;
}

type FoundSession = Omit<SignedIn, 'lastVisitAt'> & {
  readonly lastSeenAt: number;
  readonly seenAt: number | null;
  readonly beforeAt: number | null;
};

function findSession(tokenHash: TokenHash, at: number): db.Reading<FoundSession | null> {
  return db.first(
    `SELECT session.id AS "sessionId", session.account_id AS "accountId", email, plan, role,
       method, session.created_at AS "signedInAt", time_zone AS "timeZone", currency, locale,
       last_seen_at AS "lastSeenAt",
       visit.seen_at AS "seenAt", visit.before_at AS "beforeAt",
       (SELECT count(*) FROM (SELECT 1 FROM private.notification n
          WHERE n.account_id = session.account_id AND n.id > coalesce(visit.alert_id, 0)
          LIMIT ${unseenAlertsMax}) AS unseen)::float8 AS "unseenAlerts"
     FROM private.session JOIN private.account ON account.id = session.account_id
     LEFT JOIN private.visit ON visit.account_id = account.id
     WHERE token_hash = $1::bytea AND expires_at > $2::bigint AND closed_at IS NULL`,
    [tokenHash, at],
  );
}

/** Changes due to be saved: when the session was last seen, and the visit; null if none are. */
function toSeen({ lastSeenAt, seenAt, beforeAt, ...session }: FoundSession, at: number) {
  const known = seenAt === null ? null : { seenAt, beforeAt };
  const visit = known && at - known.seenAt < seenAgainMs ? null : nextVisit(known, at);
  const signedIn: SignedIn = { ...session, lastVisitAt: visit ? visit.beforeAt : beforeAt };
  return { signedIn, visit, isSeenAgain: at - lastSeenAt >= seenAgainMs };
}

function* setPassword(email: string, hash: string, replaced: string | null): db.Operation<boolean> {
  const account = yield* db.runFirst<{ id: number }>(
    `SELECT id FROM private.account
     WHERE email_key = $1::text AND ($2::text IS NULL OR password_hash = $2::text)
     FOR NO KEY UPDATE`,
    [emailKey(email), replaced],
  );
  if (account) yield* writePassword(account.id, hash);
  return account !== null;
}

interface ResetOptions {
  readonly at: number;
  readonly time: ReturnType<StoreClock>;
  readonly kept: KeptPasskeys;
}

/** IDs; `all`, with the link to the provider, because the site requires them. */
export type KeptPasskeys = 'all' | readonly number[];

function* useResetLink(
  tokenHash: TokenHash,
  passwordHash: string,
  { at, time, kept }: ResetOptions,
): db.Operation<{ readonly accountId: number; readonly email: string } | null> {
  // The account is locked first: of two requests with the same link, only one succeeds.
  const account = yield* db.runFirst<{ id: number; email: string }>(
    `SELECT id, email FROM private.account WHERE id IN (
       SELECT account_id FROM private.reset_link WHERE token_hash = $1::bytea
     ) FOR NO KEY UPDATE`,
    [tokenHash],
  );
  const used = yield* db.run(
    'DELETE FROM private.reset_link WHERE token_hash = $1::bytea AND expires_at > $2::bigint',
    [tokenHash, at],
  );
  if (!account || used === 0) return null;
  yield* writePassword(account.id, passwordHash);
  yield* db.run(
    `UPDATE private.api_key SET revoked_at = published.instant($1::bigint, $2::bigint)
     WHERE account_id = $3::bigint AND revoked_at IS NULL`,
    [...time, account.id],
  );
  yield* db.deleteRows(tables.share, { accountId: account.id });
  if (kept !== 'all') yield* removeFactors(account.id, kept);
  return { accountId: account.id, email: account.email };
}

function* removeFactors(accountId: number, kept: readonly number[]): db.Operation<void> {
  const confirmed = yield* db.first(
    `SELECT 1 FROM private.account AS a WHERE id = $1::bigint AND ${hasConfirmedEmail}`,
    [accountId],
  );
  yield* db.run(
    `DELETE FROM private.passkey WHERE account_id = $1::bigint AND NOT id = ANY($2::bigint[])`,
    [accountId, confirmed ? kept : []],
  );
  if (!confirmed) yield* db.deleteRows(tables.identity, { accountId });
}

/** Passkeys that a reset link can keep; none of an address that was never confirmed. */
function listKeepable(tokenHash: TokenHash, at: number): db.Reading<Passkey[]> {
  return db.query<Passkey>(
    `SELECT ${columnsOf(tables.passkey, 'p')} FROM private.reset_link AS l
     JOIN private.account AS a ON a.id = l.account_id
     JOIN private.passkey AS p ON p.account_id = a.id
     WHERE l.token_hash = $1::bytea AND l.expires_at > $2::bigint AND ${hasConfirmedEmail}
     ORDER BY p.id`,
    [tokenHash, at],
  );
}

/** Ends all sessions, reset links and known devices, which used the old password. */
function* writePassword(accountId: number, hash: string): db.Operation<void> {
  yield* db.changeRows(tables.account, { passwordHash: hash }, { id: accountId });
  const { session, resetLink, device, signInStep } = tables;
  yield* db.deleteOf(accountId, [session, resetLink, device, signInStep]);
}

function* countTry(
  throttles: readonly Throttle[],
  { at, from }: { readonly at: number; readonly from: number },
): db.Operation<boolean> {
  // Locks are acquired in one order, to avoid deadlocks.
  const sorted = throttles.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  for (const key of keys) yield* db.lock(key);
  const counts = yield* db.query<{ key: string; count: number }>(
    `SELECT key, count::float8 AS count FROM private.tries
     WHERE key = ANY($1::text[]) AND since > $2::bigint`,
    [keys, from],
  );
  const counted = new Map(counts.map(({ key, count }) => [key, count]));
  const isOver = ({ key, max, cost = 1 }: Throttle) => (counted.get(key) ?? 0) + cost > max;
  if (throttles.some(isOver)) return false;
  for (const { key, cost = 1 } of sorted) {
    yield* db.run(
      `INSERT INTO private.tries AS t (key, since, count)
       VALUES ($1::text, $2::bigint, $4::bigint)
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN t.since > $3::bigint THEN t.count ELSE 0 END + $4::bigint,
         since = CASE WHEN t.since > $3::bigint THEN t.since ELSE $2::bigint END`,
      [key, at, from, cost],
    );
  }
  return true;
}

/** After a successful sign-in. */
function* forgetTries(key: string): db.Operation<void> {
  yield* db.deleteRows(tables.tries, { key });
}
