/** Guarantees of every store about the barcodes of an account: owner, order and limit. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';
import { numbersTo, onTables } from '../../../test/support/tables.ts';
import { ownBarcodesMax } from './own-barcodes.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

/** Keeps a barcode as a device does that scanned it at a time. */
const keep = (accountId: number, barcode: string, at: number) =>
  store().applyEntry(accountId, { mark: { id: barcode, madeAt: at }, change: { barcode }, at });

const [code, other] = ['5702017000000', '0673419000000'] as const;

test('a barcode is kept once, with its first and last scan, and only for its account', async () => {
  const [ann, ben] = [await shared.addOwner(), await shared.addOwner()];
  for (const at of [5, 9, 3]) expect(await keep(ann.id, code, at)).toBe('done');
  await keep(ann.id, other, 7);
  const kept = { code, setKey: null, firstScannedAt: 3, lastScannedAt: 9 };
  const second = { code: other, setKey: null, firstScannedAt: 7, lastScannedAt: 7 };
  expect(await store().listOwnBarcodes(ann.id)).toEqual([kept, second]);
  expect(await store().listOwnBarcodes(ben.id)).toEqual([]);
  expect(await keep(999_999, code, 5)).toBe('the account does not exist');
});

test('an attached barcode stays attached when scanned again, until it is removed', async () => {
  const [ann, ben] = [await shared.addOwner(), await shared.addOwner()];
  await keep(ann.id, code, 5);
  expect(await store().attachBarcode(ann.id, code, { setKey: '75192', at: 5 })).toBe('done');
  await keep(ann.id, code, 6);
  expect(await store().listOwnBarcodes(ann.id)).toMatchObject([{ code, setKey: '75192' }]);
  expect(await store().removeOwnBarcode(ben.id, code)).toBe(false);
  expect(await store().removeOwnBarcode(ann.id, code)).toBe(true);
  expect(await store().listOwnBarcodes(ann.id)).toEqual([]);
});

test('beyond the limit, no new barcode is kept, and known ones still are', async () => {
  const { id } = await shared.addOwner();
  // All but one at once, since each call takes a transaction.
  const numbers = numbersTo(ownBarcodesMax - 1);
  await onTables(
    shared.folder,
    `${numbers} INSERT INTO private.own_barcode
       (account_id, code, first_scanned_at, last_scanned_at)
     SELECT ${id}, CAST(1000000000000 + n AS text), n, n FROM numbers`,
  );
  expect(await keep(id, other, 5)).toBe('done');
  expect(await keep(id, code, 5)).toContain('the limit of');
  expect(await keep(id, '1000000000001', 9_999)).toBe('done');
  const kept = await store().listOwnBarcodes(id);
  expect(kept).toHaveLength(ownBarcodesMax);
  expect(kept[0]).toMatchObject({ code: '1000000000001', lastScannedAt: 9_999 });
});
