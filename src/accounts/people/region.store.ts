/** The regional settings of accounts. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods } from './account-methods.store.ts';
import type { Region } from './region.ts';

export function regionStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { findRegion }),
    ...accountMethods(engine, { saveRegion }),
  };
}

function findRegion(accountId: number): db.Reading<Region | null> {
  return db.findRow(tables.account, { id: accountId }, ['timeZone', 'currency', 'locale']);
}

/** `needs zone` if there are quiet hours: alerts are sent while no browser is open. */
function* saveRegion(
  accountId: number,
  { timeZone, currency, locale }: Region,
): db.Operation<'done' | 'needs zone' | 'no account'> {
  if (timeZone === null && (yield* hasQuietHours(accountId))) return 'needs zone';
  const changes = { timeZone, currency, locale };
  const changed = yield* db.changeRows(tables.account, changes, { id: accountId });
  return changed > 0 ? 'done' : 'no account';
}

function* hasQuietHours(accountId: number): db.Reading<boolean> {
  const found = yield* db.first(
    `SELECT 1 FROM private.alert_settings
     WHERE account_id = $1::bigint AND quiet_from IS NOT NULL`,
    [accountId],
  );
  return found !== null;
}
