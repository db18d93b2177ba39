/** The items of rows to correct. */
import { expect, test } from 'bun:test';
import { itemIn, wrongField } from './row-fields.ts';

const fieldsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text], index) => ({ key: String(index), name, text }));

test.each([
  [{ Number: '75192-1', Paid: '10' }, 'set', '75192'],
  [{ Item: '2x 75192', Cost: '10179' }, 'set', '75192'],
  [{ set_number: '100', quantity: '1' }, 'set', '100'],
  [{ 'Set number': 'sw0001a' }, 'minifig', 'sw0001a'],
] as const)('the item of %p is %s %s', (texts, kind, key) => {
  expect(itemIn(fieldsOf(texts))).toEqual({ kind, key });
});

test('a row without a number has no item', () => {
  expect(itemIn(fieldsOf({ Number: '', Paid: '10' }))).toBe(null);
  expect(itemIn(fieldsOf({}))).toBe(null);
});

const row = { Number: '75192', Owned: '0', Condition: 'Used', Paid: 'ten', Date: '2030-01-01' };

test.each([
  ["set '75192' is not in the catalog", 'Number'],
  ["'Owned' is 0, so there is nothing to add", 'Owned'],
  ['the quantity is 0, so there is nothing to add', 'Owned'],
  ["'Paid' must be an amount such as $40.08 or €40.08, not 'ten'", 'Paid'],
  ["'purchase_date' is in the future: 2030-01-01; today is 2026-11-15", 'Date'],
  ["the condition must be New, Sealed or Used, not 'Use'", 'Condition'],
  ['$1.00 each is 1/100 of the market value of $100.00', 'Paid'],
  ["the file says 'Castle', which is 7; 75192 is 'Falcon'", 'Number'],
  ['the row has 5 columns, and the header 4', undefined],
  ['skipped', undefined],
])('%p is about %p', (reason, name) => {
  expect(wrongField(fieldsOf(row), reason)?.name).toBe(name);
});

test('a field is found by its name in files of Brickmark, and by its text elsewhere', () => {
  const sale = fieldsOf({ 'Custom Label': '75192', 'Sale Date': 'Jan-01-30', 'Sold For': 'x' });
  const future = "'sale_date' is in the future: 2030-01-01; today is 2026-11-15";
  expect(wrongField(sale, future)?.name).toBe('Sale Date');
  const lost = "the asking price must be an amount such as 119.99, not 'x'";
  const asked = fieldsOf({ Paid: '4', Wish: 'x' });
  expect(wrongField(asked, lost)?.name).toBe('Wish');
  // The same text twice says nothing, so that the kind of the message does.
  expect(wrongField(fieldsOf({ Paid: 'x', Wish: 'x' }), lost)?.name).toBe('Paid');
});
