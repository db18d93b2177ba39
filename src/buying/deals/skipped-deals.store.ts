/** Deals that accounts skipped. */

import { accountMethods } from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import { type SkippedDeal, skippedDealsMax } from './skipped-deals.ts';

export function skippedDealStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listSkippedDeals }),
    ...accountMethods(engine, { skipDeal, unskipDeal }),
  };
}

const skippedFields = fieldsOf(tables.skippedDeal, ['accountId']);

/** The latest first. */
function listSkippedDeals(accountId: number): db.Reading<SkippedDeal[]> {
  const order = 't.skipped_at DESC, t.set_key';
  return db.listRows(tables.skippedDeal, { accountId }, { order, fields: skippedFields });
}

/** Beyond the limit, the oldest are forgotten. False if there is no such account. */
function* skipDeal(accountId: number, deal: SkippedDeal): db.Operation<boolean> {
  if (!(yield* db.hasRow(tables.account, { id: accountId }))) return false;
  const row = { ...deal, accountId };
  yield* db.saveRows(tables.skippedDeal, [row]);
  yield* db.run(
    `DELETE FROM private.skipped_deal WHERE account_id = $1::bigint AND set_key IN (
       SELECT s.set_key FROM private.skipped_deal s WHERE s.account_id = $1::bigint
       ORDER BY s.skipped_at DESC, s.set_key LIMIT ${skippedDealsMax} OFFSET ${skippedDealsMax})`,
    [accountId],
  );
  return true;
}

function* unskipDeal(accountId: number, setKey: string): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.skippedDeal, { accountId, setKey })) > 0;
}
