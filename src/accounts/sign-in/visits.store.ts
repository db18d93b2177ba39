/** Visits of accounts. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods } from '../people/account-methods.store.ts';
import type { Visit } from './session.ts';

export function visitStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { findVisit }),
    ...accountMethods(engine, { markAlertsSeen }),
  };
}

/** A page opened at the same time may have begun the visit already. */
export function* saveVisit(accountId: number, { seenAt, beforeAt }: Visit): db.Operation<void> {
  yield* db.run(
    `INSERT INTO private.visit AS v (account_id, seen_at, before_at, alert_id)
     SELECT id, $2::bigint, $3::bigint, 0 FROM private.account WHERE id = $1::bigint
     ON CONFLICT (account_id) DO UPDATE
       SET seen_at = excluded.seen_at, before_at = excluded.before_at
       WHERE v.seen_at < excluded.seen_at`,
    [accountId, seenAt, beforeAt],
  );
}

/** Null if the account was never signed in. */
function findVisit(accountId: number): db.Reading<Visit | null> {
  return db.findRow(tables.visit, { accountId }, ['seenAt', 'beforeAt']);
}

function* markAlertsSeen(accountId: number, notificationId: number): db.Operation<void> {
  yield* db.run(
    `UPDATE private.visit SET alert_id = $2::bigint
     WHERE account_id = $1::bigint AND alert_id < $2::bigint`,
    [accountId, notificationId],
  );
}
