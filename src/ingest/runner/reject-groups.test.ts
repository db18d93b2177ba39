/** Reject reasons are grouped and translated into plain words. */
import { expect, test } from 'bun:test';
import { describeReason, groupRejects } from './reject-groups.ts';

test.each([
  ["'3001' is a part; only sets and minifigs can be imported", 'Parts'],
  ["'Brick 2 x 4' is a part; only sets and minifigs can be imported", 'Parts'],
  ["'852688' is a gear; only sets and minifigs can be imported", 'Gear'],
  ["'851' is a gear item; only sets and minifigs can be imported", 'Other items'],
  ["minifig 'sw0001' is not in the catalog", 'Minifigs that are not in the catalog'],
  ["set '99999-1' is not in the catalog", 'Sets that are not in the catalog'],
  ["'Owned' is 0, so there is nothing to add", 'Quantity 0'],
  ["the status is 'sold', so there is nothing to add", 'Sold or wanted'],
  [
    'there is no price, and no MSRP of 242406; use --missing-price zero',
    'No price, and no list price',
  ],
  ['there is no price; use --missing-price msrp or zero', 'No price'],
  [
    'there is no PLN exchange rate for Jan 1, 2025 or the week before it; import one, or write ' +
      'the amount in US dollars',
    'No exchange rate for PLN',
  ],
  [
    'the sale is for 2 sealed units of 100, but only 1 is left in all lots',
    'Not enough units in your inventory',
  ],
  ['the order is Pending: import it once it is paid', 'Orders that are not paid yet'],
  ["'Paid' must be an amount such as $40.08 or €40.08, not 'ten'", 'Amount not recognized'],
  ["'odd' is taken; --force imports it anyway", '… is taken'],
  ["'field' must be true or false, not 7", 'Field must be true or false'],
])('%p is in the group %p', (reason, title) => {
  const described = describeReason(reason);
  expect(described.title).toBe(title);
  expect(`${described.title} ${described.advice}`).not.toContain('--');
});

test('rows with the same reason form one group, largest first, with a few examples', () => {
  const parts = Array.from({ length: 120 }, (_, line) => ({
    where: `orders.csv:${line + 2}`,
    reason: `'30${line}' is a part; only sets and minifigs can be imported`,
  }));
  const groups = groupRejects([
    { where: 'orders.csv:1', reason: "set '7' is not in the catalog" },
    ...parts,
  ]);
  expect(groups.map(({ title, count }) => [title, count])).toEqual([
    ['Parts', 120],
    ['Sets that are not in the catalog', 1],
  ]);
  expect(groups[0]?.examples).toHaveLength(5);
  expect(groups[1]?.examples).toEqual([{ where: 'orders.csv:1', text: '7' }]);
});

test.each([
  ["set '7-1' is not in the catalog", '7-1'],
  ["the file says 'Ann's Hut', which is 7; 8 is 'Bob's Mill'", "Ann's Hut"],
  ["the quantity must be a whole number, not 'ten'", 'ten'],
  ['there is no price, and no MSRP of 242406; use --missing-price zero', '242406'],
  ['the sale is for 2 sealed units of 10482-1, but only 1 is left in all lots', '10482-1'],
  ['the sale is for 1 sealed unit of 10482-1, but none is left in all lots', '10482-1'],
  ["'Paid' must be an amount such as $40.08 or €40.08, not 'ten'", 'ten'],
  ["'price' must be above 0, not 0", '0'],
  ["'quantity' is missing", ''],
  ["'Number' is empty", ''],
  ["'base_price' must be an amount", ''],
  ["'sale_date' is in the future: 2030-01-01; today is 2026-11-15", '2030-01-01'],
  ['\'name\' is longer than 100 characters: "aaa…"', '"aaa…"'],
  ["'Owned' is 0, so there is nothing to add", ''],
  ['the line is for another account', ''],
])('an example of %p shows %p', (reason, text) => {
  expect(groupRejects([{ where: 'a:1', reason }])[0]?.examples).toEqual([{ where: 'a:1', text }]);
});

test.each([
  ["'x' is missing", 'X is missing'],
  ['\'x\' is longer than 64 characters: "aaa"', 'X is longer than 64 characters'],
  ["'x' is taken by 'y'", '… is taken by …'],
  ['the line is not valid JSON at column 5: expected a value', 'The line is not valid JSON'],
  ['it is wrong; see --help for more', 'It is wrong'],
])('%p without its values is %p', (reason, title) => {
  expect(describeReason(reason)).toEqual({ title, advice: '' });
});

test('groups of equal size keep their order, and there are at most fifty', () => {
  const reasons = Array.from({ length: 51 }, (_, index) => `reason ${index}`);
  const rows = reasons.map((reason) => ({ where: 'a:1', reason }));
  const groups = groupRejects([...rows, { where: 'a:2', reason: 'reason 49' }]);
  expect(groups).toHaveLength(50);
  expect(groups.slice(0, 3).map(({ title, count }) => [title, count])).toEqual([
    ['Reason 49', 2],
    ['Reason 0', 1],
    ['Reason 1', 1],
  ]);
});
