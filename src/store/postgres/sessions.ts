/** Sessions, links that set a password, and how often it was tried, on PostgreSQL. */
import { sessionsMax } from '../../contract/limits.ts';
import { emailKey } from '../../domain/account/email.ts';
import type {
  NewSession,
  Session,
  SessionStore,
  SignedIn,
} from '../../domain/account/session-store.ts';
import { seenAgainMs } from '../sessions.ts';
import type { Client, Connection } from './client.ts';
import type { DatabaseClock } from './clock.ts';

/** The signing-in part of the private half. */
export function postgresSessions(client: Client, clock: DatabaseClock): SessionStore {
  return { ...sessionRows(client), ...linkRows(client, clock), ...tryRows(client) };
}

type Sessions =
  | 'findPasswordHash'
  | 'addSession'
  | 'findSignedIn'
  | 'listSessions'
  | 'endSession'
  | 'endOtherSessions';

function sessionRows(client: Client): Pick<SessionStore, Sessions> {
  return {
    findPasswordHash: async (email) => {
      const [row] = await client.query<{ accountId: number; passwordHash: string | null }>(
        `SELECT id AS "accountId", password_hash AS "passwordHash" FROM private.account
         WHERE email_key = $1::text`,
        [emailKey(email)],
      );
      return row ?? null;
    },
    addSession: (session) => client.transaction((tx) => addSession(tx, session)),
    findSignedIn: (tokenHash, at) => findSignedIn(client, tokenHash, at),
    listSessions: (accountId, at) =>
      client.query<Session>(
        `SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
           expires_at AS "expiresAt", agent
         FROM private.session WHERE account_id = $1::bigint AND expires_at > $2::bigint
         ORDER BY last_seen_at DESC, id DESC`,
        [accountId, at],
      ),
    endSession: async (accountId, sessionId) =>
      (await client.run(
        'DELETE FROM private.session WHERE account_id = $1::bigint AND id = $2::bigint',
        [accountId, sessionId],
      )) > 0,
    endOtherSessions: (accountId, sessionId) =>
      client.run(
        `DELETE FROM private.session
         WHERE account_id = $1::bigint AND id IS DISTINCT FROM $2::bigint`,
        [accountId, sessionId],
      ),
  };
}

/**
 * The account stays locked: a password that is being changed is waited for, and then looked at, and
 * of two who sign in at once the second sees the session of the first.
 */
async function addSession(tx: Connection, session: NewSession): Promise<number | null> {
  const { accountId, passwordHash, tokenHash, expiresAt, agent, at } = session;
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO private.session
       (account_id, token_hash, created_at, last_seen_at, expires_at, agent)
     SELECT id, $2::bytea, $3::bigint, $3::bigint, $4::bigint, $5::text FROM private.account
     WHERE id = $1::bigint AND password_hash = $6::text FOR NO KEY UPDATE
     RETURNING id`,
    [accountId, tokenHash, at, expiresAt, agent, passwordHash],
  );
  await tx.run(
    `DELETE FROM private.session WHERE account_id = $1::bigint AND id <= (
       SELECT id FROM private.session
       WHERE account_id = $1::bigint ORDER BY id DESC LIMIT 1 OFFSET $2::integer)`,
    [accountId, sessionsMax],
  );
  return row?.id ?? null;
}

async function findSignedIn(
  client: Client,
  tokenHash: Uint8Array,
  at: number,
): Promise<SignedIn | null> {
  const [row] = await client.query<SignedIn & { lastSeenAt: number }>(
    `SELECT session.id AS "sessionId", account_id AS "accountId", email, plan,
       is_operator AS "isOperator", last_seen_at AS "lastSeenAt"
     FROM private.session JOIN private.account ON account.id = session.account_id
     WHERE token_hash = $1::bytea AND expires_at > $2::bigint`,
    [tokenHash, at],
  );
  if (!row) return null;
  const { lastSeenAt, ...signedIn } = row;
  if (at - lastSeenAt >= seenAgainMs) {
    await client.run('UPDATE private.session SET last_seen_at = $1::bigint WHERE id = $2::bigint', [
      at,
      row.sessionId,
    ]);
  }
  return signedIn;
}

type Links = 'setPassword' | 'addResetLink' | 'hasResetLink' | 'useResetLink';

function linkRows(client: Client, clock: DatabaseClock): Pick<SessionStore, Links> {
  return {
    setPassword: (email, passwordHash, replaced) =>
      client.transaction(async (tx) => {
        const [account] = await tx.query<{ id: number }>(
          `SELECT id FROM private.account
           WHERE email_key = $1::text AND ($2::text IS NULL OR password_hash = $2::text)
           FOR NO KEY UPDATE`,
          [emailKey(email), replaced ?? null],
        );
        if (account) await writePassword(tx, account.id, passwordHash);
        return account !== undefined;
      }),
    addResetLink: async ({ email, tokenHash, expiresAt }) =>
      (await client.run(
        `INSERT INTO private.reset_link (account_id, token_hash, expires_at)
         SELECT id, $1::bytea, $2::bigint FROM private.account WHERE email_key = $3::text
         ON CONFLICT (account_id) DO UPDATE
           SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
        [tokenHash, expiresAt, emailKey(email)],
      )) > 0,
    hasResetLink: async (tokenHash, at) => {
      const rows = await client.query(
        'SELECT 1 FROM private.reset_link WHERE token_hash = $1::bytea AND expires_at > $2::bigint',
        [tokenHash, at],
      );
      return rows.length > 0;
    },
    useResetLink: (tokenHash, passwordHash, at) =>
      client.transaction(async (tx) => {
        // The account first, as above: two who hold the link wait here, and one of them gets it.
        const [account] = await tx.query<{ id: number; email: string }>(
          `SELECT id, email FROM private.account WHERE id IN (
             SELECT account_id FROM private.reset_link WHERE token_hash = $1::bytea
           ) FOR NO KEY UPDATE`,
          [tokenHash],
        );
        const used = await tx.run(
          `DELETE FROM private.reset_link
           WHERE token_hash = $1::bytea AND expires_at > $2::bigint`,
          [tokenHash, at],
        );
        if (!account || used === 0) return null;
        await writePassword(tx, account.id, passwordHash);
        await tx.run(
          `UPDATE private.api_key SET revoked_at = published.instant($1::bigint, $2::bigint)
           WHERE account_id = $3::bigint AND revoked_at IS NULL`,
          [...clock(at), account.id],
        );
        return account.email;
      }),
  };
}

/** What was opened with the old password is closed, and no link replaces the new one. */
async function writePassword(tx: Connection, accountId: number, hash: string): Promise<void> {
  await tx.run('UPDATE private.account SET password_hash = $1::text WHERE id = $2::bigint', [
    hash,
    accountId,
  ]);
  await tx.run('DELETE FROM private.session WHERE account_id = $1::bigint', [accountId]);
  await tx.run('DELETE FROM private.reset_link WHERE account_id = $1::bigint', [accountId]);
}

function tryRows(client: Client): Pick<SessionStore, 'countTry' | 'forgetTries'> {
  return {
    countTry: (throttles, { at, ms }) =>
      client.transaction(async (tx) => {
        // In one order, so that two who try at once do not wait for each other.
        const keys = throttles.map(({ key }) => key).sort();
        for (const key of keys) await lockKey(tx, key);
        const counts = await tx.query<{ key: string; count: number }>(
          'SELECT key, count FROM private.tries WHERE key = ANY($1::text[]) AND since > $2::bigint',
          [keys, at - ms],
        );
        const counted = new Map(counts.map(({ key, count }) => [key, count]));
        if (throttles.some(({ key, max }) => (counted.get(key) ?? 0) >= max)) return false;
        for (const key of keys) {
          await tx.run(
            `INSERT INTO private.tries AS t (key, since, count)
             VALUES ($1::text, $2::bigint, 1)
             ON CONFLICT (key) DO UPDATE SET
               count = CASE WHEN t.since > $3::bigint THEN t.count + 1 ELSE 1 END,
               since = CASE WHEN t.since > $3::bigint THEN t.since ELSE $2::bigint END`,
            [key, at, at - ms],
          );
        }
        return true;
      }),
    forgetTries: async (key) => {
      await client.run('DELETE FROM private.tries WHERE key = $1::text', [key]);
    },
  };
}

/** Whoever counts a key waits for whoever is counting it. */
async function lockKey(tx: Connection, key: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1::text, 42))', [key]);
}
