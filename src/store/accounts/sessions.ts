/** Sessions, links that set a password, and how often it was tried. */
import { sessionsMax } from '../../contract/limits.ts';
import { emailKey } from '../../domain/account/email.ts';
import type {
  NewSession,
  Session,
  SessionStore,
  SignedIn,
  Throttle,
  TokenHash,
} from '../../domain/account/session-store.ts';
import { minuteMs } from '../../domain/kernel/time.ts';
import type { StoreClock } from '../sql/clock.ts';
import { type Engine, first, lock, type Operation, query, run } from '../sql/operation.ts';

/** That a session was seen is written down no more often than this. */
const seenAgainMs = 5 * minuteMs;

/** The signing-in part of the private half. */
export function sessionStore(engine: Engine, clock: StoreClock): SessionStore {
  return {
    findPasswordHash: (email) =>
      engine.run(() =>
        first<{ accountId: number; passwordHash: string | null }>(
          `SELECT id AS "accountId", password_hash AS "passwordHash" FROM private.account
           WHERE email_key = $1::text`,
          [emailKey(email)],
        ),
      ),
    addSession: (session) => engine.transaction(() => addSession(session)),
    findSignedIn: (tokenHash, at) => engine.run(() => findSignedIn(tokenHash, at)),
    listSessions: (accountId, at) =>
      engine.run(() =>
        query<Session>(
          `SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
             expires_at AS "expiresAt", agent
           FROM private.session WHERE account_id = $1::bigint AND expires_at > $2::bigint
           ORDER BY last_seen_at DESC, id DESC`,
          [accountId, at],
        ),
      ),
    endSession: async (accountId, sessionId) =>
      (await engine.run(() =>
        run('DELETE FROM private.session WHERE account_id = $1::bigint AND id = $2::bigint', [
          accountId,
          sessionId,
        ]),
      )) > 0,
    endOtherSessions: (accountId, sessionId) =>
      engine.run(() =>
        run(
          `DELETE FROM private.session
           WHERE account_id = $1::bigint AND id IS DISTINCT FROM $2::bigint`,
          [accountId, sessionId],
        ),
      ),
    setPassword: (email, hash, replaced) =>
      engine.transaction(() => setPassword(email, hash, replaced ?? null)),
    addResetLink: async ({ email, tokenHash, expiresAt }) =>
      (await engine.run(() =>
        run(
          `INSERT INTO private.reset_link (account_id, token_hash, expires_at)
           SELECT id, $1::bytea, $2::bigint FROM private.account WHERE email_key = $3::text
           ON CONFLICT (account_id) DO UPDATE
             SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
          [tokenHash, expiresAt, emailKey(email)],
        ),
      )) > 0,
    hasResetLink: async (tokenHash, at) =>
      (await engine.run(() =>
        first(
          `SELECT 1 FROM private.reset_link
           WHERE token_hash = $1::bytea AND expires_at > $2::bigint`,
          [tokenHash, at],
        ),
      )) !== null,
    useResetLink: (tokenHash, passwordHash, at) =>
      engine.transaction(() => useResetLink(tokenHash, passwordHash, { at, time: clock(at) })),
    countTry: (throttles, { at, ms }) =>
      engine.transaction(() => countTry(throttles, { at, from: at - ms })),
    forgetTries: (key) => engine.run(() => forgetTries(key)),
  };
}

/**
 * The account stays locked: a password that is being changed is waited for, and then looked at, and
 * of two who sign in at once the second sees the session of the first.
 */
function* addSession(session: NewSession): Operation<number | null> {
  const { accountId, passwordHash, tokenHash, expiresAt, agent, at } = session;
  const added = yield* first<{ id: number }>(
    `INSERT INTO private.session
       (account_id, token_hash, created_at, last_seen_at, expires_at, agent)
     SELECT id, $2::bytea, $3::bigint, $3::bigint, $4::bigint, $5::text FROM private.account
     WHERE id = $1::bigint AND password_hash = $6::text FOR NO KEY UPDATE
     RETURNING id`,
    [accountId, tokenHash, at, expiresAt, agent, passwordHash],
  );
  yield* run(
    `DELETE FROM private.session WHERE account_id = $1::bigint AND id < (
       SELECT min(id) FROM (SELECT id FROM private.session
         WHERE account_id = $1::bigint ORDER BY id DESC LIMIT $2::integer) AS kept)`,
    [accountId, sessionsMax],
  );
  return added?.id ?? null;
}

function* findSignedIn(tokenHash: TokenHash, at: number): Operation<SignedIn | null> {
  const row = yield* first<SignedIn & { lastSeenAt: number }>(
    `SELECT session.id AS "sessionId", account_id AS "accountId", email, plan,
       is_operator AS "isOperator", last_seen_at AS "lastSeenAt"
     FROM private.session JOIN private.account ON account.id = session.account_id
     WHERE token_hash = $1::bytea AND expires_at > $2::bigint`,
    [tokenHash, at],
  );
  if (!row) return null;
  const { lastSeenAt, ...signedIn } = row;
  if (at - lastSeenAt >= seenAgainMs) {
    yield* run('UPDATE private.session SET last_seen_at = $1::bigint WHERE id = $2::bigint', [
      at,
      row.sessionId,
    ]);
  }
  return signedIn;
}

function* setPassword(email: string, hash: string, replaced: string | null): Operation<boolean> {
  const account = yield* first<{ id: number }>(
    `SELECT id FROM private.account
     WHERE email_key = $1::text AND ($2::text IS NULL OR password_hash = $2::text)
     FOR NO KEY UPDATE`,
    [emailKey(email), replaced],
  );
  if (account) yield* writePassword(account.id, hash);
  return account !== null;
}

function* useResetLink(
  tokenHash: TokenHash,
  passwordHash: string,
  { at, time }: { readonly at: number; readonly time: ReturnType<StoreClock> },
): Operation<string | null> {
  // The account first, as above: two who hold the link wait here, and one of them gets it.
  const account = yield* first<{ id: number; email: string }>(
    `SELECT id, email FROM private.account WHERE id IN (
       SELECT account_id FROM private.reset_link WHERE token_hash = $1::bytea
     ) FOR NO KEY UPDATE`,
    [tokenHash],
  );
  const used = yield* run(
    'DELETE FROM private.reset_link WHERE token_hash = $1::bytea AND expires_at > $2::bigint',
    [tokenHash, at],
  );
  if (!account || used === 0) return null;
  yield* writePassword(account.id, passwordHash);
  yield* run(
    `UPDATE private.api_key SET revoked_at = published.instant($1::bigint, $2::bigint)
     WHERE account_id = $3::bigint AND revoked_at IS NULL`,
    [...time, account.id],
  );
  return account.email;
}

/** What was opened with the old password is closed, and no link replaces the new one. */
function* writePassword(accountId: number, hash: string): Operation<void> {
  yield* run('UPDATE private.account SET password_hash = $1::text WHERE id = $2::bigint', [
    hash,
    accountId,
  ]);
  yield* run('DELETE FROM private.session WHERE account_id = $1::bigint', [accountId]);
  yield* run('DELETE FROM private.reset_link WHERE account_id = $1::bigint', [accountId]);
}

function* countTry(
  throttles: readonly Throttle[],
  { at, from }: { readonly at: number; readonly from: number },
): Operation<boolean> {
  // In one order, so that two who try at once do not wait for each other.
  const keys = throttles.map(({ key }) => key).sort();
  for (const key of keys) yield* lock(key);
  const counts = yield* query<{ key: string; count: number }>(
    'SELECT key, count FROM private.tries WHERE key = ANY($1::text[]) AND since > $2::bigint',
    [keys, from],
  );
  const counted = new Map(counts.map(({ key, count }) => [key, count]));
  if (throttles.some(({ key, max }) => (counted.get(key) ?? 0) >= max)) return false;
  for (const key of keys) {
    yield* run(
      `INSERT INTO private.tries AS t (key, since, count)
       VALUES ($1::text, $2::bigint, 1)
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN t.since > $3::bigint THEN t.count + 1 ELSE 1 END,
         since = CASE WHEN t.since > $3::bigint THEN t.since ELSE $2::bigint END`,
      [key, at, from],
    );
  }
  return true;
}

function* forgetTries(key: string): Operation<void> {
  yield* run('DELETE FROM private.tries WHERE key = $1::text', [key]);
}
