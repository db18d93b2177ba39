/** Which purchases can be split again, and returns. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { expect, test } from 'bun:test';
import { sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { noDetails } from '../lots/lot-fields.ts';
import { lotDefaults, type OwnLot } from '../lots/lots.ts';
import { pageSourceId } from '../lots/own-lots.work.ts';
import { type BoughtUnits, lotsOf } from './box-lots.work.ts';
import { addPurchase, differsFromReceipt, returnUnits, rowNames } from './own-purchases.work.ts';
import { type Purchase, purchaseLotId, purchaseLotIds } from './purchases.ts';

const shared = shareStore();

const receipt = { taxCents: 7_13, shippingCents: 4_99 };

/** The row is named after the number. */
function unitsOf(number: string, quantity: number, priceCents: number | null): BoughtUnits {
  const value = { valueCents: 33_33, msrpCents: null, priceCents };
  return { row: number, kind: 'set', number, condition: 'sealed', grade: null, quantity, ...value };
}

/** A purchase with its lots, as it is recorded. */
function buy(units: readonly BoughtUnits[], totalCents: number | null) {
  const split = lotsOf(units, { ...receipt, totalCents });
  if ('problem' in split) throw new Error(split.problem);
  const common = { sourceId: 'web:p', brickfolio: 'Shelf', purchaseDate: '2026-11-01' };
  const ids = purchaseLotIds('web:p', split.lots);
  const lots = split.lots.map(
    ({ row: _, ...lot }, id): OwnLot => ({
      ...noDetails,
      ...lotDefaults,
      ...common,
      ...lot,
      sourceId: ids[id] ?? '',
      id,
      sold: 0,
      brickfolioId: 1,
      key: lot.number,
    }),
  );
  const { totalCents: paidCents, prices } = split;
  const facts = { ...receipt, totalCents: paidCents, prices, returns: [], store: null };
  const purchase: Purchase = { ...common, ...facts, id: 1, createdAt: 0 };
  return { purchase, lots };
}

const priced = [unitsOf('100', 3, 19_99), unitsOf('101', 7, 3_33), unitsOf('200', 1, 0)];
const mixed = [unitsOf('100', 3, 19_99), unitsOf('101', 7, null), unitsOf('200', 2, null)];

test.each([
  ['prices', priced, null],
  ['prices and a discount', priced, 60_01],
  ['some prices', mixed, 200_03],
  ['no prices', mixed.map((each) => ({ ...each, priceCents: null })), 100_01],
  ['nothing to pay but tax', [unitsOf('100', 3, null), unitsOf('101', 1, null)], 12_12],
  ['one free item', [unitsOf('100', 3, 0)], 12_12],
])(
  'lots of a receipt with %s are as it makes them, until one has another price',
  (_, units, total) => {
    const { purchase, lots } = buy(units, total);
    expect(differsFromReceipt(purchase, lots)).toBe(false);
    const [first, ...others] = lots;
    if (!first) throw new Error('No lots.');
    const dearer = { ...first, priceCents: first.priceCents + 1 };
    expect(differsFromReceipt(purchase, [dearer, ...others])).toBe(true);
    expect(differsFromReceipt(purchase, others)).toBe(true);
  },
);

test('lots with prices differ from their receipt if money was moved between them', () => {
  const { purchase, lots } = buy([unitsOf('100', 1, 20_00), unitsOf('101', 1, 10_00)], null);
  const moved = lots.map((lot, index) => ({
    ...lot,
    priceCents: lot.priceCents + (index === 0 ? 2_00 : -2_00),
  }));
  expect(differsFromReceipt(purchase, moved)).toBe(true);
});

test('rows of one item have prices of their own', () => {
  const rows = [unitsOf('100', 3, 40_00), { ...unitsOf('100', 2, 60_00), row: '2' }];
  const { purchase, lots } = buy(rows, 250_01);
  expect(purchase.prices).toEqual({ 100: 40_00, 2: 60_00 });
  expect(differsFromReceipt(purchase, lots)).toBe(false);
  const swapped = lots.map((lot) => ({ ...lot, priceCents: lot.priceCents + lot.quantity }));
  expect(differsFromReceipt(purchase, swapped)).toBe(true);
});

test('a row that is added again takes the lot of a removed one of its item, others a new name', () => {
  const { lots } = buy([unitsOf('100', 3, null), unitsOf('101', 1, null)], 50_00);
  const row = { kind: 'set', condition: 'sealed', grade: null } as const;
  const names = rowNames(lots, [
    { ...row, number: '101', name: '101' },
    { ...row, number: '100', name: null },
    { ...row, number: '100', name: null },
    { ...row, number: '101', name: null },
  ]);
  expect(names).toEqual(['101', '100', '102', '103']);
});

test('a lot that was split differs from its receipt', () => {
  const { purchase, lots } = buy([unitsOf('100', 4, 20_00)], 80_00);
  const parts = lots.map((lot) => ({ ...lot, quantity: lot.quantity / 2 }));
  const [part] = parts;
  if (!part) throw new Error('No lots.');
  const split = { ...part, sourceId: purchaseLotId('web:p', '100', 'Ab_-9') };
  expect(differsFromReceipt(purchase, [part, split])).toBe(true);
});

/** A new owner with a purchase of lots of three units each, whose prices add up to its total. */
async function bought(lots: number) {
  const { accounts } = shared.store;
  const { id: accountId } = await shared.addOwner();
  let forms = 0;
  /** A form of its own. */
  const form = () => ({ accounts, accountId, at: sharedNow, formId: `form ${++forms}` });
  const action = form();
  const units = Array.from({ length: lots }, (_, index) => unitsOf(String(1000 + index), 3, 10_00));
  const split = lotsOf(units, { totalCents: null, taxCents: 0, shippingCents: 0 });
  if ('problem' in split) throw new Error(split.problem);
  const sourceId = pageSourceId(action.formId);
  const terms = { ...split, store: 'Shop', purchaseDate: '2026-11-01' };
  const receipt = { ...terms, taxCents: 0, shippingCents: 0 };
  const { lots: rows, ...facts } = receipt;
  await addPurchase(action, { terms: facts, lots: rows }, { name: 'Shelf', isNew: true });
  const read = async () => {
    const id = (await accounts.findPurchaseId(accountId, sourceId)) ?? 0;
    const purchase = await accounts.findPurchase(accountId, id);
    if (!purchase) throw new Error('There is no purchase.');
    return { purchase, lots: await accounts.listPurchaseLots(accountId, sourceId) };
  };
  return { accounts, accountId, at: sharedNow, form, read };
}

test('a return is undone with everything that it took, once, unless its lots changed', async () => {
  const { accounts, accountId, at, form, read } = await bought(3);
  const before = await read();
  const [one, two, three] = before.lots;
  if (!one || !two || !three) throw new Error('A lot is missing.');
  const back = async (units: { lot: OwnLot; units: number }[]) => {
    const { purchase } = await read();
    const given = { units, date: '2026-11-02', refundCents: 1_00 };
    expect(await returnUnits(form(), purchase, given)).toMatchObject({ ok: true });
    return (await read()).purchase.returns.at(-1)?.editId ?? 0;
  };
  const first = await back([
    { lot: one, units: 3 },
    { lot: two, units: 1 },
  ]);
  expect((await read()).lots.map(({ quantity }) => quantity)).toEqual([2, 3]);
  expect(await accounts.listReturnEdits(accountId, at)).toEqual([first]);
  // It is not a change of lots, which the inventory shows.
  expect(await accounts.findEdit(accountId, first, at)).toBeNull();
  expect(await accounts.undoEdit(accountId + 1, { editId: first, of: 'return' }, at)).toBe(
    'missing',
  );
  expect(
    await accounts.undoEdit(accountId, { editId: first, of: 'return' }, at + 25 * 3_600_000),
  ).toBe('missing');
  const second = await back([{ lot: { ...two, quantity: 2 }, units: 1 }]);
  expect(await accounts.undoEdit(accountId, { editId: first, of: 'return' }, at)).toBe('changed');
  expect((await read()).lots.map(({ quantity }) => quantity)).toEqual([1, 3]);
  expect(await accounts.undoEdit(accountId, { editId: second, of: 'return' }, at)).toBe(1);
  expect((await read()).purchase.returns.map(({ editId }) => editId)).toEqual([first]);
  expect(await accounts.undoEdit(accountId, { editId: first, of: 'return' }, at)).toBe(2);
  expect(await read()).toEqual(before);
  expect(await accounts.undoEdit(accountId, { editId: first, of: 'return' }, at)).toBe('missing');
});

test('a return of thousands of lots is one change, and so is undoing it', async () => {
  const { accounts, accountId, at, form, read } = await bought(2_000);
  const before = await read();
  const units = before.lots.map((lot) => ({ lot, units: lot.quantity }));
  const given = { units, date: '2026-11-02', refundCents: 5_00 };
  expect(await returnUnits(form(), before.purchase, given)).toMatchObject({ ok: true });
  const { purchase, lots } = await read();
  expect([lots, purchase.returns[0]?.units]).toEqual([[], 6_000]);
  const editId = purchase.returns[0]?.editId ?? 0;
  expect(await accounts.undoEdit(accountId, { editId: editId, of: 'return' }, at)).toBe(2_000);
  expect(await read()).toEqual(before);
});

test('of two returns at once, the second is told to check: no refund is lost', async () => {
  const { form, read } = await bought(2);
  const { purchase, lots } = await read();
  const date = '2026-11-02';
  const results = await Promise.all(
    lots.map((lot, index) =>
      returnUnits(form(), purchase, {
        units: [{ lot, units: index === 0 ? 1 : 3 }],
        date,
        refundCents: 5_00 + index,
      }),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.filter(({ ok }) => !ok)).toEqual([
    { ok: false, reason: expect.stringContaining('was changed since you opened it') },
  ]);
  const now = await read();
  const units = now.lots.reduce((sum, { quantity }) => sum + quantity, 0);
  expect(now.purchase.returns).toHaveLength(1);
  expect(6 - units).toBe(now.purchase.returns[0]?.units ?? 0);
});
