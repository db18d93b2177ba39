/** Rows of other services' collections as lots or rejects. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { openTable } from '../readers/table.work.ts';
import type { DayOrder } from '../runner/loose.ts';
import {
  brickEconomy,
  brickEconomyOld,
  bricksetA,
  bricksetB,
  type CollectionTable,
  readCollectionRow,
  rebrickableList,
} from './collection-tables.work.ts';

async function read(
  table: CollectionTable,
  row: Readonly<Record<string, string>>,
  order: DayOrder = 'day first',
) {
  const quote = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');
  const text = `${quote(Object.keys(row))}\n${quote(Object.values(row))}\n`;
  const opened = await openTable({ name: 't', stream: Readable.from([Buffer.from(text)]) });
  const found = [];
  for await (const rows of opened.rows()) {
    for (const each of rows) found.push(...readCollectionRow(table, each, order));
  }
  return found;
}

const reasonOf = async (...given: Parameters<typeof read>) => {
  const [first] = await read(...given);
  return first && 'reason' in first ? first.reason : null;
};

const copy = { Number: '10482-1', Paid: '$40.08', Condition: 'UsedComplete', Retail: '$119.99' };

test('BrickEconomy has a row for each copy', async () => {
  expect(await read(brickEconomy, { ...copy, Date: '3/4/2026', Owned: '2' })).toMatchObject([
    {
      where: 't:2',
      id: { source: 'brickeconomy' },
      number: '10482-1',
      quantity: 2,
      condition: 'used',
      price: { cents: 40_08, currency: 'USD' },
      date: '2026-04-03',
      retailCents: 119_99,
    },
  ]);
  const bare = { Number: '1', Paid: '', Condition: '', Retail: '', Date: '' };
  expect(await read(brickEconomy, bare)).toMatchObject([
    { quantity: 1, condition: 'sealed', price: null, date: null, retailCents: null },
  ]);
  const [old] = await read(brickEconomyOld, { ...copy, Date: 'x' });
  expect(old).toMatchObject({ date: null });
});

test('only retail prices in dollars above 0 count', async () => {
  const retail = async (text: string) => {
    const [lot] = await read(brickEconomy, { ...copy, Retail: text });
    return lot && 'retailCents' in lot ? lot.retailCents : undefined;
  };
  expect([await retail('5'), await retail('€5'), await retail('$0')]).toEqual([5_00, null, null]);
});

test.each([
  [{ ...copy, Number: '' }, "'Number' is empty"],
  [{ ...copy, Owned: '0' }, "'Owned' is 0, so there is nothing to add"],
  [{ ...copy, Owned: 'x' }, "'Owned' must be a whole number, not 'x'"],
  [{ ...copy, Paid: 'x' }, "'Paid' must be an amount such as $40.08 or €40.08, not 'x'"],
  [{ ...copy, Paid: '-1' }, "'Paid' must be an amount such as $40.08 or €40.08, not '-1'"],
  [{ ...copy, Date: 'x' }, "'Date' must be a date such as 31/12/2025 or 2025-12-31, not 'x'"],
])('%j is rejected: %s', async (row, reason) => {
  expect(await reasonOf(brickEconomy, row)).toBe(reason);
});

test('a price of 0 is valid, and dates may have the month first', async () => {
  const [lot] = await read(brickEconomy, { ...copy, Paid: '0', Date: '3/4/2026' }, 'month first');
  expect(lot).toMatchObject({ price: { cents: 0 }, date: '2026-03-04' });
  const reason = await reasonOf(brickEconomy, { ...copy, Date: 'x' }, 'month first');
  expect(reason).toContain('such as 12/31/2025');
});

test.each([
  [{ 'Qty owned': '3', 'Qty owned new': '', 'Qty owned used': '1' }, [2, 1]],
  [{ 'Qty owned': '1', 'Qty owned new': '2', 'Qty owned used': '0' }, [2]],
  [{ 'Qty owned': '', 'Qty owned new': '', 'Qty owned used': '2' }, [null, 2]],
])('quantities of Brickset by condition, %j, become lots', async (counts, [sealed, used]) => {
  const lots = await read(bricksetA, { Number: '10482-1', 'RRP (USD)': '119.99', ...counts });
  const expected = [
    ...(sealed
      ? [{ condition: 'sealed', quantity: sealed, retailCents: 119_99, price: null }]
      : []),
    ...(used ? [{ condition: 'used', quantity: used, date: null }] : []),
  ];
  expect(lots).toHaveLength(expected.length);
  expect(lots).toMatchObject(expected);
});

test('Brickset: sets that are not owned are rejected', async () => {
  const counts = { 'Qty owned': '0', 'Qty owned new': '', 'Qty owned used': '' };
  expect(await reasonOf(bricksetA, { Number: '1', ...counts })).toBe(
    "'Qty owned' is 0, so there is nothing to add",
  );
});

test.each([
  [{ Variant: '2' }, '10482-2'],
  [{ Variant: '', ImageFilename: '10482-3' }, '10482-3'],
  [{ Variant: '', ImageFilename: '104820-3' }, '10482'],
  [{}, '10482'],
])('Brickset without spaces: %j is %s', async (given, number) => {
  const row = { Number: '10482', QtyOwned: '1', USRetailPrice: '9', ...given };
  expect(await read(bricksetB, row)).toMatchObject([{ number, quantity: 1, retailCents: 9_00 }]);
});

test('Brickset without spaces: the owned mark is one copy', async () => {
  const row = { Number: '10482', QtyOwned: '', QtyOwnedNew: '', QtyOwnedUsed: '' };
  expect(await read(bricksetB, { ...row, Own: 'True' })).toMatchObject([{ quantity: 1 }]);
  expect(await read(bricksetB, { ...row, Own: 'True', QtyOwned: '4' })).toMatchObject([
    { quantity: 4 },
  ]);
  expect(await reasonOf(bricksetB, { ...row, Own: '' })).toBe(
    "'QtyOwned' is 0, so there is nothing to add",
  );
});

test('Rebrickable has sealed sets without prices', async () => {
  expect(await read(rebrickableList, { 'Set Number': '10482-1', Quantity: '3' })).toMatchObject([
    { id: { source: 'rebrickable' }, quantity: 3, condition: 'sealed', price: null, date: null },
  ]);
});
