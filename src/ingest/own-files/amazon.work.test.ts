/** Amazon's reports: combining rows to sales, and rejects. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { openTable } from '../readers/table.work.ts';
import { isRejection } from '../runner/located-row.ts';
import { type AmazonReport, dateRange, readAmazonReport, settlement } from './amazon.work.ts';

async function read(report: AmazonReport, lines: readonly string[]) {
  const stream = Readable.from([Buffer.from(`${lines.join('\n')}\n`)]);
  const found = [];
  for await (const group of readAmazonReport(await openTable({ name: 'r', stream }), report)) {
    found.push(...group);
  }
  const orders = found.flatMap((each) => (isRejection(each) ? [] : [each]));
  return {
    orders,
    items: orders.flatMap(({ items }) => items),
    reasons: found.flatMap((each) => (isRejection(each) ? [each.reason] : [])),
  };
}

const settled =
  'settlement-id,total-amount,currency,transaction-type,order-id,amount-type,' +
  'amount-description,amount,posted-date,sku,quantity-purchased';
const part = (type: string, what: string, amount: string, more = '') =>
  `1,,,${more || 'Order'},A1,${type},${what},${amount},2026-03-01,10482-new,2`;
const settle = (...rows: readonly string[]) => read(settlement, [settled, ...rows]);

test('the parts of a settlement add up by order and stock number', async () => {
  const { orders, items, reasons } = await settle(
    '1,99.00,EUR,,,,,,,,',
    part('ItemPrice', 'Principal', '100.00'),
    part('ItemPrice', 'Shipping', '10.00'),
    part('ItemPrice', 'Tax', '8.00'),
    part('ItemWithheldTax', 'MarketplaceFacilitator', '-7.00'),
    part('ItemFees', 'Commission', '-15.00'),
    part('ItemFees', 'FBAPerUnitFulfillmentFee', '-6.00'),
    part('Promotion', 'Principal', '-5.00'),
    part('ItemPrice', 'Principal', '-20.00', 'Refund'),
    '1,,,Order,A1,ItemPrice,Principal,40.00,2026-03-02,10483-used,',
  );
  expect(reasons).toEqual([]);
  expect(orders.map(({ id, date, currency }) => [id, date, currency])).toEqual([
    ['A1', '2026-03-01', 'EUR'],
    ['A1', '2026-03-02', 'EUR'],
  ]);
  const nothing = { paymentFeesCents: 0, costCents: null };
  expect(items).toMatchObject([
    {
      id: '10482-new',
      set: { texts: ['10482-new'] },
      quantity: 2,
      condition: 'sealed',
      own: { ...nothing, grossCents: 85_00, platformFeesCents: 15_00, shippingCents: 6_00 },
      problem: null,
    },
    {
      id: '10483-used',
      quantity: 1,
      condition: 'used',
      own: { ...nothing, grossCents: 40_00, platformFeesCents: 0, shippingCents: 0 },
      problem: null,
    },
  ]);
});

test('the date is that of the order, even after a refund row', async () => {
  const { orders } = await settle(
    '1,,,Refund,A1,ItemPrice,Principal,-1.00,2026-04-01,10482,',
    '1,,,Order,A1,ItemPrice,Principal,9.00,01.03.2026,10482,',
    '1,,,Refund,A1,ItemPrice,Principal,-1.00,2026-05-01,10482,',
  );
  expect(orders.map(({ date }) => date)).toEqual(['2026-03-01']);
});

test.each([
  ['a refund alone', [part('ItemPrice', 'Principal', '-9.00', 'Refund')], 'a refund of an order'],
  [
    'a full refund',
    [part('ItemPrice', 'Principal', '9.00'), part('ItemPrice', 'Principal', '-9.00', 'Refund')],
    'the order was refunded',
  ],
  ['no day', [part('ItemPrice', 'Principal', '9.00').replace('2026-03-01', 'x')], 'the order date'],
  [
    'refunded fees',
    [part('ItemPrice', 'Principal', '9.00'), part('ItemFees', 'Commission', '1.00')],
    'more fees were refunded than paid',
  ],
  [
    'refunded shipping',
    [part('ItemPrice', 'Principal', '9.00'), part('ItemFees', 'FBA fee', '0.01')],
    'more fees were refunded than paid',
  ],
  ['no amount', [part('ItemPrice', 'Principal', 'x')], "'amount' must be an amount, not 'x'"],
])('%s cannot be imported', async (_, rows, problem) => {
  const { items } = await settle(...rows);
  expect(items.map((item) => item.problem)).toEqual([expect.stringContaining(problem)]);
  expect(items[0]?.quantity).toBeGreaterThan(0);
});

test('rows without an order item are rejected', async () => {
  const { orders, reasons } = await settle(
    '1,,,other-transaction,,other,Subscription,-39.99,2026-03-01,,',
    '1,,,ServiceFee,A1,,,-1.00,2026-03-01,,',
    '1,,,Order',
  );
  expect(orders).toEqual([]);
  expect(reasons).toEqual([
    "'Subscription' is not for an item of an order",
    "'ServiceFee' is not for an item of an order",
    'the row has 4 columns and the header 11',
  ]);
});

const ranged =
  'date/time,type,order id,sku,description,quantity,marketplace,product sales,' +
  'shipping credits,gift wrap credits,promotional rebates,selling fees,fba fees,' +
  'other transaction fees';
const range = (...rows: readonly string[]) => read(dateRange, [ranged, ...rows]);

test('a row of a date range report has all amounts of a sale', async () => {
  const { orders, items } = await range(
    '3/2/2026,Order,B1,10482,Harbor,3,amazon.com,90.00,5.00,2.00,-7.00,-13.00,-6.00,-1.00',
    '3/9/2026,Refund,B1,10482,Harbor,1,amazon.com,-30.00,,,,4.00,,',
    '3/2/2026,Order,B2,10482,Harbor,,Amazon.CO.UK,10.00,,,,,,',
  );
  expect(orders.map(({ date, currency }) => [date, currency])).toEqual([
    ['2026-03-02', 'USD'],
    ['2026-03-02', 'GBP'],
  ]);
  expect(items.map(({ quantity, own }) => [quantity, own])).toEqual([
    [
      3,
      {
        grossCents: 60_00,
        platformFeesCents: 10_00,
        paymentFeesCents: 0,
        shippingCents: 6_00,
        costCents: null,
      },
    ],
    [1, expect.objectContaining({ grossCents: 10_00, platformFeesCents: 0 })],
  ]);
});

test('the first of several invalid amounts is reported', async () => {
  const { items } = await range(
    '3/2/2026,Order,B1,10482,Harbor,3,amazon.com,x,y,2.00,-7.00,-13.00,-6.00,-1.00',
  );
  expect(items.map(({ problem }) => problem)).toEqual([
    "'product sales' must be an amount, not 'x'",
  ]);
});

test('a sale without a readable quantity is of one unit', async () => {
  const { items } = await range(
    '3/2/2026,Order,B1,10482,Harbor,x,amazon.com,9.00,,,,,,',
    '3/2/2026,Order,B2,10482,Harbor,,amazon.com,9.00,,,,,,',
    '3/2/2026,Order,B3,10482,Harbor,2,amazon.com,9.00,,,,,,',
    '3/3/2026,Order,B3,10482,Harbor,x,amazon.com,9.00,,,,,,',
  );
  expect(items.map(({ quantity }) => quantity)).toEqual([1, 1, 3]);
});
