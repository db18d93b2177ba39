/** Statements compute the same figures of recorded sales as the domain. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { dayOf, parseDay } from '../../kernel/time.ts';
import { feeTotal } from '../../market/fees/platform-fees.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { type LedgerSale, proceedsOf, type SaleOrder } from '../../portfolio/sales/ledger.ts';

const shared = shareStore();

const prediction = {
  at: sharedNow,
  condition: 'sealed',
  valueCents: 40_00,
  netHalfCents: 26_00,
  netSafeCents: 10_00,
  channel: 'ebay',
  waitDays: null,
} as const;

const cents = fc.integer({ min: 0, max: 40_00 });
const soldUnits = fc.record({
  saleDate: fc.constantFrom('2026-05-06', '2026-05-07'),
  quantity: fc.integer({ min: 1, max: 3 }),
  grossCents: fc.integer({ min: 0, max: 99_99 }),
  platformFeesCents: cents,
  paymentFeesCents: cents,
  shippingCents: cents,
  // Given for some sales, which then take no units; also 0, which has no return.
  costCents: fc.constantFrom(null, null, null, 0, 7_00),
});
const prices = fc.tuple(cents, cents);

test('fees, net proceeds, profit and return of random sales are those of the domain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(soldUnits, { minLength: 2, maxLength: 6 }), prices, check),
    { seed: 3, numRuns: runsOnEngine(60) },
  );

  async function check(
    sold: readonly Parameters<Owner['sale']>[1][],
    [first, second]: readonly [number, number],
  ): Promise<void> {
    const { accounts } = shared.store;
    const owner = await shared.addOwner();
    const lot = owner.lot('predicted', { quantity: 5, priceCents: first });
    await owner.apply(
      owner.brickfolio('Shelf'),
      { ...lot, prediction } as PrivateRow,
      owner.lot('later', { quantity: 13, priceCents: second, purchaseDate: '2026-03-05' }),
      ...sold.map((facts, index) => owner.sale(`${index}`, facts)),
    );
    const { rows } = await accounts.listSales(owner.id, { limit: 9, offset: 0 });
    expect(rows).toHaveLength(sold.length);
    await checkOrders(owner, rows);
    await checkDays(owner, rows);
    await checkTakes(owner, rows);
    expect(new Set((await accounts.listChargedSales(owner.id, 9)).map(({ id }) => id))).toEqual(
      new Set(rows.filter((sale) => feeTotal(sale) > 0).map(({ id }) => id)),
    );
  }
});

const figures: Partial<Record<SaleOrder['by'], (sale: LedgerSale) => number>> = {
  fees: feeTotal,
  net: (sale) => proceedsOf(sale).netCents,
  profit: (sale) => proceedsOf(sale).profitCents,
  // Not rounded; sales without a return are last.
  roi: (sale) =>
    sale.costCents === 0 ? Number.POSITIVE_INFINITY : proceedsOf(sale).profitCents / sale.costCents,
};

/** Sales that are equal are listed by day, newest first, and then in order of recording. */
async function checkOrders({ id }: Owner, sales: readonly LedgerSale[]): Promise<void> {
  for (const [by, figure] of Object.entries(figures)) {
    const order = { by: by as SaleOrder['by'], isDescending: false };
    const page = { limit: 9, offset: 0, order };
    const sorted = [...sales].sort(
      (a, b) =>
        Math.sign(figure(a) - figure(b) || 0) ||
        Number(a.saleDate < b.saleDate) - Number(a.saleDate > b.saleDate) ||
        a.id - b.id,
    );
    const listed = (await shared.store.accounts.listSales(id, page)).rows;
    expect([by, ...listed.map((sale) => sale.id)]).toEqual([by, ...sorted.map((sale) => sale.id)]);
  }
}

async function checkDays({ id }: Owner, sales: readonly LedgerSale[]): Promise<void> {
  for (const result of await shared.store.accounts.listSaleResults(id)) {
    const ofDay = sales.filter(({ saleDate }) => dayOf(parseDay(saleDate) ?? 0) === result.day);
    const proceeds = ofDay.map(proceedsOf);
    expect([result.netCents, result.profitCents]).toEqual([
      sum(proceeds.map(({ netCents }) => netCents)),
      sum(proceeds.map(({ profitCents }) => profitCents)),
    ]);
  }
}

/** The units of a sale share its net evenly, in the history of values and in predictions. */
async function checkTakes({ id }: Owner, sales: readonly LedgerSale[]): Promise<void> {
  const { accounts } = shared.store;
  const takes = await accounts.listTakes(
    id,
    sales.map((sale) => sale.id),
  );
  const taken = sales.flatMap((sale) =>
    (takes.get(sale.id) ?? []).map((take) => {
      const { netCents } = proceedsOf(sale);
      return { ...take, netCents: (netCents * take.quantity) / sale.quantity, sale };
    }),
  );
  const positions = await accounts.listPositions(id, { kind: 'set', after: '', limit: 9 });
  const exits = positions.flatMap((position) => position.exits.map(({ netCents }) => netCents));
  const byCents = (a: number, b: number) => a - b;
  expect([...exits].sort(byCents)).toEqual(taken.map(({ netCents }) => netCents).sort(byCents));

  const [lot] = await accounts.listLots(id, { after: 0, limit: 1 });
  const predicted = taken.filter(({ lotId }) => lotId === lot?.sequence);
  const grade = await accounts.gradePurchases(id);
  const units = (rows: typeof taken) => sum(rows.map(({ quantity }) => quantity));
  const net = sum(predicted.map(({ netCents }) => netCents));
  expect(Math.abs(grade.gotCents - net)).toBeLessThan(0.501);
  expect([grade.units, grade.cleared]).toEqual([
    units(predicted),
    units(
      predicted.filter(
        ({ sale }) => proceedsOf(sale).netCents >= prediction.netSafeCents * sale.quantity,
      ),
    ),
  ]);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
