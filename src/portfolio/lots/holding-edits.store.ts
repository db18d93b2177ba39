/** Changes of collections by their owners, other than adding them. */

import {
  accountMethods,
  lockingAccount,
  raiseVersion,
} from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { countLots } from './brickfolios.store.ts';
import type { RemovalOptions } from './brickfolios.ts';

/** Every change makes cached responses of the account stale. */
export function holdingEdits(engine: db.Engine) {
  return {
    ...accountMethods(engine, {
      changeBrickfolio,
      setDefault,
    }),
    /**
     * Removes a collection. Its lots are not rows of a `change`, because there may be many: any lot
     * may be moved, and lots with sales are never removed, because their sales refer to them:
     * without a collection to move them to, nothing is done. If it was the default, the target
     * collection becomes the default, or else the oldest one.
     */
    removeBrickfolio: (accountId: number, id: number, { seen, ...options }: RemovalOptions) => {
      let left = seen;
      return engine.inSlices((rows) =>
        lockingAccount(accountId, function* () {
          if (left && !Bun.deepEquals(left, yield* countLots(accountId, id))) return 'changed';
          const done = yield* removeSome({ accountId, id, ...options, rows });
          if (done === 'more') left = undefined;
          return done;
        }),
      );
    },
  };
}

/** `taken` if another collection has this name. */
function* changeBrickfolio(
  accountId: number,
  id: number,
  { name, description }: { readonly name: string; readonly description: string | null },
): db.Operation<'done' | 'missing' | 'taken'> {
  if (!(yield* db.hasRow(tables.brickfolio, { accountId, id }))) return 'missing';
  const other = yield* db.first(
    `SELECT 1 FROM private.brickfolio
     WHERE account_id = $1::bigint AND name = $2::text AND id <> $3::bigint`,
    [accountId, name, id],
  );
  if (other) return 'taken';
  yield* db.changeRows(tables.brickfolio, { name, description }, { id });
  yield* raiseVersion(accountId);
  return 'done';
}

function* setDefault(accountId: number, id: number): db.Operation<boolean> {
  if (!(yield* db.hasRow(tables.brickfolio, { accountId, id }))) return false;
  yield* makeDefault(accountId, id);
  yield* raiseVersion(accountId);
  return true;
}

interface Removal extends RemovalOptions {
  readonly accountId: number;
  readonly id: number;
  /** The maximum number of lots to move or remove in this step. */
  readonly rows: number;
}

/** One step. Lots that are added between two steps are handled by the next one. */
function* removeSome(removal: Removal): db.Operation<'done' | 'missing' | 'lots left' | 'more'> {
  const refusal = yield* refuseRemoval(removal);
  if (refusal) return refusal;
  const { accountId, id, to, rows } = removal;
  if ((yield* clearLots(removal)) === rows) {
    yield* raiseVersion(accountId);
    return 'more';
  }
  const old = yield* db.runFirst<{ isDefault: boolean }>(
    `DELETE FROM private.brickfolio WHERE id = $1::bigint
     RETURNING is_default::boolean AS "isDefault"`,
    [id],
  );
  if (old?.isDefault) yield* makeDefault(accountId, to);
  yield* raiseVersion(accountId);
  return 'done';
}

function* refuseRemoval(removal: Removal): db.Operation<'missing' | 'lots left' | null> {
  const { accountId, id, lots, to } = removal;
  if (!(yield* db.hasRow(tables.brickfolio, { accountId, id }))) return 'missing';
  if (to !== null) {
    const isOwn = yield* db.hasRow(tables.brickfolio, { accountId, id: to });
    return to === id || !isOwn ? 'missing' : null;
  }
  const among = lots === 'move' ? '' : 'AND sold > 0';
  const staying = `SELECT 1 FROM private.lot WHERE brickfolio_id = $1::bigint ${among} LIMIT 1`;
  return (yield* db.first(staying, [id])) ? 'lots left' : null;
}

/** Returns how many lots were moved or removed. */
function* clearLots({ id, lots, to, rows }: Removal): db.Operation<number> {
  const some = (among: string) => `id IN (
    SELECT id FROM private.lot WHERE brickfolio_id = $1::bigint ${among} LIMIT $2::bigint)`;
  const remove = `DELETE FROM private.lot WHERE ${some('AND sold = 0')}`;
  const removed = lots === 'move' ? 0 : yield* db.run(remove, [id, rows]);
  const move = `UPDATE private.lot SET brickfolio_id = $3::bigint WHERE ${some('')}`;
  return removed + (to === null ? 0 : yield* db.run(move, [id, rows - removed, to]));
}

/** Null: the oldest. */
function* makeDefault(accountId: number, id: number | null): db.Operation<void> {
  yield* db.run(
    `UPDATE private.brickfolio SET is_default = (id = coalesce($2::bigint,
       (SELECT min(oldest.id) FROM private.brickfolio oldest WHERE account_id = $1::bigint)))
     WHERE account_id = $1::bigint`,
    [accountId, id],
  );
}
