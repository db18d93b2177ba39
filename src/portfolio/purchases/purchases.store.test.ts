/** Guarantees of every store about purchases: all or nothing, owner and order. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import {
  type GivenLot,
  type LedgerSaleFacts,
  lotDefaults,
  lotFacts,
  type OwnLot,
} from '../lots/lots.ts';
import { type AccountRow, isRejected, type PrivateRow } from '../lots/private-rows.ts';
import {
  type PurchaseFacts,
  purchaseLotId,
  purchaseLotIds,
  purchaseOfLot,
  rowOfLot,
} from './purchases.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const facts = (sourceId: string, given: Partial<PurchaseFacts> = {}): PurchaseFacts => ({
  sourceId,
  store: 'Shop',
  purchaseDate: '2026-11-01',
  totalCents: 30_00,
  taxCents: 2_00,
  shippingCents: 0,
  prices: { 1: 15_00 },
  returns: [],
  ...given,
});

const lotRow = ({ email }: Owner, sourceId: string, given: Partial<GivenLot> = {}): PrivateRow => ({
  kind: 'holding',
  email,
  prediction: null,
  facts: {
    ...lotDefaults,
    sourceId,
    brickfolio: 'Shelf',
    kind: 'set',
    number: '100',
    quantity: 2,
    condition: 'sealed',
    priceCents: 15_00,
    purchaseDate: '2026-11-01',
    ...given,
  },
});

async function newOwner(): Promise<Owner> {
  const owner = await shared.addOwner();
  const shelf = { name: 'Shelf', description: null, isDefault: true };
  await store().change(owner.id, { rows: [{ kind: 'brickfolio', facts: shelf }] }, now);
  return owner;
}

/** Applies rows together; returns why not, or null if it was done. */
async function change(accountId: number, rows: readonly AccountRow[], at = now) {
  const { outcomes } = await store().change(accountId, { rows }, at);
  return outcomes.find(isRejected)?.reason ?? null;
}

const save = (owner: Owner, facts: PurchaseFacts, rows: readonly PrivateRow[]) =>
  change(owner.id, [...rows, { kind: 'purchase', facts, seen: null }]);

const removal = (seen: OwnLot) => ({ kind: 'lot_removal', lotId: seen.id, seen }) as const;

const remove = (accountId: number, purchaseId: number) =>
  change(accountId, [{ kind: 'purchase_removal', purchaseId }]);

/** A purchase that must exist. */
async function find({ id: accountId }: Pick<Owner, 'id'>, sourceId: string) {
  const id = (await store().findPurchaseId(accountId, sourceId)) ?? 0;
  const found = await store().findPurchase(accountId, id);
  if (!found) throw new Error(`There is no purchase ${sourceId}.`);
  return found;
}

/** Sells a unit. */
async function sell({ id }: Owner): Promise<void> {
  const facts: LedgerSaleFacts = {
    sourceId: 's',
    kind: 'set',
    number: '100',
    condition: 'sealed',
    platform: 'ebay',
    saleDate: '2026-11-02',
    quantity: 1,
    grossCents: 50_00,
    platformFeesCents: 0,
    paymentFeesCents: 0,
    shippingCents: 0,
    costCents: null,
    lot: null,
  };
  expect(await change(id, [{ kind: 'ledger_sale', facts }])).toBeNull();
}

const page = { limit: 10, offset: 0 };

test('a purchase is written with its lots, found again and replaced', async () => {
  const owner = await newOwner();
  const purchase = facts('web:p1');
  const lots = ['1', '2'].map((name) => lotRow(owner, purchaseLotId('web:p1', name)));
  expect(await save(owner, purchase, [...lots, lotRow(owner, 'web:p10:1')])).toBeNull();
  const id = (await store().findPurchaseId(owner.id, 'web:p1')) ?? 0;
  expect(await store().findPurchase(owner.id, id)).toEqual({ id, ...purchase, createdAt: now });
  const listed = await store().listPurchaseLots(owner.id, 'web:p1');
  expect(listed.map(({ sourceId }) => sourceId)).toEqual(['web:p1:1', 'web:p1:2']);
  const amounts = { units: 2, costCents: 30_00, refundCents: 1 };
  const returned = { date: '2026-11-02', ...amounts, items: '100', editId: 1 };
  const changed = facts('web:p1', { store: null, returns: [returned] });
  const seen = await find(owner, 'web:p1');
  const replaced = { kind: 'purchase', facts: changed, seen } as const;
  const first = listed.slice(0, 1).map(removal);
  expect(await change(owner.id, [...first, replaced], now + 1)).toBeNull();
  expect(await store().findPurchase(owner.id, id)).toMatchObject({ ...changed, createdAt: now });
  expect(await store().listPurchaseLots(owner.id, 'web:p1')).toHaveLength(1);
  const { rows, total } = await store().pagePurchases(owner.id, page);
  expect([rows.map(({ units }) => units), total]).toEqual([[2], 1]);
});

test('if a lot is rejected or a removed one was sold, nothing is written', async () => {
  const owner = await newOwner();
  const rows = [lotRow(owner, 'web:q:1'), lotRow(owner, 'web:q:2', { brickfolio: 'Attic' })];
  expect(await save(owner, facts('web:q'), rows)).toContain("no collection 'Attic'");
  expect(await store().findPurchaseId(owner.id, 'web:q')).toBeNull();
  expect(await store().listPurchaseLots(owner.id, 'web:q')).toEqual([]);
  await save(owner, facts('web:q'), rows.slice(0, 1));
  await sell(owner);
  const lots = await store().listPurchaseLots(owner.id, 'web:q');
  const seen = await find(owner, 'web:q');
  const other = { kind: 'purchase', facts: facts('web:q', { store: 'X' }), seen } as const;
  expect(await change(owner.id, [...lots.map(removal), other])).toContain('were sold meanwhile');
  const id = (await store().findPurchaseId(owner.id, 'web:q')) ?? 0;
  expect(await remove(owner.id, id)).toContain('was sold');
  expect(await store().findPurchase(owner.id, id)).toMatchObject({ store: 'Shop' });
});

test('once a unit is sold, a receipt that was opened before cannot be changed', async () => {
  const owner = await newOwner();
  await save(owner, facts('web:u'), [lotRow(owner, 'web:u:1')]);
  const [lot] = await store().listPurchaseLots(owner.id, 'web:u');
  const seen = await find(owner, 'web:u');
  if (!lot) throw new Error('The lot is missing.');
  await sell(owner);
  const was = lotFacts(lot);
  const dearer = { kind: 'holding', facts: { ...was, priceCents: 20_00 }, seen: was } as const;
  const total = { kind: 'purchase', facts: facts('web:u', { totalCents: 40_00 }), seen } as const;
  expect(await change(owner.id, [dearer, total])).toContain('1 unit of this purchase was sold');
  const left = await store().listPurchaseLots(owner.id, 'web:u');
  expect(left.map(({ priceCents }) => priceCents)).toEqual([15_00]);
  expect(await find(owner, 'web:u')).toEqual(seen);
});

test('the total of a receipt is not changed to less than its tax and shipping', async () => {
  const owner = await newOwner();
  await save(owner, facts('web:t'), [lotRow(owner, 'web:t:1')]);
  const seen = await find(owner, 'web:t');
  const { id: _, createdAt: __, ...known } = seen;
  const totalOf = (totalCents: number) =>
    change(owner.id, [{ kind: 'purchase', facts: { ...known, totalCents }, seen }]);
  expect(await totalOf(1_99)).toContain('less than the tax and shipping in it');
  expect(await totalOf(2_00)).toBeNull();
});

test('a purchase of another account cannot be seen, changed or removed', async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  await save(owner, facts('web:r'), [lotRow(owner, 'web:r:1')]);
  const id = (await store().findPurchaseId(owner.id, 'web:r')) ?? 0;
  const lots = await store().listPurchaseLots(owner.id, 'web:r');
  expect(await store().findPurchase(other.id, id)).toBeNull();
  expect(await store().findPurchaseId(other.id, 'web:r')).toBeNull();
  expect(await store().listPurchaseLots(other.id, 'web:r')).toEqual([]);
  expect(await remove(other.id, id)).toContain('no such purchase');
  const seen = await find(owner, 'web:r');
  const stolen = { kind: 'purchase', facts: facts('web:r'), seen } as const;
  expect(await change(other.id, [stolen])).toContain('was changed since');
  expect(await change(other.id, lots.map(removal))).toContain('no such lot');
  expect(await store().listPurchaseLots(owner.id, 'web:r')).toHaveLength(1);
  expect(await remove(owner.id, id)).toBeNull();
  expect(await store().listPurchaseLots(owner.id, 'web:r')).toEqual([]);
});

test('of two changes at once, the second is refused, and so is one of a lot that changed', async () => {
  const owner = await newOwner();
  await save(owner, facts('web:t'), [lotRow(owner, 'web:t:1'), lotRow(owner, 'web:t:2')]);
  const seen = await find(owner, 'web:t');
  const [one, two] = await store().listPurchaseLots(owner.id, 'web:t');
  if (!one || !two) throw new Error('A lot is missing.');
  const removing = (lot: OwnLot, name: string) => {
    const changed = { kind: 'purchase', facts: facts('web:t', { store: name }), seen } as const;
    return change(owner.id, [changed, removal(lot)]);
  };
  const done = await Promise.all([removing(one, 'A'), removing(two, 'B')]);
  expect(done.filter((reason) => reason === null)).toHaveLength(1);
  expect(done.join('')).toContain('the purchase was changed since you opened it');
  const left = await store().listPurchaseLots(owner.id, 'web:t');
  expect(left.map(({ id }) => id)).toEqual([done[0] === null ? two.id : one.id]);
  expect((await find(owner, 'web:t')).store).toBe(done[0] === null ? 'A' : 'B');
  const other = left.map((lot) => removal({ ...lot, quantity: 1 }));
  expect(await change(owner.id, other)).toContain('the lot was changed since you opened it');
  expect(await store().listPurchaseLots(owner.id, 'web:t')).toEqual(left);
});

test('purchases are listed newest first', async () => {
  const owner = await newOwner();
  for (const [name, purchaseDate] of [
    ['a', '2026-01-02'],
    ['b', '2026-01-03'],
    ['c', '2026-01-01'],
  ] as const) {
    await save(owner, facts(`web:${name}`, { purchaseDate }), []);
  }
  const { rows, total } = await store().pagePurchases(owner.id, { limit: 2, offset: 0 });
  expect([rows.map(({ sourceId }) => sourceId), total]).toEqual([['web:b', 'web:a'], 3]);
});

test('lots that were bought alone are listed with purchases, if price and date are known', async () => {
  const owner = await newOwner();
  const given = (sourceId: string, lot: Partial<GivenLot> = {}) => lotRow(owner, sourceId, lot);
  await save(owner, facts('web:p', { purchaseDate: '2026-01-02' }), [given('web:p:1')]);
  const rows = [
    given('alone', { purchaseDate: '2026-01-03', boughtAt: 'Market' }),
    given('same-day', { purchaseDate: '2026-01-02' }),
    given('guessed', { isEstimated: true }),
    given('free', { priceCents: 0 }),
    given('undated', { dateBasis: 'unknown' }),
  ];
  await store().change(owner.id, { rows }, now);
  const page = await store().pageBought(owner.id, { limit: 2, offset: 0 });
  expect(page.total).toBe(3);
  expect(page.rows).toMatchObject([
    { purchaseId: null, store: 'Market', units: 2, totalCents: 30_00, lot: { number: '100' } },
    { store: 'Shop', units: 2, totalCents: 30_00, refundedCents: 0, lot: null },
  ]);
  const rest = await store().pageBought(owner.id, { limit: 2, offset: 2 });
  expect(rest.rows).toMatchObject([{ purchaseDate: '2026-01-02', lot: { number: '100' } }]);
});

test('a lot tells its purchase and its row', () => {
  for (const [id, row] of [
    [purchaseLotId('web:Ab_-9', '3'), '3'],
    [purchaseLotId('web:Ab_-9', '12', 'Cd_-8'), '12'],
  ] as const) {
    expect([purchaseOfLot(id), rowOfLot({ sourceId: id })]).toEqual(['web:Ab_-9', row]);
  }
  const rows = ['1', '1', '2', '1'].map((row) => ({ row }));
  expect(purchaseLotIds('web:x', rows)).toEqual(['web:x:1', 'web:x:1.2', 'web:x:2', 'web:x:1.3']);
  for (const none of ['web:Ab_-9', 'file:1', 'x:y:z']) expect(purchaseOfLot(none)).toBeNull();
});
