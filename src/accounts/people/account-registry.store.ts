/** Accounts, and how they are closed and removed. */

import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { type Table, tables } from '../../store/sql/tables.ts';
import { forgetNetworksOf, recordAudit } from '../audit/audit.store.ts';
import { type AuditActor, byService } from '../audit/audit.ts';
import type { Plan } from '../keys/quota.ts';
import { type Account, type ClosedAccount, closedMs, type NewAccount } from './account.ts';
import { adminLock } from './account-methods.store.ts';
import { emailKey } from './email.ts';
import type { Role } from './role.ts';

export function accountRegistry(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.transaction, { setPlan, setRole, restoreAccount }),
    /** Null if the email already has an account. */
    addAccount: (account: NewAccount) =>
      engine.transaction(() => addAccount(account, clock(account.at))),
    /** Whether anything is encrypted or signed with the secret of the installation. */
    needsSecret: () => engine.run(needsSecret),
    findAccount: (email: string, at: number) => engine.run(() => findAccount(email, clock(at))),
    /** Without closed ones. */
    findAccountById: (id: number, at: number) =>
      engine.run(() =>
        db.first<Account>(
          `${selectAccounts} WHERE NOT ${isRemoved} AND NOT ${isClosed} AND a.id = $3::bigint`,
          [...clock(at), id],
        ),
      ),
    /** Without closed ones. */
    listAccounts: (at: number) =>
      engine.run(() =>
        db.query<Account>(
          `${selectAccounts} WHERE NOT ${isRemoved} AND NOT ${isClosed} ORDER BY a.email_key`,
          clock(at),
        ),
      ),
    /** Those closed last come first. */
    listClosed: (at: number) =>
      engine.run(() =>
        db.query<ClosedAccount>(
          `${selectClosed} WHERE ${isClosed} ORDER BY a.closed_at DESC, a.id DESC`,
          clock(at),
        ),
      ),
    findClosed: (email: string, at: number) =>
      engine.run(() =>
        db.first<ClosedAccount>(`${selectClosed} WHERE a.email_key = $3::text`, [
          ...clock(at),
          closedKey(email),
        ]),
      ),
    /**
     * Closes an account: its sessions, keys, links and shares end, its channels and alerts are
     * turned off, and its email stays taken. It can be restored for some days; the rest is kept
     * until the sweep erases it. Returns its id; null if there is no such account.
     */
    closeAccount: (email: string, by: AuditActor, at: number) =>
      engine.transaction(() => closeAccount(email, by, at)),
    /** Erases an account, closed or not, with all its data, in short transactions. */
    removeAccount: async (email: string): Promise<boolean | 'only admin'> => {
      const id = await engine.transaction(() => startRemoval(email));
      if (id === 'only admin') return id;
      if (id === null) return false;
      await engine.inSlices((rows) => removeSome(id, rows));
      return true;
    },
  };
}

function* needsSecret(): db.Reading<boolean> {
  const rows = yield* db.query(
    `SELECT 1 AS found FROM private.authenticator
     UNION ALL SELECT 1 FROM private.sheet_link
     UNION ALL SELECT 1 FROM private.channel WHERE address IS NOT NULL LIMIT 1`,
    [],
  );
  return rows.length > 0;
}

/** False if there is no such account. */
function* setPlan(email: string, plan: Plan): db.Operation<boolean> {
  return (yield* db.changeRows(tables.account, { plan }, { emailKey: emailKey(email) })) > 0;
}

/**
 * Null takes the role away. False if there is no such account. Password links from before end:
 * operators can create them only for accounts without a role.
 */
function* setRole(email: string, role: Role | null): db.Operation<boolean | 'only admin'> {
  const keys = [emailKey(email)];
  const account = role === 'admin' ? yield* lockAccount(keys) : yield* lockLeaving(keys);
  if (account === 'only admin') return account;
  if (!account) return false;
  yield* db.changeRows(tables.account, { role }, { id: account.id });
  yield* db.deleteOf(account.id, [tables.resetLink, tables.signInStep]);
  return true;
}

/** `clock.at` is the store's time; the first two values of the statement are those of the clock. */
export const instant = '(SELECT published.instant($1::bigint, $2::bigint) AS at) clock';

const accountFields = `a.id, a.email, a.plan, a.role, a.created_at AS "createdAt",
  (SELECT count(*) FROM private.api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > clock.at)) AS "activeKeys"`;
const ofAccounts = `FROM ${instant} CROSS JOIN private.account a`;
const selectAccounts = `SELECT ${accountFields} ${ofAccounts}`;
const selectClosed = `SELECT ${accountFields}, a.closed_at AS "closedAt" ${ofAccounts}`;

function findAccount(email: string, time: ReturnType<StoreClock>): db.Reading<Account | null> {
  return db.first(`${selectAccounts} WHERE a.email_key = $3::text`, [...time, emailKey(email)]);
}

/**
 * An email that already has an account uses up no id, unless two requests add it at the same time.
 */
export function* addAccount(
  account: NewAccount,
  time: ReturnType<StoreClock>,
): db.Operation<Account | null> {
  const written = yield* db.run(
    `INSERT INTO private.account (email, email_key, password_hash, plan, role, created_at)
     SELECT $3::text, $4::text, $5::text, $6::text, $7::text, clock.at FROM ${instant}
     WHERE NOT EXISTS (
       SELECT 1 FROM private.account WHERE email_key IN ($4::text, $8::text))
     ON CONFLICT DO NOTHING`,
    [
      ...time,
      account.email.trim(),
      emailKey(account.email),
      account.passwordHash,
      account.plan,
      account.isOperator ? 'admin' : null,
      closedKey(account.email),
    ],
  );
  return written > 0 ? yield* findAccount(account.email, time) : null;
}

/** Whether the owner of the account `a` confirmed its address. */
export const hasConfirmedEmail = `EXISTS (SELECT 1 FROM private.channel
  WHERE account_id = a.id AND kind = 'email' AND secret IS NULL)`;

/** Keys of accounts that are being removed, by ID. No email contains a space. */
const removedKey = 'removed ';
/** Whether an account is being removed. */
export const isRemoved = `(email_key >= '${removedKey}' AND email_key < 'removed!')`;

/** Everything that gives access to an account. */
const signInTables = [
  tables.apiKey,
  tables.session,
  tables.resetLink,
  tables.signInStep,
  tables.device,
  tables.authenticator,
  tables.recoveryCode,
  tables.passkey,
  tables.challenge,
  tables.identity,
];

/** Keys of closed accounts contain the email, which stays taken. */
const isClosed = "(email_key >= 'closed ' AND email_key < 'closed!')";

function closedKey(email: string): string {
  return `closed ${emailKey(email)}`;
}

function* closeAccount(
  email: string,
  by: AuditActor,
  at: number,
): db.Operation<number | 'only admin' | null> {
  const account = yield* lockLeaving([emailKey(email)]);
  if (account === null || account === 'only admin') return account;
  yield* endAccess(account.id);
  yield* db.changeRows(
    tables.account,
    { emailKey: closedKey(email), closedAt: at },
    { id: account.id },
  );
  yield* recordAudit({ at, by, action: 'account.closed', accountId: account.id });
  return account.id;
}

/** Opens a closed account again, without a password and keys. Null if there is none. */
function* restoreAccount(email: string): db.Operation<number | null> {
  const account = yield* lockAccount([closedKey(email)]);
  if (!account) return null;
  // A request that began before it was closed may have added a way to sign in.
  yield* endAccess(account.id);
  yield* db.changeRows(
    tables.account,
    { emailKey: emailKey(email), closedAt: null },
    { id: account.id },
  );
  return account.id;
}

/** Frees the email; the rows of the account follow. */
function* startRemoval(email: string): db.Operation<number | 'only admin' | null> {
  const account = yield* lockLeaving([emailKey(email), closedKey(email)]);
  if (account === null || account === 'only admin') return account;
  yield* endAccess(account.id);
  yield* markRemoved(account.id);
  return account.id;
}

interface LockedAccount {
  readonly id: number;
  readonly isAdmin: boolean;
}

function lockAccount(keys: readonly string[]): db.Operation<LockedAccount | null> {
  return db.runFirst(
    `SELECT id, (role = 'admin' AND closed_at IS NULL)::boolean AS "isAdmin"
     FROM private.account WHERE email_key = ANY($1::text[]) FOR UPDATE`,
    [keys],
  );
}

/** Locks an account that may stop being an admin; the only one must not. */
function* lockLeaving(keys: readonly string[]): db.Operation<LockedAccount | 'only admin' | null> {
  yield* db.lock(adminLock);
  const account = yield* lockAccount(keys);
  return account?.isAdmin && !(yield* hasAdmin(account.id)) ? 'only admin' : account;
}

export function* hasAdmin(exceptId: number | null = null): db.Reading<boolean> {
  const found = yield* db.first(
    `SELECT 1 FROM private.account WHERE role = 'admin' AND closed_at IS NULL
       AND NOT ${isRemoved} AND id IS DISTINCT FROM $1::bigint LIMIT 1`,
    [exceptId],
  );
  return found !== null;
}

/** From here on, no operation finds the account. */
function* markRemoved(id: number): db.Operation<void> {
  yield* db.run(
    `UPDATE private.account SET email = '', email_key = '${removedKey}' || id
     WHERE id = $1::bigint`,
    [id],
  );
}

/**
 * Ends sign-in, calls and messages. The account is locked before its usage, in the same order as
 * when usage is charged. A key that is first used that day at the same moment can still cause a
 * deadlock, which is retried.
 */
function* endAccess(id: number): db.Operation<void> {
  yield* db.runRows(
    'SELECT 1 FROM private.usage WHERE account_id = $1::bigint ORDER BY place, day FOR UPDATE',
    [id],
  );
  yield* db.changeRows(tables.account, { passwordHash: null }, { id });
  yield* db.deleteOf(id, signInTables);
  yield* db.run(
    'DELETE FROM private.share WHERE account_id = $1::bigint OR member_id = $1::bigint',
    [id],
  );
  yield* db.run("UPDATE private.channel SET state = 'off' WHERE account_id = $1::bigint", [id]);
  yield* db.changeRows(tables.alertRule, { isOn: false }, { accountId: id });
}

/**
 * Removes some rows of an account and, in the last step, the account. The account is locked first,
 * like everywhere else, to avoid deadlocks.
 */
function* removeSome(id: number, rows: number): db.Operation<number | 'more'> {
  yield* db.runRows('SELECT 1 FROM private.account WHERE id = $1::bigint FOR UPDATE', [id]);
  if ((yield* removePhotosOf(id)) > 0) return 'more';
  let removed = 0;
  for (const { name, key } of removedTables) {
    const columns = key.join(', ');
    removed += yield* db.run(
      `DELETE FROM private.${name} WHERE (${columns}) IN (
         SELECT ${columns} FROM private.${name} WHERE account_id = $1::bigint LIMIT $2::bigint)`,
      [id, rows - removed],
    );
    if (removed === rows) return 'more';
  }
  removed += yield* db.run(
    `DELETE FROM private.delivery WHERE id IN (
       SELECT d.id FROM private.delivery d JOIN private.channel c ON c.id = d.channel_id
       WHERE c.account_id = $1::bigint LIMIT $2::bigint)`,
    [id, rows - removed],
  );
  if (removed === rows) return 'more';
  removed += yield* forgetNetworksOf(id, rows - removed);
  if (removed === rows) return 'more';
  yield* db.deleteRows(tables.account, { id });
  return removed;
}

/** Photos per transaction: each has hundreds of pages, and every call is charged in the file. */
export const photosAtOnce = 4;

function removePhotosOf(id: number): db.Operation<number> {
  return db.run(
    `DELETE FROM private.photo WHERE id IN (SELECT id FROM private.photo
       WHERE account_id = $1::bigint LIMIT ${photosAtOnce})`,
    [id],
  );
}

/** Tables with many rows per account, in the order of their references: sales refer to lots. */
const removedTables: readonly Pick<Table, 'name' | 'key'>[] = [
  tables.ledgerSale,
  tables.lot,
  tables.notification,
  tables.alertMatch,
  tables.endpointUsage,
];

/**
 * Whether an account was closed long enough ago, or its removal was interrupted; the parameter is
 * the latest time of closing.
 */
export const hasRemoved = (parameter: number) =>
  `(EXISTS (SELECT 1 FROM private.account WHERE closed_at <= $${parameter}::bigint)
    OR EXISTS (SELECT 1 FROM private.account WHERE ${isRemoved}))`;

/** The latest time of closing of accounts that are erased. */
export function closedBefore(at: number): number {
  return at - closedMs;
}

/** Erases accounts closed long enough ago, some rows at a time; returns how many. */
export function* sweepRemoved(at: number, rows: number): db.Operation<number> {
  const due = yield* db.runRows<{ id: number }>(
    `SELECT id FROM private.account WHERE closed_at <= $1::bigint AND ${isClosed}
     ORDER BY closed_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [closedBefore(at)],
  );
  for (const { id } of due) {
    yield* markRemoved(id);
    yield* recordAudit({ at, by: byService, action: 'account.erased', accountId: id });
  }
  const account = yield* db.first<{ id: number }>(
    `SELECT id FROM private.account WHERE ${isRemoved} LIMIT 1`,
  );
  if (!account) return 0;
  const removed = yield* removeSome(account.id, rows);
  return removed === 'more' ? rows : Math.max(1, removed);
}
