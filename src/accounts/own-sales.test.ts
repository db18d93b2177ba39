/** The cost of sales, and how they are recorded, changed and undone. */
import { describe, expect, test } from 'bun:test';
import { aLedgerSale, aLot } from '../../test/support/builders.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import type { OwnSale, SaleSum } from '../domain/portfolio/ledger.ts';
import type { LedgerSaleFacts, OwnLot } from '../domain/portfolio/lots.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import type { OwnerAction } from './own-lots.ts';
import {
  changeSale,
  costOfChange,
  costOfSale,
  recordSales,
  type SaleDraft,
  type SaleTerms,
  totalSales,
  undoSaleChange,
} from './own-sales.ts';

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

/** A store in memory that rejects sales of some sets. */
function actionOf(change: object = {}, refused: readonly string[] = []) {
  const applied: PrivateRow[] = [];
  const kept: unknown[] = [];
  const accounts = {
    applyTogether: async (rows: readonly PrivateRow[]): Promise<RowOutcome[]> => {
      applied.push(...rows);
      return rows.map((row): RowOutcome => {
        const { number, lot } = row.facts as LedgerSaleFacts;
        if (!refused.includes(number)) return { kind: 'added' };
        const reason = `only 1 unit is left in lot '${lot}'`;
        return { kind: 'rejected', reason, missing: false, field: 'sale_date' };
      });
    },
    findSaleIds: async (_: number, ids: readonly string[]) =>
      new Map(ids.map((id, index) => [id, index + 1])),
    keepSaleEdit: async (_: number, edit: unknown) => {
      kept.push(edit);
      return 77;
    },
    ...change,
  };
  const who = { accountId: 5, email: 'ann@example.com' };
  const action = { accounts, who, at: 9 } as unknown as OwnerAction;
  return { action, applied, kept };
}

const draftOf = (number: string, lot: OwnLot | null = null): SaleDraft => ({
  kind: 'set',
  number,
  condition: 'sealed',
  lot,
  terms,
});

describe('recording sales', () => {
  test('returns their IDs, and requires an earlier purchase', async () => {
    const { action, applied } = actionOf();
    const result = await recordSales(action, [draftOf('1'), draftOf('2', lotOf(4))], 'form');
    expect(result).toEqual({ ok: true, saleIds: [1, 2] });
    expect(applied).toMatchObject([
      { kind: 'ledger_sale', checksPurchase: true, facts: { number: '1', lot: null } },
      { kind: 'ledger_sale', checksPurchase: true, facts: { number: '2', lot: 'lot-4' } },
    ]);
    const names = applied.map(({ facts }) => (facts as LedgerSaleFacts).sourceId);
    expect(new Set(names).size).toBe(2);
    await recordSales(action, [draftOf('1')], 'form');
    await recordSales(action, [draftOf('1')], 'another form');
    const [again, other] = applied.slice(2).map(({ facts }) => (facts as LedgerSaleFacts).sourceId);
    expect(again).toBe(names[0]);
    expect(other).not.toBe(names[0]);
  });

  test('returns the rejected draft, with a reason that pages can show', async () => {
    const { action } = actionOf({}, ['2']);
    const drafts = [draftOf('1'), draftOf('2', lotOf(4))];
    expect(await recordSales(action, drafts, 'form')).toEqual({
      ok: false,
      draft: draftOf('2', lotOf(4)),
      reason: 'only 1 unit is left in this lot',
      field: 'sale_date',
    });
  });
});

describe('changing a sale', () => {
  const sale: OwnSale = { id: 3, facts: saleFacts(), costCents: 20_00 };
  const before = { ...saleFacts(), settled: { costCents: 20_00, takes: [] } };
  const listing = (sequence: number) => ({
    listRecordedSales: async (_: number, { after, limit }: { after: number; limit: number }) => {
      expect([after, limit]).toEqual([2, 1]);
      return [{ ...before, sequence }];
    },
  });
  const change = { ...terms, quantity: 1, costCents: null };

  test('saves the previous state, so that it can be undone', async () => {
    const { action, applied, kept } = actionOf(listing(3));
    expect(await changeSale(action, sale, change)).toEqual({ ok: true, editId: 77 });
    expect(applied).toMatchObject([{ facts: { sourceId: 'sale', quantity: 1 } }]);
    expect(kept).toEqual([{ before, after: { ...saleFacts(), quantity: 1 } }]);
  });

  test('saves nothing if it is rejected, or the sale is gone', async () => {
    const refused = actionOf(listing(3), ['1']);
    expect(await changeSale(refused.action, sale, change)).toMatchObject({ ok: false });
    const gone = actionOf(listing(4));
    expect(await changeSale(gone.action, sale, change)).toEqual({ ok: true });
    expect([refused.kept, gone.kept]).toEqual([[], []]);
  });
});

describe('undoing a change', () => {
  const edit = { before: saleFacts(), after: saleFacts({ quantity: 1 }) };
  const storeOf = (facts: LedgerSaleFacts | null, isKept = true) => ({
    findSaleEdit: async () => (isKept ? edit : null),
    findSale: async () => facts && { id: 1, facts, costCents: 0 },
  });

  test('restores the sale', async () => {
    const { action, applied } = actionOf(storeOf(edit.after));
    expect(await undoSaleChange(action, 77)).toBe('done');
    expect(applied).toEqual([
      { kind: 'ledger_sale', email: 'ann@example.com', facts: edit.before },
    ]);
  });

  test.each([
    ['missing', storeOf(edit.after, false), []],
    ['changed', storeOf(saleFacts({ quantity: 9 })), []],
    ['changed', storeOf(null), []],
    ['changed', { ...storeOf(edit.after), findSaleIds: async () => new Map() }, []],
    ['changed', storeOf(edit.after), ['1']],
  ] as const)('is rejected as %s', async (result, store, refused) => {
    expect(await undoSaleChange(actionOf(store, refused).action, 77)).toBe(result);
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
