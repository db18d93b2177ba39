/** Fields of lots that an account names itself. */

import {
  accountMethods,
  lockingAccount,
  raiseVersion,
} from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import { detailLimits, type OwnField, ownText, ownValues } from './lot-details.ts';

export function ownFieldStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listOwnFields }),
    ...accountMethods(engine, { addOwnField }),
    /** Renames a field with all its values; null removes both. */
    changeOwnField: (accountId: number, id: number, name: string | null) => {
      const passed: Passed = { lotId: 0 };
      return engine.inSlices((rows) =>
        lockingAccount(accountId, () => changeSome({ accountId, id, name, rows, passed })),
      );
    },
  };
}

/** In the order in which they were named. */
function listOwnFields(accountId: number): db.Reading<OwnField[]> {
  const fields = fieldsOf(tables.ownField, ['accountId']);
  return db.listRows(tables.ownField, { accountId }, { order: 't.id', fields });
}

function* addOwnField(
  accountId: number,
  name: string,
): db.Operation<'done' | 'taken' | 'too many'> {
  const fields = yield* listOwnFields(accountId);
  if (fields.some((field) => field.name === name)) return 'taken';
  if (fields.length >= detailLimits.ownFields) return 'too many';
  yield* db.insertRows(tables.ownField, [{ accountId, name }]);
  return 'done';
}

interface FieldChange {
  readonly accountId: number;
  readonly id: number;
  readonly name: string | null;
  /** The maximum number of lots to change in this step. */
  readonly rows: number;
  readonly passed: Passed;
}

/** The last lot that was found but has nothing to change, so that it is not found again. */
interface Passed {
  lotId: number;
}

interface LotValues {
  readonly id: number;
  readonly ownFields: string;
}

/** One step: some lots that have the field, and the field itself when none is left. */
function* changeSome({
  accountId,
  id,
  name,
  rows,
  passed,
}: FieldChange): db.Operation<'done' | 'missing' | 'taken' | 'more'> {
  const fields = yield* listOwnFields(accountId);
  const field = fields.find((each) => each.id === id);
  if (!field) return 'missing';
  if (field.name === name) return 'done';
  if (fields.some((each) => each.name === name)) return 'taken';
  const lots = yield* db.query<LotValues>(
    `SELECT lot.id::float8, own_fields AS "ownFields" FROM private.lot
     WHERE account_id = $1::bigint AND lot.id > $4::bigint
       AND replace(own_fields, $2::text, '') <> own_fields
     ORDER BY lot.id LIMIT $3::bigint`,
    [accountId, `${JSON.stringify(field.name)}:`, rows, passed.lotId],
  );
  const changed = lots
    .filter((lot) => Object.hasOwn(ownValues(lot.ownFields), field.name))
    .map((lot) => ({ id: lot.id, ownFields: renamed(lot.ownFields, field.name, name) }));
  if (changed.length > 0) {
    yield* db.updateRows(tables.lot, ['ownFields'], changed);
    yield* raiseVersion(accountId);
    return 'more';
  }
  const last = lots.at(-1);
  if (last) {
    passed.lotId = last.id;
    return 'more';
  }
  if (name === null) yield* db.deleteRows(tables.ownField, { id });
  else yield* db.changeRows(tables.ownField, { name }, { id });
  yield* raiseVersion(accountId);
  return 'done';
}

/** Values with another name for one of them, or without it. */
function renamed(stored: string, from: string, to: string | null): string | null {
  const values = Object.entries(ownValues(stored));
  return ownText(
    values.flatMap(([name, value]) =>
      name !== from ? [[name, value] as const] : to === null ? [] : [[to, value] as const],
    ),
  );
}
