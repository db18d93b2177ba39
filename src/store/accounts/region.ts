/** The regional settings of accounts. */
import type { Region } from '../../domain/account/region.ts';
import { type Engine, first, methods, type Operation, run } from '../sql/operation.ts';

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
  return (
    (yield* run(
      `UPDATE private.account SET time_zone = $1::text, currency = $2::text, locale = $3::text
       WHERE id = $4::bigint`,
      [timeZone, currency, locale, accountId],
    )) > 0
  );
}
