/** Visits of accounts, and the deals that they skipped. */
import type { Visit } from '../../domain/account/session.ts';
import { type SkippedDeal, skippedDealsMax } from '../../domain/buying/skipped-deals.ts';
import {
  deleteRows,
  type Engine,
  first,
  hasRow,
  methods,
  type Operation,
  query,
  type Reading,
  run,
  saveRows,
} from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { accountMethods } from './account-methods.ts';

export function visitStore(engine: Engine) {
  return {
    ...methods(engine.run, { findVisit, listSkippedDeals }),
    ...accountMethods(engine, { markAlertsSeen, skipDeal, unskipDeal }),
  };
}

/** A page opened at the same time may have begun the visit already. */
export function* saveVisit(accountId: number, { seenAt, beforeAt }: Visit): Operation<void> {
  yield* run(
    `INSERT INTO private.visit AS v (account_id, seen_at, before_at, alert_id)
     SELECT id, $2::bigint, $3::bigint, 0 FROM private.account WHERE id = $1::bigint
     ON CONFLICT (account_id) DO UPDATE
       SET seen_at = excluded.seen_at, before_at = excluded.before_at
       WHERE v.seen_at < excluded.seen_at`,
    [accountId, seenAt, beforeAt],
  );
}

/** Null if the account was never signed in. */
function findVisit(accountId: number): Reading<Visit | null> {
  return first<Visit>(
    `SELECT v.seen_at::float8 AS "seenAt", v.before_at::float8 AS "beforeAt"
     FROM private.visit v WHERE v.account_id = $1::bigint`,
    [accountId],
  );
}

/** Marks an alert and all earlier ones as seen. */
function* markAlertsSeen(accountId: number, notificationId: number): Operation<void> {
  yield* run(
    `UPDATE private.visit SET alert_id = $2::bigint
     WHERE account_id = $1::bigint AND alert_id < $2::bigint`,
    [accountId, notificationId],
  );
}

const skippedFields = fieldsOf(tables.skippedDeal, ['accountId']);

/** The latest first. */
function listSkippedDeals(accountId: number): Reading<SkippedDeal[]> {
  return query<SkippedDeal>(
    `SELECT ${columnsOf(tables.skippedDeal, 's', skippedFields)} FROM private.skipped_deal s
     WHERE s.account_id = $1::bigint ORDER BY s.skipped_at DESC, s.set_key`,
    [accountId],
  );
}

/** Beyond the limit, the oldest are forgotten. False if there is no such account. */
function* skipDeal(accountId: number, deal: SkippedDeal): Operation<boolean> {
  if (!(yield* hasRow(tables.account, { id: accountId }))) return false;
  const row = { ...deal, accountId };
  yield* saveRows(tables.skippedDeal, Object.keys(row) as (keyof typeof row)[], [row]);
  yield* run(
    `DELETE FROM private.skipped_deal WHERE account_id = $1::bigint AND set_key IN (
       SELECT s.set_key FROM private.skipped_deal s WHERE s.account_id = $1::bigint
       ORDER BY s.skipped_at DESC, s.set_key LIMIT ${skippedDealsMax} OFFSET ${skippedDealsMax})`,
    [accountId],
  );
  return true;
}

/** False if it was not skipped. */
function* unskipDeal(accountId: number, setKey: string): Operation<boolean> {
  return (yield* deleteRows(tables.skippedDeal, { accountId, setKey })) > 0;
}
