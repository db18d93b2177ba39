/** eBay's order download, row by row. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { openTable } from '../readers/table.work.ts';
import { readEbay } from './ebay.work.ts';

const columns = [
  'Order Number',
  'Item Number',
  'Transaction ID',
  'Item Title',
  'Custom Label',
  'Quantity',
  'Sold For',
  'Shipping And Handling',
  'eBay Collected Tax',
  'Total Price',
  'Sale Date',
  'Paid On Date',
] as const;
type Row = Partial<Record<(typeof columns)[number], string>>;

const line = (row: Row) => columns.map((column) => row[column] ?? '').join(',');

async function read(...rows: readonly (Row | string)[]) {
  const lines = rows.map((row) => (typeof row === 'string' ? row : line(row)));
  const text = `${[columns.join(','), ...lines].join('\n')}\n`;
  const stream = Readable.from([Buffer.from(text)]);
  const orders = [];
  for await (const group of readEbay(await openTable({ name: 'e', stream }))) orders.push(...group);
  return orders;
}

const item: Row = {
  'Order Number': '1',
  'Item Number': '11',
  'Item Title': 'LEGO 10482',
  Quantity: '2',
  'Sold For': '$50.00',
  'Sale Date': 'Sep-04-26',
  'Paid On Date': 'Sep-04-26',
};

test("'Sold For' is per unit, unless the total contradicts", async () => {
  const gross = async (total: string) =>
    (await read({ ...item, 'Shipping And Handling': '$5.00', 'Total Price': total }))[0]?.items[0]
      ?.own.grossCents;
  expect(await gross('$105.00')).toBe(100_00);
  expect(await gross('$55.00')).toBe(50_00);
  expect(await gross('$99.00')).toBe(100_00);
});

test('taxes collected by eBay are only in the total', async () => {
  const [order] = await read({
    ...item,
    'eBay Collected Tax': '$4.00',
    'Shipping And Handling': '$5.00',
    'Total Price': '$59.00',
  });
  expect(order?.items[0]?.own.grossCents).toBe(50_00);
  expect(order?.shared).toMatchObject({ grossCents: 5_00, shippingCents: 5_00 });
});

test('an order of several items has its shipping on its own row', async () => {
  const head = { ...item, 'Item Number': '', 'Item Title': '', Quantity: '3', 'Sold For': '' };
  const orders = await read(
    { ...head, 'Shipping And Handling': '$6.00' },
    { ...item, 'Shipping And Handling': '$9.00', 'Sale Date': '' },
    { ...item, 'Order Number': '', 'Item Number': '12', Quantity: '1', 'Sold For': '€7.00' },
    '',
    { ...item, 'Order Number': '2' },
    '1 record(s) downloaded,,,,,,,,,,,',
    'Seller ID : me,,,,,,,,,,,',
  );
  expect(orders.map(({ id, shared }) => [id, shared.shippingCents])).toEqual([
    ['1', 6_00],
    ['2', 0],
  ]);
  expect(orders[0]?.items).toMatchObject([
    { id: '11', quantity: 2, weight: 100_00, own: { grossCents: 100_00 } },
    { id: '12', quantity: 1, weight: 7_00, own: { grossCents: 7_00 } },
  ]);
  expect(orders.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
});

test('without an order row, shipping is the sum over items', async () => {
  const shipped = { ...item, 'Shipping And Handling': '$2.00' };
  const [order] = await read(shipped, { ...shipped, 'Item Number': '12' });
  expect(order?.shared.shippingCents).toBe(4_00);
});

test('the first amount with a currency determines it', async () => {
  const [order] = await read({ ...item, 'Sold For': '5' }, { ...item, 'Sold For': '€5.00' });
  expect(order?.currency).toBe('EUR');
});

test.each([
  ['LEGO 10482', 'sealed'],
  ['LEGO 10482 used', 'used'],
  ['Used LEGO 10482', 'used'],
  ['LEGO 10482 never used', 'sealed'],
  ['LEGO 10482 not used', 'sealed'],
  ['LEGO 10482 unused', 'sealed'],
])('%s is %s', async (title, condition) => {
  const [order] = await read({ ...item, 'Item Title': title });
  expect(order?.items[0]).toMatchObject({ condition, set: { texts: [title] } });
});

test('an order has up to 10,000 items', async () => {
  const items = Array.from({ length: 10_001 }, () => line(item));
  await expect(read(...items)).rejects.toThrow('e:10002: the order has more than 10000 items.');
});

test('the label takes precedence over the title', async () => {
  const [order] = await read({ ...item, 'Custom Label': '10483' });
  expect(order?.items[0]?.set).toEqual({ texts: ['10483', 'LEGO 10482'] });
});

test.each<[Row, string | null]>([
  [{}, null],
  [{ 'Sale Date': '3/13/2026' }, null],
  [{ 'Sale Date': '3/3/2026' }, null],
  [{ 'Sale Date': '3/4/2026' }, "the sale date must look like Sep-04-26, not '3/4/2026'"],
  [{ 'Sale Date': '' }, "the sale date must look like Sep-04-26, not ''"],
  [{ 'Paid On Date': '' }, 'the order is not paid'],
  [{ 'Sold For': '$0.00' }, null],
  [{ 'Sold For': '-$1' }, "'Sold For' must be an amount such as $43.00, not '-$1'"],
  [{ 'Sold For': '' }, "'Sold For' must be an amount such as $43.00, not ''"],
])('an order with %j: %p', async (given, problem) => {
  expect((await read({ ...item, ...given }))[0]?.problem).toBe(problem);
});

test.each<[Row, number, number, string | null]>([
  [{ Quantity: '' }, 1, 50_00, null],
  [{ Quantity: 'x' }, 1, 0, "the quantity must be 1 or more, not 'x'"],
  [{ 'Item Title': '' }, 2, 100_00, 'the order has no items'],
  [{ 'Item Number': '', 'Item Title': '' }, 2, 0, 'the order has no items'],
])('an item with %j has %d units for %d cents: %p', async (given, quantity, weight, problem) => {
  const [order] = await read({ ...item, ...given });
  expect(order?.items).toMatchObject([{ quantity, weight, problem }]);
});

test.each<[Row, string]>([
  [{}, '11'],
  [{ 'Item Number': '', 'Transaction ID': '99' }, '99'],
  [{ 'Item Number': '' }, '-'],
])('an item with %j has the ID %s, next to others', async (given, id) => {
  const [order] = await read({ ...item, ...given }, { ...item, 'Item Number': '12' });
  expect(order?.items.map((each) => each.id)).toEqual([id, '12']);
});

test('a row that does not fit the header rejects its item, or the order if it has its amounts', async () => {
  const [moved] = await read(`${line(item)},more`);
  expect(moved?.items[0]?.problem).toBe('the row has 13 columns and the header 12');
  expect(moved?.problem).toBeNull();
  const head = { ...item, 'Item Number': '', 'Item Title': '' };
  const [spoiled] = await read(`${line(head)},more`, item);
  expect(spoiled?.problem).toBe('the row has 13 columns and the header 12');
});
