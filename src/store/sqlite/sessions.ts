/** Sessions, links that set a password, and how often it was tried, in `accounts.db`. */
import type { Database } from 'bun:sqlite';
import { sessionsMax } from '../../contract/limits.ts';
import { emailKey } from '../../domain/account/email.ts';
import type { Plan } from '../../domain/account/quota.ts';
import type { Session, SessionStore, TokenHash } from '../../domain/account/session-store.ts';
import { seenAgainMs } from '../sessions.ts';
import { inTransaction } from './database.ts';

/** The signing-in part of the private half. */
export function sqliteSessions(db: Database): SessionStore {
  return { ...sessionRows(db), ...linkRows(db), ...tryRows(db) };
}

type Sessions =
  | 'findPasswordHash'
  | 'addSession'
  | 'findSignedIn'
  | 'listSessions'
  | 'endSession'
  | 'endOtherSessions';

interface SignedInRow {
  readonly sessionId: number;
  readonly accountId: number;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: number;
  readonly lastSeenAt: number;
}

function sessionRows(db: Database): Pick<SessionStore, Sessions> {
  return {
    findPasswordHash: async (email) =>
      db
        .query<{ accountId: number; passwordHash: string | null }, [string]>(
          `SELECT id AS accountId, password_hash AS passwordHash FROM account
           WHERE email_key = ?`,
        )
        .get(emailKey(email)),
    addSession: async ({ accountId, passwordHash, tokenHash, expiresAt, agent, at }) =>
      inTransaction(db, () => {
        const row = db
          .query<{ id: number }, [TokenHash, number, number, number, string, number, string]>(
            `INSERT INTO session
               (account_id, token_hash, created_at, last_seen_at, expires_at, agent)
             SELECT id, ?, ?, ?, ?, ? FROM account WHERE id = ? AND password_hash = ?
             RETURNING id`,
          )
          .get(tokenHash, at, at, expiresAt, agent, accountId, passwordHash);
        db.query(
          `DELETE FROM session WHERE account_id = ?1 AND id <= (SELECT id FROM session
             WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
        ).run(accountId, sessionsMax);
        return row?.id ?? null;
      }),
    findSignedIn: async (tokenHash, at) => {
      const row = db
        .query<SignedInRow, [TokenHash, number]>(
          `SELECT session.id AS sessionId, account_id AS accountId, email, plan,
             is_operator AS isOperator, last_seen_at AS lastSeenAt
           FROM session JOIN account ON account.id = session.account_id
           WHERE token_hash = ? AND expires_at > ?`,
        )
        .get(tokenHash, at);
      if (!row) return null;
      const { lastSeenAt, ...signedIn } = row;
      if (at - lastSeenAt >= seenAgainMs) {
        db.query('UPDATE session SET last_seen_at = ? WHERE id = ?').run(at, row.sessionId);
      }
      return { ...signedIn, isOperator: row.isOperator === 1 };
    },
    listSessions: async (accountId, at) =>
      db
        .query<Session, [number, number]>(
          `SELECT id, created_at AS createdAt, last_seen_at AS lastSeenAt,
             expires_at AS expiresAt, agent
           FROM session WHERE account_id = ? AND expires_at > ?
           ORDER BY last_seen_at DESC, id DESC`,
        )
        .all(accountId, at),
    endSession: async (accountId, sessionId) =>
      db.query('DELETE FROM session WHERE account_id = ? AND id = ?').run(accountId, sessionId)
        .changes > 0,
    endOtherSessions: async (accountId, sessionId) =>
      db.query('DELETE FROM session WHERE account_id = ? AND id IS NOT ?').run(accountId, sessionId)
        .changes,
  };
}

type Links = 'setPassword' | 'addResetLink' | 'hasResetLink' | 'useResetLink';

function linkRows(db: Database): Pick<SessionStore, Links> {
  return {
    setPassword: async (email, passwordHash, replaced) =>
      inTransaction(db, () => {
        const account = db
          .query<{ id: number }, [string, string | null]>(
            `SELECT id FROM account
             WHERE email_key = ?1 AND (?2 IS NULL OR password_hash = ?2)`,
          )
          .get(emailKey(email), replaced ?? null);
        if (account) writePassword(db, account.id, passwordHash);
        return account !== null;
      }),
    addResetLink: async ({ email, tokenHash, expiresAt }) =>
      db
        .query<never, [TokenHash, number, string]>(
          `INSERT OR REPLACE INTO reset_link (account_id, token_hash, expires_at)
           SELECT id, ?, ? FROM account WHERE email_key = ?`,
        )
        .run(tokenHash, expiresAt, emailKey(email)).changes > 0,
    hasResetLink: async (tokenHash, at) =>
      db
        .query('SELECT 1 FROM reset_link WHERE token_hash = ? AND expires_at > ?')
        .get(tokenHash, at) !== null,
    useResetLink: async (tokenHash, passwordHash, at) =>
      inTransaction(db, () => {
        const link = db
          .query<{ id: number; email: string }, [TokenHash, number]>(
            `SELECT account.id, email FROM reset_link JOIN account ON account.id = account_id
             WHERE token_hash = ? AND expires_at > ?`,
          )
          .get(tokenHash, at);
        if (!link) return null;
        writePassword(db, link.id, passwordHash);
        db.query(
          'UPDATE api_key SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL',
        ).run(at, link.id);
        return link.email;
      }),
  };
}

/** What was opened with the old password is closed, and no link replaces the new one. */
function writePassword(db: Database, accountId: number, passwordHash: string): void {
  db.query('UPDATE account SET password_hash = ? WHERE id = ?').run(passwordHash, accountId);
  db.query('DELETE FROM session WHERE account_id = ?').run(accountId);
  db.query('DELETE FROM reset_link WHERE account_id = ?').run(accountId);
}

function tryRows(db: Database): Pick<SessionStore, 'countTry' | 'forgetTries'> {
  return {
    countTry: async (throttles, { at, ms }) =>
      inTransaction(db, () => {
        const find = db.query<{ count: number }, [string, number]>(
          'SELECT count FROM tries WHERE key = ? AND since > ?',
        );
        const isOver = throttles.some(
          ({ key, max }) => (find.get(key, at - ms)?.count ?? 0) >= max,
        );
        if (isOver) return false;
        const count = db.query<never, [string, number, number]>(
          `INSERT INTO tries (key, since, count) VALUES (?1, ?2, 1)
           ON CONFLICT (key) DO UPDATE SET
             count = CASE WHEN since > ?3 THEN count + 1 ELSE 1 END,
             since = CASE WHEN since > ?3 THEN since ELSE ?2 END`,
        );
        for (const { key } of throttles) count.run(key, at, at - ms);
        return true;
      }),
    forgetTries: async (key) => {
      db.query('DELETE FROM tries WHERE key = ?').run(key);
    },
  };
}
