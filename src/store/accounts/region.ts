/** The regional settings of accounts. */
import type { Region } from '../../domain/account/region.ts';
import { changeRows, type Engine, first, methods, type Operation } from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';

export function regionStore(engine: Engine) {
  return methods(engine.run, { findRegion, saveRegion });
}

/** Null if there is no such account. */
function findRegion(accountId: number): Operation<Region | null> {
  return first<Region>(
    `SELECT time_zone AS "timeZone", currency, locale FROM private.account
     WHERE id = $1::bigint`,
    [accountId],
  );
}

/** False if there is no such account. */
function* saveRegion(
  accountId: number,
  { timeZone, currency, locale }: Region,
): Operation<boolean> {
  return (yield* changeRows(tables.account, { timeZone, currency, locale }, { id: accountId })) > 0;
}
