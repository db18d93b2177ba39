/** Turning orders into sales, lots and rejects. */
import { expect, test } from 'bun:test';
import { readOptions } from '../../../test/support/read-options.ts';
import type { StoredLot } from '../../portfolio/lots/lots.ts';
import type { ReadOptions } from '../runner/format.work.ts';
import type { Rejection, SourceItem } from '../runner/located-row.ts';
import type { LotDraft, LotWriter } from './lot-writer.work.ts';
import { type Amounts, noAmounts, type Order, type OrderItem } from './order.ts';
import { itemAmounts, OrderWriter } from './order-writer.work.ts';

const item = (given: Partial<OrderItem> = {}): OrderItem => ({
  where: 'f:2',
  text: 'text',
  id: 'i',
  kind: 'set',
  set: { number: '10482' },
  quantity: 1,
  condition: 'sealed',
  weight: 1,
  own: noAmounts,
  problem: null,
  ...given,
});
const order = (given: Partial<Order> = {}): Order => ({
  platform: 'bricklink',
  id: '7',
  kind: 'sale',
  date: '2026-03-01',
  currency: 'USD',
  shared: { ...noAmounts, grossCents: 10_00 },
  problem: null,
  items: [item()],
  ...given,
});

/** A euro is $1.10; lots are returned as drafts. */
async function write(given: Order, stored: readonly string[] = []) {
  const base = readOptions();
  const options = {
    ...base,
    store: {
      market: {
        findKnownSets: async () => new Map(),
        findRates: async (queries: readonly unknown[]) => queries.map(() => 1.1),
      },
      accounts: {
        findLotsBySourceIds: async () =>
          new Map(stored.map((sourceId) => [sourceId, {} as StoredLot])),
      },
    } as unknown as ReadOptions['store'],
  };
  const drafts: (LotDraft | Rejection)[] = [];
  const lots = {
    toRows: async (all: readonly (LotDraft | Rejection)[]) => {
      drafts.push(...all);
      return [];
    },
  } as unknown as LotWriter;
  const owner = { id: 1, email: 'me@example.com', brickfolio: 'Shelf', brickfolios: [] };
  const rows = await new OrderWriter(options, owner, lots).toRows([given]);
  return { drafts, sales: rows.map(saleOf) };
}

function saleOf(row: SourceItem): unknown {
  if (!('result' in row)) return null;
  return 'row' in row.result ? (row.result.row as { facts: unknown }).facts : row.result.reason;
}

test('shared amounts are split by weight and added to own amounts', () => {
  const shared: Amounts = {
    grossCents: 9_01,
    platformFeesCents: 3_00,
    paymentFeesCents: 30,
    shippingCents: 6,
    costCents: 60,
  };
  const own = { ...noAmounts, grossCents: 5, shippingCents: 1, costCents: 7 };
  const items = [item({ weight: 2, own }), item({ weight: 1 })];
  expect(itemAmounts(order({ shared, items }))).toEqual([
    {
      grossCents: 6_01 + 5,
      platformFeesCents: 2_00,
      paymentFeesCents: 20,
      shippingCents: 4 + 1,
      costCents: 7,
    },
    {
      grossCents: 3_00,
      platformFeesCents: 1_00,
      paymentFeesCents: 10,
      shippingCents: 2,
      costCents: 20,
    },
  ]);
  expect(itemAmounts(order())[0]?.costCents).toBeNull();
});

test('a sale is in US dollars, with a source ID of its order', async () => {
  const own = { ...noAmounts, platformFeesCents: 1_00, paymentFeesCents: 50, shippingCents: 2_00 };
  const items = [item({ quantity: 2, condition: 'used', own: { ...own, costCents: 4_00 } })];
  const { sales } = await write(order({ currency: 'EUR', items }));
  expect(sales).toMatchObject([
    {
      sourceId: 'bricklink/7/i',
      number: '10482',
      platform: 'bricklink',
      saleDate: '2026-03-01',
      quantity: 2,
      condition: 'used',
      grossCents: 11_00,
      platformFeesCents: 1_10,
      paymentFeesCents: 55,
      shippingCents: 2_20,
      costCents: 4_40,
    },
  ]);
});

test('items with the same ID in an order have running numbers', async () => {
  const items = [item(), item(), item({ id: 'j' }), item()];
  const { sales } = await write(order({ platform: 'brick_owl', items }));
  expect(sales.map((sale) => (sale as { sourceId: string }).sourceId)).toEqual([
    'brickowl/7/i',
    'brickowl/7/i#2',
    'brickowl/7/j',
    'brickowl/7/i#3',
  ]);
});

test.each<[string, Partial<Order>]>([
  [
    'the item is bad',
    { problem: 'the order is bad', items: [item({ problem: 'the item is bad' })] },
  ],
  ['the order is bad', { problem: 'the order is bad' }],
  ['no set number found in', { items: [item({ set: { texts: ['nothing'] } })] }],
  ['the currency must be a code', { currency: 'euro' }],
  ['the refund is more than was paid', { shared: { ...noAmounts, grossCents: -1 } }],
])('rejects an order because %s', async (reason, given) => {
  expect((await write(order(given))).sales).toEqual([expect.stringContaining(reason)]);
});

test('a sale with gross proceeds of 0 is valid', async () => {
  const { sales } = await write(order({ shared: noAmounts }));
  expect(sales).toMatchObject([{ grossCents: 0, costCents: null }]);
});

const bought = (given: Partial<Order> = {}) => order({ kind: 'purchase', ...given });

test('a purchase becomes a lot for each unit price, in US dollars', async () => {
  const items = [item({ quantity: 3 })];
  const { drafts, sales } = await write(bought({ items }));
  expect(sales).toEqual([]);
  expect(drafts).toMatchObject([
    { quantity: 1, price: { cents: 3_34, currency: 'USD' }, date: '2026-03-01', number: '10482' },
    { quantity: 2, price: { cents: 3_33 }, condition: 'sealed', retailCents: null },
  ]);
  const ids = drafts.map((draft) => ('id' in draft ? draft.id : null));
  expect(ids[0]).toEqual({ own: 'bricklink/7/i' });
  expect(ids[1]).not.toEqual(ids[0]);
});

test('units stored as one lot stay one lot', async () => {
  const items = [item({ quantity: 3 })];
  const { drafts } = await write(bought({ items }), ['bricklink/7/i']);
  expect(drafts).toMatchObject([{ quantity: 3, price: { cents: 3_33 } }]);
});

test('a purchased minifig is a lot of a minifig', async () => {
  const items = [item({ kind: 'minifig', set: { number: 'sw0001' }, condition: 'used' })];
  const { drafts } = await write(bought({ items }));
  expect(drafts).toMatchObject([{ kind: 'minifig', number: 'sw0001', condition: 'used' }]);
});
