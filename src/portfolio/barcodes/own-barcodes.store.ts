/** Barcodes of accounts, for sets whose barcode is not in the catalog. */

import { accountMethods } from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import { type OwnBarcode, ownBarcodesMax } from './own-barcodes.ts';

export function ownBarcodeStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listOwnBarcodes }),
    ...accountMethods(engine, { attachBarcode, removeOwnBarcode }),
  };
}

const fields = fieldsOf(tables.ownBarcode, ['accountId']);

/** Last scanned first. */
function listOwnBarcodes(accountId: number): db.Reading<OwnBarcode[]> {
  const order = 't.last_scanned_at DESC, t.code';
  return db.listRows(tables.ownBarcode, { accountId }, { order, fields });
}

/** Keeps a barcode that was scanned at a time; scans may arrive in any order, and twice. */
export function* keepBarcode(
  accountId: number,
  code: string,
  scannedAt: number,
): db.Operation<'done' | 'too many' | 'no account'> {
  if (!(yield* db.hasRow(tables.account, { id: accountId }))) return 'no account';
  const known = yield* db.run(
    `UPDATE private.own_barcode
     SET first_scanned_at = least(first_scanned_at, $3::bigint),
       last_scanned_at = greatest(last_scanned_at, $3::bigint)
     WHERE account_id = $1::bigint AND code = $2::text`,
    [accountId, code, scannedAt],
  );
  if (known > 0) return 'done';
  const kept = yield* listOwnBarcodes(accountId);
  if (kept.length >= ownBarcodesMax) return 'too many';
  const scanned = { firstScannedAt: scannedAt, lastScannedAt: scannedAt };
  const row = { accountId, code, setKey: null, ...scanned };
  yield* db.insertRows(tables.ownBarcode, [row]);
  return 'done';
}

/** Attaches a barcode that was just scanned to a set. */
function* attachBarcode(
  accountId: number,
  code: string,
  { setKey, at }: { readonly setKey: string; readonly at: number },
): ReturnType<typeof keepBarcode> {
  const kept = yield* keepBarcode(accountId, code, at);
  if (kept === 'done') yield* db.changeRows(tables.ownBarcode, { setKey }, { accountId, code });
  return kept;
}

/** False if it is not kept. */
function* removeOwnBarcode(accountId: number, code: string): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.ownBarcode, { accountId, code })) > 0;
}
