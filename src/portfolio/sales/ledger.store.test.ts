/** Guarantees of every store about recorded sales: filters, order and pages. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { describe, expect, test } from 'bun:test';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import type { LotPrediction } from '../../buying/prices/prediction.ts';
import { dayOf } from '../../kernel/time.ts';
import type { PrivateRow } from '../lots/private-rows.ts';
import { type SaleFilter, type SaleOrder, saleOrders } from './ledger.ts';

const shared = shareStore();

/** Two owners with the same sales. */
async function addTwo(fill: (owner: Owner) => Promise<void>): Promise<[Owner, Owner]> {
  const two: [Owner, Owner] = [await shared.addOwner(), await shared.addOwner()];
  for (const owner of two) await fill(owner);
  return two;
}

const given = { costCents: 5_00 };

/** The ids of an owner's sales by source id. */
async function idsOf(owner: Owner): Promise<Record<string, number>> {
  const sales = await shared.store.accounts.listRecordedSales(owner.id, { after: 0, limit: 99 });
  return Object.fromEntries(sales.map(({ sourceId, sequence }) => [sourceId, sequence]));
}

test('sales are listed newest first, then as recorded, within the requested days', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.sale('before', { ...given, saleDate: '2026-05-05' }),
      owner.sale('first', { ...given, saleDate: '2026-05-06' }),
      owner.sale('tie', { ...given, saleDate: '2026-05-07' }),
      owner.sale('tie too', { ...given, saleDate: '2026-05-07' }),
      owner.sale('after', { ...given, saleDate: '2026-05-08' }),
    ),
  );
  const names = new Map(Object.entries(await idsOf(one)).map(([name, id]) => [id, name]));
  const list = async (page: { limit: number; offset: number; from?: string; to?: string }) => {
    const { limit, offset, from, to } = page;
    const span = from && to ? { from, to } : undefined;
    const found = await shared.store.accounts.listSales(one.id, { limit, offset, span });
    return [found.total, ...found.rows.map(({ id }) => names.get(id))];
  };
  const span = { from: '2026-05-06', to: '2026-05-07' };
  expect(await list({ limit: 9, offset: 0, ...span })).toEqual([3, 'tie', 'tie too', 'first']);
  expect(await list({ limit: 1, offset: 1, ...span })).toEqual([3, 'tie too']);
  expect(await list({ limit: 9, offset: 0 })).toEqual([
    5,
    'after',
    'tie',
    'tie too',
    'first',
    'before',
  ]);
});

test('purchases and sales of an item are summed by day, without unknown dates', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('sold out', { purchaseDate: '2025-01-01', priceCents: 10_00, quantity: 1 }),
      owner.lot('a', { purchaseDate: '2025-03-01', priceCents: 10_00, quantity: 2 }),
      owner.lot('b', { purchaseDate: '2025-03-01', priceCents: 20_00, quantity: 1 }),
      owner.lot('used', { purchaseDate: '2025-03-01', condition: 'used', quantity: 1 }),
      owner.lot('assumed', { purchaseDate: '2025-02-01', dateBasis: 'assumed' }),
      owner.lot('other', { number: '2', purchaseDate: '2025-03-01' }),
      owner.sale('s', { saleDate: '2026-05-06', quantity: 1 }),
      owner.sale('t', { ...given, saleDate: '2026-05-06', quantity: 1 }),
      owner.sale('elsewhere', { ...given, number: '2', saleDate: '2026-05-06' }),
    ),
  );
  const list = async (limit: number) => {
    const item = { kind: 'set', keys: ['1', 'alias'] } as const;
    const trades = await shared.store.accounts.listItemTrades(one.id, item, limit);
    return trades.map(({ type, date, condition, units }) => [type, date, condition, units]);
  };
  const all = [
    ['purchase', '2025-01-01', 'sealed', 1],
    ['purchase', '2025-03-01', 'used', 1],
    ['purchase', '2025-03-01', 'sealed', 3],
    ['sale', '2026-05-06', 'sealed', 2],
  ];
  expect(await list(9)).toEqual(all);
  expect(await list(2)).toEqual(all.slice(2));
  const item = { kind: 'set', keys: ['1'] } as const;
  const trades = await shared.store.accounts.listItemTrades(one.id, item, 9);
  expect(trades[2]?.cents).toBe(40_00);
  expect(trades[3]?.cents).toBe(60_00);
});

test('a sale is found by its owner only, as given', async () => {
  const [one, other] = await addTwo((owner) => owner.apply(owner.sale('s', given)));
  const { accounts } = shared.store;
  const { s: id = 0 } = await idsOf(one);
  expect(await accounts.findSale(one.id, id)).toMatchObject({
    id,
    costCents: 5_00,
    facts: { sourceId: 's', grossCents: 30_00 },
  });
  expect(await accounts.findSale(other.id, id)).toBeNull();
  expect(await accounts.findSale(one.id, id + 99)).toBeNull();
});

/** Three lots, a sale of all of them, and two more on other days. */
const sellLots = (owner: Owner) =>
  owner.apply(
    owner.brickfolio('Shelf'),
    owner.brickfolio('Attic'),
    owner.lot('late', { purchaseDate: '2026-03-05', brickfolio: 'Attic', quantity: 9 }),
    owner.lot('tie'),
    owner.lot('tie too', { quantity: 3 }),
    owner.sale('all', { quantity: 6 }),
    owner.sale('day before', { lot: 'late', saleDate: '2026-05-05' }),
    owner.sale('again', { lot: 'late', quantity: 2 }),
    owner.sale('without', given),
  );

test('a lot lists its sales, newest first; on one day, the last recorded first', async () => {
  const [one, other] = await addTwo(sellLots);
  const { accounts } = shared.store;
  const ids = await idsOf(one);
  const lots = await accounts.listLots(one.id, { after: 0, limit: 9 });
  const late = lots.find(({ sourceId }) => sourceId === 'late')?.sequence ?? 0;
  const list = async (limit: number, owner = one) =>
    (await accounts.listLotSales(owner.id, late, limit)).map((sale) => [
      sale.saleId,
      sale.saleDate,
      sale.quantity,
    ]);
  const again = [ids.again ?? 0, '2026-05-06', 2];
  const all = [ids.all ?? 0, '2026-05-06', 1];
  expect(await list(9)).toEqual([again, all, [ids['day before'] ?? 0, '2026-05-05', 1]]);
  expect(await list(2)).toEqual([again, all]);
  expect(await list(9, other)).toEqual([]);
});

test('a sale lists its lots, oldest purchase first, with their purchase dates', async () => {
  const [one, other] = await addTwo(sellLots);
  const { accounts } = shared.store;
  const ids = await idsOf(one);
  const list = async (name: string, limit: number, owner = one) =>
    (await accounts.listSaleLots(owner.id, ids[name] ?? 0, limit)).map((lot) => [
      lot.brickfolio,
      lot.purchaseDate,
      lot.quantity,
    ]);
  const [first, second] = [
    ['Shelf', '2026-03-04', 2],
    ['Shelf', '2026-03-04', 3],
  ];
  expect(await list('all', 9)).toEqual([first, second, ['Attic', '2026-03-05', 1]]);
  expect(await list('all', 2)).toEqual([first, second]);
  expect(await list('all', 9, other)).toEqual([]);
  expect(await list('without', 9)).toEqual([]);
  const asked = ['all', 'again', 'without'].map((name) => ids[name] ?? 0);
  const takes = await accounts.listTakes(one.id, asked);
  const days = [...takes].map(([id, of]) => [id, of.map((take) => take.purchaseDate).join()]);
  expect(Object.fromEntries(days)).toEqual({
    [ids.all ?? 0]: '2026-03-04,2026-03-04,2026-03-05',
    [ids.again ?? 0]: '2026-03-05',
  });
  expect(takes.get(ids.all ?? 0)?.[1]).toMatchObject({ quantity: 3, costCents: 30_00 });
  expect(await accounts.listTakes(other.id, asked)).toEqual(new Map());
});

test('recorded sales are listed in order, each with its takes', async () => {
  const [one] = await addTwo(sellLots);
  const list = async (after: number, limit: number) =>
    (await shared.store.accounts.listRecordedSales(one.id, { after, limit })).map((sale) => [
      sale.sourceId,
      sale.settled?.takes.map(({ lot, quantity }) => `${quantity} of ${lot}`).join(),
    ]);
  const all = ['all', '1 of late,2 of tie,3 of tie too'];
  const dayBefore = ['day before', '1 of late'];
  expect(await list(0, 2)).toEqual([all, dayBefore]);
  const { all: place = 0 } = await idsOf(one);
  expect(await list(place, 9)).toEqual([dayBefore, ['again', '2 of late'], ['without', '']]);
});

test('sales are summed by month and platform, and by day', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('a', { quantity: 9 }),
      owner.sale('1', { ...given, platform: 'other' }),
      owner.sale('2', { ...given, platform: 'amazon', quantity: 3 }),
      owner.sale('3', { ...given, platform: 'amazon', saleDate: '2026-05-31' }),
      owner.sale('4', { ...given, saleDate: '2026-04-30' }),
      owner.sale('5', { saleDate: '2026-06-01', quantity: 2 }),
      owner.sale('6', { ...given, saleDate: '2026-06-01' }),
    ),
  );
  const { accounts } = shared.store;
  const sums = (await accounts.listSaleSums(one.id)).map((sum) => [
    sum.month,
    sum.platform,
    sum.sales,
    sum.units,
    sum.grossCents,
    sum.costCents,
  ]);
  expect(sums).toEqual([
    ['2026-06', 'ebay', 2, 3, 60_00, 25_00],
    ['2026-05', 'amazon', 2, 4, 60_00, 10_00],
    ['2026-05', 'other', 1, 1, 30_00, 5_00],
    ['2026-04', 'ebay', 1, 1, 30_00, 5_00],
  ]);
  const day = dayOf(Date.parse('2026-06-01'));
  const results = await accounts.listSaleResults(one.id);
  const ofDay = results.filter((result) => result.day === day);
  expect(ofDay).toEqual([{ day, netCents: 48_00, profitCents: 23_00 }]);
  expect(results).toHaveLength(4);
});

test('sales with fees from orders are listed newest first, without possible presets', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.sale('ebay/1/2', { ...given, number: '3' }),
      owner.sale('newer', { ...given, saleDate: '2026-05-07' }),
      owner.sale('web:x', given),
      owner.sale('free', { ...given, platformFeesCents: 0, paymentFeesCents: 0 }),
      owner.sale('paid', { ...given, platformFeesCents: 0, paymentFeesCents: 1 }),
    ),
  );
  const { newer = 0, 'ebay/1/2': first = 0, paid = 0 } = await idsOf(one);
  const { accounts } = shared.store;
  const listed = await accounts.listChargedSales(one.id, 9);
  expect(listed.map(({ id }) => id)).toEqual([newer, first, paid]);
  expect(listed[1]).toEqual({
    id: first,
    kind: 'set',
    number: '3',
    platform: 'ebay',
    saleDate: '2026-05-06',
    quantity: 1,
    grossCents: 30_00,
    platformFeesCents: 1_00,
    paymentFeesCents: 2_00,
    shippingCents: 3_00,
  });
  expect(await accounts.listChargedSales(one.id, 1)).toHaveLength(1);
});

describe('the prediction of a purchase', () => {
  const prediction: LotPrediction = {
    at: sharedNow,
    condition: 'sealed',
    valueCents: 40_00,
    netHalfCents: 26_00,
    netSafeCents: 24_00,
    channel: 'ebay',
    waitDays: 27.5,
  };
  const nothing = { units: 0, costCents: 0, predictedCents: 0, gotCents: 0, cleared: 0 };

  /** Two owners, each with a predicted lot of two units, and one without a prediction. */
  async function addPredicted(): Promise<[Owner, Owner]> {
    return addTwo((owner) =>
      owner.apply(
        owner.brickfolio('Shelf'),
        { ...owner.lot('old', { purchaseDate: '2026-01-01', number: '2' }) },
        { ...owner.lot('new', { quantity: 3 }), prediction } as PrivateRow,
      ),
    );
  }

  const lotIds = async (owner: Owner) => {
    const lots = await shared.store.accounts.listLots(owner.id, { after: 0, limit: 9 });
    return Object.fromEntries(lots.map(({ sourceId, sequence }) => [sourceId, sequence]));
  };

  test('stays unchanged whatever happens to the lot, and is removed with it', async () => {
    const { accounts } = shared.store;
    const [one, other] = await addPredicted();
    const { new: lotId = 0, old = 0 } = await lotIds(one);
    const again = { ...prediction, valueCents: 1 };
    await one.apply({ ...one.lot('new', { quantity: 5 }), prediction: again } as PrivateRow);
    expect(await accounts.findPrediction(one.id, lotId)).toEqual(prediction);
    expect(await accounts.findPrediction(one.id, old)).toBeNull();
    expect(await accounts.findPrediction(other.id, lotId)).toBeNull();
    const listed = await accounts.listPredictions(one.id, { after: 0, limit: 9 });
    expect(listed).toEqual([{ ...prediction, sequence: lotId, lot: 'new' }]);
    expect(await accounts.listPredictions(one.id, { after: lotId, limit: 9 })).toEqual([]);
    await accounts.change(one.id, { rows: [{ kind: 'lot_removal', lotId }] }, sharedNow);
    expect(await accounts.findPrediction(one.id, lotId)).toBeNull();
  });

  test('is compared with the net proceeds of its units only', async () => {
    const { accounts } = shared.store;
    const [one, other] = await addPredicted();
    const { new: lotId = 0, old = 0 } = await lotIds(one);
    expect(await accounts.gradePurchases(one.id)).toEqual(nothing);
    await one.apply(
      // 30.00 − 6.00 is the safe net of 24.00; two units for 53.99 net 23.995 each.
      one.sale('a', { quantity: 1 }),
      one.sale('b', { quantity: 2, grossCents: 53_99 }),
      one.sale('c', { quantity: 1, number: '2' }),
    );
    const grade = {
      units: 3,
      costCents: 30_00,
      predictedCents: 78_00,
      gotCents: 71_99,
      cleared: 1,
    };
    expect(await accounts.gradePurchases(one.id)).toEqual(grade);
    expect(await accounts.gradePurchases(one.id, lotId)).toEqual(grade);
    expect(await accounts.gradePurchases(one.id, old)).toEqual(nothing);
    expect(await accounts.gradePurchases(other.id, lotId)).toEqual(nothing);
  });
});

test('sales are filtered by platform and set, sorted by any figure, and summed with the same filter', async () => {
  const [one, other] = await addTwo((owner) =>
    owner.apply(
      owner.sale('a', { ...given, grossCents: 20_00, saleDate: '2026-05-01' }),
      owner.sale('b', { ...given, platform: 'local', number: '2', quantity: 4 }),
      owner.sale('c', { costCents: 0, platformFeesCents: 9_00, number: '2' }),
      owner.sale('d', { costCents: 1_00, shippingCents: 4_00, saleDate: '2025-05-06' }),
    ),
  );
  const { accounts } = shared.store;
  const ids = await idsOf(one);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const list = async (filter: SaleFilter, order?: SaleOrder) => {
    const page = { limit: 9, offset: 0, ...filter, ...(order && { order }) };
    const { total, rows } = await accounts.listSales(one.id, page);
    expect(total).toBe(rows.length);
    return rows.map(({ id }) => names.get(id)).join('');
  };
  const two = { kind: 'set', key: '2' } as const;
  expect(await list({ platform: 'local' })).toBe('b');
  expect(await list({ items: [two] })).toBe('bc');
  expect(await list({ items: [] })).toBe('');
  expect(await list({ platform: 'ebay', items: [two] })).toBe('c');
  const year = { from: '2026-01-01', to: '2026-12-31' };
  expect(await list({ span: year, platform: 'ebay' })).toBe('ca');
  // Equal ones are listed newest first.
  const ascending: Record<SaleOrder['by'], string> = {
    date: 'dabc',
    set: 'adbc',
    platform: 'cadb',
    quantity: 'cadb',
    gross: 'abcd',
    fees: 'badc',
    shipping: 'bcad',
    net: 'acdb',
    cost: 'cdba',
    profit: 'acbd',
    roi: 'abdc',
  };
  const got: Record<string, string> = {};
  for (const by of saleOrders) got[by] = await list({}, { by, isDescending: false });
  expect(got).toEqual(ascending);
  // Sales without cost have no return, and are last in both directions.
  expect(await list({}, { by: 'roi', isDescending: true })).toEndWith('c');
  const sums = await accounts.listSaleSums(one.id, { span: year, items: [two] });
  expect(sums.map(({ platform, units }) => [platform, units])).toEqual([
    ['ebay', 1],
    ['local', 4],
  ]);
  expect(await accounts.listSoldItems(one.id)).toEqual([{ kind: 'set', key: '1' }, two]);
  expect(await accounts.findSaleIds(one.id, ['a', 'none'])).toEqual(new Map([['a', ids.a ?? 0]]));
  expect((await accounts.findSaleIds(other.id, ['a'])).get('a')).not.toBe(ids.a ?? 0);
});
