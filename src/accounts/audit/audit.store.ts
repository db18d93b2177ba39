/** The audit log. Both databases refuse to change or delete its entries. */

import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { type AuditEntry, type AuditQuery, auditNetworkMs, type NewAuditEntry } from './audit.ts';

export function auditStore(engine: db.Engine) {
  return {
    ...db.methods(engine.transaction, { recordAudit }),
    ...db.methods(engine.run, { listAudit, findLastBackup }),
  };
}

/** Adds an entry. Call it when the action is done. */
export function recordAudit(entry: NewAuditEntry): db.Operation<void> {
  const { at, by, action, accountId = null, detail = '', network = null } = entry;
  const row = { at, actor: by.kind, actorId: by.accountId, action, accountId, detail, network };
  return db.insertRows(tables.audit, [row]);
}

/** With the current addresses of the accounts. */
function listAudit({ accountId, before, limit }: AuditQuery): db.Reading<AuditEntry[]> {
  // An account that is being erased has an empty address.
  return db.query<AuditEntry>(
    `SELECT ${columnsOf(tables.audit, 'e')}, nullif(actor.email, '') AS "actorEmail",
       nullif(target.email, '') AS "accountEmail"
     FROM private.audit e
     LEFT JOIN private.account actor ON actor.id = e.actor_id
     LEFT JOIN private.account target ON target.id = e.account_id
     WHERE ($1::bigint IS NULL OR e.account_id = $1::bigint)
       AND ($2::bigint IS NULL OR e.id < $2::bigint)
     ORDER BY e.id DESC LIMIT $3::bigint`,
    [accountId, before, limit],
  );
}

/** When the store was last backed up; null if it never was. PostgreSQL has its own backups. */
function* findLastBackup(): db.Reading<number | null> {
  const found = yield* db.first<{ at: number | null }>(
    "SELECT max(at)::float8 AS at FROM private.audit WHERE action = 'store.backed-up'",
  );
  return found?.at ?? null;
}

/** The condition for networks that were kept long enough; the parameter is a time. */
export const hasOldNetworks = (parameter: number) =>
  `EXISTS (SELECT 1 FROM private.audit
     WHERE network IS NOT NULL AND at <= $${parameter}::bigint)`;

/** The latest time of networks that are removed. */
export function oldNetworkAt(at: number): number {
  return at - auditNetworkMs;
}

/** Removes some old networks; returns how many. */
export function forgetNetworks(at: number, limit: number): db.Operation<number> {
  return db.run(
    `UPDATE private.audit SET network = NULL WHERE id IN (
       SELECT id FROM private.audit WHERE network IS NOT NULL AND at <= $1::bigint
       ORDER BY at LIMIT $2::integer)`,
    [oldNetworkAt(at), limit],
  );
}

/** Removes some networks of an account; returns how many. */
export function forgetNetworksOf(accountId: number, limit: number): db.Operation<number> {
  return db.run(
    `UPDATE private.audit SET network = NULL WHERE id IN (
       SELECT id FROM private.audit
       WHERE account_id = $1::bigint AND network IS NOT NULL LIMIT $2::bigint)`,
    [accountId, limit],
  );
}
