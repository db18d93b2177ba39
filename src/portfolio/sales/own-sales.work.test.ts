/** The cost of sales, and how they are recorded, changed and undone. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { describe, expect, test } from 'bun:test';
import { aLedgerSale, aLot } from '../../../test/support/builders.ts';
import { sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import type { LedgerSaleFacts, OwnLot } from '../lots/lots.ts';
import type { OwnSale, SaleSum } from './ledger.ts';
import {
  changeSale,
  costOfChange,
  costOfSale,
  recordSales,
  type SaleDraft,
  totalSales,
} from './own-sales.work.ts';
import type { SaleTerms } from './sale-fields.ts';

const lotOf = (id: number, facts: Partial<OwnLot> = {}): OwnLot => ({
  ...aLot({ sourceId: `lot-${id}`, quantity: 3, purchaseDate: `2024-01-0${id}` }),
  id,
  brickfolioId: 1,
  kind: 'set',
  key: '1',
  sold: 0,
  ...facts,
});

const terms: SaleTerms = {
  platform: 'ebay',
  saleDate: '2025-01-01',
  quantity: 2,
  grossCents: 50_00,
  platformFeesCents: 5_00,
  paymentFeesCents: 1_00,
  shippingCents: 4_00,
};

const saleFacts = (facts: Partial<LedgerSaleFacts> = {}) =>
  aLedgerSale({ sourceId: 'sale', ...terms, ...facts });

describe('the cost of a sale', () => {
  const lots = [
    lotOf(1, { sold: 2 }),
    lotOf(2, { priceCents: 20_00 }),
    lotOf(3, { priceCents: 1_00, condition: 'used' }),
  ];
  const origin = { kind: 'set', number: '1', condition: 'sealed', lot: null } as const;

  test.each([
    [1, 10_00],
    [2, 30_00],
    [4, 70_00],
    [5, null],
  ])('of %i units is that of the oldest lots in the condition', (quantity, cents) => {
    expect(costOfSale({ ...origin, quantity }, lots)).toBe(cents);
  });

  test('from a lot is that of this lot', () => {
    const [, second = lotOf(2)] = lots;
    expect(costOfSale({ ...origin, lot: second, quantity: 1 }, lots)).toBe(20_00);
    expect(costOfSale({ ...origin, lot: second, quantity: 4 }, lots)).toBeNull();
  });
});

describe('the cost of a change', () => {
  const take = (lotId: number, quantity: number, priceCents: number) => ({
    lotId,
    purchaseDate: `2024-01-0${lotId}`,
    dateBasis: 'known' as const,
    boughtAt: null,
    priceCents,
    quantity,
    costCents: 0,
  });
  const sale = (facts: Partial<LedgerSaleFacts> = {}): OwnSale => ({
    id: 1,
    facts: saleFacts(facts),
    costCents: 0,
  });
  const openLots = [
    lotOf(1, { sold: 2 }),
    lotOf(2, { priceCents: 20_00 }),
    lotOf(3, { condition: 'used' }),
  ];
  const held = { openLots, takes: [take(1, 2, 10_00)] };

  test.each([
    [3, 30_00],
    [4, 50_00],
    [6, 90_00],
    [7, null],
  ])('to %i units includes the units it had', (quantity, cents) => {
    expect(costOfChange(sale(), quantity, held)).toBe(cents);
  });

  test('includes units of a sold-out lot', () => {
    const takes = [take(9, 1, 5_00)];
    expect(costOfChange(sale(), 1, { openLots: [], takes })).toBe(5_00);
  });

  test('of a sale from a lot is that of this lot', () => {
    const named = sale({ lot: 'lot-2' });
    expect(costOfChange(named, 3, { openLots, takes: [] })).toBe(60_00);
    expect(costOfChange(named, 4, { openLots, takes: [] })).toBeNull();
  });
});

const shared = shareStore();

/** An account with two lots of two units, and forms of its own. */
async function addSeller() {
  const { accounts } = shared.store;
  const owner = await shared.addOwner();
  const bought = { purchaseDate: '2024-01-04' };
  await owner.apply(
    owner.brickfolio('Shelf'),
    owner.lot('one', { number: '1', ...bought }),
    owner.lot('two', { number: '2', ...bought }),
  );
  const form = (formId: string) => ({ accounts, accountId: owner.id, at: sharedNow, formId });
  const lot = async (sourceId: string) => {
    return (await accounts.findLotsBySourceIds(owner.id, [sourceId])).get(sourceId);
  };
  const units = async () => [(await lot('one'))?.sold, (await lot('two'))?.sold];
  const find = async (id = 0) => {
    const sale = await accounts.findSale(owner.id, id);
    if (!sale) throw new Error(`There is no sale ${id}.`);
    return sale;
  };
  return { accounts, owner, form, lot, units, find };
}

const draftOf = (number: string, lot: OwnLot | null = null): SaleDraft => ({
  kind: 'set',
  number,
  condition: 'sealed',
  lot,
  terms: { ...terms, quantity: 1 },
});

describe('recording sales', () => {
  test('returns their IDs, once for each form', async () => {
    const { form, lot, units, find } = await addSeller();
    const drafts = [draftOf('1'), draftOf('2', await lot('two'))];
    const results = await Promise.all([1, 2].map(() => recordSales(form('a'), drafts)));
    expect(results[0]).toEqual(results[1]);
    const [first] = results;
    if (!first?.ok) throw new Error('It was rejected.');
    expect(first.saleIds).toHaveLength(2);
    expect((await find(first.saleIds[1])).facts).toMatchObject({ number: '2', lot: 'two' });
    expect(await units()).toEqual([1, 1]);
    await recordSales(form('b'), [draftOf('1')]);
    expect(await units()).toEqual([2, 1]);
  });

  test('returns the rejected draft, with a reason that pages can show, and records none', async () => {
    const { form, lot, units } = await addSeller();
    const two = await lot('two');
    const many = { ...draftOf('2', two), terms: { ...terms, quantity: 3 } };
    expect(await recordSales(form('a'), [draftOf('1'), many])).toEqual({
      ok: false,
      draft: many,
      reason: 'the sale is for 3 sealed units of 2, but only 2 are left in this lot',
    });
    const early = { ...draftOf('1'), terms: { ...terms, quantity: 1, saleDate: '2024-01-03' } };
    expect(await recordSales(form('b'), [early])).toMatchObject({
      ok: false,
      draft: early,
      reason: 'the lot bought on Jan 4, 2024 cannot be sold before that day',
      field: 'sale_date',
    });
    expect(await units()).toEqual([0, 0]);
  });
});

describe('changing a sale', () => {
  async function addSale() {
    const seller = await addSeller();
    const done = await recordSales(seller.form('new'), [draftOf('1')]);
    if (!done.ok) throw new Error(done.reason);
    return { ...seller, sale: await seller.find(done.saleIds[0]) };
  }
  const change = { ...terms, costCents: null };

  test('can be undone, once for each form', async () => {
    const { accounts, owner, form, units, find, sale } = await addSale();
    const results = await Promise.all([1, 2].map(() => changeSale(form('a'), sale, change)));
    expect(results[0]).toEqual(results[1]);
    const editId = results[0]?.ok ? results[0].editId : null;
    expect(editId).not.toBeNull();
    expect(await units()).toEqual([2, 0]);
    expect(await accounts.undoEdit(owner.id, { editId: editId ?? 0, of: 'sale' }, sharedNow)).toBe(
      1,
    );
    expect(await units()).toEqual([1, 0]);
    expect(await find(sale.id)).toEqual(sale);
  });

  test('is rejected if the sale was changed or deleted since, and leaves nothing to undo', async () => {
    const { accounts, owner, form, sale } = await addSale();
    const late = {
      ok: false,
      reason: 'the sale was changed since you opened it; check it and try again',
    } as const;
    await changeSale(form('a'), sale, change);
    expect(await changeSale(form('b'), sale, { ...change, grossCents: 1 })).toEqual(late);
    const rows = [{ kind: 'sale_removal', saleId: sale.id } as const];
    await accounts.change(owner.id, { rows }, sharedNow);
    expect(await changeSale(form('c'), sale, change)).toEqual(late);
  });
});

test('totals are exact to the cent', () => {
  const sum = (sales: number): SaleSum => ({
    month: '2025-01',
    platform: 'ebay',
    sales,
    units: sales + 1,
    grossCents: 100_00,
    platformFeesCents: 10_00,
    paymentFeesCents: 3_00,
    shippingCents: 7_00,
    costCents: 40_00,
  });
  expect(totalSales([sum(1), sum(2)])).toMatchObject({
    sales: 3,
    units: 5,
    grossCents: 200_00,
    platformFeesCents: 20_00,
    paymentFeesCents: 6_00,
    shippingCents: 14_00,
    costCents: 80_00,
    netCents: 160_00,
    profitCents: 80_00,
  });
  expect(totalSales([])).toMatchObject({ sales: 0, units: 0, grossCents: 0, costCents: 0 });
});
