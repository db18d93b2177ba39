/** Counts of failed sign-ins. Only operators and the owner can see them. */
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { emailKey } from '../people/email.ts';
import {
  type FailedSignIn,
  type FailedSignIns,
  hourOf,
  networksPerHour,
  recentHours,
} from './failed-sign-ins.ts';
import type { SignInMethod } from './session.ts';

export function failedSignInStore(engine: db.Engine) {
  return {
    ...db.methods(engine.transaction, { noteFailedSignIn }),
    ...db.methods(engine.run, { listFailedSignIns, countFailedSignIns }),
  };
}

/** Does the same work for emails with and without an account, so that its time tells nothing. */
function* noteFailedSignIn({ method, at, ...who }: FailedSignIn): db.Operation<void> {
  const accountId = who.accountId ?? (yield* findByEmail(who.email ?? ''));
  const hourAt = hourOf(at);
  yield* db.lock(`failed sign-ins ${accountId ?? who.network}`);
  const add = (network: string | null) =>
    db.run(
      `UPDATE private.failed_sign_in SET count = count + 1
       WHERE hour_at = $1::bigint AND method = $2::text
         AND account_id IS NOT DISTINCT FROM $3::bigint AND network IS NOT DISTINCT FROM $4::text`,
      [hourAt, method, accountId, network],
    );
  const network = accountId === null ? who.network : null;
  if ((yield* add(network)) > 0) return;
  const isFull =
    network !== null && (yield* db.countRows(tables.failedSignIn, { hourAt })) >= networksPerHour;
  if (isFull) {
    yield* db.lock('failed sign-ins beyond the limit');
    if ((yield* add(null)) > 0) return;
  }
  const row = { hourAt, method, accountId, network: isFull ? null : network, count: 1 };
  yield* db.insertRow(tables.failedSignIn, row);
}

function* findByEmail(email: string): db.Reading<number | null> {
  const named = { emailKey: emailKey(email) };
  const found = yield* db.findRow<{ id: number }>(tables.account, named, ['id']);
  return found?.id ?? null;
}

/** Newest first; of one account, or all. */
function listFailedSignIns(accountId: number | null, limit: number): db.Reading<FailedSignIns[]> {
  return db.query<FailedSignIns>(
    `SELECT ${columnsOf(tables.failedSignIn, 'f')}, nullif(a.email, '') AS "accountEmail"
     FROM private.failed_sign_in f LEFT JOIN private.account a ON a.id = f.account_id
     WHERE ($1::bigint IS NULL OR f.account_id = $1::bigint)
     ORDER BY f.hour_at DESC, f.id DESC LIMIT $2::bigint`,
    [accountId, limit],
  );
}

/** The recent ones by method. */
function countFailedSignIns(at: number): db.Reading<{ method: SignInMethod; count: number }[]> {
  return db.query(
    `SELECT method, sum(count)::float8 AS count FROM private.failed_sign_in
     WHERE hour_at >= $1::bigint GROUP BY method ORDER BY method`,
    [recentHours(at)],
  );
}
