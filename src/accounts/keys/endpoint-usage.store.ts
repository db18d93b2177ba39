/** Calls by endpoint and key, which every process adds to. */

import { dayOf } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import { type EndpointDay, type EndpointUse, endpointUsageDays } from './endpoint-usage.ts';

export function endpointUsageStore(engine: db.Engine) {
  return {
    ...db.methods(engine.transaction, { addEndpointUses }),
    ...db.methods(engine.run, { listEndpointUses }),
  };
}

/** Accounts that were removed meanwhile are left out. */
function* addEndpointUses(uses: readonly EndpointUse[], day: number): db.Operation<void> {
  yield* db.lock('endpoint usage');
  yield* db.runEach(
    `INSERT INTO private.endpoint_usage AS u
       (account_id, key_id, endpoint, day, calls, cost, errors)
     SELECT r."accountId", r."keyId", r.endpoint, r.day, r.calls, r.cost, r.errors FROM {rows}
     WHERE EXISTS (SELECT 1 FROM private.account a WHERE a.id = r."accountId")
     ON CONFLICT (account_id, day, key_id, endpoint) DO UPDATE
       SET calls = u.calls + excluded.calls, cost = u.cost + excluded.cost,
         errors = u.errors + excluded.errors`,
    db.givenRows(
      tables.endpointUsage,
      fieldsOf(tables.endpointUsage),
      uses.map((use) => ({ ...use, day })),
    ),
  );
}

/** Oldest day first. */
function listEndpointUses(accountId: number): db.Reading<EndpointDay[]> {
  const fields = fieldsOf(tables.endpointUsage, ['accountId']);
  const order = 't.day, t.key_id, t.endpoint';
  return db.listRows(tables.endpointUsage, { accountId }, { order, fields });
}

/** The first day that is kept. */
export function firstUsageDay(at: number): number {
  return dayOf(at) - endpointUsageDays + 1;
}

/** Removes some rows of days before; returns how many. */
export function removeEndpointUses(firstDay: number, limit: number): db.Operation<number> {
  const key = tables.endpointUsage.key.join(', ');
  return db.run(
    `DELETE FROM private.endpoint_usage WHERE (${key}) IN (
       SELECT ${key} FROM private.endpoint_usage WHERE day < $1::integer LIMIT $2::integer)`,
    [firstDay, limit],
  );
}
